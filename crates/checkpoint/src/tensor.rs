//! One stored tensor, and its values in the types programs use.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use crate::dtype::{DType, StoredType};
use crate::error::Error;
use crate::packed::Place;
use crate::quantized::Quantized;
use crate::{blocks, floats};

/// Elements converted at a time by one thread: a multiple of every block size, small enough that the
/// f32 copy stays in the first-level cache.
const CHUNK: usize = 4096;

/// A tensor of a [`crate::Checkpoint`]: row-major, in the element order and under the name that
/// transformers uses. Borrowed from the checkpoint; copying it copies no data.
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a> {
    /// transformers' name.
    pub name: &'a str,
    /// How the file stores it.
    pub dtype: StoredType,
    /// Row-major shape, outermost dimension first.
    pub shape: &'a [usize],
    /// The file it lies in.
    pub file: &'a Path,
    pub(crate) stored: &'a [u8],
    pub(crate) layout: Layout,
    /// What belongs to packed codes.
    pub(crate) quantized: Option<Quantized<&'a [u8]>>,
}

/// What separates a tensor's stored form from transformers' form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Nothing.
    Same,
    /// The rows of each of `heads` heads are interleaved for llama.cpp's rotary embedding: stored row
    /// `2 * i + j` of a head is row `j * half + i`.
    Rotary { heads: usize },
    /// Values are stored with one added.
    PlusOne,
}

/// A tensor's place among the checkpoint's files.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) dtype: StoredType,
    pub(crate) shape: Vec<usize>,
    /// Index of the file.
    pub(crate) file: usize,
    pub(crate) range: Range<usize>,
    pub(crate) layout: Layout,
    /// What belongs to packed codes.
    pub(crate) quantized: Option<Quantized<Place>>,
}

impl<'a> Tensor<'a> {
    /// The number of elements.
    pub fn elements(&self) -> usize {
        // A zero anywhere leaves the other dimensions unbounded, so they must not be multiplied.
        if self.shape.contains(&0) { 0 } else { self.shape.iter().product() }
    }

