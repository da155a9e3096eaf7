//! Projections, embeddings, normalization and rotary embedding by their definitions.

use super::error::{Failure, in_range};
use super::indexed::inner_product;
use super::rounding::round;
use super::tensor::Tensor;
use crate::blocks::BlockLayout;
use crate::dtype::{DType, Layout};
use crate::op::{RopeScaling, RopeTable};

/// The elements of row `row` of a matrix of `columns` in `layout`.
pub(super) fn matrix_row(layout: Layout, w: &Tensor, row: usize, columns: usize) -> Vec<f32> {
    match layout {
        Layout::RowMajor => w.f()[row * columns..][..columns].to_vec(),
        Layout::Tiled { n, k } => (0..columns)
            .map(|column| {
                let tile = row / n * (columns / k) + column / k;
                w.f()[(tile * n + row % n) * k + column % k]
            })
            .collect(),
        Layout::Blocks(blocks) => blocks_row(blocks, w, row, columns),
    }
}

/// The values of a row of a matrix in blocks.
fn blocks_row(blocks: BlockLayout, w: &Tensor, row: usize, columns: usize) -> Vec<f32> {
    let bytes = blocks.band_bytes(columns);
    let band = &w.i()[row / BlockLayout::ROWS * bytes..][..bytes];
    blocks.decode_row(|at| band[at] as u8, row % BlockLayout::ROWS, columns)
}

/// The left operand of a product with `w`: rounded to its element type, but for blocks.
pub(super) fn like_weight(layout: Layout, w: &Tensor, x: &Tensor) -> Vec<f32> {
    let rounded = |value: &f32| match layout {
        Layout::Blocks(_) => *value,
        _ => round(w.dtype(), (*value).into()),
    };
    x.f().iter().map(rounded).collect()
}

pub(super) fn linear(layout: Layout, rows: usize, x: &Tensor, w: &Tensor) -> Tensor {
    let [tokens, columns] = x.extents();
    let x = like_weight(layout, w, x);
    let mut y = vec![0.0; tokens * rows];
    for row in 0..rows {
        let weights = matrix_row(layout, w, row, columns);
        for token in 0..tokens {
            y[token * rows + row] = inner_product(&x[token * columns..][..columns], &weights);
        }
    }
    Tensor::rounded(DType::F32, &[tokens, rows], y)
}

pub(super) fn embedding(
    layout: Layout,
    rows: usize,
    w: &Tensor,
    ids: &Tensor,
) -> Result<Tensor, Failure> {
    let columns = layout.columns(w.shape()).expect("embedding_c1: the table is stored in layout");
    let mut values = Vec::new();
    for id in ids.i() {
        values.extend(matrix_row(layout, w, in_range(*id, rows)?, columns));
    }
    let shape = [ids.i().len(), columns];
    Ok(Tensor::rounded(DType::F32, &shape, values.into_iter().map(f64::from)))
}

pub(super) fn rms_norm(epsilon: f32, offset: f32, x: &Tensor, w: &Tensor) -> Tensor {
    let [size] = w.extents();
    let scaled = x.f().chunks(size.max(1)).flat_map(|row| {
        let mean = inner_product(row, row) / size as f64;
        let root = (mean + f64::from(epsilon)).sqrt();
        row.iter().zip(w.f()).map(move |(value, weight)| {
            f64::from(*value) / root * (f64::from(*weight) + f64::from(offset))
        })
    });
    Tensor::rounded(DType::F32, x.shape(), scaled)
}

pub(super) fn layer_norm(epsilon: f32, offset: f32, x: &Tensor, w: &Tensor) -> Tensor {
    let [size] = w.extents();
    let scaled = x.f().chunks(size.max(1)).flat_map(|row| {
        let mean = row.iter().map(|value| f64::from(*value)).sum::<f64>() / size as f64;
        let squares = row.iter().map(|value| (f64::from(*value) - mean).powi(2));
        let root = (squares.sum::<f64>() / size as f64 + f64::from(epsilon)).sqrt();
        row.iter().zip(w.f()).map(move |(value, weight)| {
            (f64::from(*value) - mean) / root * (f64::from(*weight) + f64::from(offset))
        })
    });
    Tensor::rounded(DType::F32, x.shape(), scaled)
}

pub(super) fn rope_angles(
    table: &RopeTable,
    positions: &Tensor,
    lengths: Option<&Tensor>,
) -> Tensor {
    let [tokens] = positions.extents();
    let mut angles = Vec::new();
    for (token, position) in positions.i().iter().enumerate() {
        let length = lengths.map_or(0, |lengths| lengths.i()[token]);
        // The product is f32, as transformers has it: far positions feel the rounding.
        let position = *position as f32;
        angles.extend(frequencies_at(table, length).iter().map(|each| f64::from(position * each)));
    }
    let amplitude = f64::from(table.amplitude);
    let cosines = angles.iter().map(|angle| angle.cos() * amplitude);
    let sines = angles.iter().map(|angle| angle.sin() * amplitude);
    let shape = [2, tokens, table.inverse_frequencies.len()];
    Tensor::rounded(DType::F32, &shape, cosines.chain(sines))
}

/// The inverse frequencies for a sequence of `length` tokens.
fn frequencies_at(table: &RopeTable, length: i64) -> Vec<f32> {
    let beyond = |boundary: usize| length > 0 && length as u64 > boundary as u64;
    match &table.scaling {
        RopeScaling::LongBeyond { boundary, long } if beyond(*boundary) => long.clone(),
        RopeScaling::DynamicNtk { base, factor, boundary } if beyond(*boundary) => {
            let pairs = table.inverse_frequencies.len();
            let width = 2.0 * pairs as f64;
            let growth = factor * length as f64 / *boundary as f64 - (factor - 1.0);
            let base = base * growth.powf(width / (width - 2.0));
            (0..pairs).map(|pair| base.powf(-2.0 * pair as f64 / width) as f32).collect()
        }
        _ => table.inverse_frequencies.clone(),
    }
}

pub(super) fn rope(x: &Tensor, angles: &Tensor) -> Tensor {
    let [tokens, heads, width] = x.extents();
    let [_, _, pairs] = angles.extents();
    let (cosines, sines) = angles.f().split_at(tokens * pairs);
    let mut rotated: Vec<f64> = x.f().iter().map(|value| f64::from(*value)).collect();
    for token in 0..tokens {
        for head in 0..heads {
            let vector = &mut rotated[(token * heads + head) * width..][..width];
            for pair in 0..pairs {
                let cosine = f64::from(cosines[token * pairs + pair]);
                let sine = f64::from(sines[token * pairs + pair]);
                let (first, second) = (vector[pair], vector[pair + pairs]);
                vector[pair] = first * cosine - second * sine;
                vector[pair + pairs] = second * cosine + first * sine;
            }
        }
    }
    Tensor::rounded(DType::F32, x.shape(), rotated)
}
