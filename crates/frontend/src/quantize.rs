//! Plain matrices put into codes under shared scales while a model is compiled.
//!
//! Formats and their rounding are published ones, so that the codes are what other tools make:
//! GGUF's reference rounding of `Q4_0`, `Q4_1` and `Q8_0` (ggml's `quantize_row_*_ref`), and MLX's
//! quantization (`mlx.core.quantize` with mode `affine`, group 64; `mxfp4`, `mxfp8` and `nvfp4` as
//! it computes them for f32 on a CPU). Scales and biases of whole numbers are f16. What a matrix
//! loses is measured on the values that kernels decode ([`Loss`]).

mod floats;
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
    /// OCP, as MLX makes it: 4-bit floats under a power of two, groups of 32.
    Mxfp4,
    /// OCP, as MLX makes it: 8-bit floats under a power of two, groups of 32.
    Mxfp8,
    /// MLX: 4-bit floats under an 8-bit float, groups of 16.
    Nvfp4,
}

impl Quantization {
    /// Every format, as options list them.
    pub const ALL: [Self; 8] = [
        Self::Q4_0,
        Self::Q4_1,
        Self::Q8_0,
        Self::Affine4,
        Self::Affine8,
        Self::Mxfp4,
        Self::Mxfp8,
        Self::Nvfp4,
    ];

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Q4_0 => "q4_0",
            Self::Q4_1 => "q4_1",
            Self::Q8_0 => "q8_0",
            Self::Affine4 => "affine-4",
            Self::Affine8 => "affine-8",
            Self::Mxfp4 => "mxfp4",
            Self::Mxfp8 => "mxfp8",
            Self::Nvfp4 => "nvfp4",
        }
    }

    /// How the kernels read it.
    pub fn layout(self) -> BlockLayout {
        block_layout(self.format()).expect("all formats have layouts")
    }

    /// The format of the embedding and the output head: 8 bits of the same family, which for 4-bit
    /// floats is `Mxfp8`. They make the logits, where 4 bits are heard most, and each is read once
    /// a token.
    pub fn of_vocabulary(self) -> Self {
        match self {
            Self::Q4_0 | Self::Q4_1 | Self::Q8_0 => Self::Q8_0,
            Self::Affine4 | Self::Affine8 => Self::Affine8,
            Self::Mxfp4 | Self::Mxfp8 | Self::Nvfp4 => Self::Mxfp8,
        }
    }

    /// What is said where a group's scale or bias is beyond the format.
    fn expected_group(self) -> &'static str {
        match self {
            Self::Nvfp4 => "a group of at most 2688, which E4M3 scales can hold",
            Self::Mxfp4 | Self::Mxfp8 => "a group that powers of two can scale",
            _ => "a group that f16 scales can hold",
        }
    }

    fn format(self) -> BlockFormat {
        use {BlockForm as Form, CodeType as Code, ScaleType as Scale};
        let (code, group, scale, form) = match self {
            Self::Q4_0 => (Code::Unsigned(4), 32, Scale::F16, Form::Middle),
            Self::Q4_1 => (Code::Unsigned(4), 32, Scale::F16, Form::Bias),
            Self::Q8_0 => (Code::Unsigned(8), 32, Scale::F16, Form::Middle),
            Self::Affine4 => (Code::Unsigned(4), 64, Scale::F16, Form::Bias),
            Self::Affine8 => (Code::Unsigned(8), 64, Scale::F16, Form::Bias),
            Self::Mxfp4 => (Code::E2M1, 32, Scale::E8M0, Form::Plain),
            Self::Mxfp8 => (Code::E4M3, 32, Scale::E8M0, Form::Plain),
            Self::Nvfp4 => (Code::E2M1, 16, Scale::E4M3, Form::Plain),
        };
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
/// Errors: a value that is not finite; a group whose scale or bias is beyond what the format has;
/// rows beyond the end.
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
        if !(scale.value.is_finite() && bias.value.is_finite()) {
            let found = group::extreme(values);
            return Err(refused(format, tensor, place, found, format.expected_group()));
        }
        for (value, code) in values.iter().zip(&*codes) {
            errors.push(*value, layout.value(*code, scale.value, bias.value));
        }
        scales.extend(scale.stored());
        biases.extend(bias.stored());
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

#[cfg(test)]
mod tests {
    use super::*;
    use tyto_checkpoint::Checkpoint;

    /// A matrix beside what MLX made of it (`tools/oracle/mlx_quantize.py`).
    const FIXTURE: &[u8] = include_bytes!("../tests/fixtures/mlx_quantize.safetensors");

    const CONFIG: &str = r#"{ "quantization": { "group_size": 32, "bits": 4, "mode": "mxfp4",
        "mxfp8": { "group_size": 32, "bits": 8, "mode": "mxfp8" },
        "nvfp4": { "group_size": 16, "bits": 4, "mode": "nvfp4" }, "plain": false } }"#;

    #[test]
    fn float_codes_and_scales_are_those_of_mlx() {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, bytes) in [("model.safetensors", FIXTURE), ("config.json", CONFIG.as_bytes())] {
            std::fs::write(directory.path().join(name), bytes).expect("written");
        }
        let checkpoint = Checkpoint::open(directory.path()).expect("a checkpoint");
        let plain = checkpoint.tensor("plain.weight").expect("there");
        for format in [Quantization::Mxfp4, Quantization::Mxfp8, Quantization::Nvfp4] {
            let theirs = checkpoint.tensor(&format!("{format}.weight")).expect("there");
            let all = 0..plain.shape[0];
            let expected = theirs.codes(all.clone()).expect("codes");
            let (found, _) = rows(format, &plain, all).expect("quantizes");
            let differ = found.scales.iter().zip(&expected.scales).position(|(a, b)| a != b);
            assert_eq!(differ, None, "{format}: scales");
            let differ = found.codes.iter().zip(&expected.codes).position(|(a, b)| a != b);
            assert_eq!(differ, None, "{format}: codes");
            assert_eq!(found, expected, "{format}");
        }
    }
}
