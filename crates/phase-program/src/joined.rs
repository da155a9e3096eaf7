//! Products of a prompt and the element-wise operations behind them, done at once where a machine
//! has matrix registers (`kernels-cpu/joined.h`): a gate and what it gates then never go through
//! memory. Both phases stay in the program, for machines without.

use crate::abi::{PhaseKind, RowKind, Space};
use crate::format::in_registers;
use crate::memory::places;
use crate::program::{
    Attention, Joined, Linear, Mixtures, Over, Phase, Place, Recurrences, RowOp, Rows,
};

/// `JOINED_OPS`: operations before the packing.
const OPS: usize = 8;

/// `JOINED_SPANS`: spans of the product's columns that they read.
const SPANS: usize = 2;

/// Columns of a strip, which a kernel computes at once.
const STRIP: u32 = 32;

/// Columns of a tile of weights, with which a span begins.
const TILE: u64 = 16;

/// Marks the pairs of phases that can be done at once.
pub(crate) fn join(
    phases: &mut [Phase],
    linears: &[Linear],
    attentions: &[Attention],
    mixtures: &Mixtures,
    recurrences: &Recurrences,
) {
    for first in 0..phases.len().saturating_sub(1) {
        let Some((packed, y)) = fits(&phases[first], &phases[first + 1], linears) else { continue };
        let elsewhere = phases.iter().enumerate().any(|(index, phase)| {
            let uses = |place: Place| place.buffer() == Some(y);
            let others = index != first && index != first + 1;
            others
                && places(phase, linears, attentions, mixtures, recurrences).into_iter().any(uses)
        });
        if !elsewhere {
            phases[first].joined = Some(Joined { other: first + 1, packed });
            phases[first + 1].joined = Some(Joined { other: first, packed });
        }
    }
}

/// Where the result of both phases goes, and the buffer between them.
fn fits(product: &Phase, rows: &Phase, linears: &[Linear]) -> Option<(Place, usize)> {
    let kinds = product.kind == PhaseKind::Linear && rows.kind == PhaseKind::Rows;
    if !kinds || [product, rows].iter().any(|phase| phase.over != Over::Tokens) {
        return None;
    }
    let linear = &linears[product.kernel];
    let y = linear.y.buffer()?;
    let (pack, ops) = rows.ops.split_last()?;
    let width = pack.width;
    let sound = product.ops.is_empty()
        && pack.kind == RowKind::Pack
        && pack.p == [0, 0]
        && (1..=OPS).contains(&ops.len())
        && pack.a.place == ops[ops.len() - 1].dst.place
        && width.is_multiple_of(STRIP)
        && in_registers(linear.format, linear.k)
        && in_registers(pack.format, width);
    let mut spans = Vec::new();
    for (index, op) in ops.iter().enumerate().take_while(|_| sound) {
        let private = matches!(op.dst.place, Place::At(Space::Private, _));
        if !private || op.store || op.width != width {
            return None;
        }
        for operand in operands(op)? {
            if ops[..index].iter().any(|before| before.dst.place == operand.place) {
                continue;
            }
            let begin = span_of(operand, linear)?;
            if begin + u64::from(width) > u64::from(linear.n) {
                return None;
            }
            if !spans.contains(&begin) {
                spans.push(begin);
            }
        }
    }
    (sound && spans.len() <= SPANS).then_some((pack.dst.place, y))
}

/// The operands of an element-wise operation.
fn operands(op: &RowOp) -> Option<Vec<Rows>> {
    match op.kind {
        RowKind::Unary | RowKind::Scalar | RowKind::Copy => Some(vec![op.a]),
        RowKind::Binary => Some(vec![op.a, op.b]),
        _ => None,
    }
}

/// The column of a product's outputs with which an operand begins.
fn span_of(operand: Rows, linear: &Linear) -> Option<u64> {
    let (Place::Shared { buffer, offset }, Place::Shared { buffer: of, offset: begin }) =
        (operand.place, linear.y)
    else {
        return None;
    };
    let rows = buffer == of && operand.stride == 4 * u64::from(linear.y_stride);
    let column = offset.checked_sub(begin)? / 4;
    (rows && column.is_multiple_of(TILE)).then_some(column)
}
