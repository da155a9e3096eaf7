//! Mixtures of experts. Every expert multiplies every token, and the products that are wanted are
//! picked: right and slow, since no primitive multiplies rows by matrices that data choose.

use super::builder::{Added, Builder};
use super::matrix::row_major;
use crate::dtype::{DType, Layout};
use crate::graph::{TensorType, ValueId};
use crate::infer::InferError;
use crate::op::{Binary, Comparison, Groups, Op, Reduction, Unary};

pub(super) fn top_k(b: &mut Builder, k: usize, groups: Option<Groups>, scores: ValueId) -> Added {
    let [rows, _] = b.extents(scores);
    let left = groups.map(|groups| in_best_groups(b, groups, scores)).transpose()?;
    let best = largest(b, k, scores, left)?;
    let ids: Result<Vec<_>, _> = best.ids.iter().map(|id| b.reshape(*id, [rows, 1])).collect();
    let ids = b.concat(1, &ids?)?;
    b.convert(DType::I32, ids)
}

/// Whether each score is in one of its row's best groups.
fn in_best_groups(b: &mut Builder, groups: Groups, scores: ValueId) -> Added {
    let [rows, columns] = b.extents(scores);
    let Groups { count, kept, best } = groups;
    let members = b.reshape(scores, [rows * count, columns / count])?;
    let of_group = largest(b, best, members, None)?;
    let (first, others) = of_group.scores.split_first().expect("top_k_c3: best is not 0");
    let mut sum = *first;
    for score in others {
        sum = b.binary(Binary::Add, sum, *score)?;
    }
    let sums = b.reshape(sum, [rows, count])?;
    let left = largest(b, kept, sums, None)?.left;
    let taken = b.unary(Unary::Not, left)?;
    let taken = b.broadcast(taken, [rows, count, columns / count], [0, 1])?;
    b.reshape(taken, [rows, columns])
}

/// The largest scores of each row, `[T]` each, best first.
struct Largest {
    /// As f32.
    ids: Vec<ValueId>,
    scores: Vec<ValueId>,
    /// Whether each score could be chosen after them.
    left: ValueId,
}

/// k rounds of the largest that is left and its first index. (Compilers serve sorting badly.)
fn largest(
    b: &mut Builder,
    k: usize,
    scores: ValueId,
    left: Option<ValueId>,
) -> Result<Largest, InferError> {
    let shape = b.sizes(scores);
    let number = b.compare(Comparison::Eq, scores, scores)?;
    let infinity = b.splat_like(f64::INFINITY, scores)?;
    let scores = b.select(number, scores, infinity)?;
    let lowest = b.splat_like(f64::NEG_INFINITY, scores)?;
    let columns = b.add(Op::Iota { ty: TensorType::new(DType::F32, &shape[..]), axis: 1 }, &[])?;
    // Only floats can be reduced, and only to the largest: the first index is minus the largest
    // of the negated ones. Indices are below 2^24, so f32 holds them exactly.
    let negated = b.unary(Unary::Negate, columns)?;
    let mut left = match left {
        Some(left) => left,
        None => b.add(Op::Compare(Comparison::Eq), &[columns, columns])?,
    };
    let (mut ids, mut of_ids) = (Vec::new(), Vec::new());
    for _ in 0..k {
        let candidates = b.select(left, scores, lowest)?;
        let largest = b.reduce_rows(Reduction::Max, candidates)?;
        of_ids.push(largest);
        let largest = b.broadcast_rows(largest, scores)?;
        let equal = b.compare(Comparison::Eq, scores, largest)?;
        let equal = b.binary(Binary::And, equal, left)?;
        let first = b.select(equal, negated, lowest)?;
        let first = b.reduce_rows(Reduction::Max, first)?;
        let id = b.unary(Unary::Negate, first)?;
        let all = b.broadcast_rows(id, scores)?;
        let others = b.compare(Comparison::Ne, columns, all)?;
        left = b.binary(Binary::And, left, others)?;
        ids.push(id);
    }
    Ok(Largest { ids, scores: of_ids, left })
}

