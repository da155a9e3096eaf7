//! Projections, embeddings and normalization.

use super::builder::{Added, Builder};
use crate::dtype::{DType, Layout};
use crate::graph::ValueId;
use crate::op::{Binary, Reduction, Unary};

/// `y = x wᵀ`, with `x` in the weight's element type and f32 sums.
pub(super) fn linear(
    b: &mut Builder,
    layout: Layout,
    rows: usize,
    x: ValueId,
    w: ValueId,
) -> Added {
    let x = b.convert(b.dtype(w), x)?;
    let w = row_major(b, layout, w)?;
    let padded = b.dot((x, w), (&[], &[]), (1, 1))?;
    b.slice(padded, 1, 0, rows)
}

/// Rows of a table, in f32.
pub(super) fn embedding(b: &mut Builder, layout: Layout, w: ValueId, ids: ValueId) -> Added {
    let w = row_major(b, layout, w)?;
    let rows = b.take(w, ids)?;
    b.convert(DType::F32, rows)
}

/// The matrix row after row; padding rows stay.
pub(super) fn row_major(b: &mut Builder, layout: Layout, w: ValueId) -> Added {
    match layout {
        Layout::RowMajor => Ok(w),
        Layout::Tiled { .. } => {
            let [row_tiles, column_tiles, n, k] = b.extents(w);
            let w = b.transpose(w, [0, 2, 1, 3])?;
            b.reshape(w, [row_tiles * n, column_tiles * k])
        }
        Layout::Blocks(_) => unreachable!("decompose has refused blocks"),
    }
}

/// `x / sqrt(mean(x²) + epsilon) * (w + offset)`.
pub(super) fn rms_norm(
    b: &mut Builder,
    epsilon: f32,
    offset: f32,
    x: ValueId,
    w: ValueId,
) -> Added {
    let squares = b.binary(Binary::Multiply, x, x)?;
    let mean = row_mean(b, squares)?;
    let mean = b.binary_with(Binary::Add, mean, epsilon.into())?;
    let scale = b.unary(Unary::Rsqrt, mean)?;
    let scale = b.broadcast_rows(scale, x)?;
    let normal = b.binary(Binary::Multiply, x, scale)?;
    let mut w = b.convert(DType::F32, w)?;
    if offset != 0.0 {
        w = b.binary_with(Binary::Add, w, offset.into())?;
    }
    let shape = b.sizes(x);
    let last = shape.len() - 1;
    let w = b.broadcast(w, shape, [last])?;
    b.binary(Binary::Multiply, normal, w)
}

/// The RMS norm of what is left of `x` without its mean.
pub(super) fn layer_norm(
    b: &mut Builder,
    epsilon: f32,
    offset: f32,
    x: ValueId,
    w: ValueId,
) -> Added {
    let mean = row_mean(b, x)?;
    let mean = b.broadcast_rows(mean, x)?;
    let centred = b.binary(Binary::Subtract, x, mean)?;
    rms_norm(b, epsilon, offset, centred, w)
}

/// The mean over the last axis, which is dropped.
fn row_mean(b: &mut Builder, x: ValueId) -> Added {
    let size = b.sizes(x).last().copied().unwrap_or(1);
    let sum = b.reduce_rows(Reduction::Sum, x)?;
    b.binary_with(Binary::Divide, sum, size as f64)
}
