//! A chat request: its messages, and what they become before the template sees them.

use serde_json::{Map, Value};

use crate::api_error::ApiError;
use crate::controls::{Controls, Limits, MAX_TOP_LOGPROBS, parse_max_tokens};
use crate::fields::Fields;
use crate::output_rule::OutputRule;
use crate::thinking::Thinking;
use crate::tools::Tools;
use crate::unsupported::refuse_unsupported;

/// A valid chat request.
#[derive(Debug, Clone)]
pub struct ChatRequest {
    /// The conversation; the `content` of each message is a string.
    pub messages: Value,
    /// Whether the answer goes on with the last message, which is the assistant's.
    pub continues: bool,
    /// Whether the template opens the assistant's turn.
    pub add_generation_prompt: bool,
    /// Whether the tokenizer adds its own special tokens around the rendered text.
    pub add_special_tokens: bool,
    /// Whether control tokens written out in a message are control tokens, and not text.
    pub parse_special: bool,
    /// The tools that may be called.
    pub tools: Option<Tools>,
    /// What the answer must follow.
    pub rule: Option<OutputRule>,
    /// How the model reasons.
    pub thinking: Thinking,
    /// More variables for the template (`enable_thinking`, …).
    pub template_variables: Map<String, Value>,
    /// Everything else.
    pub controls: Controls,
    /// Fields that had no effect.
    pub ignored: Vec<String>,
}

impl ChatRequest {
    /// Validates `object` completely; nothing after this finds a fault in a field's kind.
    pub fn parse(mut object: Map<String, Value>, limits: &Limits) -> Result<Self, ApiError> {
        refuse_unsupported(&mut object)?;
        let mut fields = Fields::new(object);
        let messages = parse_messages(&mut fields)?;
        let max_tokens = parse_max_tokens(&mut fields, limits)?;
        let logprobs = parse_logprobs(&mut fields)?;
        let controls = Controls::parse(&mut fields, limits, max_tokens, logprobs)?;
        let tools = Tools::parse(&mut fields)?;
        let rule = OutputRule::parse(&mut fields)?;
        let mut template_variables = parse_template_variables(&mut fields)?;
        let thinking = Thinking::parse(&mut fields, limits, &mut template_variables)?;
        let continues = parse_continues(&mut fields, &messages)?;
        let opens_turn = fields.boolean("add_generation_prompt")?;
        if continues && opens_turn == Some(true) {
            let message = "`continue_final_message` and `add_generation_prompt` cannot both hold";
            return Err(ApiError::invalid("continue_final_message", message));
        }
        Ok(Self {
            messages,
            parse_special: fields.boolean("parse_special")?.unwrap_or(false),
            tools,
            rule,
            thinking,
            continues,
            add_generation_prompt: opens_turn.unwrap_or(!continues),
            // The template writes them itself.
            add_special_tokens: fields.boolean("add_special_tokens")?.unwrap_or(false),
            template_variables,
            controls,
            ignored: fields.ignored(),
        })
    }
}

/// `continue_final_message`, vLLM's name for an answer that has begun already.
fn parse_continues(fields: &mut Fields, messages: &Value) -> Result<bool, ApiError> {
    let continues = fields.boolean("continue_final_message")?.unwrap_or(false);
    let last = messages.as_array().and_then(|messages| messages.last());
    match last.filter(|_| continues) {
        Some(last) if last["role"] != "assistant" || last.get("tool_calls").is_some() => {
            let message = "`continue_final_message` needs a last message of the role assistant, \
                           without calls";
            Err(ApiError::invalid("continue_final_message", message))
        }
        _ => Ok(continues),
    }
}

fn parse_logprobs(fields: &mut Fields) -> Result<Option<u32>, ApiError> {
    let wanted = fields.boolean("logprobs")?.unwrap_or(false);
    let top = fields.integer("top_logprobs", 0..=MAX_TOP_LOGPROBS)?;
    match (wanted, top) {
        (false, Some(1..)) => {
            let message = "`top_logprobs` needs `logprobs` to be true";
            Err(ApiError::invalid("top_logprobs", message))
        }
        (false, _) => Ok(None),
        (true, top) => Ok(Some(u32::try_from(top.unwrap_or(0)).expect("the range is 0 to 20"))),
    }
}

