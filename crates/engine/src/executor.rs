//! What the engine needs from whatever runs the model.

use std::ops::Range;

use crate::logits::StepLogits;

/// Runs steps of a model over a paged KV cache that it owns.
///
/// One thread calls it, the one that built it. A position's keys and values stay in their
/// block until another step writes there: the engine decides who owns which block.
pub trait Executor {
    /// The fixed sizes of the model and of the cache. Asked once, at the start.
    fn limits(&self) -> ExecutorLimits;

    /// Writes the keys and values of every row's tokens and gives, for each row that wants
    /// them and no other, the logits after its last tokens. `logits` has begun a step of as
    /// many rows.
    ///
    /// An error fails every request in the step; the next step may hold others.
    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError>;

    /// Overwrites everything in these blocks with zeros. They were part of a text whose numbers
    /// overflowed or of a step that failed, and a hidden position still takes part with weight
    /// 0: 0 times NaN is NaN. No row of a step before the next one reads them.
    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError>;

    /// Does a little, in a millisecond or so, of what later steps are faster for; tells whether anything
    /// was left to do. Called while there is nothing to step.
    fn prepare(&mut self) -> bool {
        false
    }

    /// Whether the model keeps a state of the whole text before a position, which the cache's blocks
    /// do not hold: a text then begins with position 0, or with a copy of such a state in its slot.
    fn is_recurrent(&self) -> bool {
        false
    }

    /// How many copies of states there is room for, beside those in the slots. Asked once, at the
    /// start. Without any, every text begins with position 0.
    fn snapshots(&self) -> usize {
        0
    }

    /// Copies states, one after the other, between steps. All that recurrent layers keep of a text
    /// is copied, so that a row goes on from a snapshot as if it were the text's own slot.
    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        match moves {
            [] => Ok(()),
            _ => Err(ExecutorError::fatal("this executor has no snapshots of states to copy")),
        }
    }
}

/// A copy of a state of recurrent layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateMove {
    /// From a row's slot to a snapshot.
    Save {
        /// The slot.
        slot: usize,
        /// The snapshot, below [`Executor::snapshots`].
        snapshot: usize,
    },
    /// From a snapshot to a row's slot.
    Restore {
        /// The snapshot, below [`Executor::snapshots`].
        snapshot: usize,
        /// The slot.
        slot: usize,
    },
}

/// The fixed sizes of an executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutorLimits {
    /// Logits of one position; token ids are below this.
    pub vocab_size: usize,
    /// The longest text, prompt and answer together, that the model was compiled for.
    pub context_length: usize,
    /// Positions in one block.
    pub block_size: usize,
    /// Blocks in the cache, with block 0, which is never given to a sequence.
    pub n_blocks: usize,
    /// Rows (sequences) in one step.
    pub max_rows: usize,
    /// Tokens of one row in one step.
    pub max_chunk: usize,
    /// Guesses in a step, less one for each token of an answer beside the first: as many tokens
    /// more than one come out with the bits that each has alone. 0 if the model gives the logits
    /// of a row's last token only.
    pub max_drafts: usize,
    /// Numbers of one position where a step gives vectors in the place of logits.
    pub vector_width: Option<usize>,
}

impl ExecutorLimits {
    /// Numbers that a step gives of one position.
    pub fn row_width(&self) -> usize {
        self.vector_width.unwrap_or(self.vocab_size)
    }
}

