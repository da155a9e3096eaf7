//! One running request: from logits to tokens, text, and its end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;
use tyto_scheduler::Outcome;
use tyto_text::TextModel;

use crate::api::{Event, FinishReason, GenerateRequest, TokenInfo, Usage};
use crate::output::OutputStream;
use crate::sampling::{RawDistribution, Sampler};

/// What all requests share.
pub(crate) struct RequestContext {
    pub(crate) text: Arc<TextModel>,
}

/// A request's own state. What the scheduler knows of it (tokens, blocks) is not here.
pub(crate) struct Request {
    events: UnboundedSender<Event>,
    sampler: Sampler,
    output: OutputStream,
    /// Ids that end the text.
    stop_ids: BTreeSet<u32>,
    min_tokens: u32,
    logprobs: Option<usize>,
    prompt_tokens: u32,
    generated: u32,
    clock: Clock,
    /// Why it fails, if it does.
    pub(crate) fault: Option<String>,
}

struct Clock {
    submitted: Instant,
    first_step: Option<Instant>,
    first_token: Option<Instant>,
    last_token: Option<Instant>,
}

impl Request {
    pub(crate) fn new(
        request: GenerateRequest,
        events: UnboundedSender<Event>,
        submitted: Instant,
        context: &RequestContext,
    ) -> Self {
        let mut stop_ids: BTreeSet<u32> = request.stop_ids.into_iter().collect();
        if !request.ignore_eos {
            stop_ids.extend(context.text.eos_ids());
        }
        let prompt_tokens = u32::try_from(request.prompt.len()).unwrap_or(u32::MAX);
        Self {
            events,
            sampler: Sampler::new(request.sampling, &request.prompt),
            output: OutputStream::new(context.text.clone(), request.stop_strings),
            stop_ids,
            min_tokens: request.min_tokens,
            logprobs: request.logprobs.map(|n| n as usize),
            prompt_tokens,
            generated: 0,
            clock: Clock { submitted, first_step: None, first_token: None, last_token: None },
            fault: None,
        }
    }

    pub(crate) fn generated(&self) -> u32 {
        self.generated
    }

    pub(crate) fn prompt_tokens(&self) -> u32 {
        self.prompt_tokens
    }

    /// A step with this request in it begins.
    pub(crate) fn note_step(&mut self, now: Instant) {
        self.clock.first_step.get_or_insert(now);
    }

    /// Chooses the next token and sends what it adds to the answer.
    pub(crate) fn accept(&mut self, logits: &[f32], context: &RequestContext) -> Outcome {
        let may_stop = self.generated >= self.min_tokens;
        let banned = if may_stop { None } else { Some(&self.stop_ids) };
        let id = match self.sampler.sample(logits, banned) {
            Ok(id) => id,
            Err(error) => {
                self.fault = Some(error.to_string());
                return Outcome::Failed;
            }
        };
        self.count_token();
        let stops = may_stop && self.stop_ids.contains(&id);
        let (text, matched) =
            if stops { (String::new(), true) } else { self.output.push(id, may_stop) };
        let token = self.token_info(id, stops, logits, context);
        self.send(Event::Tokens { text, tokens: vec![token] });
        if matched { Outcome::Stop(id) } else { Outcome::Token(id) }
    }

    /// Sends the end of a complete answer.
    pub(crate) fn finish(mut self, reason: FinishReason) {
        let text = self.output.finish();
        let usage = self.usage();
        self.send(Event::Finished { reason, text, usage });
    }

    /// Sends the end of an answer that cannot be completed.
    pub(crate) fn fail(mut self) {
        let message = self.fault.take().expect("who fails a request says why");
        self.send(Event::Failed { message });
    }

    fn token_info(
        &self,
        id: u32,
        stops: bool,
        logits: &[f32],
        context: &RequestContext,
    ) -> TokenInfo {
        let model = &context.text;
        let hidden = stops || model.is_special(id);
        let text = if hidden { String::new() } else { model.token_text(id) };
        let Some(n) = self.logprobs else {
            return TokenInfo { id, text, logprob: None, top: Vec::new() };
        };
        let raw = RawDistribution::new(logits);
        let top = raw.top(n).into_iter().map(|(id, logprob)| (id, model.token_text(id), logprob));
        TokenInfo { id, text, logprob: Some(raw.log_probability(id)), top: top.collect() }
    }

    fn count_token(&mut self) {
        let now = Instant::now();
        self.generated += 1;
        self.clock.first_token.get_or_insert(now);
        self.clock.last_token = Some(now);
    }

    fn usage(&self) -> Usage {
        let clock = &self.clock;
        let between = |start: Option<Instant>, end: Option<Instant>| match (start, end) {
            (Some(start), Some(end)) => end.duration_since(start).as_secs_f64(),
            _ => 0.0,
        };
        Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: self.generated,
            time_to_first_token: between(Some(clock.submitted), clock.first_token),
            prefill_seconds: between(clock.first_step, clock.first_token),
            decode_seconds: between(clock.first_token, clock.last_token),
        }
    }

    fn send(&self, event: Event) {
        // The receiver cancels the request when it is dropped; until that command is read,
        // events go nowhere.
        let _ = self.events.send(event);
    }
}
