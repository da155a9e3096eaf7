//! Anthropic's request as OpenAI's.

use serde_json::{Map, Value, json};

use crate::api_error::ApiError;

/// The chat request that means the same. Fields that both have keep their names, and what is
/// unknown stays, to be named as ignored. `needs_limit`: an answer must have `max_tokens`. More
/// of them than `context` means as many as there is room for: this API's clients must give a
/// number, and do not know the model.
pub fn to_chat(
    mut object: Map<String, Value>,
    needs_limit: bool,
    context: usize,
) -> Result<Map<String, Value>, ApiError> {
    object.retain(|_, value| !value.is_null());
    if object.get("max_tokens").and_then(Value::as_u64).is_some_and(|n| n > context as u64) {
        object.shift_remove("max_tokens");
        object.insert("max_completion_tokens".to_owned(), Value::from(context));
    }
    let needs_limit = needs_limit && !object.contains_key("max_completion_tokens");
    if needs_limit && !object.contains_key("max_tokens") {
        return Err(ApiError::invalid("max_tokens", "`max_tokens` is missing"));
    }
    for field in [
        "n",
        "tool_calls",
        "response_format",
        "stream_options",
        "logprobs",
        "continue_final_message",
    ] {
        if object.contains_key(field) {
            let reason = "it is a field of /v1/chat/completions";
            return Err(ApiError::unsupported(field, reason));
        }
    }
    for (field, reason) in [
        ("mcp_servers", "the client calls its tools by itself"),
        ("container", "no code is run here"),
    ] {
        if object.shift_remove(field).is_some_and(|value| value != json!([])) {
            return Err(ApiError::unsupported(field, reason));
        }
    }
    let mut messages = Vec::new();
    if let Some(system) = object.shift_remove("system") {
        let content = system_text(system)?;
        messages.push(json!({"role": "system", "content": content}));
    }
    let given = match object.shift_remove("messages") {
        Some(Value::Array(given)) => given,
        Some(other) => return Err(ApiError::wrong_value("messages", "a list", &other)),
        None => return Err(ApiError::invalid("messages", "`messages` is missing")),
    };
    if given.is_empty() {
        let message = "`messages` is empty: give at least one message";
        return Err(ApiError::invalid("messages", message));
    }
    for (index, message) in given.into_iter().enumerate() {
        add_message(&format!("messages[{index}]"), message, &mut messages)?;
    }
    // An answer that the client has begun, which this API's models go on with.
    let last = messages.last().filter(|last| last["role"] == "assistant");
    if last.is_some_and(|last| last.get("tool_calls").is_none()) {
        object.insert("continue_final_message".to_owned(), Value::Bool(true));
    }
    object.insert("messages".to_owned(), Value::Array(messages));
    rename(&mut object, "stop_sequences", "stop");
    convert_tools(&mut object)?;
    convert_thinking(&mut object)?;
    convert_output(&mut object)?;
    Ok(object)
}

fn rename(object: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = object.shift_remove(from) {
        object.insert(to.to_owned(), value);
    }
}

fn system_text(system: Value) -> Result<String, ApiError> {
    match system {
        Value::String(text) => Ok(text),
        Value::Array(blocks) => {
            let text = |(index, block): (usize, &Value)| {
                let path = format!("system[{index}]");
                block["text"]
                    .as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| ApiError::wrong_value(&path, "a block of text", block))
            };
            let texts = blocks.iter().enumerate().map(text).collect::<Result<Vec<_>, _>>()?;
            Ok(texts.join("\n"))
        }
        other => Err(ApiError::wrong_value("system", "a text or a list of blocks", &other)),
    }
}

/// The blocks of one message, sorted by what they become.
#[derive(Default)]
struct Blocks {
    text: Vec<String>,
    thoughts: Vec<String>,
    calls: Vec<Value>,
    results: Vec<Value>,
}

fn add_message(path: &str, message: Value, messages: &mut Vec<Value>) -> Result<(), ApiError> {
    let role = match message["role"].as_str() {
        Some(role @ ("user" | "assistant" | "system")) => role,
        _ => {
            let path = format!("{path}.role");
            return Err(ApiError::wrong_value(&path, "`user` or `assistant`", &message["role"]));
        }
    };
    let content_path = format!("{path}.content");
    let blocks = match &message["content"] {
        Value::String(text) => Blocks { text: vec![text.clone()], ..Blocks::default() },
        Value::Array(blocks) => sort_blocks(&content_path, blocks)?,
        other => {
            return Err(ApiError::wrong_value(&content_path, "a text or a list of blocks", other));
        }
    };
    // Results answer the calls before them, so they come first.
    let has_results = !blocks.results.is_empty();
    messages.extend(blocks.results);
    if has_results && blocks.text.is_empty() && role == "user" {
        return Ok(());
    }
    let mut made = json!({"role": role, "content": blocks.text.join("\n")});
    if !blocks.calls.is_empty() {
        made["tool_calls"] = Value::Array(blocks.calls);
    }
    if !blocks.thoughts.is_empty() {
        made["reasoning_content"] = Value::String(blocks.thoughts.join("\n"));
    }
    messages.push(made);
    Ok(())
}

