//! The test executor's paged cache. Where a model's holds keys and values, it holds tokens,
//! each with a hash of the whole text up to it and of how each token came there: by itself, or in
//! a row of a prompt. Compiled code rounds differently in the two.

use super::mix;
use crate::executor::{ExecutorError, ExecutorLimits, StepRow};

#[derive(Debug, Clone, Copy)]
struct Slot {
    token: u32,
    by_itself: bool,
    position: usize,
    /// Of all tokens up to and with this one.
    hash: u64,
}

/// Blocks of tokens.
#[derive(Debug)]
pub(super) struct PagedText {
    limits: ExecutorLimits,
    slots: Vec<Option<Slot>>,
}

impl PagedText {
    pub(super) fn new(limits: ExecutorLimits) -> Self {
        Self { limits, slots: vec![None; limits.n_blocks * limits.block_size] }
    }

    /// Writes a row's tokens, as a model writes their keys and values.
    pub(super) fn write(&mut self, row: &StepRow<'_>) -> Result<(), ExecutorError> {
        let mut hash = match row.first_position {
            0 => 0,
            first => self.read(row, first - 1)?.hash,
        };
        for (position, &token) in (row.first_position..).zip(row.tokens) {
            let by_itself = row.by_itself;
            hash = chain(hash, token, by_itself);
            let slot = self.slot_of(row, position)?;
            self.slots[slot] = Some(Slot { token, by_itself, position, hash });
        }
        Ok(())
    }

    /// Reads the whole text of a row back, with the hash at each position, and checks that every
    /// slot still holds what was written for this text.
    pub(super) fn text(&self, row: &StepRow<'_>) -> Result<(Vec<u32>, Vec<u64>), ExecutorError> {
        let mut hash = 0;
        let mut hashes = Vec::with_capacity(row.first_position + row.tokens.len());
        let mut text = Vec::with_capacity(hashes.capacity());
        for position in 0..row.first_position + row.tokens.len() {
            let slot = self.read(row, position)?;
            hash = chain(hash, slot.token, slot.by_itself);
            if hash != slot.hash {
                let message = format!("the cache holds another text's token at {position}");
                return Err(ExecutorError::new(message));
            }
            text.push(slot.token);
            hashes.push(hash);
        }
        Ok((text, hashes))
    }

    /// Empties a block.
    pub(super) fn clean(&mut self, block: u32) {
        let size = self.limits.block_size;
        self.slots[block as usize * size..][..size].fill(None);
    }

    fn read(&self, row: &StepRow<'_>, position: usize) -> Result<Slot, ExecutorError> {
        match self.slots[self.slot_of(row, position)?] {
            Some(slot) if slot.position == position => Ok(slot),
            found => Err(ExecutorError::new(format!(
                "the cache does not hold position {position}: found {found:?}"
            ))),
        }
    }

    fn slot_of(&self, row: &StepRow<'_>, position: usize) -> Result<usize, ExecutorError> {
        let ExecutorLimits { block_size, n_blocks, .. } = self.limits;
        match row.blocks.get(position / block_size) {
            Some(&block) if block > 0 && (block as usize) < n_blocks => {
                Ok(block as usize * block_size + position % block_size)
            }
            found => Err(ExecutorError::new(format!(
                "the block of position {position} is {found:?}; the row has {:?}",
                row.blocks
            ))),
        }
    }
}

/// The hash of a text with one more token.
pub(super) fn chain(hash: u64, token: u32, by_itself: bool) -> u64 {
    mix(hash ^ u64::from(token) << 1 ^ u64::from(by_itself))
}
