//! One generation, gathered into a whole answer.

use tyto_engine::{Event, FinishReason, TokenInfo, Usage};

use crate::api_error::ApiError;
use crate::pieces::{Piece, PieceReader, ReadingPlan};
use crate::traces::Watched;

/// Everything that one choice says.
#[derive(Debug)]
pub struct Collected {
    /// Its thoughts.
    pub reasoning: String,
    /// Its text.
    pub content: String,
    /// The tools that it calls.
    pub calls: Vec<Call>,
    /// Why it ended.
    pub reason: FinishReason,
    /// Counts and times.
    pub usage: Usage,
    /// Its tokens.
    pub tokens: Vec<TokenInfo>,
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Not empty, and no other call's.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// JSON, if the answer was not cut.
    pub arguments: String,
}

/// Waits for the end of a generation.
pub(crate) async fn collect(
    mut generation: Watched,
    plan: &ReadingPlan,
) -> Result<Collected, ApiError> {
    let mut reader = PieceReader::new(plan);
    let mut parts = Parts::default();
    let mut all_tokens = Vec::new();
    loop {
        match generation.next().await {
            Some(Event::Tokens { text, tokens }) => {
                parts.add(reader.push(&text));
                all_tokens.extend(tokens);
            }
            Some(Event::Finished { reason, text, usage }) => {
                check_end(reason)?;
                parts.add(reader.push(&text));
                parts.add(reader.finish());
                let Parts { reasoning, content, calls } = parts;
                let tokens = all_tokens;
                return Ok(Collected { reasoning, content, calls, reason, usage, tokens });
            }
            Some(Event::Vector { .. }) => unreachable!("the text goes on"),
            Some(Event::Failed { message, is_own_fault }) => {
                return Err(ApiError::of_engine(message, is_own_fault));
            }
            None => return Err(engine_went_away()),
        }
    }
}

/// An answer that was cut is an error and not an end.
pub fn check_end(reason: FinishReason) -> Result<(), ApiError> {
    match reason {
        FinishReason::Stop | FinishReason::Length => Ok(()),
        FinishReason::Cancelled => {
            Err(ApiError::unavailable("the server is stopping and has cut this answer"))
        }
        FinishReason::TimedOut => Err(ApiError::timed_out()),
    }
}

/// The engine's channel closed without an end.
pub fn engine_went_away() -> ApiError {
    ApiError::internal("the engine stopped in the middle of this answer")
}

/// The pieces so far, put together.
#[derive(Debug, Default)]
pub struct Parts {
    /// Thoughts.
    pub reasoning: String,
    /// Text.
    pub content: String,
    /// Calls.
    pub calls: Vec<Call>,
}

impl Parts {
    /// Adds pieces in their order.
    pub fn add(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Reasoning(text) => self.reasoning.push_str(&text),
                Piece::Content(text) => self.content.push_str(&text),
                Piece::CallStart { id, name, .. } => {
                    self.calls.push(Call { id, name, arguments: String::new() });
                }
                Piece::CallArguments { index, text } => self.calls[index].arguments.push_str(&text),
                Piece::CallEnd { .. } => {}
            }
        }
    }
}