fn sort_blocks(path: &str, blocks: &[Value]) -> Result<Blocks, ApiError> {
    let mut sorted = Blocks::default();
    for (index, block) in blocks.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let text = |key: &str| {
            let wrong = || ApiError::wrong_value(&format!("{path}.{key}"), "a text", &block[key]);
            block[key].as_str().map(str::to_owned).ok_or_else(wrong)
        };
        match block["type"].as_str() {
            Some("text") => sorted.text.push(text("text")?),
            Some("thinking") => sorted.thoughts.push(text("thinking")?),
            // Nobody but its maker can read it.
            Some("redacted_thinking") => {}
            Some("tool_use") => sorted.calls.push(json!({
                "id": text("id")?, "type": "function",
                "function": {"name": text("name")?, "arguments": block["input"].to_string()},
            })),
            Some("tool_result") => sorted.results.push(json!({
                "role": "tool", "tool_call_id": text("tool_use_id")?,
                "content": result_text(&path, &block["content"])?,
            })),
            Some(kind) => {
                let reason = format!("this model reads text only; found a block of type {kind:?}");
                return Err(ApiError::unsupported(&path, &reason));
            }
            None => return Err(ApiError::wrong_value(&path, "a block with `type`", block)),
        }
    }
    Ok(sorted)
}

fn result_text(path: &str, content: &Value) -> Result<String, ApiError> {
    match content {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(blocks) => {
            let sorted = sort_blocks(&format!("{path}.content"), blocks)?;
            Ok(sorted.text.join("\n"))
        }
        other => {
            let path = format!("{path}.content");
            Err(ApiError::wrong_value(&path, "a text or a list of blocks", other))
        }
    }
}

fn convert_tools(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    if let Some(tools) = object.get_mut("tools").and_then(Value::as_array_mut) {
        for (index, tool) in tools.iter_mut().enumerate() {
            if tool.get("type").is_some_and(|kind| kind != "custom") {
                let reason = "only tools of the client's own are called";
                return Err(ApiError::unsupported(&format!("tools[{index}].type"), reason));
            }
            let mut function = json!({"name": tool["name"], "parameters": tool["input_schema"]});
            if tool["description"].is_string() {
                function["description"] = tool["description"].take();
            }
            if tool["strict"] == true {
                function["strict"] = Value::Bool(true);
            }
            *tool = json!({"type": "function", "function": function});
        }
    }
    let Some(choice) = object.shift_remove("tool_choice") else { return Ok(()) };
    let converted = match choice["type"].as_str() {
        Some("auto") => json!("auto"),
        Some("none") => json!("none"),
        Some("any") => json!("required"),
        Some("tool") => json!({"type": "function", "function": {"name": choice["name"]}}),
        _ => {
            let expected = "an object with the type `auto`, `any`, `tool` or `none`";
            return Err(ApiError::wrong_value("tool_choice", expected, &choice));
        }
    };
    object.insert("tool_choice".to_owned(), converted);
    if choice["disable_parallel_tool_use"] == true {
        object.insert("parallel_tool_calls".to_owned(), json!(false));
    }
    Ok(())
}

/// `enabled` has a budget; a model that does not reason ignores both.
fn convert_thinking(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    let Some(thinking) = object.shift_remove("thinking") else { return Ok(()) };
    let enable = match thinking["type"].as_str() {
        Some("enabled" | "adaptive") => true,
        Some("disabled") => false,
        _ => {
            let expected = "an object with the type `enabled`, `adaptive` or `disabled`";
            return Err(ApiError::wrong_value("thinking", expected, &thinking));
        }
    };
    object.insert("enable_thinking".to_owned(), json!(enable));
    if thinking["display"] == "omitted" {
        object.insert("include_reasoning".to_owned(), Value::Bool(false));
    }
    if enable && !thinking["budget_tokens"].is_null() {
        object.insert("reasoning_budget".to_owned(), thinking["budget_tokens"].clone());
    }
    Ok(())
}

fn convert_output(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    let mut config = match object.shift_remove("output_config") {
        None => Map::new(),
        Some(Value::Object(config)) => config,
        Some(other) => return Err(ApiError::wrong_value("output_config", "an object", &other)),
    };
    let inner = config.shift_remove("format");
    if let Some(effort) = config.shift_remove("effort") {
        object.insert("reasoning_effort".to_owned(), effort);
    }
    // What is left is named as ignored.
    if !config.is_empty() {
        object.insert("output_config".to_owned(), Value::Object(config));
    }
    if let Some(format) = object.shift_remove("output_format").or(inner) {
        object.insert("response_format".to_owned(), format);
    }
    Ok(())
}