/// One sequence's part of a step.
#[derive(Debug, Clone, Copy)]
pub struct StepRow<'a> {
    /// The tokens to write, at least one. The blocks that they go to are no other row's.
    pub tokens: &'a [u32],
    /// The position of the first of them. All positions before it are in the cache.
    pub first_position: usize,
    /// Tokens known of the sequence: its prompt and what was generated. Rotary forms that
    /// depend on the length of the text (dynamic NTK, LongRoPE) read it.
    pub sequence_length: usize,
    /// Every block of the sequence, in the order of positions. There may be more than
    /// the step needs. Rows may share blocks that they only read.
    pub blocks: &'a [u32],
    /// Where recurrent layers keep the sequence's state: below the rows of a step, and no other
    /// row's. A row that begins with position 0 finds nothing there; any other finds what the row
    /// before it left, or what was restored. It keeps the state without guesses.
    pub slot: usize,
    /// Of models with such layers, where they leave the state after each guess: slots that are nobody
    /// else's. Empty for all others.
    pub draft_slots: &'a [usize],
    /// Whether the logits after the last token are wanted.
    pub want_logits: bool,
    /// Whether the row is a token of an answer, for code that computes single tokens of many rows.
    /// All others are for code that computes prompts, even where they have one token: the two
    /// round differently, and an answer must not depend on how its prompt was cut.
    pub by_itself: bool,
    /// How many of the tokens, at the end, are only guesses. If logits are wanted, they are
    /// wanted after each of them and after the token before them. A row with guesses is a token of
    /// an answer and its guesses, and each is computed as it would be by itself.
    pub drafts: usize,
    /// Of which positions they are wanted.
    pub positions: Positions,
    /// Whether rows with digests would do, and the temperature that their sums are for; below 0
    /// without sums. An executor that makes no digests gives the logits.
    pub digest: Option<f32>,
}

/// Of which positions of a row something is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Positions {
    /// The last one, and those before it as far as there are guesses.
    #[default]
    Last,
    /// All.
    All,
    /// The text's first, in the row that holds it.
    First,
}

impl StepRow<'_> {
    /// How many positions the logits are wanted of.
    pub fn wanted(&self) -> usize {
        self.wanted_in(0, self.tokens.len()).len()
    }

    /// Where recurrent layers leave the state after a part of the row that begins with its token
    /// `start`. Guesses are parts by themselves.
    pub(crate) fn slot_after(&self, start: usize) -> usize {
        let guess = (self.drafts + start).checked_sub(self.tokens.len());
        guess.and_then(|guess| self.draft_slots.get(guess)).copied().unwrap_or(self.slot)
    }

    /// Which tokens of a part of the row, of `count` tokens from `start` on, the logits are wanted of,
    /// counted from the part's first. Guesses are in the last part: there are fewer than any call
    /// takes.
    pub(crate) fn wanted_in(&self, start: usize, count: usize) -> Range<usize> {
        // Of the last tokens, those that the part holds.
        let last = self.tokens.len() - 1 - self.drafts;
        match self.positions {
            Positions::Last if self.want_logits => last.clamp(start, start + count) - start..count,
            Positions::All if self.want_logits => 0..count,
            Positions::First if self.want_logits && self.first_position + start == 0 => 0..1,
            _ => 0..0,
        }
    }
}

/// A step, or the building of an executor, went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExecutorError {
    message: String,
    kind: Kind,
}

/// How far a fault reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// This step.
    Step,
    /// This step, of which the device may have refused to begin a part.
    Refused,
    /// Every step.
    Fatal,
    /// Every step, and the device's driver, which must not be taken down.
    Lost,
}

impl ExecutorError {
    /// A fault that a later step may not meet.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Step }
    }

    /// A fault of what may have been refused before anything of it began.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Refused }
    }

    /// Whether the device may have refused to begin what failed.
    pub(crate) fn may_be_refusal(&self) -> bool {
        self.kind == Kind::Refused
    }

    /// A fault after which no step can work. The engine is unhealthy from then on.
    pub fn fatal(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Fatal }
    }

    /// The device is gone: no step can work, and the executor is not dropped, because its driver
    /// may wait for ever. The engine ends all requests and itself.
    pub fn lost(message: impl Into<String>) -> Self {
        Self { message: message.into(), kind: Kind::Lost }
    }

    /// Whether no later step can work.
    pub fn is_fatal(&self) -> bool {
        self.kind >= Kind::Fatal
    }

    /// Whether the device is gone.
    pub fn is_lost(&self) -> bool {
        self.kind == Kind::Lost
    }

    /// The same fault, after which no step can work.
    pub(crate) fn into_fatal(self) -> Self {
        Self { kind: self.kind.max(Kind::Fatal), ..self }
    }
}
