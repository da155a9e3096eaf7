//! The blocks of the paged KV pool: which sequences use which, and what text they hold.
//!
//! Only full blocks are shared, and nobody writes a block again that is full. So no block is ever
//! copied: a sequence whose text leaves another's in the middle of a block computes that block
//! itself (`docs/decisions/prefix-cache.md`).

use crate::prefix::{Node, PrefixCache};
use crate::sequence::Sequence;
use crate::snapshots::{SnapshotRule, Snapshots};
use crate::states::StateCopies;

/// Block 0 belongs to no sequence: executors point padding rows at it, so that what
/// they write there harms nobody.
pub const NULL_BLOCK: u32 = 0;

/// Hands out the blocks `1..n_blocks` of a pool.
#[derive(Debug)]
pub struct BlockPool {
    block_size: usize,
    /// Blocks that nobody uses and that hold nothing to find. Used as a stack, so a block freed
    /// last is given out first and is likelier to be in a cache.
    empty: Vec<u32>,
    /// How many sequences use each block.
    uses: Vec<u32>,
    cache: PrefixCache,
    /// Whether full blocks are remembered at all.
    remembers: bool,
    /// How states are copied, if texts have states that blocks do not hold.
    rule: Option<SnapshotRule>,
    /// Blocks whose contents may not be numbers, and those of them that nobody uses any more.
    damaged: Vec<bool>,
    to_clean: Vec<u32>,
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
        Self {
            block_size,
            empty: (NULL_BLOCK + 1..=last).rev().collect(),
            uses: vec![0; n_blocks],
            cache: PrefixCache::new(n_blocks),
            remembers: true,
            rule: None,
            damaged: vec![false; n_blocks],
            to_clean: Vec::new(),
        }
    }

    /// The same pool without a memory: every prompt is computed from its start.
    #[must_use]
    pub fn forgetful(mut self) -> Self {
        self.remembers = false;
        self
    }

    /// The same pool for a model with recurrent layers: a prompt takes what is known of it only up to
    /// a position with a copy of its state.
    ///
    /// # Panics
    /// If there is no place for a copy: such a pool is [forgetful](Self::forgetful).
    #[must_use]
    pub fn with_snapshots(mut self, rule: SnapshotRule) -> Self {
        assert!(rule.places > 0, "a state is copied to a place");
        self.cache.snapshots = Snapshots::new(rule.places);
        self.rule = Some(rule);
        self
    }

    /// Copies of recurrent states that texts can go on from.
    pub fn snapshots_held(&self) -> usize {
        self.cache.snapshots.held()
    }

    /// Places for copies of recurrent states.
    pub fn snapshots_total(&self) -> usize {
        self.cache.snapshots.total()
    }

    /// Positions in one block.
    pub fn block_size(&self) -> usize {
        self.block_size
    }

    /// Blocks that sequences can use, the null block not counted.
    pub fn total(&self) -> usize {
        self.uses.len() - 1
    }

    /// Blocks that nobody uses now. Those that hold a known text are among them: they are given
    /// out last, the longest unused first.
    pub fn free(&self) -> usize {
        self.empty.len() + self.cache.idle()
    }

    /// Those of the free blocks that hold a known text.
    pub fn cached(&self) -> usize {
        self.cache.idle()
    }

    /// How many sequences use `block` now.
    pub fn uses(&self, block: u32) -> u32 {
        self.uses.get(block as usize).copied().unwrap_or(0)
    }

    /// Whether prompts can find what the block holds.
    pub fn is_known(&self, block: u32) -> bool {
        self.cache.knows(block)
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

    /// Damaged blocks whose last user let go of them. Each is given once.
    pub(crate) fn take_blocks_to_clean(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.to_clean)
    }

    /// Blocks that `seq` lacks to hold `positions` positions.
    pub(crate) fn lacking(&self, seq: &Sequence, positions: usize) -> usize {
        self.blocks_for(positions).saturating_sub(seq.blocks.len())
    }

    /// Gives `seq` blocks until it has room for `positions` positions in all.
    /// Takes either every block that is lacking, or none and returns false.
    pub(crate) fn grow(&mut self, seq: &mut Sequence, positions: usize) -> bool {
        let lacking = self.lacking(seq, positions);
        if lacking > self.free() {
            return false;
        }
        for _ in 0..lacking {
            let block = self.empty.pop().or_else(|| self.cache.evict());
            let block = block.expect("free blocks are empty or can be given up");
            self.uses[block as usize] = 1;
            seq.blocks.push(block);
        }
        true
    }

    /// Takes what is known of the text that `seq` computes next, as far as it is known; its last
    /// token is always left, since its logits are wanted. Returns how many positions it skips.
    pub(crate) fn adopt(&mut self, seq: &mut Sequence) -> usize {
        if self.rule.is_some() {
            return self.adopt_state(seq);
        }
        let before = seq.computed;
        while seq.computed == seq.known_blocks * self.block_size
            && seq.computed + self.block_size < seq.tokens.len()
        {
            let keys = &seq.keys[seq.computed..seq.computed + self.block_size];
            let Some((block, node)) = self.cache.find(seq.node, keys) else { break };
            self.share(seq, block, node);
            seq.computed += self.block_size;
        }
        seq.computed - before
    }

    /// Makes the blocks that `seq` has filled known. Where another sequence has computed the
    /// same text meanwhile, its block takes the place of `seq`'s own.
    pub(crate) fn publish(&mut self, seq: &mut Sequence) {
        if !self.remembers {
            return;
        }
        while (seq.known_blocks + 1) * self.block_size <= seq.computed {
            let first = seq.known_blocks * self.block_size;
            let keys = &seq.keys[first..first + self.block_size];
            if let Some((block, node)) = self.cache.find(seq.node, keys) {
                self.share(seq, block, node);
                continue;
            }
            let block = seq.blocks[seq.known_blocks];
            let Some(node) = self.cache.insert(block, seq.node, keys) else { return };
            seq.node = node;
            seq.known_blocks += 1;
        }
    }

    /// Takes back every block of `seq`.
    pub(crate) fn release(&mut self, seq: &mut Sequence) {
        // The end first: it is given up before what others may continue.
        for block in std::mem::take(&mut seq.blocks).into_iter().rev() {
            self.give_back(block);
        }
        seq.known_blocks = 0;
        seq.node = Node::ROOT;
        seq.copies = StateCopies::default();
    }

    /// Notes that the blocks of `seq` from the `first` on may hold what are no numbers: nobody
    /// finds them any more, and they are cleaned when nobody uses them.
    pub(crate) fn distrust(&mut self, seq: &Sequence, first: usize) {
        let blocks = &seq.blocks[first.min(seq.blocks.len())..];
        blocks.iter().for_each(|block| self.damaged[*block as usize] = true);
        let orphans = self.cache.forget_all(blocks);
        self.empty.extend(orphans);
    }

    /// Panics if the pool contradicts itself or the sequences that use it: a test's question
    /// after every call.
    #[doc(hidden)]
    pub fn assert_consistent<'a>(&self, sequences: impl Iterator<Item = &'a Sequence>) {
        let mut uses = vec![0; self.uses.len()];
        for seq in sequences {
            seq.blocks.iter().for_each(|block| uses[*block as usize] += 1);
        }
        assert_eq!(uses, self.uses, "every use is counted");
        assert_eq!(uses[NULL_BLOCK as usize], 0);
        let used = uses.iter().filter(|uses| **uses > 0).count();
        assert_eq!(used + self.free(), self.total(), "every block is used or free, once");
        assert!(
            self.empty.iter().all(|block| uses[*block as usize] == 0 && !self.is_known(*block))
        );
        self.cache.assert_consistent(&uses);
    }

    pub(crate) fn rule(&self) -> Option<SnapshotRule> {
        self.rule
    }

    pub(crate) fn snapshots(&self) -> &Snapshots {
        &self.cache.snapshots
    }

    pub(crate) fn snapshots_mut(&mut self) -> &mut Snapshots {
        &mut self.cache.snapshots
    }

    pub(crate) fn is_alive(&self, node: Node) -> bool {
        self.cache.is_alive(node)
    }

    /// The block that holds a block's `keys` after the text of `node`.
    pub(crate) fn find(&self, node: Node, keys: &[u32]) -> Option<(u32, Node)> {
        self.cache.find(node, keys)
    }

    /// Puts a known block in its place in `seq`, behind those it has from the cache.
    pub(crate) fn share(&mut self, seq: &mut Sequence, block: u32, node: Node) {
        self.uses[block as usize] += 1;
        if self.uses[block as usize] == 1 {
            self.cache.wake(block);
        }
        match seq.blocks.get_mut(seq.known_blocks) {
            Some(own) => {
                let own = std::mem::replace(own, block);
                self.give_back(own);
            }
            None => seq.blocks.push(block),
        }
        seq.node = node;
        seq.known_blocks += 1;
    }

    fn give_back(&mut self, block: u32) {
        let uses = &mut self.uses[block as usize];
        *uses = uses.checked_sub(1).expect("a released block was used");
        if *uses > 0 {
            return;
        }
        if std::mem::take(&mut self.damaged[block as usize]) {
            self.to_clean.push(block);
        }
        if self.cache.knows(block) {
            self.cache.rest(block);
        } else {
            self.empty.push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::SeqId;

    fn text(tokens: &[u32]) -> Sequence {
        Sequence::new(SeqId(0), tokens.to_vec(), 100)
    }

    /// As if a step had computed the first `positions`.
    fn compute(pool: &mut BlockPool, seq: &mut Sequence, positions: usize) {
        assert!(pool.grow(seq, positions));
        seq.computed = positions;
        pool.publish(seq);
    }

    #[test]
    fn the_null_block_is_never_given_out() {
        let mut pool = BlockPool::new(4, 2);
        let mut seq = text(&[1]);
        assert!(pool.grow(&mut seq, 6));
        let mut blocks = seq.blocks().to_vec();
        blocks.sort_unstable();
        assert_eq!(blocks, [1, 2, 3]);
        assert_eq!((pool.free(), pool.total(), pool.uses(NULL_BLOCK)), (0, 3, 0));
    }

    #[test]
    fn grow_takes_all_or_nothing() {
        let mut pool = BlockPool::new(4, 2);
        let mut seq = text(&[1]);
        assert!(pool.grow(&mut seq, 1));
        assert!(pool.grow(&mut seq, 2), "the block it has is enough");
        assert_eq!(seq.blocks().len(), 1);
        assert!(!pool.grow(&mut seq, 7));
        assert_eq!((seq.blocks().len(), pool.free()), (1, 2));
        pool.release(&mut seq);
        assert_eq!((seq.blocks().len(), pool.free()), (0, 3));
    }

    #[test]
    #[should_panic(expected = "a released block was used")]
    fn a_double_release_is_caught() {
        let mut pool = BlockPool::new(4, 2);
        let mut seq = text(&[1]);
        assert!(pool.grow(&mut seq, 1));
        let mut twin = seq.clone();
        pool.release(&mut seq);
        pool.release(&mut twin);
    }

    #[test]
    fn the_longest_known_beginning_is_adopted_and_a_token_is_left() {
        let mut pool = BlockPool::new(20, 2);
        let mut first = text(&[1, 2, 3, 4, 5]);
        compute(&mut pool, &mut first, 5);
        for (tokens, adopted) in [
            (&[1, 2, 3, 4, 5][..], 4),
            (&[1, 2, 3, 4][..], 2),
            (&[1, 2, 3][..], 2),
            (&[1, 2][..], 0),
            (&[1, 2, 9, 4, 5][..], 2),
            (&[3, 4, 5][..], 0),
        ] {
            let mut other = text(tokens);
            assert_eq!(pool.adopt(&mut other), adopted, "{tokens:?}");
            assert_eq!(other.blocks(), &first.blocks()[..adopted / 2]);
            pool.release(&mut other);
        }
        pool.release(&mut first);
        assert_eq!((pool.cached(), pool.free()), (2, 19), "full blocks are remembered");
        let mut again = text(&[1, 2, 3, 4, 5]);
        assert_eq!(pool.adopt(&mut again), 4);
        pool.assert_consistent([&again].into_iter());
    }

    #[test]
    fn two_that_computed_the_same_text_share_it_afterwards() {
        let mut pool = BlockPool::new(20, 2);
        let (mut a, mut b) = (text(&[1, 2, 3, 4, 5]), text(&[1, 2, 3, 4, 6]));
        compute(&mut pool, &mut a, 3);
        compute(&mut pool, &mut b, 5);
        assert_eq!(a.blocks()[0], b.blocks()[0]);
        compute(&mut pool, &mut a, 5);
        assert_eq!(a.blocks()[..2], b.blocks()[..2]);
        assert_eq!(pool.free(), 19 - 4);
        pool.assert_consistent([&a, &b].into_iter());
    }

    #[test]
    fn blocks_that_rest_are_given_out_when_no_other_is_left() {
        let mut pool = BlockPool::new(4, 2);
        let mut first = text(&[1, 2, 3, 4, 5]);
        compute(&mut pool, &mut first, 5);
        pool.release(&mut first);
        let mut other = text(&[9; 3]);
        compute(&mut pool, &mut other, 3);
        pool.release(&mut other);
        let mut again = text(&[1, 2, 3, 4, 5]);
        assert_eq!(pool.adopt(&mut again), 2, "its end has been given up, its start has not");
    }

    #[test]
    fn what_a_damaged_text_used_is_not_found_and_is_cleaned_when_free() {
        let mut pool = BlockPool::new(10, 2);
        let (mut bad, mut good) = (text(&[1, 2, 3, 4, 5]), text(&[1, 2, 9, 9]));
        compute(&mut pool, &mut bad, 5);
        assert_eq!(pool.adopt(&mut good), 2);
        let shared = good.blocks()[0];
        pool.distrust(&bad, 0);
        let own = bad.blocks()[1..].to_vec();
        pool.release(&mut bad);
        let mut cleaned = pool.take_blocks_to_clean();
        cleaned.reverse();
        assert_eq!(cleaned, own, "the other still uses the first");
        assert_eq!(pool.adopt(&mut text(&[1, 2, 3])), 0);
        compute(&mut pool, &mut good, 4);
        assert_eq!(pool.adopt(&mut text(&[1, 2, 9, 9, 1])), 0, "nothing continues a lost text");
        pool.release(&mut good);
        assert_eq!(pool.take_blocks_to_clean(), [shared]);
        assert_eq!((pool.free(), pool.cached()), (9, 0));
    }

    #[test]
    fn a_forgetful_pool_finds_nothing() {
        let mut pool = BlockPool::new(10, 2).forgetful();
        let mut first = text(&[1, 2, 3]);
        compute(&mut pool, &mut first, 3);
        assert_eq!(pool.adopt(&mut text(&[1, 2, 3])), 0);
    }
}
