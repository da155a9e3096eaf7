//! What callers give to an engine and get from it.

use std::fmt;
use std::sync::mpsc::Sender;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tyto_artifact::Pooled;
use tyto_scheduler::SeqId;

use crate::commands::Command;
use crate::constraint::Constraint;
use crate::params::{InvalidField, SamplingParams};

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
    /// Show control tokens in the answer's text as they are written. Those that end it never show.
    pub control_tokens: bool,
    /// Tell the tokens when the answer ends and not as they come: waking who reads them takes time
    /// from the threads that compute.
    pub in_one_piece: bool,
    /// Whose request it is: an API key's name, or an address. Those that wait are served in turn,
    /// client by client. `None` is a client like any other.
    pub client: Option<String>,
    /// The answer must be complete so long after [`Engine::submit`](crate::Engine::submit),
    /// waiting included; it ends with [`FinishReason::TimedOut`] otherwise. `None` waits on.
    pub timeout: Option<Duration>,
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
            control_tokens: false,
            in_one_piece: false,
            client: None,
            timeout: None,
        }
    }
}

/// One text to make a vector of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedRequest {
    /// The ids of the text; at least one.
    pub text: Vec<u32>,
    /// As in [`GenerateRequest`].
    pub client: Option<String>,
    /// As in [`GenerateRequest`].
    pub timeout: Option<Duration>,
}

/// A request and, if its answer must follow a grammar, the grammar's keeper.
pub struct Task {
    /// The request.
    pub request: GenerateRequest,
    /// What may come next.
    pub constraint: Option<Box<dyn Constraint>>,
}

impl From<GenerateRequest> for Task {
    fn from(request: GenerateRequest) -> Self {
        Self { request, constraint: None }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Task");
        fields.field("request", &self.request);
        fields.field("is_constrained", &self.constraint.is_some()).finish()
    }
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
    /// The text that a vector is wanted of is longer than the model takes.
    #[error("the text has {tokens} tokens, and the model takes {most} at most: shorten the text")]
    TextTooLong {
        /// Tokens of the text.
        tokens: usize,
        /// Tokens that a text may have.
        most: usize,
    },
    /// The model makes vectors, or scores documents, and continues no text.
    #[error("this model makes vectors or scores of texts and writes none")]
    WritesNoText,
    /// The model continues texts and makes no vectors.
    #[error("this model writes text and makes no vectors")]
    MakesNoVectors,
    /// Too many requests wait already.
    #[error("the queue is full: try again in about {retry_after_seconds} s")]
    QueueFull {
        /// When a place should be free, from the time that answers have taken lately; at least 1.
        retry_after_seconds: u32,
    },
    /// The engine is shutting down, or has ended.
    #[error("the engine has stopped")]
    Stopped,
}

impl From<InvalidField> for SubmitError {
    fn from(invalid: InvalidField) -> Self {
        Self::Invalid { field: invalid.field, message: invalid.to_string() }
    }
}

/// What happened to a request. The last event is `Finished` or `Failed`; the only one before it of
/// an [`EmbedRequest`] is `Vector`.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// New tokens; all of them in one event if the request says so.
    Tokens {
        /// The characters that are certain now; "" while they are held back.
        text: String,
        /// The tokens, one [`TokenInfo`] each.
        tokens: Vec<TokenInfo>,
    },
    /// The vector of a text: as pooled, not divided by its length.
    Vector {
        /// Its numbers.
        values: Vec<f32>,
        /// Tokens of the text.
        tokens: u32,
        /// Those of them whose keys and values were in the cache already.
        cached_tokens: u32,
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
        /// Whether the request asked for what cannot be done: its constraint could not go on.
        is_own_fault: bool,
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
    /// The request's own `timeout` came first.
    TimedOut,
}

/// A request's counts and times.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Those of them whose keys and values were in the cache already.
    pub cached_tokens: u32,
    /// Tokens that were guessed ahead of the model, and those of them that it agreed with.
    pub drafted_tokens: u32,
    /// See `drafted_tokens`.
    pub accepted_tokens: u32,
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
    /// What it makes of a text, where that is not more text.
    pub pooled: Option<Pooled>,
}

/// The engine's figures at one moment. Counts of requests and tokens are since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EngineStats {
    /// Requests that wait for their first step, or were put back to wait.
    pub queued: usize,
    /// Requests that own blocks.
    pub running: usize,
    /// Blocks of the cache that nobody owns; what they hold may still be found by a prompt.
    pub free_blocks: usize,
    /// Those of them that hold a text that a prompt could begin with.
    pub cached_blocks: usize,
    /// Blocks that requests can own.
    pub total_blocks: usize,
    /// Copies of recurrent states that a prompt could go on from.
    pub snapshots: usize,
    /// Copies of recurrent states that there is room for; 0 where nothing is recurrent.
    pub total_snapshots: usize,
    /// Prompts that went on from such a copy.
    pub restored_states: u64,
    /// Steps run.
    pub steps: u64,
    /// Tokens of the prompts of requests that got their first token.
    pub prompt_tokens: u64,
    /// Those of them that were in the cache already.
    pub cached_prompt_tokens: u64,
    /// Tokens generated.
    pub generated_tokens: u64,
    /// Tokens chosen from what a GPU had found out of their row of logits, and parts of the row.
    pub digest_choices: u64,
    /// Tokens chosen from a whole row of logits.
    pub row_choices: u64,
    /// Tokens guessed ahead of the model.
    pub drafted_tokens: u64,
    /// Those of them that it agreed with.
    pub accepted_tokens: u64,
    /// Requests put back to wait, because blocks ran out.
    pub preempted: u64,
    /// Requests that ended with an answer.
    pub finished: u64,
    /// Requests that ended with [`Event::Failed`].
    pub failed: u64,
    /// Requests that ended because nobody wanted the answer, or by a shutdown.
    pub cancelled: u64,
    /// Requests that ended with their own timeout.
    pub timed_out: u64,
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
        if self.ended {
            return None; // A thread that hangs would not close the channel.
        }
        let event = self.events.recv().await;
        self.note_end(event)
    }

    /// The same, for a thread that may block. Panics inside an async task.
    pub fn blocking_next(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        let event = self.events.blocking_recv();
        self.note_end(event)
    }

    fn note_end(&mut self, event: Option<Event>) -> Option<Event> {
        self.ended |= !matches!(event, Some(Event::Tokens { .. } | Event::Vector { .. }));
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
