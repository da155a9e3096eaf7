//! The reply objects of both endpoints, whole and in chunks, as OpenAI clients read them.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tyto_engine::{FinishReason, TokenInfo};
use tyto_text::TextModel;

use crate::collect::{Call, Collected};
use crate::delta::Delta;
use crate::logprobs::{ChatLogprobs, CompletionLogprobs};
use crate::pieces::Piece;
use crate::usage::{Timings, UsageReply};

/// Which endpoint's objects to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `/v1/chat/completions`.
    Chat,
    /// `/v1/completions`.
    Completion,
}

/// What all objects of one reply have in common.
#[derive(Debug, Clone)]
pub struct Identity {
    dialect: Dialect,
    id: String,
    created: u64,
    model: String,
}

impl Identity {
    /// A new reply's identity; `model` is the name that the client reads.
    pub fn new(dialect: Dialect, model: String) -> Self {
        let prefix = match dialect {
            Dialect::Chat => "chatcmpl",
            Dialect::Completion => "cmpl",
        };
        let id = format!("{prefix}-{:032x}", rand::random::<u128>());
        Self { dialect, id, created: unix_seconds(), model }
    }

    /// The endpoint.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The complete answer.
    pub fn whole(
        &self,
        choices: Vec<WholeChoice>,
        usage: UsageReply,
        timings: Timings,
    ) -> Whole<'_> {
        let object = match self.dialect {
            Dialect::Chat => "chat.completion",
            Dialect::Completion => "text_completion",
        };
        Whole {
            id: &self.id,
            object,
            created: self.created,
            model: &self.model,
            choices,
            usage,
            timings,
        }
    }

    /// One piece of a streamed answer. `usage`: `None` leaves the field out.
    pub fn chunk(&self, choices: Vec<ChunkChoice>, usage: Option<Option<UsageReply>>) -> Chunk<'_> {
        let object = match self.dialect {
            Dialect::Chat => "chat.completion.chunk",
            Dialect::Completion => "text_completion",
        };
        Chunk {
            id: &self.id,
            object,
            created: self.created,
            model: &self.model,
            choices,
            usage,
            timings: None,
        }
    }
}

/// A complete answer.
#[derive(Serialize)]
pub struct Whole<'a> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: Vec<WholeChoice>,
    usage: UsageReply,
    timings: Timings,
}

/// One choice of a complete answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum WholeChoice {
    /// Of a chat.
    Chat {
        /// From 0.
        index: usize,
        /// The assistant's message.
        message: AssistantMessage,
        /// When asked for.
        logprobs: Option<ChatLogprobs>,
        /// `stop`, `length` or `tool_calls`.
        finish_reason: &'static str,
    },
    /// Of a text completion.
    Completion {
        /// The prompt's place in the request.
        index: usize,
        /// The new text.
        text: String,
        /// When asked for.
        logprobs: Option<CompletionLogprobs>,
        /// `stop` or `length`.
        finish_reason: &'static str,
    },
}

/// The assistant's complete message.
#[derive(Serialize)]
pub struct AssistantMessage {
    role: &'static str,
    /// Null in a message that only calls tools.
    content: Option<String>,
    refusal: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    reasoning_content: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCall>,
}

/// One call of a tool.
#[derive(Serialize)]
pub struct ToolCall {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    function: ToolCallFunction,
}

#[derive(Serialize)]
struct ToolCallFunction {
    name: String,
    arguments: String,
}

impl From<Call> for ToolCall {
    fn from(call: Call) -> Self {
        let Call { id, name, arguments } = call;
        Self { id, kind: "function", function: ToolCallFunction { name, arguments } }
    }
}

impl AssistantMessage {
    fn new(said: Collected) -> Self {
        let only_calls = said.content.is_empty() && !said.calls.is_empty();
        Self {
            role: "assistant",
            content: (!only_calls).then_some(said.content),
            refusal: None,
            reasoning_content: said.reasoning,
            tool_calls: said.calls.into_iter().map(ToolCall::from).collect(),
        }
    }
}

impl WholeChoice {
    /// The choice at `index` from everything that was generated for it.
    pub fn new(
        dialect: Dialect,
        index: usize,
        said: Collected,
        logprobs: Option<Logprobs>,
        finish_reason: &'static str,
    ) -> Self {
        match dialect {
            Dialect::Chat => Self::Chat {
                index,
                message: AssistantMessage::new(said),
                logprobs: logprobs.and_then(Logprobs::chat),
                finish_reason,
            },
            Dialect::Completion => Self::Completion {
                index,
                text: said.content,
                logprobs: logprobs.and_then(Logprobs::completion),
                finish_reason,
            },
        }
    }
}

