//! A step in words: what it may hold, what it holds, and what came out of it.

use crate::sequence::{Finish, SeqId};
use crate::snapshots::Worth;

/// What one step may hold at most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Tokens of all rows together.
    pub tokens_per_step: usize,
    /// Sequences that run at the same time.
    pub rows: usize,
    /// Tokens of one sequence.
    pub max_chunk: usize,
    /// Tokens of answers in a step with drafts, drafts included.
    pub tokens_with_drafts: usize,
    /// Tokens of prompts in a step that answers share: the longer the chunk, the longer they
    /// wait for their next token.
    pub chunk_beside_answers: usize,
}

/// One executor call: for each entry, write KV for `tokens` more positions.
#[derive(Debug, Default)]
pub struct StepPlan {
    /// The rows of the step, oldest sequence first.
    pub entries: Vec<Entry>,
    /// Copies of recurrent states that must be in the slots of rows before the step.
    pub restores: Vec<StateCopy>,
    /// Copies to be made of the slots of rows after the step, before another overwrites them.
    pub saves: Vec<StateCopy>,
}

/// A sequence's recurrent state in its slot and in a snapshot: one is copied to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateCopy {
    /// Whose state it is.
    pub seq: SeqId,
    /// The sequence's [slot](crate::Sequence::slot).
    pub slot: usize,
    /// The snapshot, below the places of the [rule](crate::SnapshotRule).
    pub snapshot: usize,
    /// How many tokens of the text the state is of.
    pub position: usize,
    pub(crate) worth: Worth,
}

/// One row of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Whose row it is.
    pub seq: SeqId,
    /// The position of the row's first token.
    pub first_position: usize,
    /// How many tokens it writes, drafts included.
    pub tokens: usize,
    /// Whether it is a token of an answer by itself, to be computed by code for single tokens.
    /// All others are computed by code for prompts, even if they are only one: the text is then
    /// the same however it was cut into chunks, and whatever the cache held.
    pub by_itself: bool,
    /// How many of them, at the end, are drafts: what may come after the text.  The logits
    /// before and after each are wanted.
    pub drafts: usize,
    /// Whether the last position reaches the end of the text, so logits are wanted.
    pub samples: bool,
}

/// The answer to one entry.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// The entry's sequence.
    pub seq: SeqId,
    /// What came out.
    pub outcome: Outcome,
    /// How many of its tokens, the last ones, follow the last that was chosen because they must. They
    /// and that one are computed together, whether or not they were drafts.
    pub forced: usize,
}

/// What a step did for one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The positions are in the cache; the entry did not sample.
    Written,
    /// The next tokens of the text, at least one: that which was chosen, and those that must
    /// follow it.  Drafts that were right are the first of them.
    Tokens(Vec<u32>),
    /// The same, and the text ends with them.
    Stop(Vec<u32>),
    /// The text was to be computed and not continued, and that is done.
    Complete,
    /// No token can be chosen for this sequence; what the cache holds for it is right.
    Failed,
    /// The model's numbers for this sequence are no numbers: nothing that it used is trusted.
    Damaged,
}

/// A sequence that left, with its blocks already given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Which.
    pub seq: SeqId,
    /// Why.
    pub finish: Finish,
}
