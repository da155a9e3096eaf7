//! Mixtures of experts by their definitions.

use super::composite::{like_weight, matrix_row};
use super::error::{Failure, in_range};
use super::indexed::inner_product;
use super::tensor::Tensor;
use crate::dtype::{DType, Layout};
use crate::op::Groups;

pub(super) fn top_k(k: usize, groups: Option<Groups>, scores: &Tensor) -> Tensor {
    let [rows, columns] = scores.extents();
    let order = |row: &[f32]| {
        let left = match groups {
            None => (0..columns).collect(),
            Some(groups) => in_best_groups(row, groups),
        };
        largest(row, left, k)
    };
    let ids = scores.f().chunks(columns.max(1)).flat_map(order);
    Tensor::wrapped(DType::I32, &[rows, k], ids.map(|id| id as i64))
}

/// The ids of the largest `k` among `ids`, which are rising.
fn largest(row: &[f32], mut ids: Vec<usize>, k: usize) -> Vec<usize> {
    let key = |id: &usize| if row[*id].is_nan() { f32::INFINITY } else { row[*id] };
    // Stable, so that of equal scores the first comes first; -0 equals 0.
    ids.sort_by(|a, b| key(b).partial_cmp(&key(a)).expect("no key is NaN"));
    ids.truncate(k);
    ids
}

/// The ids of all members of the best groups, rising.
fn in_best_groups(row: &[f32], Groups { count, kept, best }: Groups) -> Vec<usize> {
    let size = row.len() / count;
    let sum = |group: usize| {
        let members = (group * size..(group + 1) * size).collect();
        let number = |id: usize| if row[id].is_nan() { f32::INFINITY } else { row[id] };
        largest(row, members, best).into_iter().map(number).fold(0.0f32, |sum, x| sum + x)
    };
    let sums: Vec<f32> = (0..count).map(sum).collect();
    let groups = largest(&sums, (0..count).collect(), kept);
    (0..row.len()).filter(|id| groups.contains(&(id / size))).collect()
}

pub(super) fn take_along(x: &Tensor, ids: &Tensor) -> Result<Tensor, Failure> {
    let [_, columns] = x.extents();
    let [_, k] = ids.extents();
    let places: Result<Vec<usize>, Failure> = (ids.i().iter().enumerate())
        .map(|(at, id)| Ok(at / k * columns + in_range(*id, columns)?))
        .collect();
    Ok(x.picked(ids.shape(), places?.into_iter()))
}

pub(super) fn expert_linear(
    layout: Layout,
    [experts, rows]: [usize; 2],
    x: &Tensor,
    w: &Tensor,
    ids: &Tensor,
) -> Result<Tensor, Failure> {
    let [tokens, k] = ids.extents();
    let columns = x.shape().last().copied().expect("expert_linear_c1: x has a last axis");
    let padded = rows.next_multiple_of(layout.tile_rows());
    // Rows of x that one token has.
    let own = if x.shape().len() == 3 { k } else { 1 };
    let values = like_weight(layout, w, x);
    let mut y = vec![0.0; tokens * k * rows];
    for (at, id) in ids.i().iter().enumerate() {
        let expert = in_range(*id, experts)?;
        let row = at / k * own + at % own;
        let x = &values[row * columns..][..columns];
        for (row, y) in y[at * rows..][..rows].iter_mut().enumerate() {
            *y = inner_product(x, &matrix_row(layout, w, expert * padded + row, columns));
        }
    }
    Ok(Tensor::rounded(DType::F32, &[tokens, k, rows], y))
}

pub(super) fn head_linear(layout: Layout, rows: usize, x: &Tensor, w: &Tensor) -> Tensor {
    let [tokens, heads, columns] = x.extents();
    let padded = rows.next_multiple_of(layout.tile_rows());
    let values = like_weight(layout, w, x);
    let mut y = vec![0.0; tokens * heads * rows];
    for head in 0..heads {
        for row in 0..rows {
            let matrix_row = matrix_row(layout, w, head * padded + row, columns);
            for at in (head..tokens * heads).step_by(heads) {
                let x = &values[at * columns..][..columns];
                y[at * rows + row] = inner_product(x, &matrix_row);
            }
        }
    }
    Tensor::rounded(DType::F32, &[tokens, heads, rows], y)
}

pub(super) fn weighted_sum(x: &Tensor, weights: &Tensor) -> Tensor {
    let [tokens, k, columns] = x.extents();
    let sums = (0..tokens * columns).map(|at| {
        let (token, column) = (at / columns, at % columns);
        let term = |each: usize| {
            let row = token * k + each;
            f64::from(weights.f()[row]) * f64::from(x.f()[row * columns + column])
        };
        (0..k).map(term).sum::<f64>()
    });
    Tensor::rounded(DType::F32, &[tokens, columns], sums)
}
