//! The request's body: JSON, of limited size, in limited time.

use std::time::Duration;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use http_body_util::LengthLimitError;
use serde_json::{Map, Value};

use crate::api_error::ApiError;
use crate::strict_json;

/// How much body a request may have, and how long it may take to send it.
#[derive(Debug, Clone, Copy)]
pub struct BodyLimits {
    /// In bytes; more is 413.
    pub bytes: usize,
    /// From the first byte to the last; longer is 408.
    pub time: Duration,
}

/// The longest body, in bytes, that is parsed where others are served meanwhile.
const SHORT: usize = 64 << 10;

/// Reads a JSON object; gives its bytes too.
///
/// Insisting on the content type is also what keeps a web page from another origin out: a
/// browser sends JSON across origins only after a preflight that this server answers.
pub(crate) async fn read_object(
    request: Request,
    limits: BodyLimits,
) -> Result<(Map<String, Value>, usize), ApiError> {
    require_json(request.headers())?;
    require_plain(request.headers())?;
    let body = request.into_body();
    // What is announced as too large need not be sent to be refused.
    if body.size_hint().lower() > limits.bytes as u64 {
        return Err(ApiError::body_too_large(limits.bytes));
    }
    let bytes = tokio::time::timeout(limits.time, read_bytes(body, limits.bytes))
        .await
        .map_err(|_| ApiError::body_too_slow())??;
    let count = bytes.len();
    let parse = move || strict_json::from_slice(&bytes);
    let parsed = match count {
        ..=SHORT => parse(),
        _ => tokio::task::spawn_blocking(parse).await.expect("parsing does not panic"),
    };
    match parsed {
        Ok(Value::Object(object)) => Ok((object, count)),
        Ok(_) => Err(ApiError::bad_body("the body must be a JSON object")),
        Err(error) => Err(ApiError::bad_body(format!("the body is not valid JSON: {error}"))),
    }
}

fn require_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let value = headers.get(header::CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok());
    let essence = text.map(|text| text.split(';').next().unwrap_or(text).trim());
    match essence {
        Some(essence) if essence.eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(ApiError::not_json(text)),
    }
}

/// A compressed body may be a thousand times larger than it looks.
fn require_plain(headers: &HeaderMap) -> Result<(), ApiError> {
    let found = headers.get_all(header::CONTENT_ENCODING).into_iter();
    let mut text = found.map(|value| value.to_str().unwrap_or("?").trim());
    match text.find(|text| !text.is_empty() && !text.eq_ignore_ascii_case("identity")) {
        Some(encoding) => Err(ApiError::encoded_body(encoding)),
        None => Ok(()),
    }
}

async fn read_bytes(body: Body, limit_bytes: usize) -> Result<axum::body::Bytes, ApiError> {
    to_bytes(body, limit_bytes).await.map_err(|error| {
        let source = std::error::Error::source(&error);
        if source.is_some_and(|source| source.is::<LengthLimitError>()) {
            ApiError::body_too_large(limit_bytes)
        } else {
            ApiError::bad_body(format!("the body ended early: {error}"))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    async fn read(content_type: Option<&str>, body: &str) -> Result<Map<String, Value>, ApiError> {
        let mut request = Request::new(Body::from(body.to_owned()));
        if let Some(content_type) = content_type {
            let value = content_type.parse().expect("the test gives a valid header");
            request.headers_mut().insert(header::CONTENT_TYPE, value);
        }
        let limits = BodyLimits { bytes: 100_000, time: Duration::from_secs(60) };
        let (object, bytes) = read_object(request, limits).await?;
        assert_eq!(bytes, body.len());
        Ok(object)
    }

    async fn refused(content_type: Option<&str>, body: &str) -> u16 {
        read(content_type, body).await.expect_err("refused").status().as_u16()
    }

    #[tokio::test]
    async fn a_json_object_is_read() {
        let object = read(Some("application/json; charset=utf-8"), r#"{"a": 1}"#).await;
        assert_eq!(object.expect("valid")["a"], json!(1));
    }

    #[tokio::test]
    async fn bodies_that_are_no_object_are_400() {
        for body in [
            "",
            "{",
            "[]",
            "null",
            "1",
            "\"a\"",
            "{\"a\": 1e999}",
            "{\"a\": \"\\ud800\"}",
            "{\"a\": 1, \"a\": 2}",
        ] {
            assert_eq!(refused(Some("application/json"), body).await, 400, "{body}");
        }
    }

    #[tokio::test]
    async fn other_types_are_415_and_large_bodies_413() {
        assert_eq!(refused(None, "{}").await, 415);
        assert_eq!(refused(Some("text/plain"), "{}").await, 415);
        let of = |length: usize| format!("{{\"a\": \"{}\"}}", "x".repeat(length));
        assert_eq!(refused(Some("application/json"), &of(100_000)).await, 413);
        let long = read(Some("application/json"), &of(SHORT)).await.expect("it fits");
        assert_eq!(long["a"].as_str().map(str::len), Some(SHORT));
    }

    #[tokio::test]
    async fn what_is_announced_as_too_large_is_refused_before_it_comes() {
        let mut request = Request::new(Body::new(Announced));
        let value = "application/json".parse().expect("a header's value");
        request.headers_mut().insert(header::CONTENT_TYPE, value);
        let limits = BodyLimits { bytes: 64, time: Duration::from_secs(3600) };
        let error = read_object(request, limits).await.expect_err("refused");
        assert_eq!(error.status().as_u16(), 413);
    }

    /// A body of 65 bytes that never come.
    struct Announced;

    impl HttpBody for Announced {
        type Data = axum::body::Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
            std::task::Poll::Pending
        }

        fn size_hint(&self) -> hyper::body::SizeHint {
            hyper::body::SizeHint::with_exact(65)
        }
    }
}
