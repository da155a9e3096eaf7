//! One running request: from logits to tokens, text, and its end.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;
use tyto_artifact::Pooling;
use tyto_scheduler::Outcome;
use tyto_text::TextModel;

use crate::api::{Event, FinishReason, Task, TokenInfo, Usage};
use crate::constraint::{Constraint, ConstraintError, TokenMask};
use crate::executor::{ExecutorError, ExecutorLimits, Positions};
use crate::logits::{LogitsRow, Rows};
use crate::output::OutputStream;
use crate::place::Held;
use crate::pooled::{self, Pool};
use crate::sampling::{
    Choices, Distribution, Forbidden, Guess, RawDistribution, SampleError, Sampler, Scratch, Way,
};

/// What all requests share.
pub(crate) struct RequestContext {
    text: Arc<TextModel>,
    scratch: RefCell<Scratch>,
    /// What makes one vector of a text, where texts are not continued.
    pub(crate) pooling: Option<Pooling>,
}

impl RequestContext {
    pub(crate) fn new(text: Arc<TextModel>, pooling: Option<Pooling>) -> Self {
        Self { text, scratch: RefCell::default(), pooling }
    }

    /// The positions of a row of which something is wanted.
    pub(crate) fn positions(&self) -> Positions {
        self.pooling.map_or(Positions::Last, pooled::positions)
    }

    /// How tokens were chosen so far.
    pub(crate) fn choices(&self) -> Choices {
        self.scratch.borrow().choices
    }

    /// A token's own text.
    fn text_of(&self) -> impl Fn(u32) -> String {
        |id| self.text.token_text(id)
    }
}

/// A request's own state. What the scheduler knows of it (tokens, blocks) is not here.
pub(crate) struct Request {
    events: UnboundedSender<Event>,
    /// Its place among the requests alive, until it ends.
    place: Option<Arc<Held>>,
    /// What has been added to the answer since something was sent of it.
    unsent: Option<Event>,
    in_one_piece: bool,
    sampler: Sampler,
    output: OutputStream,
    /// Ids that end the text.
    stop_ids: BTreeSet<u32>,
    min_tokens: u32,
    logprobs: Option<usize>,
    grammar: Option<Grammar>,
    /// What the guesses of the next step were drawn from, if they were.
    drawn_from: Vec<Distribution>,
    /// What becomes its vector, where that is asked for.
    pool: Option<Pool>,
    drafted: u32,
    accepted: u32,
    prompt_tokens: u32,
    cached_tokens: u32,
    generated: u32,
    /// New tokens at most.
    most: usize,
    /// When the answer must be complete.
    deadline: Option<Instant>,
    clock: Clock,
    /// Why it fails, if it does.
    pub(crate) fault: Option<String>,
    /// Whether that is the request's own doing.
    is_own_fault: bool,
}

/// A constraint and its mask, which is kept to spare an allocation for each token.
struct Grammar {
    constraint: Box<dyn Constraint>,
    mask: TokenMask,
}

/// Why a request cannot go on.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Sample(#[from] SampleError),
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
}

impl Fault {
    fn is_damage(&self) -> bool {
        matches!(self, Self::Sample(error) if error.is_damage())
    }
}

/// What one step added to the answer.
#[derive(Default)]
struct Addition {
    ids: Vec<u32>,
    text: String,
    tokens: Vec<TokenInfo>,
    ended: bool,
    /// Tokens, the last ones, that were not chosen.
    forced: usize,
}

struct Clock {
    submitted: Instant,
    first_step: Option<Instant>,
    first_token: Option<Instant>,
    last_token: Option<Instant>,
}

impl Request {
    /// `limit` is how many tokens prompt and answer have at most.
    pub(crate) fn new(
        task: Task,
        limit: usize,
        executor: &ExecutorLimits,
        events: UnboundedSender<Event>,
        (submitted, place): (Instant, Arc<Held>),
        context: &RequestContext,
    ) -> Self {
        let Task { request, constraint } = task;
        let mut stop_ids: BTreeSet<u32> = request.stop_ids.into_iter().collect();
        if !request.ignore_eos {
            stop_ids.extend(context.text.eos_ids());
        }
        let mask = |constraint| Grammar { constraint, mask: TokenMask::all(executor.vocab_size) };
        Self {
            events,
            place: Some(place),
            unsent: None,
            sampler: Sampler::new(request.sampling, &request.prompt, context.text_of()),
            output: OutputStream::new(
                context.text.clone(),
                request.stop_strings,
                request.control_tokens,
            ),
            stop_ids,
            min_tokens: request.min_tokens,
            logprobs: request.logprobs.map(|n| n as usize),
            in_one_piece: request.in_one_piece,
            grammar: constraint.map(mask),
            drawn_from: Vec::new(),
            pool: context.pooling.map(Pool::new),
            drafted: 0,
            accepted: 0,
            prompt_tokens: u32::try_from(request.prompt.len()).unwrap_or(u32::MAX),
            cached_tokens: 0,
            generated: 0,
            most: limit - request.prompt.len(),
            // A time that no clock can hold never comes.
            deadline: request.timeout.and_then(|timeout| submitted.checked_add(timeout)),
            clock: Clock { submitted, first_step: None, first_token: None, last_token: None },
            fault: None,
            is_own_fault: false,
        }
    }

