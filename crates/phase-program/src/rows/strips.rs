//! Rows made of strips of others: heads joined with heads, or parts of each head.

use tyto_graph::{Literal, Op, ValueId};

use super::Cone;
use super::compute::Wanted;
use crate::abi::RowKind;
use crate::error::Unsupported;
use crate::plan::count;
use crate::program::{RowOp, Rows};

/// Strips of a row: one in each run.
#[derive(Clone, Copy)]
struct Strips {
    /// How many runs a row has.
    runs: usize,
    /// Width of a run, and where its strip begins.
    run: usize,
    begin: usize,
}

impl Strips {
    /// The place of a run's strip.
    fn at(&self, rows: Rows, run: usize) -> Rows {
        let bytes = 4 * (run * self.run + self.begin) as u64;
        Rows { place: rows.place.further(bytes), stride: rows.stride }
    }
}

impl Cone<'_, '_> {
    /// Operands of rank 3 joined along the last axis, a copy for each head of each.
    pub(super) fn joined(
        &mut self,
        wanted: &Wanted<'_>,
        axis: usize,
    ) -> Result<RowOp, Unsupported> {
        let [_, heads, width] = self.sizes3(wanted.value, wanted)?;
        if axis != 2 {
            return Err(wanted.bad("rows joined along another axis than the last"));
        }
        let mut begin = 0;
        let mut copies = Vec::new();
        for operand in &wanted.node.operands {
            let [_, _, own] = self.sizes3(*operand, wanted)?;
            let to = Strips { runs: heads, run: width, begin };
            let from = Strips { runs: heads, run: own, begin: 0 };
            let rows = match self.planner.graph.node(*operand).op {
                // The same in every head.
                Op::Constant(Literal::Splat { value, .. }) => {
                    let values = vec![value as f32; heads * own];
                    Rows::one(self.planner.constant(&values))
                }
                _ => self.row(*operand, wanted.domain)?,
            };
            copies.extend(copied(wanted.dst, to, rows, from, own));
            begin += own;
        }
        self.all_but_last(copies, wanted)
    }

    /// Some columns of each head, a copy for each.
    pub(super) fn part_of_heads(
        &mut self,
        wanted: &Wanted<'_>,
        [start, limit]: [&[usize]; 2],
    ) -> Result<RowOp, Unsupported> {
        let [tokens, heads, width] = self.sizes3(wanted.operand(0), wanted)?;
        if start[..2] != [0, 0] || limit[..2] != [tokens, heads] {
            return Err(wanted.bad("a slice of other than columns"));
        }
        let own = limit[2] - start[2];
        let from = Strips { runs: heads, run: width, begin: start[2] };
        let to = Strips { runs: heads, run: own, begin: 0 };
        let rows = self.row(wanted.operand(0), wanted.domain)?;
        let copies = copied(wanted.dst, to, rows, from, own).collect();
        self.all_but_last(copies, wanted)
    }

    fn all_but_last(
        &mut self,
        mut copies: Vec<RowOp>,
        wanted: &Wanted<'_>,
    ) -> Result<RowOp, Unsupported> {
        let last = copies.pop().ok_or_else(|| wanted.bad("rows of no heads"))?;
        for copy in copies {
            self.push(copy);
        }
        Ok(last)
    }

    fn sizes3(&self, value: ValueId, wanted: &Wanted<'_>) -> Result<[usize; 3], Unsupported> {
        let sizes = self.planner.sizes_of(value);
        sizes.try_into().map_err(|_| wanted.bad("rows that are not of heads"))
    }
}

/// A copy for each run.
fn copied(
    dst: Rows,
    to: Strips,
    src: Rows,
    from: Strips,
    width: usize,
) -> impl Iterator<Item = RowOp> {
    (0..to.runs).map(move |run| {
        RowOp::new(RowKind::Copy, count(width), to.at(dst, run), from.at(src, run), Rows::NONE)
    })
}
