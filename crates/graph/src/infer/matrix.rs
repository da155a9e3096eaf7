//! The shape rules of matrices that stand in a layout.

use super::{Rule, fixed, require, sizes};
use crate::dtype::{DType, Layout};
use crate::graph::TensorType;

pub(super) fn linear(layout: Layout, rows: usize, x: &TensorType, w: &TensorType) -> Rule {
    let [tokens, columns] = fixed::<2>(x, "linear_c1")?;
    require(x.dtype == DType::F32, "linear_c1", || "x is not f32".into())?;
    known_blocks(layout, "linear_c4")?;
    matrix(layout, rows, columns, w, ["linear_c2", "linear_c3"])?;
    Ok(TensorType::new(DType::F32, [tokens, rows]))
}

pub(super) fn embedding(layout: Layout, rows: usize, w: &TensorType, ids: &TensorType) -> Rule {
    let [tokens] = fixed::<1>(ids, "embedding_c2")?;
    require(ids.dtype == DType::I32, "embedding_c2", || "ids are not i32".into())?;
    known_blocks(layout, "embedding_c3")?;
    let stored = sizes(w, "embedding_c1")?;
    let columns = layout.columns(&stored);
    let columns =
        columns.ok_or_else(|| ("embedding_c1", format!("{w} is not a {layout} matrix")))?;
    matrix(layout, rows, columns, w, ["embedding_c1"; 2])?;
    Ok(TensorType::new(DType::F32, [tokens, columns]))
}

/// linear_c4, embedding_c3.
pub(super) fn known_blocks(
    layout: Layout,
    label: &'static str,
) -> Result<(), (&'static str, String)> {
    let known = !matches!(layout, Layout::Blocks(blocks) if !blocks.is_known());
    require(known, label, || {
        format!("found {layout}, expected a combination that BlockLayout::is_known names")
    })
}

/// linear_c2, linear_c3, embedding_c1: a matrix of `rows` by `columns` in `layout`, of floats
/// or, in blocks, of bytes. The first label is for all but the rows, the second for the rows.
pub(super) fn matrix(
    layout: Layout,
    rows: usize,
    columns: usize,
    w: &TensorType,
    labels: [&'static str; 2],
) -> Result<(), (&'static str, String)> {
    let found = sizes(w, labels[0])?;
    let (elements, element_fits) = match layout {
        Layout::Blocks(_) => ("byte", w.dtype == DType::U8),
        _ => ("float", w.dtype.is_float()),
    };
    let message = || format!("weight is not a {elements} [{rows}, {columns}] {layout}");
    let stored = layout.stored_shape(rows, columns).ok_or_else(|| (labels[0], message()))?;
    let columns_fit = found.len() == stored.len() && found[1..] == stored[1..];
    require(element_fits && columns_fit, labels[0], message)?;
    require(found[0] == stored[0], labels[1], message)
}
