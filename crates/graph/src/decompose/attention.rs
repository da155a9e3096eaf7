//! Softmax under a mask, and attention over the paged cache.

use super::builder::{Added, Builder};
use crate::dtype::DType;
use crate::graph::{TensorType, ValueId};
use crate::op::{AttentionAttrs, Binary, Comparison, Op, Reduction, Unary};

/// The operands of [`Op::PagedAttention`].
pub(super) struct Operands {
    pub(super) q: ValueId,
    pub(super) keys: ValueId,
    pub(super) values: ValueId,
    pub(super) tables: ValueId,
    pub(super) positions: ValueId,
}

/// Softmax over the last axis of what the mask shows; zeros where it shows nothing.
pub(super) fn masked_softmax(b: &mut Builder, scores: ValueId, mask: ValueId) -> Added {
    // A real -inf: a large finite number would win over real scores below it.
    let hidden = b.splat_like(f64::NEG_INFINITY, scores)?;
    let scores = b.select(mask, scores, hidden)?;
    let largest = b.reduce_rows(Reduction::Max, scores)?;
    // -inf - -inf is NaN, and so is 0 / 0: both happen only where every weight is 0.
    let none = b.compare_with(Comparison::Eq, largest, f64::NEG_INFINITY)?;
    let zero = b.splat_like(0.0, largest)?;
    let largest = b.select(none, zero, largest)?;
    let largest = b.broadcast_rows(largest, scores)?;
    let shifted = b.binary(Binary::Subtract, scores, largest)?;
    let weights = b.unary(Unary::Exponential, shifted)?;
    let sum = b.reduce_rows(Reduction::Sum, weights)?;
    let one = b.splat_like(1.0, sum)?;
    let sum = b.select(none, one, sum)?;
    let sum = b.broadcast_rows(sum, scores)?;
    b.binary(Binary::Divide, weights, sum)
}

/// Every query against every slot of its row's blocks, under the mask.
///
/// Letters: B rows, T queries of a row, C slots of a row, G key heads, R query heads of a
/// key head, D width.
pub(super) fn paged_attention(b: &mut Builder, attrs: &AttentionAttrs, of: &Operands) -> Added {
    let [queries, heads, width] = b.extents(of.q);
    let [rows, _] = b.extents(of.tables);
    let tokens = queries / rows;
    let keys = gather(b, of.keys, of.tables)?;
    let values = gather(b, of.values, of.tables)?;
    let [_, slots, groups, _] = b.extents(keys);
    let grouped = [rows, groups, tokens, heads / groups, slots];
    let cache_type = b.dtype(keys);

    let q = b.binary_with(Binary::Multiply, of.q, attrs.scale.into())?;
    let q = b.convert(cache_type, q)?;
    let q = b.reshape(q, [rows, tokens, groups, heads / groups, width])?;
    let mut scores = b.dot((q, keys), (&[0, 2], &[0, 2]), (4, 3))?;
    if let Some(cap) = attrs.soft_cap {
        scores = b.binary_with(Binary::Divide, scores, cap.into())?;
        scores = b.unary(Unary::Tanh, scores)?;
        scores = b.binary_with(Binary::Multiply, scores, cap.into())?;
    }
    let mask = visible(b, of.positions, [rows, tokens, slots], attrs.window)?;
    let mask = b.broadcast(mask, grouped, [0, 2, 4])?;
    let weights = masked_softmax(b, scores, mask)?;
    let weights = b.convert(cache_type, weights)?;
    let mixed = b.dot((weights, values), (&[0, 1], &[0, 2]), (4, 1))?;
    let mixed = b.transpose(mixed, [0, 2, 1, 3, 4])?;
    b.reshape(mixed, [queries, heads, width])
}

/// The slots of each row's blocks in order of position: `[B, C, G, D]`.
fn gather(b: &mut Builder, cache: ValueId, tables: ValueId) -> Added {
    let blocks = b.take(cache, tables)?;
    let [rows, pages, size, groups, width] = b.extents(blocks);
    b.reshape(blocks, [rows, pages * size, groups, width])
}

/// Which slots each query sees: `[B, T, C]`. A slot's index is its position.
fn visible(b: &mut Builder, positions: ValueId, shape: [usize; 3], window: Option<usize>) -> Added {
    let ty = TensorType::new(DType::I32, [shape[2]]);
    let slots = b.add(Op::Iota { ty, axis: 0 }, &[])?;
    let slots = b.broadcast(slots, shape, [2])?;
    let positions = b.reshape(positions, [shape[0], shape[1]])?;
    let last = b.broadcast(positions, shape, [0, 1])?;
    let causal = b.compare(Comparison::Le, slots, last)?;
    // A window that holds every slot hides nothing; so does one that i32 cannot hold.
    let Some(window) = window.filter(|window| *window < shape[2]) else { return Ok(causal) };
    let hidden = b.binary_with(Binary::Subtract, positions, window as f64)?;
    let hidden = b.broadcast(hidden, shape, [0, 1])?;
    let recent = b.compare(Comparison::Gt, slots, hidden)?;
    b.binary(Binary::And, causal, recent)
}
