//! Softmax under a mask, and attention over the paged cache.

use super::builder::{Added, Builder};
use super::kv;
use crate::dtype::DType;
use crate::graph::{TensorType, ValueId};
use crate::op::{Alibi, AttentionAttrs, Binary, Comparison, Op, Reduction, Unary};

/// The operands of [`Op::PagedAttention`].
pub(super) struct Operands {
    pub(super) q: ValueId,
    pub(super) keys: ValueId,
    pub(super) values: ValueId,
    pub(super) tables: ValueId,
    pub(super) positions: ValueId,
    pub(super) sinks: Option<ValueId>,
}

/// Softmax over the last axis of what the mask shows; zeros where it shows nothing. `sinks` are
/// one more score a row, whose weight is left out.
pub(super) fn masked_softmax(
    b: &mut Builder,
    scores: ValueId,
    mask: ValueId,
    sinks: Option<ValueId>,
) -> Added {
    // A real -inf: a large finite number would win over real scores below it.
    let hidden = b.splat_like(f64::NEG_INFINITY, scores)?;
    let shown = b.select(mask, scores, hidden)?;
    let mut largest = b.reduce_rows(Reduction::Max, shown)?;
    if let Some(sinks) = sinks {
        largest = b.binary(Binary::Maximum, largest, sinks)?;
    }
    let of_row = largest;
    let largest = b.broadcast_rows(largest, shown)?;
    let shifted = b.binary(Binary::Subtract, shown, largest)?;
    let weights = b.unary(Unary::Exponential, shifted)?;
    let mut sum = b.reduce_rows(Reduction::Sum, weights)?;
    if let Some(sinks) = sinks {
        let shifted = b.binary(Binary::Subtract, sinks, of_row)?;
        let sink = b.unary(Unary::Exponential, shifted)?;
        sum = b.binary(Binary::Add, sum, sink)?;
    }
    let sum = b.broadcast_rows(sum, weights)?;
    let weights = b.binary(Binary::Divide, weights, sum)?;
    // So far this is the plain softmax, which compilers know as one operation. A row that
    // shows nothing is NaN in it (-inf - -inf); the mask hides that.
    let zero = b.splat_like(0.0, weights)?;
    b.select(mask, weights, zero)
}

/// Every query against every slot of its row's blocks, under the mask.
///
/// Letters: B rows, T queries of a row, C slots of a row, G key heads, R query heads of a
/// key head, D width.
pub(super) fn paged_attention(b: &mut Builder, attrs: &AttentionAttrs, of: &Operands) -> Added {
    let [queries, heads, width] = b.extents(of.q);
    let [rows, _] = b.extents(of.tables);
    let tokens = queries / rows;
    let written = written(b, of, [rows, tokens])?;
    let mut keys = gather(b, of.keys, of.tables, written)?;
    let mut values = gather(b, of.values, of.tables, written)?;
    if let Some(code) = attrs.kv {
        keys = kv::dequantize(b, code, keys)?;
        values = kv::dequantize(b, code, values)?;
    }
    let [_, slots, groups, _] = b.extents(keys);
    let grouped = [rows, groups, tokens, heads / groups, slots];
    let cache_type = b.dtype(keys);

    let q = b.binary_with(Binary::Multiply, of.q, attrs.scale.into())?;
    let q = match attrs.kv {
        Some(code) => kv::round_query(b, code, q)?,
        None => b.convert(cache_type, q)?,
    };
    let q = b.reshape(q, [rows, tokens, groups, heads / groups, width])?;
    let mut scores = b.dot((q, keys), (&[0, 2], &[0, 2]), (4, 3))?;
    if let Some(cap) = attrs.soft_cap {
        scores = b.binary_with(Binary::Divide, scores, cap.into())?;
        scores = b.unary(Unary::Tanh, scores)?;
        scores = b.binary_with(Binary::Multiply, scores, cap.into())?;
    }
    if let Some(alibi) = attrs.alibi {
        let biases = biases(b, alibi, heads, slots)?;
        let biases = b.reshape(biases, [groups, heads / groups, slots])?;
        let biases = b.broadcast(biases, grouped, [1, 3, 4])?;
        scores = b.binary(Binary::Add, scores, biases)?;
    }
    let mask = visible(b, of.positions, [rows, tokens, slots], attrs)?;
    let mask = b.broadcast(mask, grouped, [0, 2, 4])?;
    let sinks = match of.sinks {
        Some(sinks) => {
            let of_group = b.reshape(sinks, [groups, heads / groups])?;
            Some(b.broadcast(of_group, [rows, groups, tokens, heads / groups], [1, 3])?)
        }
        None => None,
    };
    let weights = masked_softmax(b, scores, mask, sinks)?;
    let weights = b.convert(cache_type, weights)?;
    let mixed = b.dot((weights, values), (&[0, 1], &[0, 2]), (4, 1))?;
    let mixed = b.transpose(mixed, [0, 2, 1, 3, 4])?;
    b.reshape(mixed, [queries, heads, width])
}

