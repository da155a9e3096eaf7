//! The response object and its output items.

use serde_json::{Value, json};
use tyto_engine::{FinishReason, SamplingParams, Usage};

use super::request::Echo;
use crate::collect::Collected;
use crate::reply::unix_seconds;

/// What a reply says besides its output.
pub struct Frame {
    /// The object without output, as it begins.
    object: Value,
    /// Whether reasoning items are in the output.
    pub show_reasoning: bool,
}

impl Frame {
    /// For a request that has been accepted.
    pub fn new(model: &str, echo: Echo, sampling: &SamplingParams, show_reasoning: bool) -> Self {
        let object = json!({
            "id": new_id("resp"), "object": "response", "created_at": unix_seconds(),
            "status": "in_progress", "background": false, "error": null,
            "incomplete_details": null, "instructions": echo.instructions,
            "max_output_tokens": echo.max_output_tokens, "max_tool_calls": null, "model": model,
            "output": [], "parallel_tool_calls": echo.parallel_tool_calls,
            "previous_response_id": null, "reasoning": echo.reasoning, "service_tier": "default",
            "store": false, "temperature": sampling.temperature, "text": echo.text,
            "tool_choice": echo.tool_choice, "tools": echo.tools, "top_logprobs": 0,
            "top_p": sampling.top_p, "truncation": "disabled", "usage": null,
            "user": echo.user, "metadata": echo.metadata,
        });
        Self { object, show_reasoning }
    }

    /// The response before its first output.
    pub fn begun(&self) -> Value {
        self.object.clone()
    }

    /// The response at its end.
    pub fn ended(&self, output: Vec<Value>, reason: FinishReason, usage: &Usage) -> Value {
        let mut object = self.object.clone();
        let is_cut = reason == FinishReason::Length;
        object["status"] = json!(if is_cut { "incomplete" } else { "completed" });
        if is_cut {
            object["incomplete_details"] = json!({"reason": "max_output_tokens"});
        }
        object["output"] = Value::Array(output);
        object["usage"] = usage_object(usage);
        object
    }

    /// The response of an answer that cannot be completed.
    pub fn failed(&self, output: Vec<Value>, message: &str) -> Value {
        let mut object = self.object.clone();
        object["status"] = json!("failed");
        object["error"] = json!({"code": "server_error", "message": message});
        object["output"] = Value::Array(output);
        object
    }

    /// The whole response.
    pub fn whole(&self, said: Collected) -> Value {
        let mut output = Vec::new();
        if self.show_reasoning && !said.reasoning.is_empty() {
            output.push(reasoning_item(&new_id("rs"), &said.reasoning));
        }
        if !said.content.is_empty() || said.calls.is_empty() {
            let is_cut = said.reason == FinishReason::Length;
            let status = if is_cut { "incomplete" } else { "completed" };
            output.push(message_item(&new_id("msg"), Some(&said.content), status));
        }
        for call in &said.calls {
            let item = call_item(&new_id("fc"), &call.id, &call.name, &call.arguments, "completed");
            output.push(item);
        }
        self.ended(output, said.reason, &said.usage)
    }
}

/// An id that no other object has.
pub fn new_id(prefix: &str) -> String {
    format!("{prefix}_{:032x}", rand::random::<u128>())
}

/// Thoughts as an output item.
pub fn reasoning_item(id: &str, text: &str) -> Value {
    let content =
        if text.is_empty() { json!([]) } else { json!([{"type": "reasoning_text", "text": text}]) };
    json!({"id": id, "type": "reasoning", "summary": [], "content": content})
}

/// Text as an output item; without a part yet if `text` is `None`.
pub fn message_item(id: &str, text: Option<&str>, status: &str) -> Value {
    let content = text.map_or_else(|| json!([]), |text| json!([text_part(text)]));
    json!({
        "id": id, "type": "message", "role": "assistant", "status": status, "content": content,
    })
}

/// The one part of a message.
pub fn text_part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

/// A call as an output item.
pub fn call_item(id: &str, call_id: &str, name: &str, arguments: &str, status: &str) -> Value {
    json!({
        "id": id, "type": "function_call", "call_id": call_id, "name": name,
        "arguments": arguments, "status": status,
    })
}

fn usage_object(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens},
        "output_tokens": usage.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    })
}
