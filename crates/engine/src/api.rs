//! What callers give to an engine and get from it.

use std::sync::mpsc::Sender;

use tokio::sync::mpsc::UnboundedReceiver;
use tyto_scheduler::SeqId;

use crate::run_loop::Command;

/// One text to continue.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerateRequest {
    /// The ids of the text so far; at least one.
    pub prompt: Vec<u32>,
    /// How the next token is chosen.
    pub sampling: SamplingParams,
    /// At most this many new tokens; `None` goes on to the context's end. 0 gives no token
    /// and finishes with [`FinishReason::Length`] at once.
    pub max_tokens: Option<u32>,
    /// The first this many tokens end nothing: ids that would end the text are not chosen
    /// for them, and stop strings in them do not count.
    pub min_tokens: u32,
    /// Texts that end the answer. They, and what follows them, are not in it.
    pub stop_strings: Vec<String>,
    /// Ids that end the answer, besides the model's own. Their text is not in it.
    pub stop_ids: Vec<u32>,
    /// Go on after the model's end-of-text ids; `stop_ids` still end the answer.
    pub ignore_eos: bool,
    /// Give each token's log probability, and this many alternatives.
    pub logprobs: Option<u32>,
}

impl GenerateRequest {
    /// A greedy continuation up to the model's end-of-text or the context's end.
    pub fn new(prompt: Vec<u32>) -> Self {
        Self {
            prompt,
            sampling: SamplingParams::greedy(),
            max_tokens: None,
            min_tokens: 0,
            stop_strings: Vec::new(),
            stop_ids: Vec::new(),
            ignore_eos: false,
            logprobs: None,
        }
    }
}

/// How the next token is chosen from the model's logits.
///
/// In this order, which is vLLM's: `logit_bias`, the penalties (repetition, then frequency,
/// then presence), then with `temperature` 0 the highest logit (of equal ones the lowest
/// id), else `temperature`, `min_p`, `top_k`, `top_p`, each on what the one before left,
/// renormalised, and a draw from the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingParams {
    /// Divides the logits. 0 always takes the most likely token.
    pub temperature: f32,
    /// Keep only this many of the most likely tokens. `None` and `Some(0)` keep all.
    pub top_k: Option<u32>,
    /// Keep the most likely tokens until their probabilities add up to this; at least one.
    pub top_p: f32,
    /// Keep tokens at least this fraction as likely as the most likely one.
    pub min_p: f32,
    /// Equal seeds give equal texts, whatever else runs. `None` takes a new one each time.
    pub seed: Option<u64>,
    /// Divides positive logits, and multiplies negative ones, of ids that are in the prompt
    /// or in the answer.
    pub repetition_penalty: f32,
    /// Subtracted from the logits of ids that are in the answer.
    pub presence_penalty: f32,
    /// Subtracted from the logits of ids in the answer, once for each occurrence.
    pub frequency_penalty: f32,
    /// Added to the logits of these ids.
    pub logit_bias: Vec<(u32, f32)>,
}

impl SamplingParams {
    /// Always the most likely token.
    pub fn greedy() -> Self {
        Self {
            temperature: 0.0,
            top_k: None,
            top_p: 1.0,
            min_p: 0.0,
            seed: None,
            repetition_penalty: 1.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            logit_bias: Vec::new(),
        }
    }

    /// Checks every value by itself; ids against the vocabulary are the engine's part.
    pub fn validate(&self) -> Result<(), InvalidField> {
        let finite = "a finite number";
        check("temperature", self.temperature, "0 or a positive number", |t| t >= 0.0)?;
        check("top_p", self.top_p, "a number from 0 to 1", |p| (0.0..=1.0).contains(&p))?;
        check("min_p", self.min_p, "a number from 0 to 1", |p| (0.0..=1.0).contains(&p))?;
        let (expected, range) = ("a number from 0.01 to 100", 0.01..=100.0);
        check("repetition_penalty", self.repetition_penalty, expected, |r| range.contains(&r))?;
        check("presence_penalty", self.presence_penalty, finite, |_| true)?;
        check("frequency_penalty", self.frequency_penalty, finite, |_| true)?;
        self.logit_bias
            .iter()
            .try_for_each(|&(_, bias)| check("logit_bias", bias, finite, |_| true))
    }
}

fn check(
    field: &'static str,
    value: f32,
    expected: &'static str,
    right: impl Fn(f32) -> bool,
) -> Result<(), InvalidField> {
    if value.is_finite() && right(value) {
        return Ok(());
    }
    Err(InvalidField { field, found: value.to_string(), expected: expected.to_owned() })
}

/// A value of a request that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` is {found}; expected {expected}")]
pub struct InvalidField {
    /// The field's name in [`GenerateRequest`] or [`SamplingParams`].
    pub field: &'static str,
    /// What it held.
    pub found: String,
    /// What it may hold.
    pub expected: String,
}

