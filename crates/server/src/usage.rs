//! Counts and times of a reply.

use serde::Serialize;
use tyto_engine::Usage;

/// The token counts, of all choices together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct UsageReply {
    prompt_tokens: usize,
    completion_tokens: usize,
    total_tokens: usize,
    prompt_tokens_details: PromptDetails,
    completion_tokens_details: CompletionDetails,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct PromptDetails {
    cached_tokens: usize,
}

/// Of tokens that were guessed ahead of the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct CompletionDetails {
    accepted_prediction_tokens: usize,
    rejected_prediction_tokens: usize,
}

impl UsageReply {
    /// Adds one choice's tokens. A prompt with several answers counts once.
    pub fn add(&mut self, usage: &Usage, counts_prompt: bool) {
        if counts_prompt {
            self.prompt_tokens += usage.prompt_tokens as usize;
            self.prompt_tokens_details.cached_tokens += usage.cached_tokens as usize;
        }
        self.completion_tokens += usage.completion_tokens as usize;
        self.total_tokens = self.prompt_tokens + self.completion_tokens;
        let details = &mut self.completion_tokens_details;
        details.accepted_prediction_tokens += usage.accepted_tokens as usize;
        let rejected = usage.drafted_tokens.saturating_sub(usage.accepted_tokens);
        details.rejected_prediction_tokens += rejected as usize;
    }
}

/// Where the time went; an addition to OpenAI's objects.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Timings {
    /// From the request's arrival at the engine, waiting included.
    pub time_to_first_token_ms: f64,
    /// From the first step to the first token.
    pub prefill_ms: f64,
    /// Prompt tokens.
    pub prefill_tokens_per_second: f64,
    /// From the first token to the last.
    pub decode_ms: f64,
    /// Tokens after the first.
    pub decode_tokens_per_second: f64,
}