/// One gather from all elements.
pub(super) fn take_along(b: &mut Builder, x: ValueId, ids: ValueId) -> Added {
    let [rows, columns] = b.extents(x);
    let flat = b.reshape(x, [rows * columns])?;
    let places = row_begins(b, ids, columns)?;
    let places = b.binary(Binary::Add, places, ids)?;
    b.take(flat, places)
}

/// The products of all experts, `[T, E, N]`, of which each token takes its own.
pub(super) fn expert_linear(
    b: &mut Builder,
    layout: Layout,
    [experts, rows]: [usize; 2],
    [x, w, ids]: [ValueId; 3],
) -> Added {
    let [tokens, _] = b.extents(ids);
    let padded = rows.next_multiple_of(layout.tile_rows());
    let x = b.convert(b.dtype(w), x)?;
    let columns = *b.sizes(x).last().expect("expert_linear_c1: x has a last axis");
    let w = row_major(b, layout, w)?;
    let all = if b.sizes(x).len() == 2 {
        let all = b.dot((x, w), (&[], &[]), (1, 1))?;
        b.reshape(all, [tokens, experts, padded])?
    } else {
        let own = rows_of_experts(b, experts, x, ids)?;
        let w = b.reshape(w, [experts, padded, columns])?;
        let all = b.dot((own, w), (&[1], &[0]), (2, 2))?;
        b.transpose(all, [1, 0, 2])?
    };
    let all = b.slice(all, 2, 0, rows)?;
    let all = b.reshape(all, [tokens * experts, rows])?;
    let places = row_begins(b, ids, experts)?;
    let places = b.binary(Binary::Add, places, ids)?;
    b.take(all, places)
}

/// One product with as many batches as heads.
pub(super) fn head_linear(
    b: &mut Builder,
    layout: Layout,
    rows: usize,
    x: ValueId,
    w: ValueId,
) -> Added {
    let [_, heads, columns] = b.extents(x);
    let padded = rows.next_multiple_of(layout.tile_rows());
    let x = b.convert(b.dtype(w), x)?;
    let w = row_major(b, layout, w)?;
    let w = b.reshape(w, [heads, padded, columns])?;
    let all = b.dot((x, w), (&[1], &[0]), (2, 2))?;
    let all = b.transpose(all, [1, 0, 2])?;
    b.slice(all, 2, 0, rows)
}

/// `[T, k, K]` as `[T, E, K]`: the row of each token for each expert. An expert that a token did
/// not choose gets its first row; nobody reads that product.
fn rows_of_experts(b: &mut Builder, experts: usize, x: ValueId, ids: ValueId) -> Added {
    let [tokens, k, columns] = b.extents(x);
    let shape = [tokens, experts, k];
    let each = b.add(Op::Iota { ty: TensorType::new(DType::I32, shape), axis: 1 }, &[])?;
    let ids = b.broadcast(ids, shape, [0, 2])?;
    let chosen = b.compare(Comparison::Eq, each, ids)?;
    // Only floats can be reduced; k is below 2^24.
    let order = b.add(Op::Iota { ty: TensorType::new(DType::F32, shape), axis: 2 }, &[])?;
    let first = b.splat_like(0.0, order)?;
    let order = b.select(chosen, order, first)?;
    let order = b.reduce_rows(Reduction::Max, order)?;
    let order = b.convert(DType::I32, order)?;
    let places = row_begins(b, order, k)?;
    let places = b.binary(Binary::Add, places, order)?;
    let rows = b.reshape(x, [tokens * k, columns])?;
    b.take(rows, places)
}

/// For each element of `ids`, of rank 2, the index of its row times `size`.
fn row_begins(b: &mut Builder, ids: ValueId, size: usize) -> Added {
    let ty = TensorType::new(DType::I32, b.sizes(ids));
    let rows = b.add(Op::Iota { ty, axis: 0 }, &[])?;
    b.binary_with(Binary::Multiply, rows, size as f64)
}

/// The sum over k of products.
pub(super) fn weighted_sum(b: &mut Builder, x: ValueId, weights: ValueId) -> Added {
    let weights = b.broadcast(weights, b.sizes(x), [0, 1])?;
    let terms = b.binary(Binary::Multiply, x, weights)?;
    b.add(Op::Reduce { reduction: Reduction::Sum, axis: 1 }, &[terms])
}
