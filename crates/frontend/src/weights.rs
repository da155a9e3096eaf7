//! What a weight of a graph is in the checkpoint, and its bytes.

mod blocks;
mod rows;

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
    /// `[rows, columns]`, or `[size]`, before any layout. The rows of a stack of matrices count
    /// the padding between them.
    pub shape: Vec<usize>,
    /// Element type of the stored bytes.
    pub dtype: DType,
    /// How a matrix stands in memory.
    pub layout: Layout,
    /// The checkpoint's tensors that make it, one below the other, each from the first row of a
    /// tile: rows that pad the tile before it are zero.
    pub parts: Vec<Part>,
}

/// A tensor of the checkpoint, or some of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The checkpoint's name.
    pub tensor: String,
    /// The shape that the checkpoint must have for it. Of more than two axes, it is a stack of
    /// matrices, whose rows are those of all of them, one below the other.
    pub shape: Vec<usize>,
    /// Which rows; all where `None`.
    pub rows: Option<Range<usize>>,
    /// How the rows stand in the tensor.
    pub reading: Reading,
    /// What puts it into the weight's blocks; `None` where the checkpoint has it in those, and
    /// for other layouts.
    pub quantize: Option<Quantization>,
}

/// How a tensor's rows become those of a [`Part`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Each matrix of the tensor stands transposed, `[columns, rows]`; the part's rows are of one
    /// matrix.
    pub transposed: bool,
    /// Two halves that alternate in the tensor come one after the other.
    pub halves: Halves,
    /// Only some rows of every run of rows.
    pub every: Option<Every>,
    /// Of a matrix that stands transposed, only these columns, from the first number to the second.
    pub columns: Option<[usize; 2]>,
    /// Rows that a rotation turns in neighbouring pairs, in the order of its other form; counted
    /// among the rows that `every` leaves.
    pub pairs: Option<Pairs>,
}

/// Rows of several kinds take turns, head by head: of every `run` rows some kinds are read that
/// follow each other. First come all rows of the first of these, then all of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Every {
    /// Rows of a run, which divides the tensor's.
    pub run: usize,
    /// The first that is read of each.
    pub begin: usize,
    /// Rows of each kind from there on; 0 where there are fewer kinds.
    pub counts: [usize; 3],
}

impl Every {
    /// How many rows are read of each run.
    pub fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Where row `row` is among the rows of `runs` runs; the rows' number for one beyond the last.
    fn source(&self, mut row: usize, runs: usize) -> usize {
        let mut begin = self.begin;
        for count in self.counts {
            if row < runs * count {
                return row / count * self.run + begin + row % count;
            }
            row -= runs * count;
            begin += count;
        }
        runs * self.run
    }
}

/// The rows of heads whose rotary embedding turns rows 2i and 2i + 1 of a head together, as GPT-J
/// has it. Read in the order 0, 2, 4, …, 1, 3, 5, … they are those of the half-split form
/// ([`tyto_graph::Op::Rope`]), which gives the same scores, as queries and keys change alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    /// Rows of a head, which divides all.
    pub head: usize,
    /// How many of them are turned, from the first on: an even number.
    pub turned: usize,
}

impl Pairs {
    /// Which row is row `row` of the half-split form.
    fn source(&self, row: usize) -> usize {
        let (half, column) = (self.turned / 2, row % self.head.max(1));
        let begin = row - column;
        match column {
            column if column < half => begin + 2 * column,
            column if column < self.turned => begin + 2 * (column - half) + 1,
            column => begin + column,
        }
    }
}

/// What alternates in a tensor: first all even ones come, then all odd ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Halves {
    /// Nothing.
    #[default]
    None,
    /// The part's rows.
    Rows,
    /// The columns of each row.
    Columns,
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
    /// All rows of a tensor, as they stand.
    pub fn whole(tensor: impl Into<String>, shape: Vec<usize>) -> Self {
        let reading = Reading::default();
        Self { tensor: tensor.into(), shape, rows: None, reading, quantize: None }
    }

    /// How many rows it gives.
    pub fn row_count(&self) -> usize {
        let rows = self.row_range().len();
        self.reading.every.map_or(rows, |every| rows / every.run.max(1) * every.count())
    }

    /// Which rows of the tensor's it gives, or some of.
    pub fn row_range(&self) -> Range<usize> {
        let all = match self.shape[..] {
            [size] => size,
            [.., columns, rows] if self.reading.transposed => {
                self.shape.iter().product::<usize>() / columns.max(1) / rows.max(1) * rows
            }
            [ref matrices @ .., _] => matrices.iter().product(),
            [] => 1,
        };
        self.rows.clone().unwrap_or(0..all)
    }

    /// Columns of its rows.
    pub fn columns(&self) -> usize {
        match self.shape[..] {
            [.., columns, _] if self.reading.transposed => match self.reading.columns {
                Some([begin, end]) => end.saturating_sub(begin),
                None => columns,
            },
            [_] | [] => 1,
            [.., columns] => columns,
        }
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
        fits(weight, part, row)?;
        let end = (row + part.row_count()).next_multiple_of(weight.layout.tile_rows());
        let out = &mut out[row * row_bytes..(end * row_bytes).min(weight.bytes())];
        match weight.layout {
            Layout::RowMajor => rows::write(checkpoint, weight, part, out)?,
            Layout::Blocks(layout) => {
                let tensor = expect(checkpoint, part)?;
                losses.extend(blocks::write(weight, tensor, layout, part, out)?);
            }
            Layout::Tiled { n, k } => {
                let mut bytes = vec![0; part.row_count() * row_bytes];
                rows::write(checkpoint, weight, part, &mut bytes)?;
                tile(&bytes, row_bytes, n, k * weight.dtype.bytes(), out);
            }
        }
        row = end;
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

/// A part of a matrix has its columns, and its rows end where the weight's do or before. A vector may
/// be a whole table, row after row.
fn fits(weight: &WeightUse, part: &Part, row: usize) -> Result<(), Error> {
    let rows = weight.shape[0];
    let columns = weight.shape.get(1).copied().unwrap_or(1);
    if row + part.row_count() <= rows && part.columns() == columns {
        return Ok(());
    }
    let whole = part.rows.is_none() && part.reading == Reading::default();
    let plain = weight.layout == Layout::RowMajor && part.shape == [rows * columns];
    if weight.parts.len() == 1 && whole && plain {
        return Ok(());
    }
    let (count, tensor, found) = (part.row_count(), &part.tensor, part.columns());
    Err(Error::Weight {
        weight: weight.name.to_string(),
        found: format!("{count} rows of {found} columns from row {row}, of {tensor:?}"),
        expected: format!("rows within {rows}, of {columns} columns"),
    })
}
