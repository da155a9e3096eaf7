//! The shape rules of mixtures of experts.

use super::{Rule, fixed, matrix, require, sizes};
use crate::dtype::{DType, Layout};
use crate::graph::TensorType;
use crate::op::Groups;

pub(super) fn top_k(k: usize, groups: Option<Groups>, scores: &TensorType) -> Rule {
    let [rows, columns] = f32_matrix(scores, "top_k_c1")?;
    require((1..=columns).contains(&k), "top_k_c2", || format!("{k} of {columns}"))?;
    if let Some(groups) = groups {
        let Groups { count, kept, best } = groups;
        let fits = count > 0
            && columns.is_multiple_of(count)
            && (1..=count).contains(&kept)
            && (1..=columns / count).contains(&best)
            && k <= kept * (columns / count);
        require(fits, "top_k_c3", || format!("{k} of {columns} in {groups:?}"))?;
    }
    Ok(TensorType::new(DType::I32, [rows, k]))
}

pub(super) fn take_along(x: &TensorType, ids: &TensorType) -> Rule {
    let [rows, _] = f32_matrix(x, "take_along_c1")?;
    let k = ids_of(ids, rows, "take_along_c2")?;
    Ok(TensorType::new(DType::F32, [rows, k]))
}

pub(super) fn expert_linear(
    layout: Layout,
    [experts, rows]: [usize; 2],
    x: &TensorType,
    w: &TensorType,
    ids: &TensorType,
) -> Rule {
    let [c1, c2, c3] = ["expert_linear_c1", "expert_linear_c2", "expert_linear_c3"];
    require(x.dtype == DType::F32, c1, || "x is not f32".into())?;
    let shape = sizes(x, c1)?;
    let tokens = shape.first().copied().unwrap_or(0);
    let k = ids_of(ids, tokens, "expert_linear_c5")?;
    let columns = match shape[..] {
        [_, columns] => columns,
        [_, each, columns] if each == k => columns,
        _ => return Err((c1, format!("{x} is not of rank 2, nor of {k} rows a token"))),
    };
    matrix::known_blocks(layout, "expert_linear_c4")?;
    let padded = rows.checked_next_multiple_of(layout.tile_rows());
    let all = padded.and_then(|rows| rows.checked_mul(experts));
    let all = all.ok_or_else(|| (c3, format!("{experts} experts of {rows} rows")))?;
    matrix::matrix(layout, all, columns, w, [c2, c3])?;
    Ok(TensorType::new(DType::F32, [tokens, k, rows]))
}

pub(super) fn head_linear(layout: Layout, rows: usize, x: &TensorType, w: &TensorType) -> Rule {
    let [c1, c2, c3] = ["head_linear_c1", "head_linear_c2", "head_linear_c3"];
    require(x.dtype == DType::F32, c1, || "x is not f32".into())?;
    let [tokens, heads, columns] = fixed::<3>(x, c1)?;
    matrix::known_blocks(layout, "head_linear_c4")?;
    let padded = rows.checked_next_multiple_of(layout.tile_rows());
    let all = padded.and_then(|rows| rows.checked_mul(heads));
    let all = all.ok_or_else(|| (c3, format!("{heads} heads of {rows} rows")))?;
    matrix::matrix(layout, all, columns, w, [c2, c3])?;
    Ok(TensorType::new(DType::F32, [tokens, heads, rows]))
}

pub(super) fn weighted_sum(x: &TensorType, weights: &TensorType) -> Rule {
    let [rows, k, columns] = fixed::<3>(x, "weighted_sum_c1")?;
    require(x.dtype == DType::F32, "weighted_sum_c1", || "x is not f32".into())?;
    let fits = *weights == TensorType::new(DType::F32, [rows, k]);
    require(fits, "weighted_sum_c2", || format!("weights are not f32[{rows}, {k}]"))?;
    Ok(TensorType::new(DType::F32, [rows, columns]))
}

fn f32_matrix(x: &TensorType, label: &'static str) -> Result<[usize; 2], (&'static str, String)> {
    require(x.dtype == DType::F32, label, || format!("{x} is not f32"))?;
    fixed::<2>(x, label)
}

/// How many ids each of the `rows` rows has.
fn ids_of(
    ids: &TensorType,
    rows: usize,
    label: &'static str,
) -> Result<usize, (&'static str, String)> {
    let [found, k] = fixed::<2>(ids, label)?;
    let fits = found == rows && ids.dtype == DType::I32;
    require(fits, label, || format!("ids are not i32 of {rows} rows"))?;
    Ok(k)
}
