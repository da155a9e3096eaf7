//! Codes under shared scales, as files have them: for callers that compute with codes and must not
//! lose precision on the way.
//!
//! In f32, column `k` of row `n` is `row_scale[n] × (scale(g) × value(code) + bias(g))`, where `g`
//! is the group of `k`; what a format does not have is left out. [`Tensor::to_f32`] gives the same
//! bits.

use std::ops::Range;

use crate::blocks;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::floats;
use crate::tensor::{Layout, Tensor, stored_row};

/// What is asked for where a tensor has no codes.
const WITH_CODES: &str = "a block format, whose columns divide into groups of 16 (4-bit floats and \
                          sub-scales), 32, 64 or 128 under one scale";

/// How the elements of a matrix are made from codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockFormat {
    /// What a code is.
    pub code: CodeType,
    /// Columns under one scale: 16, 32, 64 or 128.
    pub group: u16,
    /// What a scale is.
    pub scale: ScaleType,
    /// How code and scale make a value.
    pub form: BlockForm,
    /// Whether each row is multiplied by an f32 of its own.
    pub row_scale: bool,
}

/// The number that a code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodeType {
    /// An unsigned integer of 2, 3, 4, 5, 6 or 8 bits.
    Unsigned(u8),
    /// A 4-bit float, 2 exponent bits and 1 mantissa bit: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their
    /// negatives.
    E2M1,
    /// A 4-bit index into GGUF's sixteen levels from -127 to 113.
    Iq4,
    /// An 8-bit float, 4 exponent bits and 3 mantissa bits, finite.
    E4M3,
}

/// The number that multiplies a group's codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScaleType {
    /// IEEE half precision.
    F16,
    /// bfloat16.
    Bf16,
    /// IEEE single precision.
    F32,
    /// `2^(byte - 127)`; the byte is not 255.
    E8M0,
    /// An 8-bit float, 4 exponent bits and 3 mantissa bits, finite and not negative.
    E4M3,
    /// 1; nothing is stored.
    One,
    /// An f16 for every 256 columns, times a signed byte for each group.
    Super,
}

/// The value of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockForm {
    /// `scale × code`.
    Plain,
    /// `scale × (code - 2^(bits - 1))`.
    Middle,
    /// `scale × code + bias`; the bias is of the scale's type.
    Bias,
    /// `scale × (code - zero)`; the zero is a byte for each group.
    Zero,
    /// `scale × code - minimum`; the minimum is an f16 for every 256 columns, times a byte for each
    /// group.
    Minimum,
}

/// The codes and scales of some rows of a matrix. What is stored for each group or 256 columns
/// stands row after row, in the order of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Codes {
    /// What they mean.
    pub format: BlockFormat,
    /// How many rows.
    pub rows: usize,
    /// Columns of a row, a multiple of the group.
    pub columns: usize,
    /// One code in each byte, row after row.
    pub codes: Vec<u8>,
    /// Each group's scale, little-endian; signed bytes under [`ScaleType::Super`]; nothing under
    /// [`ScaleType::One`].
    pub scales: Vec<u8>,
    /// Each group's bias as its scale, in [`BlockForm::Bias`].
    pub biases: Option<Vec<u8>>,
    /// Each group's zero, in [`BlockForm::Zero`].
    pub zeros: Option<Vec<u8>>,
    /// The bits of the f16 of scales and of minima (0 where there are none) for every 256 columns,
    /// under [`ScaleType::Super`].
    pub supers: Option<Vec<[u16; 2]>>,
    /// Each group's minimum, in [`BlockForm::Minimum`].
    pub minima: Option<Vec<u8>>,
    /// Each row's factor, where the format has one.
    pub row_scales: Option<Vec<f32>>,
}

impl CodeType {
    /// Bits of a code.
    pub fn bits(self) -> u8 {
        match self {
            CodeType::Unsigned(bits) => bits,
            CodeType::E2M1 | CodeType::Iq4 => 4,
            CodeType::E4M3 => 8,
        }
    }
}

impl ScaleType {
    /// Bytes of a group's scale.
    pub fn bytes(self) -> usize {
        match self {
            ScaleType::F32 => 4,
            ScaleType::F16 | ScaleType::Bf16 => 2,
            ScaleType::E8M0 | ScaleType::E4M3 | ScaleType::Super => 1,
            ScaleType::One => 0,
        }
    }

    /// The value of stored scales; `None` of those that are not stored as numbers.
    fn stored_type(self) -> Option<StoredType> {
        match self {
            ScaleType::F16 => Some(StoredType::F16),
            ScaleType::Bf16 => Some(StoredType::Bf16),
            ScaleType::F32 => Some(StoredType::F32),
            ScaleType::E8M0 => Some(StoredType::F8E8M0),
            ScaleType::E4M3 => Some(StoredType::F8E4M3),
            ScaleType::One | ScaleType::Super => None,
        }
    }
}