    /// Gives up its place: whoever reads the last event finds it free.
    pub(crate) fn leave(&mut self) {
        self.place = None;
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(crate) fn generated(&self) -> u32 {
        self.generated
    }

    pub(crate) fn prompt_tokens(&self) -> u32 {
        self.prompt_tokens
    }

    pub(crate) fn cached_tokens(&self) -> u32 {
        self.cached_tokens
    }

    /// A step with this request in it begins.
    pub(crate) fn note_step(&mut self, now: Instant) {
        self.clock.first_step.get_or_insert(now);
    }

    /// Tokens of the prompt that were in the cache already.
    pub(crate) fn note_cached(&mut self, tokens: usize) {
        self.cached_tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
    }

    /// How it chooses.
    pub(crate) fn way(&self) -> Way<'_> {
        self.sampler.way()
    }

    /// The temperature of the digests that may do for its next choices in place of rows of logits.
    pub(crate) fn digest(&self) -> Option<f32> {
        let free = self.grammar.is_none() && self.may_stop();
        if free { self.sampler.digest(self.logprobs.is_some()) } else { None }
    }

    /// The guesses of the next step were drawn from these distributions, one each; none if they were
    /// not drawn.
    pub(crate) fn expect(&mut self, drawn_from: Vec<Distribution>) {
        self.drawn_from = drawn_from;
    }

    /// The step guessed so many tokens, and so many were right.
    pub(crate) fn note_drafts(&mut self, guessed: usize, right: usize) {
        self.drafted += guessed as u32;
        self.accepted += right as u32;
    }

    /// Chooses the next token and takes those that must follow it; [`tell`](Self::tell) sends what
    /// they add to the answer; answers how many must follow. `logits` are those after the text and after
    /// each of `drafts`.
    pub(crate) fn accept(
        &mut self,
        logits: Rows<'_>,
        drafts: &[u32],
        context: &RequestContext,
    ) -> (Outcome, usize) {
        let mut added = Addition::default();
        if let Err(fault) = self.add_tokens(logits, drafts, &mut added, context) {
            self.fault = Some(fault.to_string());
            self.is_own_fault = matches!(fault, Fault::Constraint(_));
            return (if fault.is_damage() { Outcome::Damaged } else { Outcome::Failed }, 0);
        }
        let Addition { ids, text, tokens, ended, forced } = added;
        self.keep(text, tokens);
        (if ended { Outcome::Stop(ids) } else { Outcome::Tokens(ids) }, forced)
    }

    /// The logits cannot be read where the device wrote them.
    pub(crate) fn lose_logits(&mut self, error: &ExecutorError) -> (Outcome, usize) {
        self.fault = Some(error.to_string());
        (Outcome::Failed, 0)
    }

