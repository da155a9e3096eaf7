//! A request of /v1/responses as a chat request.

use serde_json::{Map, Value, json};

use crate::api_error::ApiError;
use crate::chat::content_text;

/// What the reply repeats of the request.
#[derive(Debug, Clone, Default)]
pub struct Echo {
    /// `instructions`.
    pub instructions: Value,
    /// `max_output_tokens`.
    pub max_output_tokens: Value,
    /// `metadata`.
    pub metadata: Value,
    /// `parallel_tool_calls`.
    pub parallel_tool_calls: Value,
    /// `reasoning`.
    pub reasoning: Value,
    /// `text`.
    pub text: Value,
    /// `tool_choice`.
    pub tool_choice: Value,
    /// `tools`.
    pub tools: Value,
    /// `user`.
    pub user: Value,
}

/// Fields that need a memory or a service that is not here, and the values that ask for nothing.
const REFUSED: [(&str, &[&str], &str); 7] = [
    ("previous_response_id", &[], "nothing is stored: send the whole conversation as `input`"),
    ("conversation", &[], "nothing is stored: send the whole conversation as `input`"),
    ("prompt", &[], "nothing is stored: send `instructions` and `input`"),
    ("background", &["false"], "an answer is streamed or waited for"),
    ("truncation", &["\"disabled\""], "a prompt is never cut silently"),
    ("top_logprobs", &["0"], "ask /v1/chat/completions for log probabilities"),
    ("max_tool_calls", &[], "the client calls the tools, and can stop by itself"),
];

/// The chat request that means the same, and what the reply repeats.
pub fn to_chat(mut object: Map<String, Value>) -> Result<(Map<String, Value>, Echo), ApiError> {
    object.retain(|_, value| !value.is_null());
    for (field, harmless, reason) in REFUSED {
        if let Some(value) = object.shift_remove(field)
            && !harmless.contains(&value.to_string().as_str())
        {
            return Err(ApiError::unsupported(field, reason));
        }
    }
    drop_stream_options(&mut object)?;
    refuse_logprobs(&object)?;
    for field in ["messages", "n", "response_format", "max_tokens", "logprobs"] {
        if object.contains_key(field) {
            let reason = "it is a field of /v1/chat/completions";
            return Err(ApiError::unsupported(field, reason));
        }
    }
    let echo = read_echo(&object);
    let mut messages = Vec::new();
    match object.shift_remove("instructions") {
        Some(Value::String(text)) => messages.push(json!({"role": "system", "content": text})),
        Some(other) => return Err(ApiError::wrong_value("instructions", "a text", &other)),
        None => {}
    }
    match object.shift_remove("input") {
        Some(Value::String(text)) => messages.push(json!({"role": "user", "content": text})),
        Some(Value::Array(items)) => add_items(items, &mut messages)?,
        Some(other) => {
            return Err(ApiError::wrong_value("input", "a text or a list of items", &other));
        }
        None => return Err(ApiError::invalid("input", "`input` is missing")),
    }
    object.insert("messages".to_owned(), Value::Array(messages));
    if let Some(limit) = object.shift_remove("max_output_tokens") {
        object.insert("max_completion_tokens".to_owned(), limit);
    }
    convert_tools(&mut object)?;
    convert_text(&mut object)?;
    convert_reasoning(&mut object)?;
    // There is nothing to store, and nothing that is hidden in a reply.
    object.shift_remove("store");
    object.shift_remove("include");
    object.shift_remove("metadata");
    Ok((object, echo))
}

/// This API has one option of streams: noise that hides how long each piece is, which TLS does not. It
/// is never added here.
fn drop_stream_options(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    let mut options = match object.shift_remove("stream_options") {
        None => return Ok(()),
        Some(Value::Object(options)) => options,
        Some(other) => return Err(ApiError::wrong_value("stream_options", "an object", &other)),
    };
    options.shift_remove("include_obfuscation");
    match options.keys().next() {
        None => Ok(()),
        Some(name) => {
            let name = format!("stream_options.{name}");
            Err(ApiError::unsupported(&name, "the counts are in the last event of every stream"))
        }
    }
}

/// What `include` may ask for is hidden nowhere, or made by no service here; but these are missing.
fn refuse_logprobs(object: &Map<String, Value>) -> Result<(), ApiError> {
    let asked = object.get("include").and_then(Value::as_array);
    if asked.is_some_and(|names| names.iter().any(|name| name == "message.output_text.logprobs")) {
        let reason = "ask /v1/chat/completions for log probabilities";
        return Err(ApiError::unsupported("include", reason));
    }
    Ok(())
}

fn read_echo(object: &Map<String, Value>) -> Echo {
    let get = |name: &str| object.get(name).cloned().unwrap_or(Value::Null);
    let or = |name: &str, default: Value| object.get(name).cloned().unwrap_or(default);
    Echo {
        instructions: get("instructions"),
        max_output_tokens: get("max_output_tokens"),
        metadata: or("metadata", json!({})),
        parallel_tool_calls: or("parallel_tool_calls", json!(true)),
        reasoning: or("reasoning", json!({"effort": null, "summary": null})),
        text: or("text", json!({"format": {"type": "text"}})),
        tool_choice: or("tool_choice", json!("auto")),
        tools: or("tools", json!([])),
        user: get("user"),
    }
}

