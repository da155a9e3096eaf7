//! Messages as a template wants them.
//!
//! A request's messages go through these steps before a template sees them; the
//! first three are transformers' own:
//!
//! 1. keys whose value is null are dropped from each message;
//! 2. `reasoning_content`, `thinking` and `reasoning` are one thing: the first
//!    that is there fills `reasoning_content`, and `thinking` if that is absent;
//! 3. everything is plain JSON;
//! 4. `arguments` of a tool call, which OpenAI's API sends as a string of JSON,
//!    become the object it parses to, or an empty object when it is blank; any
//!    other string stays;
//! 5. a content string becomes `[{"type": "text", "text": …}]` for a template
//!    that shows only typed parts, and text parts become one string, joined by
//!    newlines, for a template that shows only strings. Which forms a template
//!    shows is found by rendering one short message of each form when it is
//!    loaded. A part that is not text is refused where only strings are shown.
//!
//! Templates were written for other forms of two of these, so one that fails,
//! without raising, is rendered again: with the arguments as they came, since some
//! join them to other strings; with a content of null in answers that have none,
//! since some ask whether it is; with a content of `""` there, since some use it
//! as text. The first form that renders counts.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

/// The forms of `content` that a template shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContentForms {
    /// `"text"`.
    pub(crate) string: bool,
    /// `[{"type": "text", "text": "text"}]`.
    pub(crate) parts: bool,
}

impl ContentForms {
    /// Both as they come; also for a template that the probe learned nothing from.
    pub(crate) const ANY: Self = Self { string: true, parts: true };
}

/// Goes through the steps. The result is the forms to render, the first one that
/// works counting; the error says what is wrong with which message.
pub(crate) fn prepare(messages: &Value, forms: ContentForms) -> Result<Vec<Value>, String> {
    let list = messages.as_array().ok_or("messages: expected a list of messages")?;
    if list.is_empty() {
        return Err("messages: found none, expected at least one message".to_owned());
    }
    let mut plain = Vec::with_capacity(list.len());
    for (index, message) in list.iter().enumerate() {
        let message = message.as_object().ok_or_else(|| {
            format!("messages[{index}]: expected an object with role and content")
        })?;
        let mut message = with_reasoning_names(without_nulls(message));
        fit_content(&mut message, forms)
            .map_err(|wrong| format!("messages[{index}].content{wrong}"))?;
        plain.push(Value::Object(message));
    }
    let mut prepared = Vec::new();
    for content in [None, Some(Value::Null), Some(json!(""))] {
        for decode in [true, false] {
            let mut messages = plain.clone();
            for message in &mut messages {
                fill_content(message, content.as_ref());
                if decode {
                    decode_arguments(message);
                }
            }
            let messages = Value::Array(messages);
            if !prepared.contains(&messages) {
                prepared.push(messages);
            }
        }
    }
    Ok(prepared)
}

/// The messages with the role `developer` as `system`, its older name, for a template that does not
/// know the newer one.
pub(crate) fn with_known_roles<'a>(messages: &'a Value, source: &str) -> Cow<'a, Value> {
    let is_new = |message: &Value| message["role"] == "developer";
    let has_new = messages.as_array().is_some_and(|messages| messages.iter().any(is_new));
    if !has_new || source.contains("developer") {
        return Cow::Borrowed(messages);
    }
    let mut messages = messages.clone();
    for message in messages.as_array_mut().into_iter().flatten().filter(|message| is_new(message)) {
        message["role"] = json!("system");
    }
    Cow::Owned(messages)
}

/// A private-use character at the end of a message that goes on.
pub(crate) const CUT: char = '\u{F0002}';

/// The messages with [`CUT`] behind the text of the last one, which must be the assistant's.
pub(crate) fn with_cut(messages: &Value) -> Result<Value, String> {
    let mut messages = messages.clone();
    let list = messages.as_array_mut().ok_or("messages: expected a list of messages")?;
    let index = list.len().wrapping_sub(1);
    let last = list.last_mut().ok_or("messages: found none, expected at least one message")?;
    if last["role"] != "assistant" {
        return Err(format!(
            "messages[{index}]: only a message of the role assistant can go on; found the role {}",
            last["role"]
        ));
    }
    let text = match last.get_mut("content") {
        Some(Value::Array(parts)) => parts.last_mut().and_then(|part| part.get_mut("text")),
        other => other,
    };
    match text {
        Some(Value::String(text)) => text.push(CUT),
        _ => return Err(format!("messages[{index}].content: expected text that can go on")),
    }
    Ok(messages)
}

/// Gives an answer without content this one.
fn fill_content(message: &mut Value, content: Option<&Value>) {
    let is_answer = message["role"] == "assistant" && message.get("content").is_none();
    if let (true, Some(content)) = (is_answer, content) {
        message["content"] = content.clone();
    }
}

fn without_nulls(message: &Map<String, Value>) -> Map<String, Value> {
    message
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn with_reasoning_names(message: Map<String, Value>) -> Map<String, Value> {
    let names = ["reasoning_content", "thinking", "reasoning"];
    let Some(reasoning) = names.iter().find_map(|name| message.get(*name)).cloned() else {
        return message;
    };
    let mut named = Map::new();
    named.insert("thinking".to_owned(), reasoning.clone());
    named.extend(message);
    named.insert("reasoning_content".to_owned(), reasoning);
    named
}

fn fit_content(message: &mut Map<String, Value>, forms: ContentForms) -> Result<(), String> {
    let Some(content) = message.get_mut("content") else {
        return Ok(());
    };
    match content {
        Value::String(text) if !forms.string && forms.parts => {
            *content = json!([{"type": "text", "text": text}]);
        }
        Value::Array(parts) if !forms.parts && forms.string => {
            *content = Value::String(joined_text(parts)?);
        }
        _ => {}
    }
    Ok(())
}

fn joined_text(parts: &[Value]) -> Result<String, String> {
    let text = |(index, part): (usize, &Value)| match (part.as_str(), part["text"].as_str()) {
        (Some(text), _) | (None, Some(text)) => Ok(text.to_owned()),
        _ => Err(format!(
            "[{index}]: found a part of type {}, expected text: this model's chat template takes only text",
            part["type"]
        )),
    };
    Ok(parts.iter().enumerate().map(text).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// Decodes the arguments of a message's tool calls.
fn decode_arguments(message: &mut Value) {
    let Some(calls) = message.get_mut("tool_calls").and_then(Value::as_array_mut) else {
        return;
    };
    for call in calls {
        // OpenAI's form has the function one level down; some clients leave that out.
        let function = if call.get("function").is_some() { &mut call["function"] } else { call };
        let Some(arguments) = function.get_mut("arguments") else {
            continue;
        };
        if let Some(object) = arguments.as_str().and_then(as_object) {
            *arguments = object;
        }
    }
}

fn as_object(text: &str) -> Option<Value> {
    if text.trim().is_empty() {
        return Some(json!({}));
    }
    serde_json::from_str::<Value>(text).ok().filter(Value::is_object)
}
