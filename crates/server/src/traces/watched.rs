//! Generations whose ends become spans.

use std::time::{Duration, Instant};

use serde_json::json;
use tyto_engine::{Event, FinishReason, Generation, Usage};

use super::trace::Trace;

/// The most texts of one request that get spans of their own; the request's span counts all.
const MAX_TEXTS: usize = 32;

/// A generation, and the trace of its request if it has one. Dropping it cancels the generation.
#[derive(Debug)]
pub(crate) struct Watched {
    generation: Generation,
    watch: Option<Watch>,
}

#[derive(Debug)]
struct Watch {
    trace: Trace,
    /// Among the texts of the request, from 0.
    index: usize,
    counts_prompt: bool,
    submitted: Instant,
    has_ended: bool,
}

impl Watched {
    /// Generations that were given to the engine at `submitted`, for a request that was here in full at
    /// `arrived`: `answers` for each prompt.
    pub(crate) fn all(
        generations: Vec<Generation>,
        trace: Option<&Trace>,
        (arrived, submitted): (Instant, Instant),
        answers: usize,
    ) -> Vec<Self> {
        let watch = |place: usize, trace: &Trace| {
            let index = trace.add_text();
            if index == 0 {
                trace.add_part("prepare", (arrived, submitted), Vec::new());
            }
            let counts_prompt = place.is_multiple_of(answers);
            Watch { trace: trace.clone(), index, counts_prompt, submitted, has_ended: false }
        };
        let numbered = generations.into_iter().enumerate();
        numbered
            .map(|(place, generation)| Self {
                generation,
                watch: trace.map(|trace| watch(place, trace)),
            })
            .collect()
    }

    /// Waits for the next event. `None` after the last one, or if the engine died.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        let event = self.generation.next().await;
        if let Some(watch) = self.watch.as_mut().filter(|watch| !watch.has_ended) {
            watch.note(event.as_ref());
        }
        event
    }
}

impl Watch {
    fn note(&mut self, event: Option<&Event>) {
        match event {
            Some(Event::Tokens { .. } | Event::Vector { .. }) => return,
            Some(Event::Finished { reason, usage, .. }) => self.finish(*reason, usage),
            Some(Event::Failed { is_own_fault: true, .. }) => self.trace.fail("invalid_request"),
            Some(Event::Failed { .. }) | None => self.trace.fail("engine"),
        }
        self.has_ended = true;
    }

    fn finish(&self, reason: FinishReason, usage: &Usage) {
        let word = match reason {
            FinishReason::Stop => "stop",
            FinishReason::Length => "length",
            FinishReason::Cancelled => "cancelled",
            FinishReason::TimedOut => "timeout",
        };
        self.trace.add_usage(usage, self.counts_prompt, word);
        if matches!(reason, FinishReason::Cancelled | FinishReason::TimedOut) {
            self.trace.fail(word);
        }
        // An answer without a first token has waited, and nothing else is known of it.
        if self.index < MAX_TEXTS && usage.time_to_first_token > 0.0 {
            self.add_parts(usage, word);
        }
    }

    /// What the text waited for, one thing after the other.
    fn add_parts(&self, usage: &Usage, reason: &'static str) {
        let after = |seconds: f64| self.submitted + Duration::from_secs_f64(seconds.max(0.0));
        let first_token = usage.time_to_first_token;
        let first_step = after(first_token - usage.prefill_seconds);
        let (first_token, last_token) =
            (after(first_token), after(first_token + usage.decode_seconds));
        let index = ("tyto.text.index", json!(self.index));
        self.trace.add_part("queue", (self.submitted, first_step), vec![index.clone()]);
        let prompt = vec![
            index.clone(),
            ("tyto.tokens", json!(usage.prompt_tokens)),
            ("tyto.tokens.cached", json!(usage.cached_tokens)),
        ];
        self.trace.add_part("prompt", (first_step, first_token), prompt);
        if usage.completion_tokens == 0 {
            return; // A vector was made of it.
        }
        let answer = vec![
            index,
            ("tyto.tokens", json!(usage.completion_tokens)),
            ("tyto.tokens.drafted", json!(usage.drafted_tokens)),
            ("tyto.tokens.accepted", json!(usage.accepted_tokens)),
            ("tyto.finish_reason", json!(reason)),
        ];
        self.trace.add_part("answer", (first_token, last_token), answer);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.has_ended {
            self.trace.fail("cancelled");
        }
    }
}
