//! Codes under shared scales, as files have them: for callers that compute with codes and must not
//! lose precision on the way.

use std::ops::Range;

use crate::dtype::{DType, StoredType};
use crate::error::Error;
use crate::packed::{self, PackedMode};
use crate::tensor::{Layout, Tensor, stored_row};

/// The formats whose codes are handed out.
const WITH_CODES: &str =
    "Q4_0, Q4_1, Q8_0, affine of 4 or 8 bits with F16 or BF16 scales in groups of 32, 64 or 128";

/// How the elements of a matrix are made from codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockFormat {
    /// Bits of a code: 4 or 8.
    pub bits: u8,
    /// Columns under one scale: 32, 64 or 128.
    pub group: u16,
    /// Type of scales and biases: F16 or Bf16.
    pub scale: DType,
    /// What a code means.
    pub form: BlockForm,
}

/// The value of an unsigned code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockForm {
    /// `scale × code + bias`.
    Bias,
    /// `scale × (code − 2^(bits − 1))`.
    Middle,
}

/// The codes and scales of some rows of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codes {
    /// What they mean.
    pub format: BlockFormat,
    /// How many rows.
    pub rows: usize,
    /// Columns of a row, a multiple of the group.
    pub columns: usize,
    /// One code in each byte, row after row.
    pub codes: Vec<u8>,
    /// The bits of each group's scale, row after row.
    pub scales: Vec<u16>,
    /// The bits of each group's bias, in the form that has one.
    pub biases: Option<Vec<u16>>,
}

impl<'a> Tensor<'a> {
    /// What its codes are, if it is a matrix in a format whose codes [`Tensor::codes`] hands out.
    pub fn block_format(&self) -> Option<BlockFormat> {
        let &[_, columns] = self.shape else { return None };
        if columns == 0 || self.layout == Layout::PlusOne {
            return None;
        }
        let gguf = |bits, form| Some(BlockFormat { bits, group: 32, scale: DType::F16, form });
        match self.dtype {
            StoredType::Q4_0 => gguf(4, BlockForm::Middle),
            StoredType::Q4_1 => gguf(4, BlockForm::Bias),
            StoredType::Q8_0 => gguf(8, BlockForm::Middle),
            StoredType::Packed(packed) if packed.mode == PackedMode::Affine => {
                let scale = match self.scales?.dtype {
                    StoredType::F16 => DType::F16,
                    StoredType::Bf16 => DType::Bf16,
                    _ => return None,
                };
                let (bits, group) = (packed.bits, packed.group);
                matches!(bits, 4 | 8).then_some(BlockFormat {
                    bits,
                    group,
                    scale,
                    form: BlockForm::Bias,
                })
            }
            _ => None,
        }
    }

    /// The codes and scales of some rows, in transformers' order of rows. Copies those rows only.
    ///
    /// # Errors
    /// [`Error::NoCodes`] where [`Tensor::block_format`] is `None`; [`Error::Rows`] beyond the end.
    pub fn codes(&self, rows: Range<usize>) -> Result<Codes, Error> {
        let (Some(format), &[total, columns]) = (self.block_format(), self.shape) else {
            return Err(Error::NoCodes {
                file: self.file.to_path_buf(),
                tensor: self.name.into(),
                shape: self.shape.to_vec(),
                found: self.dtype.to_string(),
                expected: WITH_CODES,
            });
        };
        self.check_rows(&rows, total)?;
        let groups = columns / usize::from(format.group);
        let mut codes = Codes {
            format,
            rows: rows.len(),
            columns,
            codes: Vec::with_capacity(rows.len() * columns),
            scales: Vec::with_capacity(rows.len() * groups),
            biases: (format.form == BlockForm::Bias).then(Vec::new),
        };
        for row in rows {
            let row = match self.layout {
                Layout::Rotary { heads } => stored_row(row, total, heads),
                Layout::Same | Layout::PlusOne => row,
            };
            for group in row * groups..(row + 1) * groups {
                self.push_group(group, &mut codes);
            }
        }
        Ok(codes)
    }

    /// Adds a stored group to `to`.
    fn push_group(&self, group: usize, to: &mut Codes) {
        let size = self.dtype.block_bytes();
        let block = &self.stored[group * size..][..size];
        let (scale, bias) = match self.scales {
            Some(scales) => scales.of_group(group),
            // GGUF's blocks begin with the scale, and a minimum in the form that has one.
            None => (&block[..2], to.biases.is_some().then(|| &block[2..4])),
        };
        to.scales.push(half_bits(scale));
        if let (Some(biases), Some(bias)) = (&mut to.biases, bias) {
            biases.push(half_bits(bias));
        }
        match self.dtype {
            StoredType::Q4_0 => push_halves(&block[2..], &mut to.codes),
            StoredType::Q4_1 => push_halves(&block[4..], &mut to.codes),
            // Signed codes, moved to begin at zero.
            StoredType::Q8_0 => to.codes.extend(block[2..].iter().map(|code| code ^ 0x80)),
            _ => {
                let (bits, columns) = (to.format.bits, to.format.group.into());
                to.codes.extend((0..columns).map(|at| packed::code(block, bits, at)));
            }
        }
    }
}

/// GGUF's order of 4-bit codes: all low halves, then all high halves.
fn push_halves(bytes: &[u8], codes: &mut Vec<u8>) {
    codes.extend(bytes.iter().map(|byte| byte & 15));
    codes.extend(bytes.iter().map(|byte| byte >> 4));
}

fn half_bits(bytes: &[u8]) -> u16 {
    u16::from_le_bytes([bytes[0], bytes[1]])
}
