//! Anthropic's message objects.

use std::sync::Arc;

use serde_json::{Value, json};
use tyto_engine::{FinishReason, Usage};
use tyto_text::TextModel;

use crate::collect::{Call, Collected};
use crate::follow::{End, REMEMBERED};

/// What a reply says besides the answer.
pub struct Frame {
    /// The message's id.
    pub id: String,
    /// The model's name.
    pub model: String,
    /// The request's stop strings.
    pub stops: Vec<String>,
    /// The most tokens that it asks for.
    pub max_tokens: Option<u32>,
    /// For finding the one that ended the text.
    pub text_model: Arc<TextModel>,
    /// Whether thinking blocks are in the reply.
    pub show_reasoning: bool,
}

impl Frame {
    /// The whole message.
    pub fn whole(&self, said: Collected) -> Value {
        let from = said.tokens.len().saturating_sub(REMEMBERED);
        let end = End {
            reason: said.reason,
            usage: said.usage,
            has_calls: !said.calls.is_empty(),
            last_ids: said.tokens[from..].iter().map(|token| token.id).collect(),
        };
        let mut content = Vec::new();
        if self.show_reasoning && !said.reasoning.is_empty() {
            content.push(json!({"type": "thinking", "thinking": said.reasoning, "signature": ""}));
        }
        if !said.content.is_empty() || (content.is_empty() && said.calls.is_empty()) {
            content.push(json!({"type": "text", "text": said.content}));
        }
        content.extend(said.calls.iter().map(tool_use));
        let (reason, stop) = self.stop_reason(&end);
        let mut message = self.message(content, usage(&end.usage));
        message["stop_reason"] = json!(reason);
        message["stop_sequence"] = json!(stop);
        message
    }

    /// A message that has not ended.
    pub fn message(&self, content: Vec<Value>, usage: Value) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model,
            "content": content, "stop_reason": null, "stop_sequence": null, "usage": usage,
        })
    }

    /// Why the text ended, and the stop string that ended it.
    pub fn stop_reason(&self, end: &End) -> (&'static str, Option<&str>) {
        if end.reason == FinishReason::Length {
            let is_context = self.max_tokens.is_some_and(|most| end.usage.completion_tokens < most);
            let reason = if is_context { "model_context_window_exceeded" } else { "max_tokens" };
            return (reason, None);
        }
        if end.has_calls {
            return ("tool_use", None);
        }
        let ended = end.last_ids.last().is_some_and(|id| self.text_model.eos_ids().contains(id));
        let tail = self.text_model.decode(&end.last_ids, true);
        let stop = self.stops.iter().find(|stop| !ended && tail.contains(stop.as_str()));
        match stop {
            Some(stop) => ("stop_sequence", Some(stop)),
            None => ("end_turn", None),
        }
    }
}

/// The token counts.
pub fn usage(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.prompt_tokens - usage.cached_tokens,
        "cache_read_input_tokens": usage.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": usage.completion_tokens,
    })
}

/// An answer that was cut leaves arguments that are no JSON: they are given as a text.
fn tool_use(call: &Call) -> Value {
    let input = serde_json::from_str(&call.arguments)
        .unwrap_or_else(|_| json!({"incomplete": call.arguments}));
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
}