    /// The stored bytes, if they are the tensor's own: row-major, in transformers' order and values.
    /// `None` where the file's form differs; [`Tensor::write_stored`] and [`Tensor::write_as`] convert.
    /// The bytes lie at any alignment.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        (self.layout == Layout::Same && self.quantized.is_none()).then_some(self.stored)
    }

    /// The size of the stored form in bytes, scales included.
    pub fn stored_len(&self) -> usize {
        self.stored.len() + self.quantized.map_or(0, |quantized| quantized.bytes())
    }

    /// All values as f32, exactly (F64 is rounded to nearest even).
    ///
    /// # Errors
    /// [`Error::NotFloat`] for integers and packed codes.
    pub fn to_f32(&self) -> Result<Vec<f32>, Error> {
        self.check_float()?;
        let mut out = vec![0f32; self.elements()];
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            self.decode(chunk * CHUNK, DType::F32, out);
        });
        Ok(out)
    }

    /// The values of some rows as f32, exactly (F64 is rounded to nearest even), row after row in
    /// transformers' order. The rows of a tensor of several matrices are those of all of them, one
    /// below the other; a vector has rows of one element. Copies those rows only.
    ///
    /// # Errors
    /// [`Error::NotFloat`] for integers and packed codes; [`Error::Rows`] beyond the end.
    pub fn rows_f32(&self, rows: Range<usize>) -> Result<Vec<f32>, Error> {
        self.check_float()?;
        let total = match self.shape {
            [] => 0,
            [size] => *size,
            [matrices @ .., _] => matrices.iter().product(),
        };
        self.check_rows(&rows, total)?;
        let width = self.elements().checked_div(total).unwrap_or(0);
        let mut out = vec![0f32; rows.len() * width];
        self.decode(rows.start * width, DType::F32, &mut out);
        Ok(out)
    }

    /// Writes all values into `out` as little-endian `dtype`, rounding to nearest, ties to even.
    /// Works in parallel and in small chunks: no second copy of the tensor exists at any time.
    ///
    /// # Errors
    /// [`Error::NotFloat`] for integers and packed codes; [`Error::OutputSize`] unless `out` has
    /// exactly `elements() * dtype.size()` bytes.
    pub fn write_as(&self, dtype: DType, out: &mut [u8]) -> Result<(), Error> {
        self.check_float()?;
        self.check_output(out, self.elements() * dtype.size())?;
        let size = dtype.size();
        let same = matches!(
            (self.dtype, dtype),
            (StoredType::F32, DType::F32)
                | (StoredType::F16, DType::F16)
                | (StoredType::Bf16, DType::Bf16)
        );
        if let (true, Some(bytes)) = (same, self.bytes()) {
            out.copy_from_slice(bytes);
            return Ok(());
        }
        out.par_chunks_mut(CHUNK * size).enumerate().for_each(|(chunk, out)| {
            let mut values = [0f32; CHUNK];
            let values = &mut values[..out.len() / size];
            self.decode(chunk * CHUNK, dtype, values);
            floats::encode(values, dtype, out);
        });
        Ok(())
    }

    /// Writes the tensor into `out` in its own stored type, with rows in transformers' order.
    ///
    /// # Errors
    /// [`Error::OutputSize`] unless `out` has [`Tensor::stored_len`] bytes; [`Error::NotFloat`] where
    /// values differ from the stored ones and the type is not F32 (a Gemma norm in another type);
    /// [`Error::Apart`] where the file holds codes and scales as tensors of their own.
    pub fn write_stored(&self, out: &mut [u8]) -> Result<(), Error> {
        if self.quantized.is_some() {
            return Err(Error::Apart {
                file: self.file.to_path_buf(),
                tensor: self.name.into(),
                found: self.dtype.to_string(),
            });
        }
        self.check_output(out, self.stored.len())?;
        match self.layout {
            Layout::Same => out.copy_from_slice(self.stored),
            Layout::Rotary { heads } => {
                let rows = self.shape[0];
                let row_bytes = self.stored.len() / rows.max(1);
                for (row, out) in out.chunks_exact_mut(row_bytes.max(1)).enumerate() {
                    let from = stored_row(row, rows, heads) * row_bytes;
                    out.copy_from_slice(&self.stored[from..from + row_bytes]);
                }
            }
            Layout::PlusOne if self.dtype == StoredType::F32 => self.write_as(DType::F32, out)?,
            Layout::PlusOne => {
                return Err(Error::NotFloat {
                    file: self.file.to_path_buf(),
                    tensor: self.name.into(),
                    found: self.dtype.name(),
                });
            }
        }
        Ok(())
    }

    /// Checks that `rows` are some of `total`.
    pub(crate) fn check_rows(&self, rows: &Range<usize>, total: usize) -> Result<(), Error> {
        if rows.start <= rows.end && rows.end <= total {
            return Ok(());
        }
        Err(Error::Rows {
            file: self.file.to_path_buf(),
            tensor: self.name.into(),
            rows: total,
            first: rows.start,
            end: rows.end,
        })
    }

    fn check_float(&self) -> Result<(), Error> {
        if self.dtype.is_float() {
            return Ok(());
        }
        Err(Error::NotFloat {
            file: self.file.to_path_buf(),
            tensor: self.name.into(),
            found: self.dtype.name(),
        })
    }

    fn check_output(&self, out: &[u8], expected: usize) -> Result<(), Error> {
        if out.len() == expected {
            return Ok(());
        }
        Err(Error::OutputSize { tensor: self.name.into(), found: out.len(), expected })
    }

    /// Decodes elements `first..first + out.len()`; `first` is a multiple of [`CHUNK`] or begins a
    /// row, so that it begins a block.
    fn decode(&self, first: usize, target: DType, out: &mut [f32]) {
        match self.layout {
            Layout::Same => self.decode_stored(first, target, out),
            Layout::PlusOne => {
                // The file's writer added one in f32, so subtracting in f32 is what every reader does.
                self.decode_stored(first, DType::F32, out);
                out.iter_mut().for_each(|value| *value -= 1.0);
            }
            Layout::Rotary { heads } => {
                let rows = self.shape[0];
                let width = self.elements() / rows;
                let mut done = 0;
                while done < out.len() {
                    let (row, column) = ((first + done) / width, (first + done) % width);
                    let length = (width - column).min(out.len() - done);
                    let from = stored_row(row, rows, heads) * width + column;
                    self.decode_stored(from, target, &mut out[done..done + length]);
                    done += length;
                }
            }
        }
    }

    /// Decodes from stored element `first`. Rows fill whole blocks, so `first` starts one.
    fn decode_stored(&self, first: usize, target: DType, out: &mut [f32]) {
        if let Some(quantized) = &self.quantized {
            let [matrices @ .., columns] = self.shape else {
                unreachable!("quantized tensors are matrices")
            };
            let shape = [matrices.iter().product(), *columns];
            return quantized.decode(self.stored, shape, first, out);
        }
        let (elements, size) = (self.dtype.block_elements(), self.dtype.block_bytes());
        let bytes = &self.stored[first / elements * size..][..out.len() / elements * size];
        if self.dtype.is_gguf_block() {
            blocks::decode(self.dtype, bytes, out);
        } else {
            floats::decode(self.dtype, bytes, target, out);
        }
    }
}

/// Where llama.cpp's converter put `row` of a matrix with `rows` rows in `heads` heads.
pub(crate) fn stored_row(row: usize, rows: usize, heads: usize) -> usize {
    let head_rows = rows / heads;
    let (head, within) = (row / head_rows, row % head_rows);
    let half = head_rows / 2;
    head * head_rows + within % half * 2 + within / half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotary_rows_invert_the_interleaving() {
        // Two heads of six rows: the writer puts rows 0,3,1,4,2,5 of each head in that order.
        let stored: Vec<usize> = (0..12).map(|row| stored_row(row, 12, 2)).collect();
        assert_eq!(stored, [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]);
    }

    #[test]
    fn rows_that_straddle_chunks_are_found() {
        // 9000 rows of three: chunk boundaries fall inside rows.
        let values: Vec<u8> = (0..27000u32).flat_map(|i| (i as f32).to_le_bytes()).collect();
        let shape = [9000, 3];
        let tensor = Tensor {
            name: "q",
            dtype: StoredType::F32,
            shape: &shape,
            file: Path::new("x"),
            stored: &values,
            layout: Layout::Rotary { heads: 9 },
            quantized: None,
        };
        let got = tensor.to_f32().expect("floats");
        for row in 0..9000 {
            let from = stored_row(row, 9000, 9) * 3;
            assert_eq!(got[row * 3..row * 3 + 3], [0, 1, 2].map(|c| (from + c) as f32));
        }
        let some = tensor.rows_f32(4095..4098).expect("floats");
        assert_eq!(some, got[4095 * 3..4098 * 3]);
        let error = tensor.rows_f32(8999..9001).expect_err("beyond the end").to_string();
        assert!(error.contains("9000 rows") && error.contains("8999 to 9001"), "{error}");
        let mut stored = vec![0; values.len()];
        tensor.write_stored(&mut stored).expect("sizes match");
        assert_eq!(stored[4..8], got[1].to_le_bytes());
    }
}
