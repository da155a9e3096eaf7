//! What a weight of a graph is in the checkpoint, and its bytes.

mod blocks;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use tyto_checkpoint::Checkpoint;
use tyto_graph::{BlockLayout, DType, Layout};

use crate::config::sizes_text;
use crate::error::Error;
use crate::quantize::{Loss, Quantization};

pub use blocks::block_layout;

/// A weight of a graph. All steps of a model have the same weights under the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightUse {
    /// The name in [`tyto_graph::Op::Weight`].
    pub name: Arc<str>,
    /// `[rows, columns]`, or `[size]`, before any layout.
    pub shape: Vec<usize>,
    /// Element type of the stored bytes.
    pub dtype: DType,
    /// How a matrix stands in memory.
    pub layout: Layout,
    /// The checkpoint's tensors that make it, one below the other.
    pub parts: Vec<Part>,
}

/// A tensor of the checkpoint, or some of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The checkpoint's name.
    pub tensor: String,
    /// The shape that the checkpoint must have for it.
    pub shape: Vec<usize>,
    /// Which rows; all where `None`.
    pub rows: Option<Range<usize>>,
    /// What puts it into the weight's blocks; `None` where the checkpoint has it in those, and
    /// for other layouts.
    pub quantize: Option<Quantization>,
}

impl WeightUse {
    /// Bytes that [`materialize`] gives: rows padded to whole tiles.
    pub fn bytes(&self) -> usize {
        let elements: usize = match (self.layout, &self.shape[..]) {
            (Layout::Tiled { n, .. }, [rows, columns]) => rows.next_multiple_of(n) * columns,
            (Layout::Blocks(blocks), [rows, columns]) => {
                rows.div_ceil(BlockLayout::ROWS) * blocks.band_bytes(*columns)
            }
            (_, shape) => shape.iter().product(),
        };
        elements * self.dtype.bytes()
    }
}

impl Part {
    /// How many rows it gives.
    pub fn row_count(&self) -> usize {
        self.rows.as_ref().map_or(self.shape[0], Range::len)
    }
}

/// A weight's bytes, and what was lost on the way to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Materialized {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// One for each part that was quantized, in their order.
    pub losses: Vec<Loss>,
}

/// The bytes of a weight, little-endian: parts converted, put one below the other, and tiled,
/// with zeros in the rows that pad the last tile. In blocks, parts keep the codes and scales
/// that the checkpoint has, or are quantized.
///
/// Holds one part beside the result where the result is neither the part itself nor in blocks.
///
/// Errors: a tensor that is absent, has another shape, or holds no numbers; a dtype that no
/// checkpoint converts to; blocks of another kind than the checkpoint's; values that cannot be
/// quantized.
pub fn materialize(checkpoint: &Checkpoint, weight: &WeightUse) -> Result<Vec<u8>, Error> {
    Ok(materialize_measured(checkpoint, weight)?.bytes)
}

/// As [`materialize`], with the errors of what was quantized.
pub fn materialize_measured(
    checkpoint: &Checkpoint,
    weight: &WeightUse,
) -> Result<Materialized, Error> {
    let mut losses = Vec::new();
    let mut out = vec![0; weight.bytes()];
    let row_bytes = weight.bytes() / stored_rows(weight);
    let mut row = 0;
    for part in &weight.parts {
        let rows = part.row_count();
        let whole = part.rows.is_none();
        let end = ((row + rows) * row_bytes).min(out.len());
        match weight.layout {
            Layout::RowMajor if whole => {
                write_part(checkpoint, weight, part, &mut out[row * row_bytes..end])?;
            }
            Layout::RowMajor => {
                let bytes = part_bytes(checkpoint, weight, part)?;
                out[row * row_bytes..end].copy_from_slice(&bytes);
            }
            Layout::Blocks(layout) => {
                aligned(weight, part, row, BlockLayout::ROWS)?;
                let end = (row + rows).next_multiple_of(BlockLayout::ROWS) * row_bytes;
                let end = end.min(out.len());
                let tensor = expect(checkpoint, part)?;
                let out = &mut out[row * row_bytes..end];
                losses.extend(blocks::write(weight, tensor, layout, part, out)?);
            }
            Layout::Tiled { n, k } => {
                aligned(weight, part, row, n)?;
                let bytes = part_bytes(checkpoint, weight, part)?;
                let end = ((row + rows).next_multiple_of(n) * row_bytes).min(out.len());
                let k_bytes = k * weight.dtype.bytes();
                tile(&bytes, row_bytes, n, k_bytes, &mut out[row * row_bytes..end]);
            }
        }
        row += rows;
    }
    Ok(Materialized { bytes: out, losses })
}