impl Codes {
    /// No rows yet.
    pub(crate) fn new(format: BlockFormat, columns: usize) -> Codes {
        Codes {
            format,
            rows: 0,
            columns,
            codes: Vec::new(),
            scales: Vec::new(),
            biases: (format.form == BlockForm::Bias).then(Vec::new),
            zeros: (format.form == BlockForm::Zero).then(Vec::new),
            supers: (format.scale == ScaleType::Super).then(Vec::new),
            minima: (format.form == BlockForm::Minimum).then(Vec::new),
            row_scales: format.row_scale.then(Vec::new),
        }
    }
}

impl Tensor<'_> {
    /// What its codes are, if it is a matrix, or matrices of one shape, in a format whose codes
    /// [`Tensor::codes`] hands out.
    pub fn block_format(&self) -> Option<BlockFormat> {
        let columns = *self.shape.last()?;
        if !matches!(self.shape.len(), 2 | 3) || columns == 0 || self.layout == Layout::PlusOne {
            return None;
        }
        match &self.quantized {
            Some(quantized) => quantized.block_format(columns),
            None => blocks::block_format(self.dtype),
        }
    }

    /// The codes and scales of some rows, in transformers' order of rows. Rows of a tensor of rank
    /// 3 are those of its matrices, one below the other. Copies those rows only.
    ///
    /// # Errors
    /// [`Error::NoCodes`] where [`Tensor::block_format`] is `None`; [`Error::Rows`] beyond the end;
    /// [`Error::NotANumber`] of a code or scale that is none.
    pub fn codes(&self, rows: Range<usize>) -> Result<Codes, Error> {
        let Some(format) = self.block_format() else {
            return Err(Error::NoCodes {
                file: self.file.to_path_buf(),
                tensor: self.name.into(),
                shape: self.shape.to_vec(),
                found: self.dtype.to_string(),
                expected: WITH_CODES,
            });
        };
        let [matrices @ .., columns] = self.shape else { unreachable!("formats are of matrices") };
        let (total, columns) = (matrices.iter().product(), *columns);
        self.check_rows(&rows, total)?;
        let mut codes = Codes::new(format, columns);
        codes.codes.reserve_exact(rows.len() * columns);
        codes.scales.reserve(rows.len() * columns / usize::from(format.group));
        for row in rows.clone() {
            let stored = match self.layout {
                Layout::Rotary { heads } => stored_row(row, total, heads),
                Layout::Same | Layout::PlusOne => row,
            };
            match &self.quantized {
                Some(quantized) => {
                    quantized.push_row(self.stored, [total, columns], stored, &mut codes)
                }
                None => blocks::push_row(self.dtype, self.stored, stored, &mut codes),
            }
            codes.rows += 1;
        }
        self.check_numbers(&codes, rows.start)?;
        Ok(codes)
    }

    /// Refuses codes and scales that are no numbers; the first row is number `first`.
    fn check_numbers(&self, codes: &Codes, first: usize) -> Result<(), Error> {
        let BlockFormat { code, group, scale, .. } = codes.format;
        let refuse = |row: usize, found: String, expected| {
            let (file, tensor) = (self.file.to_path_buf(), self.name.to_owned());
            Err(Error::NotANumber { file, tensor, row: first + row, found, expected })
        };
        if code == CodeType::E4M3
            && let Some(at) = codes.codes.iter().position(|code| code & 0x7f == 0x7f)
        {
            let (row, column) = (at / codes.columns, at % codes.columns);
            let found = format!("code {:#x} in column {column}", codes.codes[at]);
            return refuse(row, found, "an E4M3 number: 0x7f and 0xff are none");
        }
        let groups = codes.columns / usize::from(group);
        if let Some(stored) = scale.stored_type() {
            for (part, kind) in [(Some(&codes.scales), "scale"), (codes.biases.as_ref(), "bias")] {
                let numbers = part.into_iter().flat_map(|part| part.chunks_exact(scale.bytes()));
                for (at, bytes) in numbers.enumerate() {
                    let value = floats::one(stored, bytes);
                    let negative = scale == ScaleType::E4M3 && value.is_sign_negative();
                    if !value.is_finite() || negative {
                        let found =
                            format!("{kind} {value} ({bytes:02x?}) of group {}", at % groups);
                        return refuse(at / groups, found, EXPECTED_SCALE);
                    }
                }
            }
        }
        let supers = codes.supers.iter().flatten().enumerate();
        for (at, halves) in supers {
            let values = halves.map(|bits| half::f16::from_bits(bits).to_f32());
            if !values.iter().all(|value| value.is_finite()) {
                let found = format!("scale and minimum {values:?} of 256 columns");
                return refuse(at / (codes.columns / 256), found, EXPECTED_SCALE);
            }
        }
        let factors = codes.row_scales.iter().flatten();
        match factors.clone().position(|factor| !factor.is_finite()) {
            None => Ok(()),
            Some(row) => {
                let found = format!("the row's scale {:?}", factors.clone().nth(row));
                refuse(row, found, EXPECTED_SCALE)
            }
        }
    }
}

const EXPECTED_SCALE: &str =
    "a finite number, of 8 bits one that is not negative; fetch the file again";