/// Why a request was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// A field holds something that cannot be done.
    #[error("{message}")]
    Invalid {
        /// The field's name.
        field: &'static str,
        /// The name, what was found, and what is expected.
        message: String,
    },
    /// The prompt leaves no room for an answer.
    #[error(
        "the prompt has {prompt} tokens, and prompt and answer together may have {context}: \
         shorten the prompt"
    )]
    PromptTooLong {
        /// Tokens of the prompt.
        prompt: usize,
        /// Tokens that prompt and answer may have together.
        context: usize,
    },
    /// Too many requests wait already.
    #[error("the queue is full: try again later")]
    QueueFull,
    /// The engine is shutting down, or has ended.
    #[error("the engine has stopped")]
    Stopped,
}

impl From<InvalidField> for SubmitError {
    fn from(invalid: InvalidField) -> Self {
        Self::Invalid { field: invalid.field, message: invalid.to_string() }
    }
}

/// What happened to a request. The last event is `Finished` or `Failed`.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// New tokens.
    Tokens {
        /// The characters that are certain now; "" while they are held back.
        text: String,
        /// The tokens, one [`TokenInfo`] each.
        tokens: Vec<TokenInfo>,
    },
    /// The answer is complete.
    Finished {
        /// Why it ended.
        reason: FinishReason,
        /// The last characters, which had been held back.
        text: String,
        /// Counts and times.
        usage: Usage,
    },
    /// The answer cannot be completed.
    Failed {
        /// What went wrong.
        message: String,
    },
}

/// One generated token. The tokens of all events are as many as
/// [`Usage::completion_tokens`], the one that ended the text included.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenInfo {
    /// Its id.
    pub id: u32,
    /// Its own text; "" for one that the answer leaves out (special tokens, stop ids).
    pub text: String,
    /// Its log probability in the model's raw distribution, if the request asked.
    pub logprob: Option<f32>,
    /// The most likely tokens of that distribution, most likely first: id, text, log
    /// probability.
    pub top: Vec<(u32, String, f32)>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// An end-of-text id, a stop id or a stop string.
    Stop,
    /// `max_tokens`, or the context's end.
    Length,
    /// The engine was shut down first.
    Cancelled,
}

/// A request's counts and times.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Tokens generated, the one that ended the text included.
    pub completion_tokens: u32,
    /// Seconds from [`Engine::submit`](crate::Engine::submit) to the first token, waiting
    /// included.
    pub time_to_first_token: f64,
    /// Seconds from the first step to the first token.
    pub prefill_seconds: f64,
    /// Seconds from the first token to the last.
    pub decode_seconds: f64,
}

/// What the engine serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelCard {
    /// The model's name.
    pub name: String,
    /// When the engine started, in seconds since 1970.
    pub created: u64,
    /// Tokens that prompt and answer may have together: what the model was compiled for,
    /// or what the cache can hold, if that is less.
    pub context_length: usize,
    /// Token ids are below this.
    pub vocab_size: usize,
}

/// The engine's figures at one moment. Counts of requests and tokens are since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EngineStats {
    /// Requests that wait for their first step, or were put back to wait.
    pub queued: usize,
    /// Requests that own blocks.
    pub running: usize,
    /// Blocks of the cache that nobody owns.
    pub free_blocks: usize,
    /// Blocks that requests can own.
    pub total_blocks: usize,
    /// Steps run.
    pub steps: u64,
    /// Tokens of the prompts of requests that got their first token.
    pub prompt_tokens: u64,
    /// Tokens generated.
    pub generated_tokens: u64,
    /// Requests that ended with an answer.
    pub finished: u64,
    /// Requests that ended with [`Event::Failed`].
    pub failed: u64,
    /// Requests that ended because nobody wanted the answer, or by a shutdown.
    pub cancelled: u64,
}

/// What became of the requests that were there when a shutdown began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ShutdownReport {
    /// Requests that ended by themselves within the grace time.
    pub finished: usize,
    /// Requests that were cut.
    pub cut: usize,
}

/// A request under way: its events. Dropping it cancels the request.
#[derive(Debug)]
pub struct Generation {
    /// The request's number in this engine.
    pub id: u64,
    pub(crate) events: UnboundedReceiver<Event>,
    pub(crate) commands: Sender<Command>,
    pub(crate) ended: bool,
}

impl Generation {
    /// Waits for the next event. `None` after the last one, or if the engine died.
    pub async fn next(&mut self) -> Option<Event> {
        let event = self.events.recv().await;
        self.note_end(event)
    }

    /// The same, for a thread that may block. Panics inside an async task.
    pub fn blocking_next(&mut self) -> Option<Event> {
        let event = self.events.blocking_recv();
        self.note_end(event)
    }

    fn note_end(&mut self, event: Option<Event>) -> Option<Event> {
        self.ended |= !matches!(event, Some(Event::Tokens { .. }));
        event
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        if !self.ended {
            // A closed channel means the engine has ended, and the request with it.
            let _ = self.commands.send(Command::Cancel(SeqId(self.id)));
        }
    }
}