    /// Takes the rows that a step gave of a text from `first_position` on, of which a vector is made
    /// when it `is_complete`.
    pub(crate) fn pool<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [f32]>,
        first_position: usize,
        is_complete: bool,
    ) -> Outcome {
        let pool =
            self.pool.as_mut().expect("a model that makes vectors is asked for nothing else");
        if let Err(error) = pool.add(first_position, rows) {
            self.fault = Some(error.to_string());
            return Outcome::Damaged;
        }
        if !is_complete {
            return Outcome::Written;
        }
        let (values, tokens) = (pool.vector(), self.prompt_tokens);
        self.clock.first_token = Some(Instant::now());
        self.clock.last_token = self.clock.first_token;
        self.unsent = Some(Event::Vector { values, tokens, cached_tokens: self.cached_tokens });
        Outcome::Complete
    }

    /// Sends what the last step added to the answer, if it did and the answer comes in pieces.
    pub(crate) fn tell(&mut self) {
        if !self.in_one_piece {
            self.send_unsent();
        }
    }

    fn send_unsent(&mut self) {
        if let Some(event) = self.unsent.take() {
            self.send(event);
        }
    }

    /// Keeps new tokens to be told, behind those that have not been.
    fn keep(&mut self, new_text: String, mut new_tokens: Vec<TokenInfo>) {
        if let Some(Event::Tokens { text, tokens }) = &mut self.unsent {
            text.push_str(&new_text);
            tokens.append(&mut new_tokens);
        } else {
            self.unsent = Some(Event::Tokens { text: new_text, tokens: new_tokens });
        }
    }

    fn add_tokens(
        &mut self,
        logits: Rows<'_>,
        drafts: &[u32],
        added: &mut Addition,
        context: &RequestContext,
    ) -> Result<(), Fault> {
        if self.generated == 0 {
            self.add_forced(added, context)?;
            if !added.ids.is_empty() {
                return Ok(());
            }
        }
        let drawn_from = std::mem::take(&mut self.drawn_from);
        for (turn, logits) in logits.enumerate() {
            let draft = drafts.get(turn).copied();
            let drawn = draft.zip(drawn_from.get(turn));
            let guess = drawn.map(|(id, drawn_from)| Guess { id, drawn_from });
            let id = self.choose(&logits, guess, &mut context.scratch.borrow_mut())?;
            self.add(id, Some(&logits), added, context)?;
            context.scratch.borrow_mut().choices.note(&logits);
            self.add_forced(added, context)?;
            // The next logits are those after the draft: of use only if the text went on so.
            let goes_on = added.forced == 0 && draft == Some(id);
            if added.ended || !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// Takes the tokens that the grammar leaves no choice about.
    fn add_forced(&mut self, added: &mut Addition, context: &RequestContext) -> Result<(), Fault> {
        if added.ended || self.logprobs.is_some() {
            return Ok(());
        }
        let Some(Grammar { constraint, mask }) = &mut self.grammar else { return Ok(()) };
        let forced = constraint.forced().unwrap_or_default();
        if let Some(id) = forced.iter().find(|id| **id as usize >= mask.vocab_size()) {
            let message = format!("the answer's grammar forces token {id}, which does not exist");
            return Err(ConstraintError::new(message).into());
        }
        for id in forced {
            if added.ended || self.generated as usize >= self.most {
                break;
            }
            self.add(id, None, added, context)?;
            added.forced += 1;
        }
        Ok(())
    }

    /// The token after the text so far.
    fn choose(
        &mut self,
        logits: &LogitsRow<'_>,
        guess: Option<Guess<'_>>,
        scratch: &mut Scratch,
    ) -> Result<u32, Fault> {
        let ids = if self.may_stop() { None } else { Some(&self.stop_ids) };
        let mut forbidden = Forbidden { ids, all_but: None };
        if let Some(Grammar { constraint, mask }) = &mut self.grammar {
            mask.allow_all();
            constraint.mask(mask)?;
            forbidden.all_but = Some(mask);
        }
        Ok(self.sampler.sample(logits, forbidden, guess, scratch)?)
    }

    /// Adds one token to the answer. `logits` are those it was chosen from.
    fn add(
        &mut self,
        id: u32,
        logits: Option<&LogitsRow<'_>>,
        added: &mut Addition,
        context: &RequestContext,
    ) -> Result<(), Fault> {
        let may_stop = self.may_stop();
        let stops = may_stop && self.stop_ids.contains(&id);
        self.sampler.note(id, context.text_of());
        self.count_token();
        added.ids.push(id);
        added.ended = stops;
        if !stops {
            let (text, matched) = self.output.push(id, may_stop);
            added.text.push_str(&text);
            added.ended = matched;
            if let Some(Grammar { constraint, .. }) = &mut self.grammar {
                constraint.accept(id)?;
                added.ended |= constraint.is_done();
            }
        }
        added.tokens.push(self.token_info(id, stops, logits, context));
        Ok(())
    }

    /// Whether the next token may end the text.
    fn may_stop(&self) -> bool {
        self.generated >= self.min_tokens
    }

    /// Sends the end of a complete answer.
    pub(crate) fn finish(mut self, reason: FinishReason) {
        self.send_unsent();
        let text = self.output.finish();
        let usage = self.usage();
        self.send(Event::Finished { reason, text, usage });
    }

    /// Sends the end of an answer that cannot be completed.
    pub(crate) fn fail(mut self) {
        let message = self.fault.take().expect("who fails a request says why");
        self.send(Event::Failed { message, is_own_fault: self.is_own_fault });
    }

    fn token_info(
        &self,
        id: u32,
        stops: bool,
        logits: Option<&LogitsRow<'_>>,
        context: &RequestContext,
    ) -> TokenInfo {
        let model = &context.text;
        let hidden = stops || model.is_special(id);
        let text = if hidden { String::new() } else { model.token_text(id) };
        let (Some(n), Some(logits)) = (self.logprobs, logits) else {
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
            cached_tokens: self.cached_tokens,
            drafted_tokens: self.drafted,
            accepted_tokens: self.accepted,
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
