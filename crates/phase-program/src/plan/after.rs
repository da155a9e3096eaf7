//! What a GPU does with a product's outputs before it stores them: element-wise operations on the
//! product's columns, and on rows of tables by expert.

use std::collections::HashMap;

use tyto_graph::ValueId;

use super::{Planner, count};
use crate::abi::{PhaseKind, RowKind, Space};
use crate::error::Unsupported;
use crate::format::MATRIX;
use crate::program::{After, Linear, Phase, Place, RowOp, Rows};
use crate::rows::{Cone, Domain};

/// Values of an output element, spans of columns included: `AFTER_VALUES` of
/// `kernels-hip/common/after.h`.
const AFTER_VALUES: usize = 16;

/// Spans of a product's columns that these read at most: `AFTER_SPANS` there.
const AFTER_SPANS: usize = 2;

/// Rows of a tile of weights.
const TILE: u64 = 16;

/// The phases of products by where their outputs are.
type Products = HashMap<Place, (usize, ValueId)>;

impl Planner<'_> {
    /// `x` as what a product stores, where it is the product's columns put through element-wise
    /// operations and nothing else reads them.
    pub(super) fn after_product(
        &mut self,
        user: ValueId,
        x: ValueId,
        domain: Domain,
    ) -> Result<Option<Rows>, Unsupported> {
        let mark = self.mark();
        let products: Products = (self.products.iter())
            .filter(|(_, phase)| self.linear_of(**phase).format & MATRIX == 0)
            .filter_map(|(value, phase)| Some((self.stored.get(value)?.place, (*phase, *value))))
            .collect();
        // As a prologue, all that the operations make is private but for what is kept for others.
        let mut cone = Cone::new(self, &[x], &[user], true);
        let row = cone.row(x, domain)?;
        let found = Behind::of(&cone, row, &products);
        drop(cone);
        self.forget(mark);
        let Some((phase, width, after)) = found else { return Ok(None) };
        let rows = self.shared_rows(width, domain);
        let (base, _) = self.base(x)?;
        self.stored.insert(base, rows);
        self.phases[phase].after = after;
        let Phase { kind, kernel, .. } = self.phases[phase];
        let linear = match kind {
            PhaseKind::Experts => &mut self.mixtures.experts[kernel].linear,
            _ => &mut self.linears[kernel],
        };
        (linear.y, linear.y_stride) = (rows.place, count((rows.stride / 4) as usize));
        Ok(Some(rows))
    }

    /// The product of a phase. Those for matrix registers store outputs as they are.
    fn linear_of(&self, phase: usize) -> &Linear {
        let Phase { kind, kernel, .. } = self.phases[phase];
        match kind {
            PhaseKind::Experts => &self.mixtures.experts[kernel].linear,
            _ => &self.linears[kernel],
        }
    }
}

/// An earlier value of an output element.
#[derive(Clone, Copy)]
enum Earlier {
    Span(usize),
    Other(usize),
}

/// The operations behind a product, from the result back to the product's columns. An operation on
/// wider rows than the result, of which columns are taken later, is one value for each place where
/// they begin.
struct Behind<'c> {
    ops: &'c [RowOp],
    products: &'c Products,
    width: u32,
    /// The product that all is computed from.
    product: Option<(usize, ValueId)>,
    /// The product's columns with which spans begin.
    spans: Vec<u64>,
    /// Values behind the spans: what of `ops` from which column on, and its operands.
    values: Vec<(usize, u64, [Earlier; 2])>,
}

