//! The blocks of the paged KV pool: who owns which, and nothing else.

use crate::sequence::Sequence;

/// Block 0 belongs to no sequence: executors point padding rows at it, so that what
/// they write there harms nobody.
pub const NULL_BLOCK: u32 = 0;

/// Hands out the blocks `1..n_blocks` of a pool, each to one sequence at a time.
#[derive(Debug)]
pub struct BlockPool {
    block_size: usize,
    /// Used as a stack, so a block freed last is given out first and is likelier
    /// to be in a cache.
    free: Vec<u32>,
    owned: Vec<bool>,
}

impl BlockPool {
    /// A pool of `n_blocks` blocks of `block_size` positions, the null block included.
    ///
    /// # Panics
    /// If `block_size` is 0 or there is no block besides the null block.
    pub fn new(n_blocks: usize, block_size: usize) -> Self {
        assert!(block_size > 0, "a block holds at least one position");
        assert!(n_blocks > 1, "a pool has a block besides the null block");
        let last = u32::try_from(n_blocks - 1).expect("block numbers fit in 32 bits");
        let free = (NULL_BLOCK + 1..=last).rev().collect();
        Self { block_size, free, owned: vec![false; n_blocks] }
    }

    /// Positions in one block.
    pub fn block_size(&self) -> usize {
        self.block_size
    }

    /// Blocks that sequences can own, the null block not counted.
    pub fn total(&self) -> usize {
        self.owned.len() - 1
    }

    /// Blocks that nobody owns now.
    pub fn free(&self) -> usize {
        self.free.len()
    }

    /// Whether a sequence owns `block` now.
    pub fn is_owned(&self, block: u32) -> bool {
        self.owned.get(block as usize).copied().unwrap_or(false)
    }

    /// How many blocks hold `positions` positions.
    pub fn blocks_for(&self, positions: usize) -> usize {
        positions.div_ceil(self.block_size)
    }

    /// The longest text, prompt and answer together, that one sequence can reach with every
    /// block its own.
    pub fn largest_text(&self) -> usize {
        // Nothing is computed from the token that reaches the limit, so it needs no room.
        self.total() * self.block_size + 1
    }

    /// Whether the blocks that `seq` lacks for `positions` positions are free.
    pub fn can_grow(&self, seq: &Sequence, positions: usize) -> bool {
        self.lacking(seq, positions) <= self.free.len()
    }

    /// Gives `seq` blocks until it owns room for `positions` positions in all.
    /// Takes either every block that is lacking, or none and returns false.
    pub(crate) fn grow(&mut self, seq: &mut Sequence, positions: usize) -> bool {
        if !self.can_grow(seq, positions) {
            return false;
        }
        for block in self.free.split_off(self.free.len() - self.lacking(seq, positions)) {
            self.owned[block as usize] = true;
            seq.blocks.push(block);
        }
        true
    }

    /// Takes back every block of `seq`.
    pub(crate) fn release(&mut self, seq: &mut Sequence) {
        for block in seq.blocks.drain(..).rev() {
            let owned = std::mem::replace(&mut self.owned[block as usize], false);
            assert!(owned, "a released block was owned");
            self.free.push(block);
        }
    }

    fn lacking(&self, seq: &Sequence, positions: usize) -> usize {
        self.blocks_for(positions).saturating_sub(seq.blocks.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::SeqId;

    #[test]
    fn the_null_block_is_never_given_out() {
        let mut pool = BlockPool::new(4, 2);
        let mut seq = Sequence::new(SeqId(0), vec![1], 100);
        assert!(pool.grow(&mut seq, 6));
        let mut blocks = seq.blocks().to_vec();
        blocks.sort_unstable();
        assert_eq!(blocks, [1, 2, 3]);
        assert_eq!((pool.free(), pool.total()), (0, 3));
        assert!(!pool.is_owned(NULL_BLOCK));
    }

    #[test]
    fn grow_takes_all_or_nothing() {
        let mut pool = BlockPool::new(4, 2);
        let mut seq = Sequence::new(SeqId(0), vec![1], 100);
        assert!(pool.grow(&mut seq, 1));
        assert!(pool.grow(&mut seq, 2), "the block it has is enough");
        assert_eq!(seq.blocks().len(), 1);
        assert!(!pool.can_grow(&seq, 7));
        assert!(!pool.grow(&mut seq, 7));
        assert_eq!((seq.blocks().len(), pool.free()), (1, 2));
        pool.release(&mut seq);
        assert_eq!((seq.blocks().len(), pool.free()), (0, 3));
    }

    #[test]
    #[should_panic(expected = "a released block was owned")]
    fn a_double_release_is_caught() {
        let mut pool = BlockPool::new(4, 2);
        let mut seq = Sequence::new(SeqId(0), vec![1], 100);
        assert!(pool.grow(&mut seq, 1));
        let mut twin = seq.clone();
        pool.release(&mut seq);
        pool.release(&mut twin);
    }
}