/// Checks that a part is in the checkpoint with its shape and holds numbers.
pub fn check_part(checkpoint: &Checkpoint, part: &Part) -> Result<(), Error> {
    let tensor = expect(checkpoint, part)?;
    if tensor.dtype.is_float() {
        return Ok(());
    }
    Err(Error::Checkpoint(tyto_checkpoint::Error::NotFloat {
        file: tensor.file.into(),
        tensor: part.tensor.clone(),
        found: tensor.dtype.name(),
    }))
}

fn expect<'a>(
    checkpoint: &'a Checkpoint,
    part: &Part,
) -> Result<tyto_checkpoint::Tensor<'a>, Error> {
    checkpoint.expect_tensor(&part.tensor, &part.shape).map_err(|source| Error::Tensor {
        source: Box::new(source),
        file: checkpoint.config_file(),
        sizes: sizes_text(checkpoint.config()),
    })
}

fn stored_rows(weight: &WeightUse) -> usize {
    match weight.layout {
        Layout::Tiled { n, .. } => weight.shape[0].next_multiple_of(n),
        Layout::Blocks(_) => weight.shape[0].next_multiple_of(BlockLayout::ROWS),
        Layout::RowMajor => weight.shape[0],
    }
}

/// The bytes of a part's rows, row after row.
fn part_bytes(checkpoint: &Checkpoint, weight: &WeightUse, part: &Part) -> Result<Vec<u8>, Error> {
    let elements: usize = part.shape.iter().product();
    let mut bytes = vec![0; elements * weight.dtype.bytes()];
    write_part(checkpoint, weight, part, &mut bytes)?;
    let Some(rows) = &part.rows else { return Ok(bytes) };
    let row_bytes = bytes.len() / part.shape[0];
    bytes.truncate(rows.end * row_bytes);
    bytes.drain(..rows.start * row_bytes);
    Ok(bytes)
}

fn write_part(
    checkpoint: &Checkpoint,
    weight: &WeightUse,
    part: &Part,
    out: &mut [u8],
) -> Result<(), Error> {
    let dtype = match weight.dtype {
        DType::F32 => tyto_checkpoint::DType::F32,
        DType::F16 => tyto_checkpoint::DType::F16,
        DType::BF16 => tyto_checkpoint::DType::Bf16,
        other => {
            return Err(Error::Weight {
                weight: weight.name.to_string(),
                found: format!("element type {other}"),
                expected: "f32, f16 or bf16".into(),
            });
        }
    };
    expect(checkpoint, part)?.write_as(dtype, out)?;
    Ok(())
}

/// Rows of `row_bytes` into tiles of `n` rows by `k_bytes`; `out` is zero.
fn tile(rows: &[u8], row_bytes: usize, n: usize, k_bytes: usize, out: &mut [u8]) {
    let band = n * row_bytes;
    out.par_chunks_mut(band).zip(rows.par_chunks(band)).for_each(|(out, rows)| {
        for (row, values) in rows.chunks_exact(row_bytes).enumerate() {
            for (column, values) in values.chunks_exact(k_bytes).enumerate() {
                let at = (column * n + row) * k_bytes;
                out[at..at + k_bytes].copy_from_slice(values);
            }
        }
    });
}

/// A part must begin with a tile of `n` rows.
fn aligned(weight: &WeightUse, part: &Part, row: usize, n: usize) -> Result<(), Error> {
    if row.is_multiple_of(n) {
        return Ok(());
    }
    Err(Error::Weight {
        weight: weight.name.to_string(),
        found: format!("part {:?} begins at row {row}", part.tensor),
        expected: format!("a multiple of the tile's {n} rows"),
    })
}