impl<'c> Behind<'c> {
    /// The phase of the product that all of `cone` is computed from, how wide the result `row` is,
    /// and the operations after it.
    fn of(
        cone: &'c Cone<'_, '_>,
        row: Rows,
        products: &'c Products,
    ) -> Option<(usize, usize, Vec<After>)> {
        let ops = cone.ops();
        let (last, width) = (ops.len().checked_sub(1)?, ops.last()?.width);
        let private = |op: &RowOp| matches!(op.dst.place, Place::At(Space::Private, _));
        if ops[last].dst != row || ops.iter().any(|op| op.store || !private(op)) {
            return None;
        }
        let (product, spans, values) = (None, Vec::new(), Vec::new());
        let mut behind = Self { ops, products, width, product, spans, values };
        behind.value(last, 0)?;
        let (phase, value) = behind.product?;
        let whole = cone.planner.width(value) as u64;
        let inside = behind.spans.iter().all(|begin| begin + u64::from(width) <= whole);
        let fits = behind.spans.len() <= AFTER_SPANS
            && behind.spans.len() + behind.values.len() <= AFTER_VALUES;
        let sound = inside && fits && !cone.outlives(value);
        sound.then(|| (phase, width as usize, behind.after()))
    }

    /// Operation `index` from column `from` on, as a value.
    fn value(&mut self, index: usize, from: u64) -> Option<Earlier> {
        let known = self.values.iter().position(|(op, begin, _)| (*op, *begin) == (index, from));
        if let Some(known) = known {
            return Some(Earlier::Other(known));
        }
        let op = self.ops[index];
        if from + u64::from(self.width) > op.width.into() {
            return None;
        }
        let operands = match op.kind {
            // None: it reads a table.
            RowKind::Expert => [Earlier::Span(0); 2],
            RowKind::Unary | RowKind::Scalar => [self.operand(index, op.a, from)?; 2],
            RowKind::Binary => [self.operand(index, op.a, from)?, self.operand(index, op.b, from)?],
            _ => return None,
        };
        self.values.push((index, from, operands));
        // Values double where operations on wide rows follow each other.
        (self.values.len() <= AFTER_VALUES).then_some(Earlier::Other(self.values.len() - 1))
    }

    /// An operand of operation `index` from column `from` on.
    fn operand(&mut self, index: usize, rows: Rows, from: u64) -> Option<Earlier> {
        let ops = self.ops;
        let made = ops[..index].iter().enumerate().rev();
        let mut made = made.filter_map(|(before, op)| Some((before, column_in(rows, op)?)));
        if let Some((before, column)) = made.next() {
            return self.value(before, column + from);
        }
        let (begin, product) = span_of(rows, self.products)?;
        let begin = begin + from;
        if self.product.is_some_and(|other| other != product) || !begin.is_multiple_of(TILE) {
            return None;
        }
        self.product = Some(product);
        let known = self.spans.iter().position(|span| *span == begin);
        Some(Earlier::Span(known.unwrap_or_else(|| {
            self.spans.push(begin);
            self.spans.len() - 1
        })))
    }

    fn after(&self) -> Vec<After> {
        let number = |earlier: &Earlier| match earlier {
            Earlier::Span(span) => count(*span),
            Earlier::Other(value) => count(self.spans.len() + value),
        };
        let columns = self.spans.iter().map(|begin| After::Columns(*begin as u32));
        let others = self.values.iter().map(|(index, from, operands)| {
            let op = RowOp { width: self.width, ..self.ops[*index] };
            match op.kind {
                RowKind::Expert => {
                    let place = op.a.place.further(4 * from);
                    After::OfExpert { table: Rows { place, ..op.a }, width: self.width }
                }
                _ => After::Op { op, operands: [number(&operands[0]), number(&operands[1])] },
            }
        });
        columns.chain(others).collect()
    }
}

/// The column of what `op` makes with which `rows` begin.
fn column_in(rows: Rows, op: &RowOp) -> Option<u64> {
    let (Place::At(Space::Private, at), Place::At(Space::Private, begin)) =
        (rows.place, op.dst.place)
    else {
        return None;
    };
    let column = at.checked_sub(begin)? / 4;
    (rows.stride == op.dst.stride && column < op.width.into()).then_some(column)
}

/// The column of a product's outputs with which an operand begins, and which product.
fn span_of(operand: Rows, products: &Products) -> Option<(u64, (usize, ValueId))> {
    let Place::Shared { buffer, offset } = operand.place else { return None };
    let product = products.get(&Place::Shared { buffer, offset: 0 })?;
    (operand.stride > 0).then_some((offset / 4, *product))
}
