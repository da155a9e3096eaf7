//! Recurrent states that hold the hash of a whole text, so that any that is not a row's own shows.

use crate::executor::{ExecutorError, StateMove, StepRow};

/// What a recurrent layer keeps: how many tokens it has seen, and their hash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct State {
    tokens: usize,
    hash: u64,
}

/// A slot for each row, and snapshots.
#[derive(Debug)]
pub(super) struct TextStates {
    slots: Vec<Option<State>>,
    snapshots: Vec<Option<State>>,
}

impl TextStates {
    pub(super) fn new(rows: usize, snapshots: usize) -> Self {
        Self { slots: vec![None; rows], snapshots: vec![None; snapshots] }
    }

    /// Room for copies.
    pub(super) fn snapshots(&self) -> usize {
        self.snapshots.len()
    }

    /// Goes on with a row's tokens from what its slot holds, and gives the hash of the whole text after
    /// each: that of the cache, if the slot held this text's state. The slot keeps the state before
    /// the row's guesses; those after each go to slots of their own.
    pub(super) fn run(
        &mut self,
        row: &StepRow<'_>,
        chain: impl Fn(u64, u32) -> u64,
    ) -> Result<Vec<u64>, ExecutorError> {
        let before = match (row.first_position, self.slots[row.slot]) {
            (0, _) => State::default(),
            (first, Some(state)) if state.tokens == first => state,
            (first, found) => {
                let slot = row.slot;
                let message = format!("slot {slot} has no state of {first} tokens: {found:?}");
                return Err(ExecutorError::new(message));
            }
        };
        let sure = row.tokens.len() - row.drafts;
        let mut state = before;
        let mut hashes = Vec::with_capacity(row.tokens.len());
        for (at, token) in row.tokens.iter().enumerate() {
            state = State { tokens: state.tokens + 1, hash: chain(state.hash, *token) };
            hashes.push(state.hash);
            if at + 1 >= sure {
                let slot = match at.checked_sub(sure) {
                    None => Some(&row.slot),
                    Some(draft) => row.draft_slots.get(draft),
                };
                let slot = slot.and_then(|slot| self.slots.get_mut(*slot));
                *slot.ok_or_else(|| ExecutorError::new("no slot for a state"))? = Some(state);
            }
        }
        Ok(hashes)
    }

    pub(super) fn copy(&mut self, one: StateMove) {
        match one {
            StateMove::Save { slot, snapshot } => self.snapshots[snapshot] = self.slots[slot],
            StateMove::Restore { snapshot, slot } => self.slots[slot] = self.snapshots[snapshot],
        }
    }
}
