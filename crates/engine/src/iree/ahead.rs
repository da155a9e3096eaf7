//! Pages of the cache that are there before a step needs them.
//!
//! The cache takes memory as it is used. Where a prompt needs new pages, the system makes and zeroes
//! them in the middle of its step: 6 % of a prompt of 512 tokens of a small model. So a bounded part
//! of what has never been used is touched while nothing else is to be done.

use std::ops::Range;

use crate::executor::StepRow;

/// Bytes that are touched and have not been used.
const AHEAD_BYTES: usize = 256 << 20;

/// Bytes that are touched at once: whoever comes meanwhile waits for them.
const AT_ONCE_BYTES: usize = 2 << 20;

/// Which blocks of the cache have pages. Block 0 is there from the start.
#[derive(Debug)]
pub(super) struct Ahead {
    n_blocks: usize,
    block_bytes: usize,
    /// From this block on no step has had any.
    used: usize,
    /// From this block on nobody has touched any; not below `used`.
    touched: usize,
}

impl Ahead {
    pub(super) fn new(n_blocks: usize, block_bytes: usize) -> Self {
        Self { n_blocks, block_bytes: block_bytes.max(1), used: 1, touched: 1 }
    }

    /// A step has these rows, and their blocks hold something from then on.
    pub(super) fn note(&mut self, rows: &[StepRow<'_>]) {
        if self.used < self.n_blocks {
            let blocks = rows.iter().flat_map(|row| row.blocks);
            let last = blocks.copied().max().map_or(0, |block| block as usize);
            self.used = self.used.max(last + 1);
            self.touched = self.touched.max(self.used);
        }
    }

    /// Blocks to touch next, which hold nothing; none if enough are.
    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        let enough = self.n_blocks.min(self.used + AHEAD_BYTES / self.block_bytes);
        let count = (AT_ONCE_BYTES / self.block_bytes).max(1);
        let next = self.touched..enough.min(self.touched + count);
        self.touched = self.touched.max(next.end);
        (!next.is_empty()).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Positions;

    fn row(blocks: &[u32]) -> StepRow<'_> {
        StepRow {
            tokens: &[0],
            first_position: 0,
            sequence_length: 1,
            blocks,
            slot: 0,
            draft_slots: &[],
            want_logits: false,
            by_itself: false,
            positions: Positions::Last,
            drafts: 0,
            digest: None,
        }
    }

    #[test]
    fn a_bounded_part_of_what_nobody_has_used_is_touched_once() {
        // Four blocks at once, and 512 ahead.
        let mut ahead = Ahead::new(1000, 1 << 19);
        assert_eq!(ahead.next(), Some(1..5));
        ahead.note(&[row(&[1, 2]), row(&[9, 3])]);
        assert_eq!(ahead.next(), Some(10..14), "what a step has had is left alone");
        let mut end = 14;
        while let Some(next) = ahead.next() {
            assert_eq!(next.start, end);
            end = next.end;
        }
        assert_eq!(end, 10 + 512);
        ahead.note(&[row(&[4])]);
        assert_eq!(ahead.next(), None, "nothing new is used");
        ahead.note(&[row(&[700])]);
        assert_eq!(ahead.next(), Some(701..705));
        let last = std::iter::from_fn(|| ahead.next()).last();
        assert_eq!(last.map(|next| next.end), Some(1000));
        ahead.note(&[row(&[999])]);
        assert_eq!(ahead.next(), None);
    }

    #[test]
    fn large_blocks_are_touched_one_by_one_and_a_small_cache_ends() {
        let mut ahead = Ahead::new(3, 1 << 30);
        assert_eq!(ahead.next(), None, "one is more than what is touched ahead");
        let mut ahead = Ahead::new(3, 128 << 20);
        assert_eq!([ahead.next(), ahead.next(), ahead.next()], [Some(1..2), Some(2..3), None]);
        assert_eq!(Ahead::new(1, 16).next(), None);
    }
}
