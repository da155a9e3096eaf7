//! The rows of a part as plain numbers, row after row.

use half::{bf16, f16};
use rayon::prelude::*;
use tyto_checkpoint::{Checkpoint, Tensor};
use tyto_graph::DType;

use super::{Halves, Part, Reading, WeightUse, expect};
use crate::error::Error;

/// Rows that one thread converts at a time.
const ROWS: usize = 16;

/// Writes a part's rows in the weight's element type, row after row. A whole tensor is converted
/// in place; of others, one matrix or some rows are held as f32.
pub(super) fn write(
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
    let tensor = expect(checkpoint, part)?;
    let straight = part.reading == Reading::default();
    if straight && part.rows.is_none() {
        return Ok(tensor.write_as(dtype, out)?);
    }
    let matrix = match part.reading.transposed {
        true => Some(transposed(&tensor, part)?),
        false => None,
    };
    let row_bytes = part.columns() * weight.dtype.bytes();
    let chunks = out.par_chunks_mut((ROWS * row_bytes).max(1)).enumerate();
    chunks.try_for_each(|(chunk, out)| {
        for (row, out) in out.chunks_exact_mut(row_bytes).enumerate() {
            let row = source_row(part, chunk * ROWS + row);
            let values = match &matrix {
                Some(matrix) => matrix[row * part.columns()..][..part.columns()].to_vec(),
                None => tensor.rows_f32(row..row + 1)?,
            };
            encode(weight.dtype, arranged(part, values), out);
        }
        Ok(())
    })
}

/// Which row of the tensor's (of the part's matrix, where it is transposed) is row `row`.
pub(super) fn source_row(part: &Part, row: usize) -> usize {
    let range = part.row_range();
    let begin = if part.reading.transposed { 0 } else { range.start };
    let even = range.len().div_ceil(2);
    let row = part.reading.pairs.map_or(row, |pairs| pairs.source(row));
    if let Some(every) = part.reading.every {
        return begin + every.source(row, range.len() / every.run.max(1));
    }
    match part.reading.halves {
        Halves::Rows if row < even => begin + 2 * row,
        Halves::Rows => begin + 2 * (row - even) + 1,
        _ => begin + row,
    }
}

/// The rows of the one matrix that the part's rows are of, from the first of them.
fn transposed(tensor: &Tensor<'_>, part: &Part) -> Result<Vec<f32>, Error> {
    let &[.., columns, rows] = &part.shape[..] else {
        return Err(wrong(part, "a matrix"));
    };
    let range = part.row_range();
    let matrix = range.start / rows.max(1);
    if range.end > (matrix + 1) * rows {
        return Err(wrong(part, "rows of one matrix"));
    }
    let [begin, end] = part.reading.columns.unwrap_or([0, columns]);
    if begin > end || end > columns {
        return Err(wrong(part, "columns of one matrix"));
    }
    let stored = tensor.rows_f32(matrix * columns + begin..matrix * columns + end)?;
    let columns = end - begin;
    let mut out = vec![0.0; range.len() * columns];
    out.par_chunks_mut(columns.max(1)).enumerate().for_each(|(row, out)| {
        let row = range.start - matrix * rows + row;
        for (column, value) in out.iter_mut().enumerate() {
            *value = stored[column * rows + row];
        }
    });
    Ok(out)
}

/// A row's columns in the part's order.
fn arranged(part: &Part, values: Vec<f32>) -> Vec<f32> {
    if part.reading.halves != Halves::Columns {
        return values;
    }
    let even = values.iter().step_by(2);
    even.chain(values.iter().skip(1).step_by(2)).copied().collect()
}

fn encode(dtype: DType, values: Vec<f32>, out: &mut [u8]) {
    let places = out.chunks_exact_mut(dtype.bytes());
    for (place, value) in places.zip(values) {
        match dtype {
            DType::BF16 => place.copy_from_slice(&bf16::from_f32(value).to_le_bytes()),
            DType::F16 => place.copy_from_slice(&f16::from_f32(value).to_le_bytes()),
            _ => place.copy_from_slice(&value.to_le_bytes()),
        }
    }
}

fn wrong(part: &Part, expected: &str) -> Error {
    Error::Weight {
        weight: part.tensor.clone(),
        found: format!("rows {:?} of {:?}, transposed", part.row_range(), part.shape),
        expected: expected.to_owned(),
    }
}