fn parse_template_variables(fields: &mut Fields) -> Result<Map<String, Value>, ApiError> {
    let variables = fields.object("chat_template_kwargs")?.unwrap_or_default();
    for reserved in ["messages", "add_generation_prompt", "tools"] {
        if variables.contains_key(reserved) {
            let name = format!("chat_template_kwargs.{reserved}");
            let message = format!("`{name}` would replace the request's own `{reserved}`");
            return Err(ApiError::invalid(name, message));
        }
    }
    Ok(variables)
}

/// Reads `messages`.
pub fn parse_messages(fields: &mut Fields) -> Result<Value, ApiError> {
    let messages = match fields.take("messages") {
        Some(Value::Array(messages)) => messages,
        Some(other) => return Err(ApiError::wrong_value("messages", "a list", &other)),
        None => return Err(ApiError::invalid("messages", "`messages` is missing")),
    };
    if messages.is_empty() {
        let message = "`messages` is empty: give at least one message";
        return Err(ApiError::invalid("messages", message));
    }
    let normal = messages.into_iter().enumerate().map(|(index, message)| {
        let path = format!("messages[{index}]");
        match message {
            Value::Object(message) => normal_message(&path, message),
            other => Err(ApiError::wrong_value(&path, "an object with role and content", &other)),
        }
    });
    normal.collect::<Result<Vec<_>, _>>().map(Value::Array)
}

/// One message with its content as a string and without null fields. What else templates
/// need (typed parts, decoded tool arguments) is `tyto_text::chat`'s to do.
fn normal_message(path: &str, mut message: Map<String, Value>) -> Result<Value, ApiError> {
    message.retain(|_, value| !value.is_null());
    let role = match message.get("role") {
        Some(Value::String(role)) if !role.is_empty() => role.clone(),
        other => {
            let found = other.unwrap_or(&Value::Null);
            return Err(ApiError::wrong_value(&format!("{path}.role"), "a role's name", found));
        }
    };
    let content_path = format!("{path}.content");
    let content = match message.get_mut("content").map(Value::take) {
        // An assistant's turn that only called a tool has no text.
        None if role == "assistant" => String::new(),
        None => {
            let message = format!("`{content_path}` is missing");
            return Err(ApiError::invalid(content_path, message));
        }
        Some(content) => content_text(&content_path, &content)?,
    };
    message.insert("content".to_owned(), Value::String(content));
    if let Some(calls) = message.get_mut("tool_calls") {
        check_calls(&format!("{path}.tool_calls"), calls)?;
    }
    Ok(Value::Object(message))
}

/// Calls of an earlier answer. What templates do with a wrong one is an error far from its cause.
fn check_calls(path: &str, calls: &mut Value) -> Result<(), ApiError> {
    let Value::Array(calls) = calls else {
        return Err(ApiError::wrong_value(path, "a list of calls", calls));
    };
    for (index, call) in calls.iter_mut().enumerate() {
        let path = format!("{path}[{index}]");
        let Value::Object(fields) = call else {
            return Err(ApiError::wrong_value(&path, "a call with `function`", call));
        };
        fields.retain(|_, value| !value.is_null());
        let function = fields.get("function").unwrap_or(&Value::Null);
        if !function["name"].is_string() {
            let path = format!("{path}.function.name");
            return Err(ApiError::wrong_value(&path, "a tool's name", &function["name"]));
        }
        if !matches!(function["arguments"], Value::String(_) | Value::Object(_) | Value::Null) {
            let path = format!("{path}.function.arguments");
            return Err(ApiError::wrong_value(&path, "a string of JSON", &function["arguments"]));
        }
    }
    Ok(())
}

/// The text of `content`: a string, or the text parts of a list, one a line.
pub(crate) fn content_text(path: &str, content: &Value) -> Result<String, ApiError> {
    let parts = match content {
        Value::String(text) => return Ok(text.clone()),
        Value::Array(parts) => parts,
        other => return Err(ApiError::wrong_value(path, "a string or a list of parts", other)),
    };
    let texts = parts.iter().enumerate().map(|(index, part)| part_text(path, index, part));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
}

