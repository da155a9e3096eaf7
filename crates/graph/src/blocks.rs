//! Weights of 4- or 8-bit codes under shared scales, in tiles of 16 rows.
//!
//! A block is `group` columns of one row. Its codes are unsigned; the published format says
//! what they mean ([`BlockForm`]). A tile is the blocks of 16 rows over the same columns, in
//! one run of bytes, little-endian:
//!
//! ```text
//! scale[16]                        f16 or bf16
//! bias[16]                         the same type, in BlockForm::Bias
//! 4 bits   [group / 8][16] u32     byte b of word j, row r: column 8j + b in the low half,
//!                                  column 8j + 4 + b in the high half
//! 8 bits   [group / 4][16] u32     byte b of word j, row r: column 4j + b
//! ```
//!
//! A matrix is `[rows / 16][columns / group]` tiles. Rows that pad the last tile have scale
//! and bias 0, which make them 0 whatever their codes.

use std::fmt;
use std::ops::Range;

use crate::dtype::DType;

/// How codes under shared scales are stored. Only some combinations exist:
/// [`BlockLayout::is_known`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockLayout {
    /// Bits of a code: 4 or 8.
    pub bits: u8,
    /// Columns under one scale: 32, 64 or 128.
    pub group: u16,
    /// Element type of scales and biases: f16 or bf16.
    pub scale: DType,
    /// What a code means.
    pub form: BlockForm,
}

/// The value of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockForm {
    /// `scale × code + bias`.
    Bias,
    /// `scale × (code − 2^(bits − 1))`.
    Middle,
}

/// Where the parts of a row lie in a tile; see the module's documentation.
impl BlockLayout {
    /// Rows of a tile.
    pub const ROWS: usize = 16;

    /// Whether bits, group and scales are among those that this layout is defined for.
    pub fn is_known(self) -> bool {
        matches!(self.bits, 4 | 8)
            && matches!(self.group, 32 | 64 | 128)
            && matches!(self.scale, DType::F16 | DType::BF16)
    }

    /// Columns under one scale.
    pub fn columns(self) -> usize {
        self.group.into()
    }

    /// Bytes of one tile.
    pub fn tile_bytes(self) -> usize {
        self.codes_begin() + self.columns() * Self::ROWS * usize::from(self.bits) / 8
    }

    /// The bytes of a row's scale.
    pub fn scale_at(self, row: usize) -> Range<usize> {
        2 * row..2 * row + 2
    }

    /// The bytes of a row's bias, in the form that has one.
    pub fn bias_at(self, row: usize) -> Option<Range<usize>> {
        let at = 2 * (Self::ROWS + row);
        (self.form == BlockForm::Bias).then_some(at..at + 2)
    }

    /// The byte that holds a column's code, and by how many bits the code is shifted in it.
    pub fn code_at(self, row: usize, column: usize) -> (usize, u32) {
        let word =
            |word: usize, byte: usize| self.codes_begin() + (word * Self::ROWS + row) * 4 + byte;
        if self.bits == 8 {
            return (word(column / 4, column % 4), 0);
        }
        let shift = if column % 8 < 4 { 0 } else { 4 };
        (word(column / 8, column % 4), shift)
    }

    /// The value of a code, in f32: the product is exact, and a sum rounds once.
    pub fn value(self, code: u8, scale: f32, bias: f32) -> f32 {
        match self.form {
            BlockForm::Bias => scale * f32::from(code) + bias,
            BlockForm::Middle => scale * (f32::from(code) - f32::from(1u8 << (self.bits - 1))),
        }
    }

    fn codes_begin(self) -> usize {
        match self.form {
            BlockForm::Bias => 4 * Self::ROWS,
            BlockForm::Middle => 2 * Self::ROWS,
        }
    }
}

impl fmt::Display for BlockLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            BlockForm::Bias => "bias",
            BlockForm::Middle => "middle",
        };
        write!(f, "blocks {}-bit group {} {} {form}", self.bits, self.group, self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts() -> impl Iterator<Item = BlockLayout> {
        [4, 8].into_iter().flat_map(|bits| {
            [32, 64, 128].into_iter().flat_map(move |group| {
                [BlockForm::Bias, BlockForm::Middle].map(move |form| BlockLayout {
                    bits,
                    group,
                    scale: DType::F16,
                    form,
                })
            })
        })
    }

    #[test]
    fn every_bit_of_a_tile_has_one_owner() {
        for layout in layouts() {
            let mut owners = vec![0u8; layout.tile_bytes() * 8];
            for row in 0..BlockLayout::ROWS {
                let halves = std::iter::once(layout.scale_at(row)).chain(layout.bias_at(row));
                for bit in halves.flatten().flat_map(|byte| byte * 8..byte * 8 + 8) {
                    owners[bit] += 1;
                }
                for column in 0..layout.columns() {
                    let (byte, shift) = layout.code_at(row, column);
                    let begin = byte * 8 + shift as usize;
                    for owner in &mut owners[begin..begin + usize::from(layout.bits)] {
                        *owner += 1;
                    }
                }
            }
            assert!(owners.iter().all(|count| *count == 1), "{layout}");
        }
    }

    #[test]
    fn tiles_have_the_sizes_that_kernels_step_by() {
        let sizes: Vec<usize> = layouts().map(BlockLayout::tile_bytes).collect();
        assert_eq!(sizes, [320, 288, 576, 544, 1088, 1056, 576, 544, 1088, 1056, 2112, 2080]);
    }

    #[test]
    fn codes_lie_in_words_of_sixteen_rows() {
        let four = BlockLayout { bits: 4, group: 32, scale: DType::F16, form: BlockForm::Middle };
        // Column 13 is byte 1 of word 1, high half; row 3 is the fourth word of its run.
        assert_eq!(four.code_at(3, 13), (32 + (16 + 3) * 4 + 1, 4));
        assert_eq!(four.code_at(3, 9), (32 + (16 + 3) * 4 + 1, 0));
        let eight = BlockLayout { bits: 8, form: BlockForm::Bias, ..four };
        assert_eq!(eight.code_at(15, 31), (64 + (7 * 16 + 15) * 4 + 3, 0));
        assert_eq!(eight.bias_at(2), Some(36..38));
    }

    #[test]
    fn the_layout_prints_what_it_is() {
        let printed: Vec<String> = layouts().take(2).map(|layout| layout.to_string()).collect();
        assert_eq!(printed, ["blocks 4-bit group 32 f16 bias", "blocks 4-bit group 32 f16 middle"]);
    }
}
