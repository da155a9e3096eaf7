//! Matrices of 8-bit floats and of codes under scales of several spans, which some methods share.

use super::tensors::{Tensors, place};
use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, PackedMode, Place};
use crate::quantized::{CodeOrder, Factor, Grid, Offset, Quantized};
use crate::tensor::Entry;

/// The types of scales that are numbers.
pub(super) const FLOATS: &[StoredType] = &[StoredType::F32, StoredType::Bf16, StoredType::F16];

/// What stands under one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// The whole matrix.
    Tensor,
    /// A row.
    Row,
    /// Some columns of a row.
    Columns(usize),
    /// Some rows of some columns.
    Block([usize; 2]),
}

impl Span {
    /// Rows and columns under one scale of a matrix.
    pub(super) fn of(self, [rows, columns]: [usize; 2]) -> [usize; 2] {
        match self {
            Span::Tensor => [rows.max(1), columns.max(1)],
            Span::Row => [1, columns.max(1)],
            Span::Columns(group) => [1, group],
            Span::Block(block) => block,
        }
    }

    /// The shapes that its scales may be stored in.
    pub(super) fn shapes(self, [rows, columns]: [usize; 2]) -> Vec<Vec<usize>> {
        match self {
            Span::Tensor => vec![vec![1], vec![], vec![1, 1]],
            Span::Row => vec![vec![rows, 1], vec![rows]],
            Span::Columns(group) => vec![vec![rows, columns.div_ceil(group)]],
            Span::Block([of_rows, of_columns]) => {
                vec![vec![rows.div_ceil(of_rows), columns.div_ceil(of_columns)]]
            }
        }
    }

    /// Columns under one scale as reports say them; 0 for whole rows.
    pub(super) fn group(self) -> u16 {
        match self {
            Span::Tensor | Span::Row => 0,
            Span::Columns(group) | Span::Block([_, group]) => u16::try_from(group).unwrap_or(0),
        }
    }

    /// The scales as a grid.
    pub(super) fn grid(self, scales: &Entry, shape: [usize; 2]) -> Grid<Place> {
        let [rows, columns] = self.of(shape);
        Grid { numbers: place(scales), dtype: scales.dtype, rows, columns, transposed: false }
    }
}

/// The rows and columns of a matrix.
pub(super) fn matrix(tensors: &Tensors<'_>, entry: &Entry) -> Result<[usize; 2], Error> {
    match entry.shape[..] {
        [rows, columns] => Ok([rows, columns]),
        _ => Err(tensors.wrong(entry, "a matrix".into())),
    }
}

/// Refuses scales of another type or shape than the span has.
pub(super) fn expect_scales(
    tensors: &Tensors<'_>,
    scales: &Entry,
    types: &[StoredType],
    span: Span,
    shape: [usize; 2],
) -> Result<(), Error> {
    let shapes = span.shapes(shape);
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    tensors.expect(scales, types, &shapes)
}

/// Joins the codes of a module, F8_E4M3 `[rows, columns]`, with its scales.
pub(super) fn join_fp8(
    tensors: &mut Tensors<'_>,
    module: &str,
    scales: &Entry,
    span: Span,
) -> Result<(), Error> {
    let name = format!("{module}.weight");
    let codes = tensors.required(&name, &[])?;
    let shape = matrix(tensors, &codes)?;
    tensors.expect(&codes, &[StoredType::F8E4M3], &[&shape])?;
    let mut types = FLOATS.to_vec();
    if !matches!(span, Span::Tensor | Span::Row) {
        types.extend([StoredType::F8E8M0, StoredType::U8]);
    }
    expect_scales(tensors, scales, &types, span, shape)?;
    let [rows, columns] = span.of(shape);
    let mut grid = span.grid(scales, shape);
    // Bytes without a type are powers of two.
    if grid.dtype == StoredType::U8 {
        grid.dtype = StoredType::F8E8M0;
    }
    let (scales, factor) = if columns >= shape[1] && grid.dtype != StoredType::F8E8M0 {
        let Grid { numbers, dtype, .. } = grid;
        (None, Some(Factor { numbers, dtype, rows, divides: false }))
    } else {
        (Some(grid), None)
    };
    let quantized = Quantized {
        code: CodeType::E4M3,
        order: CodeOrder::Rows,
        scales,
        offset: Offset::None,
        factor,
        index: None,
    };
    let packed = Packed { mode: PackedMode::Fp8, bits: 8, group: span.group() };
    tensors.put(codes, name, shape.to_vec(), packed, quantized)
}

/// Joins codes of 4-bit floats, U8 `[rows, columns / 2]` with the first of two in the low half, with
/// E4M3 scales of 16 columns and an F32 factor of the whole matrix.
pub(super) fn join_nvfp4(
    tensors: &mut Tensors<'_>,
    module: &str,
    codes: Entry,
    scales: &Entry,
    factor: &Entry,
    divides: bool,
) -> Result<(), Error> {
    let shape = float4_shape(tensors, &codes, 16)?;
    let span = Span::Columns(16);
    expect_scales(tensors, scales, &[StoredType::F8E4M3], span, shape)?;
    tensors.expect(factor, &[StoredType::F32], &[&[1], &[]])?;
    let factor =
        Factor { numbers: place(factor), dtype: StoredType::F32, rows: shape[0].max(1), divides };
    let quantized = Quantized {
        code: CodeType::E2M1,
        order: CodeOrder::Rows,
        scales: Some(span.grid(scales, shape)),
        offset: Offset::None,
        factor: Some(factor),
        index: None,
    };
    let packed = Packed { mode: PackedMode::Nvfp4, bits: 4, group: 16 };
    tensors.put(codes, format!("{module}.weight"), shape.to_vec(), packed, quantized)
}

/// The shape of a matrix of 4-bit floats, from that of its bytes; rows fill groups.
pub(super) fn float4_shape(
    tensors: &Tensors<'_>,
    codes: &Entry,
    group: usize,
) -> Result<[usize; 2], Error> {
    let columns = match codes.shape[..] {
        [_, bytes] if codes.dtype == StoredType::U8 => bytes.checked_mul(2),
        _ => None,
    };
    match columns.filter(|columns| columns.is_multiple_of(group)) {
        Some(columns) => Ok([codes.shape[0], columns]),
        None => {
            let expected = format!("U8 [rows, columns / 2] with columns in groups of {group}");
            Err(tensors.wrong(codes, expected))
        }
    }
}
