//! Matrices as MLX quantizes them: codes in words of 32 bits, and a scale, in affine mode also a
//! bias, for each group of columns, in tensors of their own.
//!
//! A row's codes are one string of bits, the lowest of each byte first: code `i` is bits
//! `[i × bits, (i + 1) × bits)`. Rows fill whole words and groups, so the matrix is one string too.

use std::fmt;
use std::ops::Range;

use crate::dtype::StoredType;
use crate::floats;

/// How a matrix is quantized. Only some combinations exist: [`Packed::is_known`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    /// What codes and scales mean.
    pub mode: PackedMode,
    /// Bits of a code.
    pub bits: u8,
    /// Columns under one scale.
    pub group: u16,
}

/// What codes and scales mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PackedMode {
    /// `scale × code + bias` of floating-point scales and biases.
    Affine,
    /// E2M1 codes times a power of two (E8M0).
    Mxfp4,
    /// E4M3 codes times a power of two (E8M0).
    Mxfp8,
    /// E2M1 codes times an E4M3 scale.
    Nvfp4,
}

impl PackedMode {
    /// Every mode.
    pub const ALL: [PackedMode; 4] =
        [PackedMode::Affine, PackedMode::Mxfp4, PackedMode::Mxfp8, PackedMode::Nvfp4];

    /// MLX's name.
    pub fn name(self) -> &'static str {
        match self {
            PackedMode::Affine => "affine",
            PackedMode::Mxfp4 => "mxfp4",
            PackedMode::Mxfp8 => "mxfp8",
            PackedMode::Nvfp4 => "nvfp4",
        }
    }

    /// The stored types that scales may have.
    pub(crate) fn scale_types(self) -> &'static [StoredType] {
        match self {
            PackedMode::Affine => &[StoredType::F16, StoredType::Bf16, StoredType::F32],
            _ => &[StoredType::U8],
        }
    }
}

impl Packed {
    /// Whether MLX has codes of so many bits in such groups.
    pub fn is_known(self) -> bool {
        match self.mode {
            PackedMode::Affine => {
                matches!(self.bits, 2 | 3 | 4 | 5 | 6 | 8) && matches!(self.group, 32 | 64 | 128)
            }
            PackedMode::Mxfp4 => (self.bits, self.group) == (4, 32),
            PackedMode::Mxfp8 => (self.bits, self.group) == (8, 32),
            PackedMode::Nvfp4 => (self.bits, self.group) == (4, 16),
        }
    }

    /// Bytes of a group's codes.
    pub(crate) fn code_bytes(self) -> usize {
        usize::from(self.group) * usize::from(self.bits) / 8
    }
}

impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}-bit group {}", self.mode.name(), self.bits, self.group)
    }
}

/// The scales of a matrix: of its files' places, or the bytes there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales<T> {
    /// The stored type of scales and biases.
    pub(crate) dtype: StoredType,
    pub(crate) scales: T,
    /// In affine mode.
    pub(crate) biases: Option<T>,
}

/// Some bytes of one of a checkpoint's files.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) file: usize,
    pub(crate) range: Range<usize>,
}

impl<T> Scales<T> {
    /// The same of what `to` gives for each part.
    pub(crate) fn map<'a, U>(&'a self, to: impl Fn(&'a T) -> U) -> Scales<U> {
        let biases = self.biases.as_ref().map(&to);
        Scales { dtype: self.dtype, scales: to(&self.scales), biases }
    }
}

impl<'a> Scales<&'a [u8]> {
    /// The size of all parts.
    pub(crate) fn bytes(&self) -> usize {
        self.scales.len() + self.biases.map_or(0, <[u8]>::len)
    }

    /// The stored bytes of a group's scale, and of its bias.
    pub(crate) fn of_group(&self, group: usize) -> (&'a [u8], Option<&'a [u8]>) {
        let size = self.dtype.block_bytes();
        let at = |part: &'a [u8]| &part[group * size..][..size];
        (at(self.scales), self.biases.map(at))
    }
}

/// Decodes whole groups, of which `first` is the first: `codes` holds exactly those of `out`.
pub(crate) fn decode(
    packed: Packed,
    codes: &[u8],
    scales: Scales<&[u8]>,
    first: usize,
    out: &mut [f32],
) {
    let groups = codes.chunks_exact(packed.code_bytes());
    let outs = out.chunks_exact_mut(packed.group.into());
    for (group, (codes, out)) in groups.zip(outs).enumerate() {
        let (scale, bias) = scales.of_group(first + group);
        let value = |dtype| floats::one(dtype, scale);
        let codes = (0..out.len()).map(|at| code(codes, packed.bits, at));
        match packed.mode {
            PackedMode::Affine => {
                let scale = value(scales.dtype);
                let bias = bias.map_or(0.0, |bias| floats::one(scales.dtype, bias));
                fill(out, codes, |code| scale * f32::from(code) + bias);
            }
            PackedMode::Mxfp4 => {
                let scale = value(StoredType::F8E8M0);
                fill(out, codes, |code| scale * floats::e2m1(code));
            }
            PackedMode::Mxfp8 => {
                let scale = value(StoredType::F8E8M0);
                fill(out, codes, |code| scale * floats::e4m3(code));
            }
            PackedMode::Nvfp4 => {
                let scale = value(StoredType::F8E4M3);
                fill(out, codes, |code| scale * floats::e2m1(code));
            }
        }
    }
}

fn fill(out: &mut [f32], codes: impl Iterator<Item = u8>, value: impl Fn(u8) -> f32) {
    for (out, code) in out.iter_mut().zip(codes) {
        *out = value(code);
    }
}

/// Code `at` of a string of codes; none is wider than a byte.
pub(crate) fn code(codes: &[u8], bits: u8, at: usize) -> u8 {
    let bit = at * usize::from(bits);
    let next = codes.get(bit / 8 + 1).copied().unwrap_or(0);
    let window = u16::from_le_bytes([codes[bit / 8], next]) >> (bit % 8);
    window as u8 & (0xff >> (8 - bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_one_string_of_bits() {
        // 0, 1, …, 7 in three bits each: 0b111_110_101_100_011_010_001_000.
        let three = 0b1111_1010_1100_0110_1000_1000_u32.to_le_bytes();
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7].map(|at| code(&three[..3], 3, at)),
            [0, 1, 2, 3, 4, 5, 6, 7]
        );
        let word = 0x7654_3210_u32.to_le_bytes();
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|at| code(&word, 4, at)), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!([0, 1, 2, 3].map(|at| code(&word, 8, at)), [0x10, 0x32, 0x54, 0x76]);
    }

    #[test]
    fn formats_print_whole() {
        let packed = Packed { mode: PackedMode::Affine, bits: 4, group: 64 };
        assert_eq!(StoredType::Packed(packed).to_string(), "affine 4-bit group 64");
        assert_eq!(StoredType::Packed(packed).name(), "affine");
        assert!(packed.is_known() && !Packed { bits: 7, ..packed }.is_known());
    }
}
