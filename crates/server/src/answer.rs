//! What the engine generates for one request of OpenAI's older endpoints, as a whole answer.

use std::sync::Arc;

use tyto_engine::Usage;
use tyto_text::TextModel;

use crate::api_error::ApiError;
use crate::collect::{Collected, collect};
use crate::pieces::ReadingPlan;
use crate::reply::{Identity, Logprobs, WholeChoice, finish_word};
use crate::traces::Watched;
use crate::usage::{Timings, UsageReply};

/// A request that the engine has accepted: `answers` generations for each prompt.
///
/// Dropping it cancels what still runs; so a client that goes away, which drops its
/// response, frees the engine.
pub struct Answer {
    /// The ids and names of the reply.
    pub identity: Identity,
    /// For the bytes of tokens.
    pub text_model: Arc<TextModel>,
    /// In the order of the prompts.
    pub(crate) generations: Vec<Watched>,
    /// Of these, so many belong to one prompt.
    pub answers: usize,
    /// Whether the reply carries log probabilities.
    pub logprobs: bool,
    /// How the answers are read.
    pub reading: ReadingPlan,
    /// Whether reasoning is in the reply.
    pub show_reasoning: bool,
}

impl Answer {
    /// Waits for the end of every generation and writes the reply as a JSON text.
    pub async fn collect(self) -> Result<String, ApiError> {
        let mut totals = Totals::default();
        let mut choices = Vec::with_capacity(self.generations.len());
        // One after the other: the others go on meanwhile, their events wait in their channels.
        for (index, generation) in self.generations.into_iter().enumerate() {
            let mut said = collect(generation, &self.reading).await?;
            totals.add(&said.usage, index.is_multiple_of(self.answers));
            if !self.show_reasoning {
                said.reasoning.clear();
            }
            choices.push(choice(&self.identity, &self.text_model, index, said, self.logprobs));
        }
        let whole = self.identity.whole(choices, totals.usage, totals.timings());
        to_json(&whole)
    }
}

fn choice(
    identity: &Identity,
    text_model: &TextModel,
    index: usize,
    said: Collected,
    with_logprobs: bool,
) -> WholeChoice {
    let dialect = identity.dialect();
    let reason = finish_word(said.reason, !said.calls.is_empty());
    let logprobs = with_logprobs.then(|| Logprobs::new(dialect, text_model, &said.tokens, 0));
    WholeChoice::new(dialect, index, said, logprobs, reason)
}

/// The figures of all choices of a reply together.
#[derive(Debug, Default)]
pub struct Totals {
    /// Token counts.
    pub usage: UsageReply,
    prompt_tokens: f64,
    decoded_tokens: f64,
    first_token_seconds: f64,
    prefill_seconds: f64,
    decode_seconds: f64,
}

impl Totals {
    /// Adds one finished choice; `counts_prompt` for the first of each prompt. Choices run side
    /// by side: their times do not add up.
    pub fn add(&mut self, usage: &Usage, counts_prompt: bool) {
        self.usage.add(usage, counts_prompt);
        self.prompt_tokens += f64::from(usage.prompt_tokens);
        // The first token comes out of the prefill.
        self.decoded_tokens += f64::from(usage.completion_tokens.saturating_sub(1));
        self.first_token_seconds = self.first_token_seconds.max(usage.time_to_first_token);
        self.prefill_seconds = self.prefill_seconds.max(usage.prefill_seconds);
        self.decode_seconds = self.decode_seconds.max(usage.decode_seconds);
    }

    /// Durations and rates.
    pub fn timings(&self) -> Timings {
        Timings {
            time_to_first_token_ms: 1e3 * self.first_token_seconds,
            prefill_ms: 1e3 * self.prefill_seconds,
            prefill_tokens_per_second: rate(self.prompt_tokens, self.prefill_seconds),
            decode_ms: 1e3 * self.decode_seconds,
            decode_tokens_per_second: rate(self.decoded_tokens, self.decode_seconds),
        }
    }
}

/// 0 where nothing was timed: JSON has no infinity.
fn rate(tokens: f64, seconds: f64) -> f64 {
    if seconds > 0.0 { tokens / seconds } else { 0.0 }
}

/// A reply object as JSON.
pub fn to_json(value: &impl serde::Serialize) -> Result<String, ApiError> {
    serde_json::to_string(value)
        .map_err(|error| ApiError::internal(format!("the reply cannot be written: {error}")))
}