/// What is added to the scores of each head for each slot, whose index is its position: `[heads,
/// slots]`.
fn biases(b: &mut Builder, alibi: Alibi, heads: usize, slots: usize) -> Added {
    let slopes = b.vector(alibi.slopes(heads))?;
    let slopes = b.broadcast(slopes, [heads, slots], [0])?;
    let positions = b.add(Op::Iota { ty: TensorType::new(DType::F32, [slots]), axis: 0 }, &[])?;
    let positions = b.broadcast(positions, [heads, slots], [1])?;
    b.binary(Binary::Multiply, slopes, positions)
}

/// The slots of each row's blocks in order of position, `[B, C, G, D]`; zeros in blocks where
/// nothing of the row is written.
///
/// The mask and the result are computed as wholes, a block being one vector. Fused into its
/// reader, the copy would follow the reader's order and move single elements; without an
/// operand that tells blocks from their contents, its loops would collapse into one that
/// compilers do not vectorize either (docs/decisions/gather.md).
fn gather(b: &mut Builder, cache: ValueId, tables: ValueId, written: ValueId) -> Added {
    let [size, groups, width] = b.row_sizes(cache);
    let [rows, pages] = b.extents(tables);
    let flat = b.flatten_rows(cache)?;
    let blocks = b.take(flat, tables)?;
    let written = b.broadcast(written, [rows, pages, size * groups * width], [0, 1])?;
    let zero = b.splat_like(0.0, blocks)?;
    let blocks = b.select(written, blocks, zero)?;
    let blocks = b.barrier(blocks)?;
    b.reshape(blocks, [rows, pages * size, groups, width])
}

/// Which blocks hold something of their row, `[B, P]`: those up to its last position's.
fn written(b: &mut Builder, of: &Operands, [rows, tokens]: [usize; 2]) -> Added {
    let [_, pages] = b.extents(of.tables);
    let [size, _, _] = b.row_sizes(of.keys);
    // Positions are below 2^24, so f32 holds them exactly; only floats can be reduced.
    let positions = b.convert(DType::F32, of.positions)?;
    let positions = b.reshape(positions, [rows, tokens])?;
    let last = b.reduce_rows(Reduction::Max, positions)?;
    let last = b.broadcast(last, [rows, pages], [0])?;
    let firsts = b.vector((0..pages).map(|page| (page * size) as f32).collect())?;
    let firsts = b.broadcast(firsts, [rows, pages], [1])?;
    let written = b.compare(Comparison::Le, firsts, last)?;
    b.barrier(written)
}

/// Which slots each query sees: `[B, T, C]`. A slot's index is its position.
fn visible(
    b: &mut Builder,
    positions: ValueId,
    shape: [usize; 3],
    attrs: &AttentionAttrs,
) -> Added {
    let ty = TensorType::new(DType::I32, [shape[2]]);
    let slots = b.add(Op::Iota { ty, axis: 0 }, &[])?;
    let slots = b.broadcast(slots, shape, [2])?;
    let positions = b.reshape(positions, [shape[0], shape[1]])?;
    let last = b.broadcast(positions, shape, [0, 1])?;
    let mut causal = b.compare(Comparison::Le, slots, last)?;
    // A chunk or window that holds every slot hides nothing; so does one that i32 cannot hold.
    if let Some(chunk) = attrs.chunk.filter(|chunk| *chunk < shape[2]) {
        let number = b.binary_with(Binary::Divide, positions, chunk as f64)?;
        let first = b.binary_with(Binary::Multiply, number, chunk as f64)?;
        let first = b.broadcast(first, shape, [0, 1])?;
        let own = b.compare(Comparison::Ge, slots, first)?;
        causal = b.binary(Binary::And, causal, own)?;
    }
    let Some(window) = attrs.window.filter(|window| *window < shape[2]) else { return Ok(causal) };
    let hidden = b.binary_with(Binary::Subtract, positions, window as f64)?;
    let hidden = b.broadcast(hidden, shape, [0, 1])?;
    let recent = b.compare(Comparison::Gt, slots, hidden)?;
    b.binary(Binary::And, causal, recent)
}
