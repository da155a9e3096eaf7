//! How matrices are quantized whose codes and scales are tensors of their own, and codes as MLX and
//! others pack them.
//!
//! A row's codes are one string of bits, the lowest of each byte first: code `i` is bits
//! `[i × bits, (i + 1) × bits)`. Rows fill whole words and groups, so the matrix is one string too.

use std::fmt;
use std::ops::Range;

use crate::dtype::StoredType;

/// How a matrix is quantized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    /// What codes and scales mean.
    pub mode: PackedMode,
    /// Bits of a code.
    pub bits: u8,
    /// Columns under one scale; 0 where there is one for a row or the matrix.
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
    /// E2M1 codes times an E4M3 scale, in some tools' files times an F32 of the matrix.
    Nvfp4,
    /// E4M3 codes times a number, of a block, some columns, a row or the matrix.
    Fp8,
    /// compressed-tensors: whole numbers, less a middle or a zero, times a number.
    Integer,
    /// AWQ: whole numbers, less a zero, times a number.
    Awq,
    /// GPTQ: the same in another order.
    Gptq,
    /// BitNet: -1, 0 and 1, times a number of the matrix.
    Ternary,
}

impl PackedMode {
    /// The modes that MLX has.
    pub const MLX: [PackedMode; 4] =
        [PackedMode::Affine, PackedMode::Mxfp4, PackedMode::Mxfp8, PackedMode::Nvfp4];

    /// MLX's name.
    pub fn name(self) -> &'static str {
        match self {
            PackedMode::Affine => "affine",
            PackedMode::Mxfp4 => "mxfp4",
            PackedMode::Mxfp8 => "mxfp8",
            PackedMode::Nvfp4 => "nvfp4",
            PackedMode::Fp8 => "fp8",
            PackedMode::Integer => "int",
            PackedMode::Awq => "awq",
            PackedMode::Gptq => "gptq",
            PackedMode::Ternary => "ternary",
        }
    }

    /// The stored types that MLX's scales may have.
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
            _ => false,
        }
    }
}

impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}-bit", self.mode.name(), self.bits)?;
        if self.group > 0 { write!(f, " group {}", self.group) } else { Ok(()) }
    }
}

/// Some bytes of one of a checkpoint's files.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) file: usize,
    pub(crate) range: Range<usize>,
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