/// One piece of a streamed answer.
#[derive(Serialize)]
pub struct Chunk<'a> {
    id: &'a str,
    object: &'static str,
    created: u64,
    model: &'a str,
    choices: Vec<ChunkChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Option<UsageReply>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timings: Option<Timings>,
}

impl Chunk<'_> {
    /// The same chunk with the time that the answer took.
    #[must_use]
    pub fn with_timings(mut self, timings: Timings) -> Self {
        self.timings = Some(timings);
        self
    }
}

/// One choice's part of a chunk.
#[derive(Serialize)]
#[serde(untagged)]
pub enum ChunkChoice {
    /// Of a chat.
    Chat {
        /// From 0.
        index: usize,
        /// What is new.
        delta: Delta,
        /// Of the tokens of this chunk, when asked for.
        logprobs: Option<ChatLogprobs>,
        /// Null until the last.
        finish_reason: Option<&'static str>,
    },
    /// Of a text completion.
    Completion {
        /// The prompt's place in the request.
        index: usize,
        /// What is new.
        text: String,
        /// Of the tokens of this chunk, when asked for.
        logprobs: Option<CompletionLogprobs>,
        /// Null until the last.
        finish_reason: Option<&'static str>,
    },
}

impl ChunkChoice {
    /// A chat's first chunk: the role, and no text yet. A completion has none.
    pub fn opening(dialect: Dialect, index: usize) -> Option<Self> {
        let delta = Delta::opening();
        match dialect {
            Dialect::Chat => Some(Self::Chat { index, delta, logprobs: None, finish_reason: None }),
            Dialect::Completion => None,
        }
    }

    /// What is new; a text completion has nothing but text.
    pub fn piece(
        dialect: Dialect,
        index: usize,
        piece: Piece,
        logprobs: Option<Logprobs>,
    ) -> Option<Self> {
        match (dialect, piece) {
            (Dialect::Chat, piece) => Some(Self::Chat {
                index,
                delta: Delta::of(piece)?,
                logprobs: logprobs.and_then(Logprobs::chat),
                finish_reason: None,
            }),
            (Dialect::Completion, Piece::Content(text)) => Some(Self::Completion {
                index,
                text,
                logprobs: logprobs.and_then(Logprobs::completion),
                finish_reason: None,
            }),
            (Dialect::Completion, _) => None,
        }
    }

    /// The choice's end: an empty delta, and its only reason that is not null.
    pub fn closing(dialect: Dialect, index: usize, reason: &'static str) -> Self {
        let finish_reason = Some(reason);
        match dialect {
            Dialect::Chat => {
                Self::Chat { index, delta: Delta::default(), logprobs: None, finish_reason }
            }
            Dialect::Completion => {
                Self::Completion { index, text: String::new(), logprobs: None, finish_reason }
            }
        }
    }
}

/// Log probabilities in the form of either endpoint.
pub enum Logprobs {
    /// A list of entries.
    Chat(ChatLogprobs),
    /// Parallel lists.
    Completion(CompletionLogprobs),
}

impl Logprobs {
    /// Of `tokens`, the first of which begins `text_offset` characters into the answer.
    pub fn new(
        dialect: Dialect,
        text_model: &TextModel,
        tokens: &[TokenInfo],
        text_offset: usize,
    ) -> Self {
        match dialect {
            Dialect::Chat => Self::Chat(ChatLogprobs::new(text_model, tokens)),
            Dialect::Completion => {
                Self::Completion(CompletionLogprobs::new(text_model, tokens, text_offset))
            }
        }
    }

    fn chat(self) -> Option<ChatLogprobs> {
        match self {
            Self::Chat(logprobs) => Some(logprobs),
            Self::Completion(_) => None,
        }
    }

    fn completion(self) -> Option<CompletionLogprobs> {
        match self {
            Self::Completion(logprobs) => Some(logprobs),
            Self::Chat(_) => None,
        }
    }
}

/// The word for the end of an answer that was not cut.
pub fn finish_word(reason: FinishReason, has_calls: bool) -> &'static str {
    match reason {
        FinishReason::Length => "length",
        _ if has_calls => "tool_calls",
        _ => "stop",
    }
}

/// The time, in seconds since 1970.
pub fn unix_seconds() -> u64 {
    // A clock before 1970 is a broken clock; its replies say 0.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
