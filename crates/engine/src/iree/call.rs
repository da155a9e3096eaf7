//! The arguments of one entry point, filled from the rows of a step.

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
}

impl<'a> Part<'a> {
    /// `count` tokens of `row` from its token `start` on.
    pub(crate) fn of(row: &StepRow<'a>, start: usize, count: usize) -> Self {
        Self {
            tokens: &row.tokens[start..start + count],
            first: row.first_position + start,
            blocks: row.blocks,
            length: row.sequence_length,
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
    /// `[batch, context / block_size]`; the null block beyond the sequence.
    pub(crate) tables: Vec<i32>,
    /// `[rows]`: cells whose logits are given; at first the last token of each row.
    pub(crate) sampled: Vec<i32>,
}

impl Arguments {
    /// Lays `parts`, at most `entry.batch` of at most `entry.tokens` tokens, out for `entry`.
    pub(crate) fn new(entry: &EntryPoint, block_size: usize, parts: &[Part<'_>]) -> Self {
        let (cells, pages) = (entry.batch * entry.tokens, entry.context / block_size);
        let mut arguments = Self {
            tokens: vec![0; cells],
            positions: vec![-1; cells],
            lengths: vec![1; cells],
            slots: vec![0; 2 * cells],
            tables: vec![0; entry.batch * pages],
            sampled: vec![0; entry.rows],
        };
        for (row, part) in parts.iter().enumerate() {
            arguments.fill_row(row, part, entry.tokens, pages, block_size);
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

    fn fill_row(
        &mut self,
        row: usize,
        part: &Part<'_>,
        width: usize,
        pages: usize,
        block_size: usize,
    ) {
        for (index, token) in part.tokens.iter().enumerate() {
            let (cell, position) = (row * width + index, part.first + index);
            self.tokens[cell] = as_i32(*token as usize);
            self.positions[cell] = as_i32(position);
            self.lengths[cell] = as_i32(part.length.max(position + 1));
            self.slots[2 * cell] = as_i32(part.blocks[position / block_size] as usize);
            self.slots[2 * cell + 1] = as_i32(position % block_size);
        }
        let table = &mut self.tables[row * pages..(row + 1) * pages];
        for (entry, block) in table.iter_mut().zip(part.blocks) {
            *entry = as_i32(*block as usize);
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
            Part { tokens: &[7, 8], first: 3, blocks: &[5, 2], length: 9 },
            Part { tokens: &[9], first: 0, blocks: &[4], length: 1 },
        ];
        let expected = Arguments {
            tokens: vec![7, 8, 0, 9, 0, 0],
            positions: vec![3, 4, -1, 0, -1, -1],
            lengths: vec![9, 9, 1, 1, 1, 1],
            slots: vec![5, 3, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0],
            tables: vec![5, 2, 0, 4, 0, 0],
            sampled: vec![1, 3],
        };
        let mut arguments = Arguments::new(&entry, 4, &parts);
        assert_eq!(arguments, expected);
        arguments.sample_only(&[3]);
        assert_eq!(arguments, Arguments { sampled: vec![3, -1], ..expected });
        arguments.sample_only(&[]);
        assert_eq!(arguments.sampled, [-1, -1]);
    }
}
