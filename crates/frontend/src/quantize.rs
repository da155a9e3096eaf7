//! Plain matrices put into codes under shared scales while a model is compiled.
//!
//! Formats and their rounding are published ones, so that the codes are what other tools make:
//! GGUF's reference rounding of `Q4_0`, `Q4_1` and `Q8_0` (ggml's `quantize_row_*_ref`), and MLX's
//! affine quantization (`mlx.core.quantize` with mode `affine`, group 64). Scales and biases are
//! f16. What a matrix loses is measured on the values that kernels decode ([`Loss`]).

mod group;
mod plan;

use std::fmt;
use std::ops::Range;

use tyto_checkpoint::{BlockForm, BlockFormat, CodeType, Codes, ScaleType, Tensor};
use tyto_graph::BlockLayout;

use crate::error::Error;
use crate::weights::block_layout;

pub use plan::Kept;

/// A format that plain matrices can be quantized to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantization {
    /// GGUF: 4 bits, groups of 32, the extreme of a group at code −8.
    Q4_0,
    /// GGUF: 4 bits, groups of 32, between the group's minimum and maximum.
    Q4_1,
    /// GGUF: 8 bits, groups of 32, the extreme of a group at code ±127.
    Q8_0,
    /// MLX: 4 bits, groups of 64, scale and bias.
    Affine4,
    /// MLX: 8 bits, groups of 64, scale and bias.
    Affine8,
}

impl Quantization {
    /// Every format, as options list them.
    pub const ALL: [Self; 5] = [Self::Q4_0, Self::Q4_1, Self::Q8_0, Self::Affine4, Self::Affine8];

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Q4_0 => "q4_0",
            Self::Q4_1 => "q4_1",
            Self::Q8_0 => "q8_0",
            Self::Affine4 => "affine-4",
            Self::Affine8 => "affine-8",
        }
    }

    /// How the kernels read it.
    pub fn layout(self) -> BlockLayout {
        block_layout(self.format()).expect("all formats have layouts")
    }

    /// The format of the embedding and the output head: 8 bits of the same family. They make the
    /// logits, where 4 bits are heard most, and each is read once a token.
    pub fn of_vocabulary(self) -> Self {
        match self {
            Self::Q4_0 | Self::Q4_1 | Self::Q8_0 => Self::Q8_0,
            Self::Affine4 | Self::Affine8 => Self::Affine8,
        }
    }

    fn format(self) -> BlockFormat {
        let (bits, group, form) = match self {
            Self::Q4_0 => (4, 32, BlockForm::Middle),
            Self::Q4_1 => (4, 32, BlockForm::Bias),
            Self::Q8_0 => (8, 32, BlockForm::Middle),
            Self::Affine4 => (4, 64, BlockForm::Bias),
            Self::Affine8 => (8, 64, BlockForm::Bias),
        };
        let (code, scale) = (CodeType::Unsigned(bits), ScaleType::F16);
        BlockFormat { code, group, scale, form, row_scale: false }
    }
}

impl fmt::Display for Quantization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a tensor lost when it was quantized.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The checkpoint's name.
    pub tensor: String,
    /// The format that it was stored in.
    pub stored: String,
    /// The format that it has now.
    pub format: Quantization,
    /// `‖q − w‖ / ‖w‖` over all elements; 0 where all are 0.
    pub relative_error: f64,
    /// The largest `|q − w|` of an element.
    pub largest_error: f32,
}

/// Sums of errors, added up band by band.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    /// Of `(q − w)²`.
    squares: f64,
    /// Of `w²`.
    norm: f64,
    largest: f32,
}

impl Errors {
    /// Adds those of other rows.
    pub(crate) fn add(self, other: Self) -> Self {
        Self {
            squares: self.squares + other.squares,
            norm: self.norm + other.norm,
            largest: self.largest.max(other.largest),
        }
    }

    /// Those of a whole tensor.
    pub(crate) fn loss(self, tensor: &Tensor<'_>, format: Quantization) -> Loss {
        let relative_error = if self.norm == 0.0 { 0.0 } else { (self.squares / self.norm).sqrt() };
        Loss {
            tensor: tensor.name.to_owned(),
            stored: tensor.dtype.to_string(),
            format,
            relative_error,
            largest_error: self.largest,
        }
    }

    fn push(&mut self, stored: f32, value: f32) {
        let error = f64::from(value) - f64::from(stored);
        self.squares += error * error;
        self.norm += f64::from(stored) * f64::from(stored);
        self.largest = self.largest.max(error.abs() as f32);
    }
}

/// Quantizes some rows of a matrix whose columns divide into groups.
///
/// Errors: rows beyond the end; a value that is not finite; a group whose scale or bias is beyond
/// f16.
pub(crate) fn rows(
    format: Quantization,
    tensor: &Tensor<'_>,
    rows: Range<usize>,
) -> Result<(Codes, Errors), Error> {
    let values = tensor.rows_f32(rows.clone())?;
    let columns = values.len().checked_div(rows.len()).unwrap_or(0);
    let layout = format.layout();
    let mut codes = vec![0u8; values.len()];
    let (mut scales, mut biases) = (Vec::new(), Vec::new());
    let mut errors = Errors::default();
    let groups = values.chunks_exact(layout.columns());
    for (at, (values, codes)) in groups.zip(codes.chunks_exact_mut(layout.columns())).enumerate() {
        let begin = at * layout.columns();
        let place = (rows.start + begin / columns, begin % columns);
        finite(format, tensor, place, values)?;
        let (scale, bias) = format.group(values, codes);
        if !(scale.is_finite() && bias.is_finite()) {
            let (found, expected) = (group::extreme(values), "a group that f16 scales can hold");
            return Err(refused(format, tensor, place, found, expected));
        }
        for (value, code) in values.iter().zip(&*codes) {
            errors.push(*value, layout.value(*code, scale.to_f32(), bias.to_f32()));
        }
        scales.extend(scale.to_le_bytes());
        biases.extend(bias.to_le_bytes());
    }
    let biases = (format.format().form == BlockForm::Bias).then_some(biases);
    let format = format.format();
    let codes = Codes {
        format,
        rows: rows.len(),
        columns,
        codes,
        scales,
        biases,
        zeros: None,
        supers: None,
        minima: None,
        row_scales: None,
    };
    Ok((codes, errors))
}

/// Refuses the first value of a group that is no finite number.
fn finite(
    format: Quantization,
    tensor: &Tensor<'_>,
    (row, column): (usize, usize),
    values: &[f32],
) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => Err(refused(format, tensor, (row, column + at), values[at], "a finite number")),
    }
}

fn refused(
    format: Quantization,
    tensor: &Tensor<'_>,
    (row, column): (usize, usize),
    found: f32,
    expected: &'static str,
) -> Error {
    Error::Quantize {
        file: tensor.file.into(),
        tensor: tensor.name.into(),
        row,
        column,
        found,
        expected,
        format: format.name(),
    }
}