fn add_items(items: Vec<Value>, messages: &mut Vec<Value>) -> Result<(), ApiError> {
    // Reasoning belongs to the message or the calls after it.
    let mut thoughts = String::new();
    for (index, item) in items.into_iter().enumerate() {
        let path = format!("input[{index}]");
        let kind = item["type"].as_str().unwrap_or("message").to_owned();
        match kind.as_str() {
            "message" => {
                let message = message(&path, &item)?;
                push_answer(message, &mut thoughts, messages);
            }
            "function_call" => {
                let call = function_call(&path, &item)?;
                add_call(call, &mut thoughts, messages);
            }
            "function_call_output" => messages.push(json!({
                "role": "tool",
                "tool_call_id": text_of(&path, &item, "call_id")?,
                "content": content_text(&format!("{path}.output"), &item["output"])?,
            })),
            "reasoning" => thoughts.push_str(&reasoning_text(&item)),
            other => {
                let reason = format!("items of type {other:?} are not known here");
                return Err(ApiError::unsupported(&path, &reason));
            }
        }
    }
    Ok(())
}

fn text_of(path: &str, item: &Value, key: &str) -> Result<String, ApiError> {
    let wrong = || ApiError::wrong_value(&format!("{path}.{key}"), "a text", &item[key]);
    item[key].as_str().map(str::to_owned).ok_or_else(wrong)
}

fn message(path: &str, item: &Value) -> Result<Value, ApiError> {
    let role = text_of(path, item, "role")?;
    // The newer name of the system's part.
    let role = if role == "developer" { "system".to_owned() } else { role };
    let content = content_text(&format!("{path}.content"), &item["content"])?;
    Ok(json!({"role": role, "content": content}))
}

fn function_call(path: &str, item: &Value) -> Result<Value, ApiError> {
    Ok(json!({
        "id": text_of(path, item, "call_id")?, "type": "function",
        "function": {
            "name": text_of(path, item, "name")?,
            "arguments": text_of(path, item, "arguments")?,
        },
    }))
}

fn reasoning_text(item: &Value) -> String {
    let parts = |key: &str| item[key].as_array().cloned().unwrap_or_default();
    let content = parts("content");
    let parts = if content.is_empty() { parts("summary") } else { content };
    parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn push_answer(mut message: Value, thoughts: &mut String, messages: &mut Vec<Value>) {
    if message["role"] == "assistant" && !thoughts.is_empty() {
        message["reasoning_content"] = Value::String(std::mem::take(thoughts));
    }
    messages.push(message);
}

/// Calls of one turn are one message.
fn add_call(call: Value, thoughts: &mut String, messages: &mut Vec<Value>) {
    let last = messages.last_mut().filter(|last| last["role"] == "assistant");
    if let Some(last) = last {
        match last["tool_calls"].as_array_mut() {
            Some(calls) => calls.push(call),
            None => last["tool_calls"] = json!([call]),
        }
        return;
    }
    let message = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    push_answer(message, thoughts, messages);
}

fn convert_tools(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    if let Some(tools) = object.get_mut("tools").and_then(Value::as_array_mut) {
        for (index, tool) in tools.iter_mut().enumerate() {
            if tool["type"] != "function" {
                let reason = "only functions are called";
                return Err(ApiError::unsupported(&format!("tools[{index}].type"), reason));
            }
            let mut function = tool.as_object().cloned().unwrap_or_default();
            function.shift_remove("type");
            function.retain(|_, value| !value.is_null());
            // Here it is true unless said otherwise, so it is no promise that someone relies on.
            function.shift_remove("strict");
            *tool = json!({"type": "function", "function": function});
        }
    }
    Ok(())
}

fn convert_text(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    match object.shift_remove("text") {
        None => {}
        Some(Value::Object(mut text)) => {
            if let Some(format) = text.shift_remove("format") {
                object.insert("response_format".to_owned(), format);
            }
            // How wordy the answer is: nothing here can tell the model.
            if let Some(verbosity) = text.shift_remove("verbosity") {
                object.insert("text.verbosity".to_owned(), verbosity);
            }
        }
        Some(other) => return Err(ApiError::wrong_value("text", "an object", &other)),
    }
    Ok(())
}

fn convert_reasoning(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    match object.shift_remove("reasoning") {
        None => {}
        Some(Value::Object(mut reasoning)) => {
            if let Some(effort) = reasoning.shift_remove("effort") {
                object.insert("reasoning_effort".to_owned(), effort);
            }
        }
        Some(other) => return Err(ApiError::wrong_value("reasoning", "an object", &other)),
    }
    Ok(())
}
