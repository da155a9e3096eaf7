//! One generation as pieces, while it runs: for the endpoints whose streams have events by name.

use axum::response::sse;
use serde_json::Value;
use tyto_engine::{Event, FinishReason, TokenInfo, Usage};

use crate::api_error::ApiError;
use crate::collect::{check_end, engine_went_away};
use crate::pieces::{Piece, PieceReader, ReadingPlan};
use crate::traces::Watched;

/// The last tokens that are remembered, to find the stop string that ended the text.
pub const REMEMBERED: usize = 64;

/// A generation and its reader. Dropping it cancels the generation.
pub struct Follower {
    generation: Watched,
    reader: PieceReader,
    last_ids: Vec<u32>,
}

/// What happened next.
pub enum Step {
    /// More of the answer; often nothing that shows.
    Pieces(Vec<Piece>),
    /// The last of it, and its end.
    End(Vec<Piece>, End),
    /// The answer cannot be completed.
    Failed(ApiError),
}

/// How an answer ended.
#[derive(Debug, Clone)]
pub struct End {
    /// Why.
    pub reason: FinishReason,
    /// Counts and times.
    pub usage: Usage,
    /// Whether a tool was called.
    pub has_calls: bool,
    /// The last tokens.
    pub last_ids: Vec<u32>,
}

impl Follower {
    /// Follows a generation that has just been submitted.
    pub(crate) fn new(generation: Watched, plan: &ReadingPlan) -> Self {
        Self { generation, reader: PieceReader::new(plan), last_ids: Vec::new() }
    }

    /// Waits for what comes next. Nothing comes after an end or a failure.
    pub async fn next(&mut self) -> Step {
        match self.generation.next().await {
            Some(Event::Tokens { text, tokens }) => {
                self.remember(&tokens);
                Step::Pieces(self.reader.push(&text))
            }
            Some(Event::Finished { reason, text, usage }) => {
                if let Err(error) = check_end(reason) {
                    return Step::Failed(error);
                }
                let mut pieces = self.reader.push(&text);
                pieces.extend(self.reader.finish());
                let has_calls = self.reader.has_calls();
                let last_ids = std::mem::take(&mut self.last_ids);
                Step::End(pieces, End { reason, usage, has_calls, last_ids })
            }
            Some(Event::Vector { .. }) => unreachable!("the text goes on"),
            Some(Event::Failed { message, is_own_fault }) => {
                Step::Failed(ApiError::of_engine(message, is_own_fault))
            }
            None => Step::Failed(engine_went_away()),
        }
    }

    fn remember(&mut self, tokens: &[TokenInfo]) {
        self.last_ids.extend(tokens.iter().map(|token| token.id));
        let excess = self.last_ids.len().saturating_sub(REMEMBERED);
        self.last_ids.drain(..excess);
    }
}

/// A server-sent event that has a name, which its data repeats as `type`.
pub fn named_event(data: &Value) -> sse::Event {
    let name = data["type"].as_str().unwrap_or_default();
    sse::Event::default().event(name).data(data.to_string())
}
