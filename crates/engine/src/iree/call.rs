//! The arguments of one entry point, filled from the rows of a step.

use std::ops::Range;

use tyto_artifact::EntryPoint;

use crate::executor::StepRow;

/// A part of one row: what one call takes of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    /// The tokens.
    pub(crate) tokens: &'a [u32],
    /// Position of the first.
    pub(crate) first: usize,
    /// The sequence's blocks.
    pub(crate) blocks: &'a [u32],
    /// Tokens known of the sequence, at least `first + tokens.len()`.
    pub(crate) length: usize,
    /// Where recurrent layers leave the sequence's state.
    pub(crate) slot: usize,
}

/// How a target's cache is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CacheShape {
    /// Positions in a block.
    pub(crate) block_size: usize,
    /// Blocks at the begin that hold the slots of recurrent layers: all others are counted from
    /// behind them.
    pub(crate) slot_blocks: usize,
}

impl CacheShape {
    /// Entries of a row of the tables of `entry`: with recurrent layers the slot is the last.
    pub(crate) fn table_entries(&self, entry: &EntryPoint) -> usize {
        entry.context / self.block_size + usize::from(self.slot_blocks > 0)
    }
}

impl<'a> Part<'a> {
    /// `count` tokens of `row` from its token `start` on.
    pub(crate) fn of(row: &StepRow<'a>, start: usize, count: usize) -> Self {
        Self {
            tokens: &row.tokens[start..start + count],
            first: row.first_position + start,
            blocks: row.blocks,
            length: row.sequence_length,
            slot: row.slot_after(start),
        }
    }

    /// Positions that the part needs the cache to reach.
    pub(crate) fn reach(&self) -> usize {
        self.first + self.tokens.len()
    }
}

/// The plain arguments, as `tyto-frontend` documents the calling convention.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// `[batch × tokens]`.
    pub(crate) tokens: Vec<i32>,
    /// `[batch × tokens]`; -1 where there is no token.
    pub(crate) positions: Vec<i32>,
    /// `[batch × tokens]`: tokens known of the row's sequence.
    pub(crate) lengths: Vec<i32>,
    /// `[batch × tokens, 2]`: block and offset; the null block where there is no token.
    pub(crate) slots: Vec<i32>,
    /// `[batch, context / block_size]`; the null block beyond the sequence. With recurrent layers
    /// one more entry a row: the sequence's slot.
    pub(crate) tables: Vec<i32>,
    /// `[rows]`: cells whose logits are given; at first the last token of each row.
    pub(crate) sampled: Vec<i32>,
}

impl Arguments {
    /// Lays `parts`, at most `entry.batch` of at most `entry.tokens` tokens, out for `entry`.
    pub(crate) fn new(entry: &EntryPoint, cache: CacheShape, parts: &[Part<'_>]) -> Self {
        let (cells, entries) = (entry.batch * entry.tokens, cache.table_entries(entry));
        let null = as_i32(cache.slot_blocks);
        let mut arguments = Self {
            tokens: vec![0; cells],
            positions: vec![-1; cells],
            lengths: vec![1; cells],
            slots: [null, 0].repeat(cells),
            tables: vec![null; entry.batch * entries],
            sampled: vec![0; entry.rows],
        };
        for (row, part) in parts.iter().enumerate() {
            arguments.fill_row(row, part, entry.tokens, entries, cache);
        }
        arguments
    }

    /// Asks for the logits of these cells only, in this order: other rows of logits get the
    /// index -1, which phase programs take for none.
    pub(crate) fn sample_only(&mut self, cells: &[usize]) {
        self.sampled.fill(-1);
        for (sampled, cell) in self.sampled[..cells.len()].iter_mut().zip(cells) {
            *sampled = as_i32(*cell);
        }
    }

    /// Asks for the logits of these cells, in this order. Other rows of logits stay as they are:
    /// plain code computes all of them, of whatever cell.
    pub(crate) fn sample_also(&mut self, cells: Range<usize>) {
        for (sampled, cell) in self.sampled.iter_mut().zip(cells) {
            *sampled = as_i32(cell);
        }
    }

    fn fill_row(
        &mut self,
        row: usize,
        part: &Part<'_>,
        width: usize,
        entries: usize,
        CacheShape { block_size, slot_blocks }: CacheShape,
    ) {
        let place = |block: u32| as_i32(block as usize + slot_blocks);
        for (index, token) in part.tokens.iter().enumerate() {
            let (cell, position) = (row * width + index, part.first + index);
            self.tokens[cell] = as_i32(*token as usize);
            self.positions[cell] = as_i32(position);
            self.lengths[cell] = as_i32(part.length.max(position + 1));
            self.slots[2 * cell] = place(part.blocks[position / block_size]);
            self.slots[2 * cell + 1] = as_i32(position % block_size);
        }
        let table = &mut self.tables[row * entries..(row + 1) * entries];
        let table = match table.split_last_mut() {
            Some((slot, pages)) if slot_blocks > 0 => {
                *slot = as_i32(part.slot);
                pages
            }
            _ => table,
        };
        for (entry, block) in table.iter_mut().zip(part.blocks) {
            *entry = place(*block);
        }
        self.sampled[row] = as_i32(row * width + part.tokens.len() - 1);
    }
}

fn as_i32(value: usize) -> i32 {
    i32::try_from(value).expect("ids, positions and blocks are below 2^31")
}

#[cfg(test)]
mod tests {
    use tyto_artifact::EntryKind;

    use super::*;

    #[test]
    fn rows_are_laid_out_and_padded_with_the_null_block() {
        let entry = EntryPoint {
            function: "m.decode".into(),
            kind: EntryKind::Prefill,
            batch: 2,
            tokens: 3,
            context: 12,
            rows: 2,
        };
        let parts = [
            Part { tokens: &[7, 8], first: 3, blocks: &[5, 2], length: 9, slot: 1 },
            Part { tokens: &[9], first: 0, blocks: &[4], length: 1, slot: 0 },
        ];
        let expected = Arguments {
            tokens: vec![7, 8, 0, 9, 0, 0],
            positions: vec![3, 4, -1, 0, -1, -1],
            lengths: vec![9, 9, 1, 1, 1, 1],
            slots: vec![5, 3, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0],
            tables: vec![5, 2, 0, 4, 0, 0],
            sampled: vec![1, 3],
        };
        let cache = CacheShape { block_size: 4, slot_blocks: 0 };
        let mut arguments = Arguments::new(&entry, cache, &parts);
        assert_eq!(arguments, expected);
        let with_slots = Arguments {
            slots: vec![15, 3, 12, 0, 10, 0, 14, 0, 10, 0, 10, 0],
            tables: vec![15, 12, 10, 1, 14, 10, 10, 0],
            ..Arguments::new(&entry, cache, &parts)
        };
        let cache = CacheShape { slot_blocks: 10, ..cache };
        assert_eq!(Arguments::new(&entry, cache, &parts), with_slots);
        arguments.sample_only(&[3]);
        assert_eq!(arguments, Arguments { sampled: vec![3, -1], ..expected });
        arguments.sample_also(0..1);
        assert_eq!(arguments.sampled, [0, -1]);
        arguments.sample_only(&[]);
        assert_eq!(arguments.sampled, [-1, -1]);
    }
}
