//! Errors as OpenAI clients read them: `{"error": {message, type, param, code}}`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The largest piece of a caller's own value that a message quotes.
const QUOTED_CHARACTERS: usize = 80;

/// The largest message: nobody gets his own megabytes back, whatever a message quotes of them.
const MESSAGE_BYTES: usize = 1800;

/// The largest name of a field, which a request may make up.
const PARAM_BYTES: usize = 200;

/// One refusal or failure, with everything its HTTP reply needs.
///
/// Made where the fault is known; turned into a response in one place, so that every
/// error of the server has the same body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    kind: &'static str,
    message: String,
    param: Option<String>,
    code: Option<&'static str>,
    retry_after_seconds: Option<u32>,
}

impl ApiError {
    /// 400: the request names something this server will not do. `param` is the field at fault.
    pub fn invalid(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message).with_param(param)
    }

    /// 400: `param` held a value of the wrong kind or outside its range.
    pub fn wrong_value(param: &str, expected: &str, found: &serde_json::Value) -> Self {
        let found = describe(found);
        Self::invalid(param, format!("`{param}` must be {expected}; found {found}"))
            .with_code("invalid_value")
    }

    /// 400: a field whose meaning this server cannot give, named so that the caller can drop it.
    pub fn unsupported(param: &str, reason: &str) -> Self {
        Self::invalid(param, format!("`{param}` is not supported here: {reason}"))
            .with_code("unsupported_parameter")
    }

    /// 400: the prompt does not fit, with both lengths.
    pub fn prompt_too_long(param: &str, prompt_tokens: usize, context_tokens: usize) -> Self {
        Self::invalid(
            param,
            format!(
                "prompt and answer together may have {context_tokens} tokens, but the prompt alone \
                 has {prompt_tokens}: shorten the prompt"
            ),
        )
        .with_code("context_length_exceeded")
    }

    /// 400: a text of which a vector is wanted does not fit, with both lengths. Of one that was not
    /// encoded only the least number of tokens is known.
    pub fn input_too_long(param: &str, tokens: usize, is_least: bool, most: usize) -> Self {
        let least = if is_least { " or more" } else { "" };
        Self::invalid(
            param,
            format!(
                "`{param}` has {tokens} tokens{least}, and the model takes {most} at most: shorten it, \
                 or cut it into several"
            ),
        )
        .with_code("context_length_exceeded")
    }

    /// The same of a query and a document, which the model reads together. `param` is the document.
    pub fn pair_too_long(param: &str, tokens: usize, is_least: bool, most: usize) -> Self {
        let least = if is_least { " or more" } else { "" };
        Self::invalid(
            param,
            format!(
                "`query` and `{param}` together have {tokens} tokens{least}, and the model takes {most} \
                 at most: shorten the document, or cut it into several"
            ),
        )
        .with_code("context_length_exceeded")
    }

    /// 400: the model is of another kind than the endpoint; `path` is the one that it is for.
    pub fn wrong_kind(name: &str, does: &str, path: &str) -> Self {
        Self::invalid("model", format!("the model `{name}` {does}: use {path}"))
            .with_code("model_kind")
    }

    /// 400: the request's grammar could not be compiled in the time that one may take.
    pub fn grammar_too_slow() -> Self {
        let message = "compiling the request's grammar took too long: simplify it";
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
            .with_code("invalid_grammar")
    }

    /// What the engine says of an answer that it could not complete: 400 if the request is to blame,
    /// whose grammar then came to a limit; else 500.
    pub fn of_engine(message: String, is_own_fault: bool) -> Self {
        if !is_own_fault {
            return Self::internal(message);
        }
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
            .with_code("invalid_grammar")
    }

    /// 400: the text is longer than any prompt that fits. It was not encoded, so its tokens are
    /// only known to be `least_tokens` or more.
    pub fn text_too_long(
        param: &str,
        bytes: usize,
        least_tokens: usize,
        context_tokens: usize,
    ) -> Self {
        Self::invalid(
            param,
            format!(
                "prompt and answer together may have {context_tokens} tokens, but the prompt alone \
                 has {bytes} bytes, which are {least_tokens} tokens at least: shorten the prompt"
            ),
        )
        .with_code("context_length_exceeded")
    }

    /// 400: the body is not the JSON object that every endpoint expects.
    pub fn bad_body(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
            .with_code("invalid_json")
    }

    /// 401: the API key is missing or wrong.
    pub fn unauthorized(message: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "authentication_error", message)
            .with_code("invalid_api_key")
    }

    /// 404: there is no such model; `served` are those there are.
    pub fn unknown_model(found: &str, served: &[&str]) -> Self {
        let (found, served) = (shorten(found), served.join("`, `"));
        Self::new(
            StatusCode::NOT_FOUND,
            "invalid_request_error",
            format!("the model `{found}` does not exist; this server has `{served}`"),
        )
        .with_param("model")
        .with_code("model_not_found")
    }

    /// 400: the server has several models, and the request names none.
    pub fn no_model_named(served: &[&str]) -> Self {
        let served = served.join("`, `");
        Self::invalid("model", format!("`model` is missing; this server has `{served}`"))
    }

    /// 503: the request's model could not be loaded.
    pub fn not_loaded(name: &str, reason: &str) -> Self {
        let message = format!("the model `{name}` could not be loaded: {reason}");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server_error", message)
            .with_param("model")
            .with_code("model_not_loaded")
    }

    /// 404: there is no such route.
    pub fn unknown_route(method: &str, path: &str) -> Self {
        let path = shorten(path);
        Self::new(
            StatusCode::NOT_FOUND,
            "invalid_request_error",
            format!("there is no route {method} {path}"),
        )
        .with_code("unknown_url")
    }

    /// 405: the route exists, the method does not.
    pub fn wrong_method(method: &str, path: &str) -> Self {
        let path = shorten(path);
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "invalid_request_error",
            format!("{path} does not answer {method}"),
        )
        .with_code("method_not_allowed")
    }

    /// 408: the body did not arrive in time.
    pub fn body_too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "invalid_request_error",
            "the request body did not arrive in time",
        )
        .with_code("request_timeout")
    }

    /// 413: the body is larger than the limit.
    pub fn body_too_large(limit_bytes: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "invalid_request_error",
            format!("the request body is larger than this server's limit of {limit_bytes} bytes"),
        )
        .with_code("request_too_large")
    }

    /// 415: the body is not declared as JSON.
    pub fn not_json(found: Option<&str>) -> Self {
        let found = found.map_or_else(|| "none".to_owned(), |text| format!("`{}`", shorten(text)));
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "invalid_request_error",
            format!("the Content-Type must be `application/json`; found {found}"),
        )
        .with_code("unsupported_media_type")
    }

    /// 415: the body is compressed.
    pub fn encoded_body(found: &str) -> Self {
        let found = shorten(found);
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "invalid_request_error",
            format!(
                "the request's Content-Encoding is `{found}`: bodies are read as they are; send it \
                 without compression"
            ),
        )
        .with_code("unsupported_content_encoding")
    }

    /// 429: the queue is full; the client may try again in so many seconds.
    pub fn queue_full(retry_after_seconds: u32) -> Self {
        let mut error = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limit_error",
            "the server's queue is full: try again shortly",
        )
        .with_code("queue_full");
        error.retry_after_seconds = Some(retry_after_seconds);
        error
    }

    /// 500: our fault.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", message)
            .with_code("internal_error")
    }

    /// 504: the request's own `timeout` passed first.
    pub fn timed_out() -> Self {
        let message = "the answer was not complete within the request's `timeout`";
        Self::new(StatusCode::GATEWAY_TIMEOUT, "server_error", message).with_code("timeout")
    }

    /// 503: other requests' grammars are being compiled, and take long.
    pub fn compilers_busy() -> Self {
        let message = "other requests' grammars are being compiled: try again shortly";
        let mut error = Self::unavailable(message);
        error.retry_after_seconds = Some(5);
        error
    }

    /// 503: the server is stopping, or its engine has failed.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server_error", message).with_code("unavailable")
    }

    /// The same error with another `code`.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    /// The same error about another field.
    #[must_use]
    pub fn about(self, param: impl Into<String>) -> Self {
        self.with_param(param)
    }

    /// The same error in the words of another API, where fields have other names: each of `names`
    /// with the one that it has there.
    #[must_use]
    pub fn renamed(mut self, names: &[(&str, &str)]) -> Self {
        for (from, to) in names {
            for end in ["`", ".", "["] {
                let (from, to) = (format!("`{from}{end}"), format!("`{to}{end}"));
                self.message = self.message.replace(&from, &to);
            }
            let rest = self.param.as_deref().and_then(|param| param.strip_prefix(from));
            let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
            if let Some(param) = rest.map(|rest| format!("{to}{rest}")) {
                self.param = Some(param);
            }
        }
        self
    }

    /// The same where a tool's fields are not within `function`; its schema is under `schema`.
    #[must_use]
    pub fn with_flat_tools(mut self, schema: &str) -> Self {
        let Some(param) = self.param.take_if(|param| param.starts_with("tools[")) else {
            return self;
        };
        let flat = |text: &str| {
            let text = text.replace(".function.parameters", &format!(".{schema}"));
            text.replace(".function.", ".")
        };
        self.message = flat(&self.message);
        self.param = Some(flat(&param));
        self
    }

    /// The kind of error, in OpenAI's words.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// The HTTP status of the reply.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The field at fault, if one is.
    pub fn param(&self) -> Option<&str> {
        self.param.as_deref()
    }

    /// The sentence for a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The reply's body; also what a stream sends when it fails after its headers have gone.
    pub fn body(&self) -> impl Serialize + '_ {
        Body {
            error: BodyError {
                message: &self.message,
                kind: self.kind,
                param: self.param.as_deref(),
                code: self.code,
            },
        }
    }

    fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            message: bounded(message.into(), MESSAGE_BYTES),
            param: None,
            code: None,
            retry_after_seconds: None,
        }
    }

    fn with_param(mut self, param: impl Into<String>) -> Self {
        self.param = Some(bounded(param.into(), PARAM_BYTES));
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::error!(status = self.status.as_u16(), message = %self.message, "request failed");
        } else {
            tracing::debug!(status = self.status.as_u16(), message = %self.message, "request refused");
        }
        let mut response = (self.status, Json(self.body())).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

