//! What a model's answer says, apart from how its family writes it: reasoning, text, tool calls.
//!
//! ```text
//! text pieces -> ReasoningSplitter -> one call format -> AnswerEvent
//! ```
//!
//! Which tags and which format a model uses is found in its chat template ([`AnswerFormat`]).
//! **Invariant:** the events, pieces of the same kind joined, do not depend on how the text is cut
//! into pieces. What only looked like a call is given back as text.

mod argument_types;
mod detect;
mod events;
mod glm;
mod grammar;
mod harmony;
mod hermes;
mod json_call;
mod llama3;
mod mistral;
mod qwen_xml;
mod reasoning;
mod scanner;

use std::sync::Arc;

pub use argument_types::ToolSchemas;
pub use detect::{AnswerFormat, CallFormat, ReasoningTags};
pub use events::AnswerEvent;
pub use grammar::{CallGrammar, Instead};

use events::Events;
use glm::Glm;
use harmony::Harmony;
use hermes::Hermes;
use llama3::Llama3;
use mistral::Mistral;
use qwen_xml::QwenXml;
use reasoning::ReasoningSplitter;

/// Reads one answer piece by piece.
pub struct AnswerParser {
    reasoning: ReasoningSplitter,
    calls: Calls,
    events: Events,
}

/// The parser of one format; each has `push` and `finish`.
enum Calls {
    /// No calls are looked for.
    Plain,
    Hermes(Hermes),
    Llama3(Llama3),
    Mistral(Mistral),
    Harmony(Harmony),
    QwenXml(QwenXml),
    Glm(Glm),
}

impl AnswerParser {
    /// A parser at the start of an answer. Without `tools`, calls are text like any other, except
    /// in harmony, whose channels are always read. `reasons` says that the prompt has opened the
    /// reasoning already.
    pub fn new(format: &AnswerFormat, tools: Option<Arc<ToolSchemas>>, reasons: bool) -> Self {
        let calls = match (format.calls, tools) {
            (Some(CallFormat::Harmony), _) => Calls::Harmony(Harmony::default()),
            (None, _) | (_, None) => Calls::Plain,
            (Some(CallFormat::Hermes), Some(_)) => Calls::Hermes(Hermes::default()),
            (Some(CallFormat::Llama3), Some(tools)) => Calls::Llama3(Llama3::new(tools)),
            (Some(CallFormat::Mistral { .. }), Some(_)) => Calls::Mistral(Mistral::default()),
            (Some(CallFormat::QwenXml), Some(tools)) => Calls::QwenXml(QwenXml::new(tools)),
            (Some(CallFormat::Glm), Some(tools)) => Calls::Glm(Glm::new(tools)),
        };
        Self {
            reasoning: ReasoningSplitter::new(format.reasoning, reasons),
            events: Events::new(!matches!(calls, Calls::Plain)),
            calls,
        }
    }

    /// Adds a piece of the answer. Returns what is certain now.
    pub fn push(&mut self, text: &str) -> Vec<AnswerEvent> {
        let text = self.reasoning.push(text, &mut self.events);
        self.read(&text);
        self.events.take()
    }

    /// Ends the answer. Returns what was held back.
    pub fn finish(&mut self) -> Vec<AnswerEvent> {
        let text = self.reasoning.finish(&mut self.events);
        self.read(&text);
        let events = &mut self.events;
        match &mut self.calls {
            Calls::Plain => {}
            Calls::Hermes(format) => format.finish(events),
            Calls::Llama3(format) => format.finish(events),
            Calls::Mistral(format) => format.finish(events),
            Calls::Harmony(format) => format.finish(events),
            Calls::QwenXml(format) => format.finish(events),
            Calls::Glm(format) => format.finish(events),
        }
        events.finish();
        events.take()
    }

    fn read(&mut self, text: &str) {
        let events = &mut self.events;
        match &mut self.calls {
            Calls::Plain => events.content(text),
            Calls::Hermes(format) => format.push(text, events),
            Calls::Llama3(format) => format.push(text, events),
            Calls::Mistral(format) => format.push(text, events),
            Calls::Harmony(format) => format.push(text, events),
            Calls::QwenXml(format) => format.push(text, events),
            Calls::Glm(format) => format.push(text, events),
        }
    }
}