fn part_text<'a>(path: &str, index: usize, part: &'a Value) -> Result<&'a str, ApiError> {
    let path = format!("{path}[{index}]");
    match part.get("type").and_then(Value::as_str) {
        // The second and third are those of /v1/responses.
        Some("text" | "input_text" | "output_text") => {
            part.get("text").and_then(Value::as_str).ok_or_else(|| {
                let found = part.get("text").unwrap_or(&Value::Null);
                ApiError::wrong_value(&format!("{path}.text"), "a string", found)
            })
        }
        Some(kind) => Err(ApiError::unsupported(
            &path,
            &format!("this model reads text only; found a part of type {kind:?}"),
        )),
        None => Err(ApiError::wrong_value(&path, "a part with `type`", part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::SamplingChoice;
    use serde_json::json;

    fn parse(value: Value) -> Result<ChatRequest, ApiError> {
        let Value::Object(object) = value else {
            panic!("the test gives an object");
        };
        let sampling = SamplingChoice::default();
        ChatRequest::parse(object, &Limits { vocab_size: 100, context_length: 64, sampling })
    }

    fn parse_with(name: &str, value: Value) -> Result<ChatRequest, ApiError> {
        let mut request = json!({"messages": [{"role": "user", "content": "hi"}]});
        request[name] = value;
        parse(request)
    }

    fn parse_content(content: Value) -> Result<String, ApiError> {
        let request = parse(json!({"messages": [{"role": "user", "content": content}]}))?;
        Ok(request.messages[0]["content"].as_str().expect("content is text").to_owned())
    }

    #[test]
    fn no_messages_is_the_clients_mistake_c21() {
        for bad in [json!([]), json!(null), json!("hi"), json!([1]), json!([{}])] {
            let error = parse(json!({ "messages": bad })).expect_err("refused");
            assert_eq!(error.status().as_u16(), 400);
            assert!(error.param().is_some_and(|param| param.starts_with("messages")));
        }
    }

    #[test]
    fn text_parts_are_the_same_as_their_text_c23() {
        assert_eq!(parse_content(json!("hi")), Ok("hi".to_owned()));
        assert_eq!(parse_content(json!([{"type": "text", "text": "hi"}])), Ok("hi".to_owned()));
        let two = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        assert_eq!(parse_content(two), Ok("a\nb".to_owned()));
    }

    #[test]
    fn an_image_is_refused_by_its_place() {
        let image = json!([{"type": "image_url", "image_url": {"url": "data:,"}}]);
        let error = parse_content(image).expect_err("refused");
        assert_eq!(error.param(), Some("messages[0].content[0]"));
        assert!(error.message().contains("image_url"), "{}", error.message());
    }

    #[test]
    fn null_fields_of_a_message_are_absent_c24() {
        let request = parse(json!({"messages": [
            {"role": "user", "content": "hi", "name": null},
            {"role": "assistant", "content": null, "tool_calls": null},
        ]}))
        .expect("valid");
        assert_eq!(
            request.messages,
            json!([{"role": "user", "content": "hi"}, {"role": "assistant", "content": ""}])
        );
    }

    #[test]
    fn both_names_of_the_limit_work_but_must_agree() {
        let limit =
            |request: Result<ChatRequest, ApiError>| request.expect("valid").controls.max_tokens;
        assert_eq!(limit(parse_with("max_tokens", json!(3))), Some(3));
        assert_eq!(limit(parse_with("max_completion_tokens", json!(4))), Some(4));
        let both = json!({
            "messages": [{"role": "user", "content": "hi"}],
            "max_tokens": 3, "max_completion_tokens": 4,
        });
        assert_eq!(parse(both).expect_err("refused").param(), Some("max_completion_tokens"));
        let error = parse_with("max_completion_tokens", json!(-1)).expect_err("refused");
        assert_eq!(error.param(), Some("max_completion_tokens"));
    }

    #[test]
    fn top_logprobs_needs_logprobs() {
        assert_eq!(
            parse_with("top_logprobs", json!(2)).expect_err("refused").param(),
            Some("top_logprobs")
        );
        assert_eq!(parse_with("top_logprobs", json!(0)).expect("valid").controls.logprobs, None);
        assert_eq!(parse_with("logprobs", json!(true)).expect("valid").controls.logprobs, Some(0));
    }

    #[test]
    fn template_variables_may_not_replace_the_request() {
        let request = parse_with("chat_template_kwargs", json!({"enable_thinking": false}));
        let variables = request.expect("valid").template_variables;
        assert_eq!(variables["enable_thinking"], json!(false));
        let error = parse_with("chat_template_kwargs", json!({"messages": []}));
        assert_eq!(error.expect_err("refused").param(), Some("chat_template_kwargs.messages"));
    }

    #[test]
    fn unknown_fields_are_reported_and_not_refused() {
        let request = parse_with("service_tier", json!("auto")).expect("valid");
        assert_eq!(request.ignored, ["service_tier"]);
    }
}