#[derive(Serialize)]
struct Body<'a> {
    error: BodyError<'a>,
}

#[derive(Serialize)]
struct BodyError<'a> {
    message: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    param: Option<&'a str>,
    code: Option<&'a str>,
}

/// A caller's value in a few words: small ones in full, large ones by kind.
fn describe(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) => format!("the string {:?}", shorten(text)),
        Value::Array(items) => format!("a list of {} items", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The beginning of a caller's text, so that an error never echoes a megabyte.
fn shorten(text: &str) -> String {
    if text.chars().nth(QUOTED_CHARACTERS).is_none() {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(QUOTED_CHARACTERS).collect();
    short.push('…');
    short
}

/// At most `bytes` of a text, with a sign where it was cut.
fn bounded(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_body_has_the_four_fields_of_an_openai_error() {
        let error = ApiError::wrong_value("top_p", "a number from 0 to 1", &json!("high"));
        let body = serde_json::to_value(error.body()).expect("an error body is plain JSON");
        assert_eq!(
            body,
            json!({"error": {
                "message": "`top_p` must be a number from 0 to 1; found the string \"high\"",
                "type": "invalid_request_error",
                "param": "top_p",
                "code": "invalid_value",
            }})
        );
    }

    #[test]
    fn absent_parts_are_null_and_not_missing() {
        let error = ApiError::internal("the step failed");
        let body = serde_json::to_value(error.body()).expect("an error body is plain JSON");
        assert_eq!(body["error"]["param"], json!(null));
        assert_eq!(body["error"].as_object().map(|error| error.len()), Some(4));
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let response = ApiError::queue_full(7).into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[header::RETRY_AFTER], "7");
    }

    #[test]
    fn fields_have_the_names_of_their_api() {
        let names = [("stop", "stop_sequences"), ("messages", "input")];
        let error = ApiError::wrong_value("stop", "a string", &json!(1)).renamed(&names);
        assert_eq!(error.param(), Some("stop_sequences"));
        assert!(error.message().starts_with("`stop_sequences` must be"), "{}", error.message());
        let error = ApiError::invalid("messages[0].role", "`messages[0].role` is").renamed(&names);
        assert_eq!((error.param(), error.message()), (Some("input[0].role"), "`input[0].role` is"));
        let error = ApiError::invalid("stopper", "`stopper` is wrong").renamed(&names);
        assert_eq!((error.param(), error.message()), (Some("stopper"), "`stopper` is wrong"));
        let path = "tools[1].function.parameters";
        let error = ApiError::unsupported(path, "no").with_flat_tools("input_schema");
        assert_eq!(error.param(), Some("tools[1].input_schema"));
        assert!(error.message().starts_with("`tools[1].input_schema` is"), "{}", error.message());
    }

    #[test]
    fn long_values_are_cut_at_a_character() {
        let error = ApiError::wrong_value("stop", "a string", &json!("é".repeat(5_000)));
        assert!(error.message().len() < 300, "{}", error.message());
        assert!(error.message().contains('…'));
    }
}
