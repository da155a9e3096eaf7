//! One choice's text as the parts that every endpoint tells apart.

use std::sync::Arc;

use tyto_text::answer::{AnswerEvent, AnswerFormat, AnswerParser, CallFormat, ToolSchemas};

/// How the answers of a request are read.
#[derive(Debug, Clone, Default)]
pub struct ReadingPlan {
    /// How the model writes.
    pub format: AnswerFormat,
    /// The tools that may be called.
    pub tools: Option<Arc<ToolSchemas>>,
    /// Whether the prompt ends within the reasoning.
    pub reasons: bool,
}

/// A part of an answer, or more of the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Thoughts.
    Reasoning(String),
    /// Text.
    Content(String),
    /// The call number `index` begins.
    CallStart {
        /// From 0.
        index: usize,
        /// Not empty, and no other call's (C25).
        id: String,
        /// The tool's name.
        name: String,
    },
    /// More of its arguments.
    CallArguments {
        /// The call's number.
        index: usize,
        /// A piece of JSON.
        text: String,
    },
    /// It is complete.
    CallEnd {
        /// The call's number.
        index: usize,
    },
}

/// Reads one choice.
pub struct PieceReader {
    parser: AnswerParser,
    calls: usize,
    is_mistral: bool,
}

impl PieceReader {
    /// At the start of an answer.
    pub fn new(plan: &ReadingPlan) -> Self {
        let parser = AnswerParser::new(&plan.format, plan.tools.clone(), plan.reasons);
        let is_mistral = matches!(plan.format.calls, Some(CallFormat::Mistral { .. }));
        Self { parser, calls: 0, is_mistral }
    }

    /// More of the answer's text.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        let events = self.parser.push(text);
        self.pieces(events)
    }

    /// Its end.
    pub fn finish(&mut self) -> Vec<Piece> {
        let events = self.parser.finish();
        self.pieces(events)
    }

    /// Whether a tool was called.
    pub fn has_calls(&self) -> bool {
        self.calls > 0
    }

    fn pieces(&mut self, events: Vec<AnswerEvent>) -> Vec<Piece> {
        events.into_iter().map(|event| self.piece(event)).collect()
    }

    fn piece(&mut self, event: AnswerEvent) -> Piece {
        match event {
            AnswerEvent::Reasoning(text) => Piece::Reasoning(text),
            AnswerEvent::Content(text) => Piece::Content(text),
            AnswerEvent::CallStart { name } => {
                self.calls += 1;
                Piece::CallStart { index: self.calls - 1, id: self.new_id(), name }
            }
            AnswerEvent::CallArguments(text) => {
                Piece::CallArguments { index: self.calls - 1, text }
            }
            AnswerEvent::CallEnd => Piece::CallEnd { index: self.calls - 1 },
        }
    }

    /// Mistral's templates take ids of nine letters and digits only.
    fn new_id(&self) -> String {
        let random = format!("{:032x}", rand::random::<u128>());
        if self.is_mistral { random[..9].to_owned() } else { format!("call_{}", &random[..24]) }
    }
}
