//! Weights of codes under shared scales, in bands of 16 rows.
//!
//! Value of column `k` in row `n`, all in f32, where group `g` holds column `k`:
//!
//! ```text
//! w = row_scale[n] × (scale(n, g) × value(code) + bias(n, g))
//! ```
//!
//! [`BlockForm`] says what stands for the bias, [`BlockCode`] what a code's value is,
//! [`BlockScale`] how scales are stored. A band is the codes and scales of 16 rows over all
//! columns, in one run of bytes, little-endian:
//!
//! ```text
//! row_scale f32 [16]                         with row scales
//! units, one after the other, each of 256 columns for BlockScale::Super and of
//! max(group, 32) columns else:
//!   header of Super
//!     d f16 [16], dmin f16 [16] in BlockForm::Minimum
//!     sub i8 [256 / group][16], minimum u8 [256 / group][16] in BlockForm::Minimum; with codes
//!     of 2 bits both are below 16 and share a byte, sub in the low half
//!   header of all others
//!     scale [unit / group][16]
//!     bias [unit / group][16] of the scale's type in BlockForm::Bias
//!     zero u8 [unit / group][16] in BlockForm::Zero
//!   codes, for every 32 columns: the planes that add up to the bits of a code, low bits first,
//!     each u32 [bits][16]
//!     8 bits  byte b of word j: column 4j + b
//!     4 bits  byte b of word j: column 8j + b in the low half, column 8j + 4 + b in the high
//!     2 bits  byte b of word j, bits 2p and 2p + 1: column 16j + 4p + b
//!     1 bit   byte b of the word, bit p: column 4p + b
//! ```
//!
//! Codes of 3 bits are planes of 2 and 1, of 5 bits 4 and 1, of 6 bits 4 and 2. Rows that pad the
//! last band are zero bytes, and nothing depends on what those mean.
//!
//! NaN codes and NaN scales have values here like all others; readers of files refuse them.

mod place;
mod value;

use std::fmt;

pub use place::{BitPlace, CodePlaces};

/// How codes under shared scales are stored. Only some combinations exist:
/// [`BlockLayout::is_known`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockLayout {
    /// What a code is.
    pub code: BlockCode,
    /// Columns under one scale: 16, 32, 64 or 128.
    pub group: u16,
    /// How scales are stored.
    pub scale: BlockScale,
    /// How scale and code make a value.
    pub form: BlockForm,
    /// Whether each row has an f32 that multiplies all of its values.
    pub row_scale: bool,
}

/// What a code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockCode {
    /// An unsigned integer of 2, 3, 4, 5, 6 or 8 bits.
    Unsigned(u8),
    /// OCP 4-bit float: 2 exponent bits, 1 mantissa bit.
    E2M1,
    /// An index into the 16 values of llama.cpp's `kvalues_iq4nl`.
    Iq4,
    /// OCP 8-bit float: 4 exponent bits, 3 mantissa bits, no infinities.
    E4M3,
}

/// How scales are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockScale {
    /// IEEE 754 binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// IEEE 754 binary32.
    F32,
    /// A byte `b` for 2^(b − 127).
    E8M0,
    /// OCP 8-bit float, as [`BlockCode::E4M3`].
    E4M3,
    /// None is stored: 1.
    One,
    /// An f16 for 256 columns times an i8 for each group; the product is exact in f32.
    Super,
}

/// How scale and code make a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockForm {
    /// `scale × value`.
    Plain,
    /// `scale × (code − 2^(bits − 1))`.
    Middle,
    /// `scale × code + bias`, a bias of the scale's type for each group.
    Bias,
    /// `scale × (code − zero)`, a byte for each group.
    Zero,
    /// `scale × code − dmin × minimum`, an f16 for 256 columns and a byte for each group.
    Minimum,
}

impl BlockCode {
    /// Every code.
    pub const ALL: [Self; 9] = [
        Self::Unsigned(2),
        Self::Unsigned(3),
        Self::Unsigned(4),
        Self::Unsigned(5),
        Self::Unsigned(6),
        Self::Unsigned(8),
        Self::E2M1,
        Self::Iq4,
        Self::E4M3,
    ];

    /// Stored bits of a code.
    pub fn bits(self) -> u8 {
        match self {
            Self::Unsigned(bits) => bits,
            Self::E2M1 | Self::Iq4 => 4,
            Self::E4M3 => 8,
        }
    }
}

impl BlockScale {
    /// Every kind of scale.
    pub const ALL: [Self; 7] =
        [Self::F16, Self::Bf16, Self::F32, Self::E8M0, Self::E4M3, Self::One, Self::Super];

    /// Bytes of a group's scale; of a group's part of it in [`BlockScale::Super`].
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::E8M0 | Self::E4M3 | Self::Super => 1,
            Self::One => 0,
        }
    }
}

impl BlockForm {
    /// Every form.
    pub const ALL: [Self; 5] = [Self::Plain, Self::Middle, Self::Bias, Self::Zero, Self::Minimum];
}

impl BlockLayout {
    /// Rows of a band.
    pub const ROWS: usize = 16;

    /// Every group size.
    pub const GROUPS: [u16; 4] = [16, 32, 64, 128];

    /// Whether this combination is among those that layouts are defined for.
    pub fn is_known(self) -> bool {
        use BlockForm::{Bias, Middle, Minimum, Plain, Zero};
        let code_fits = match self.code {
            BlockCode::Unsigned(2..=6 | 8) => self.form != Plain,
            BlockCode::Unsigned(_) => false,
            BlockCode::E2M1 | BlockCode::Iq4 | BlockCode::E4M3 => self.form == Plain,
        };
        let form_fits = match self.scale {
            BlockScale::F16 | BlockScale::Bf16 => self.form != Minimum,
            BlockScale::F32 => matches!(self.form, Plain | Middle | Zero),
            BlockScale::E8M0 | BlockScale::E4M3 | BlockScale::One => {
                matches!(self.form, Plain | Middle)
            }
            BlockScale::Super => !matches!(self.form, Bias | Zero) && self.code != BlockCode::E4M3,
        };
        let group_fits = match self.scale {
            BlockScale::One => self.group == 32,
            BlockScale::Super => matches!(self.group, 16 | 32),
            _ => Self::GROUPS.contains(&self.group),
        };
        code_fits && form_fits && group_fits
    }

    /// Every layout that is defined.
    pub fn all() -> impl Iterator<Item = Self> {
        let forms = || BlockForm::ALL.into_iter().flat_map(|form| [(form, false), (form, true)]);
        BlockCode::ALL
            .into_iter()
            .flat_map(|code| Self::GROUPS.map(|group| (code, group)))
            .flat_map(|(code, group)| BlockScale::ALL.map(|scale| (code, group, scale)))
            .flat_map(move |(code, group, scale)| {
                forms().map(move |(form, row_scale)| Self { code, group, scale, form, row_scale })
            })
            .filter(|layout| layout.is_known())
    }

    /// Columns under one scale.
    pub fn columns(self) -> usize {
        self.group.into()
    }

    /// Columns of a unit, of which a row has a whole number.
    pub fn unit(self) -> usize {
        match self.scale {
            BlockScale::Super => 256,
            _ => self.columns().max(32),
        }
    }

    /// Bytes of a unit.
    pub fn unit_bytes(self) -> usize {
        self.header_bytes() + self.unit() * Self::ROWS * usize::from(self.code.bits()) / 8
    }

    /// Bytes of a band of `columns`, which are whole units.
    pub fn band_bytes(self, columns: usize) -> usize {
        self.row_scale_bytes() + columns / self.unit() * self.unit_bytes()
    }

    /// The columns of a band of `bytes`, or `None` where no band has that size.
    pub fn columns_of_band(self, bytes: usize) -> Option<usize> {
        let units = bytes.checked_sub(self.row_scale_bytes()).filter(|_| self.is_known())?;
        let whole = units.is_multiple_of(self.unit_bytes());
        whole.then(|| units / self.unit_bytes())?.checked_mul(self.unit())
    }
}

impl fmt::Display for BlockLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = match self.code {
            BlockCode::Unsigned(bits) => &format!("{bits}-bit"),
            BlockCode::E2M1 => "e2m1",
            BlockCode::Iq4 => "iq4",
            BlockCode::E4M3 => "e4m3",
        };
        let scale = match self.scale {
            BlockScale::F16 => "f16",
            BlockScale::Bf16 => "bf16",
            BlockScale::F32 => "f32",
            BlockScale::E8M0 => "e8m0",
            BlockScale::E4M3 => "e4m3",
            BlockScale::One => "unscaled",
            BlockScale::Super => "super",
        };
        let form = match self.form {
            BlockForm::Plain => "",
            BlockForm::Middle => " middle",
            BlockForm::Bias => " bias",
            BlockForm::Zero => " zero",
            BlockForm::Minimum => " minimum",
        };
        let row_scale = if self.row_scale { " row-scaled" } else { "" };
        write!(f, "blocks {code} group {} {scale}{form}{row_scale}", self.group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(code: BlockCode, group: u16, scale: BlockScale, form: BlockForm) -> BlockLayout {
        BlockLayout { code, group, scale, form, row_scale: false }
    }

    #[test]
    fn bands_have_the_sizes_that_kernels_step_by() {
        use BlockCode::{E2M1, E4M3, Iq4, Unsigned};
        for (layout, unit, bytes) in [
            (layout(Unsigned(4), 32, BlockScale::F16, BlockForm::Bias), 32, 320),
            (layout(Unsigned(4), 32, BlockScale::F16, BlockForm::Middle), 32, 288),
            (layout(Unsigned(8), 128, BlockScale::Bf16, BlockForm::Bias), 128, 2112),
            (layout(Unsigned(4), 128, BlockScale::F16, BlockForm::Zero), 128, 1072),
            (layout(E2M1, 32, BlockScale::E8M0, BlockForm::Plain), 32, 272),
            (layout(E2M1, 16, BlockScale::E4M3, BlockForm::Plain), 32, 288),
            (layout(E4M3, 128, BlockScale::F32, BlockForm::Plain), 128, 2112),
            (layout(E4M3, 32, BlockScale::One, BlockForm::Plain), 32, 512),
            (layout(Unsigned(2), 16, BlockScale::Super, BlockForm::Minimum), 256, 1344),
            (layout(Unsigned(3), 16, BlockScale::Super, BlockForm::Middle), 256, 1824),
            (layout(Unsigned(4), 32, BlockScale::Super, BlockForm::Minimum), 256, 2368),
            (layout(Unsigned(5), 32, BlockScale::Super, BlockForm::Minimum), 256, 2880),
            (layout(Unsigned(6), 16, BlockScale::Super, BlockForm::Middle), 256, 3360),
            (layout(Iq4, 32, BlockScale::Super, BlockForm::Plain), 256, 2208),
        ] {
            assert!(layout.is_known(), "{layout}");
            assert_eq!((layout.unit(), layout.unit_bytes()), (unit, bytes), "{layout}");
            assert_eq!(layout.band_bytes(3 * unit), 3 * bytes);
            let scaled = BlockLayout { row_scale: true, ..layout };
            assert_eq!(scaled.band_bytes(3 * unit), 3 * bytes + 64);
            assert_eq!(scaled.columns_of_band(3 * bytes + 64), Some(3 * unit));
            assert_eq!(scaled.columns_of_band(3 * bytes + 63), None);
            assert_eq!(scaled.columns_of_band(63), None);
        }
    }

    #[test]
    fn the_layout_prints_what_it_is() {
        let middle = layout(BlockCode::Unsigned(4), 32, BlockScale::F16, BlockForm::Middle);
        assert_eq!(middle.to_string(), "blocks 4-bit group 32 f16 middle");
        let nvfp4 = layout(BlockCode::E2M1, 16, BlockScale::E4M3, BlockForm::Plain);
        let nvfp4 = BlockLayout { row_scale: true, ..nvfp4 };
        assert_eq!(nvfp4.to_string(), "blocks e2m1 group 16 e4m3 row-scaled");
        let mut names: Vec<String> = BlockLayout::all().map(|layout| layout.to_string()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "every layout has a name of its own");
    }

    #[test]
    fn combinations_without_a_meaning_are_unknown() {
        use BlockCode::{E2M1, E4M3, Unsigned};
        for layout in [
            layout(Unsigned(7), 32, BlockScale::F16, BlockForm::Bias),
            layout(Unsigned(1), 32, BlockScale::F16, BlockForm::Bias),
            layout(Unsigned(0), 32, BlockScale::F16, BlockForm::Bias),
            layout(Unsigned(4), 48, BlockScale::F16, BlockForm::Bias),
            layout(Unsigned(4), 0, BlockScale::F16, BlockForm::Bias),
            layout(Unsigned(4), 32, BlockScale::F16, BlockForm::Plain),
            layout(Unsigned(4), 32, BlockScale::F32, BlockForm::Bias),
            layout(Unsigned(4), 32, BlockScale::F16, BlockForm::Minimum),
            layout(Unsigned(4), 64, BlockScale::Super, BlockForm::Minimum),
            layout(Unsigned(8), 64, BlockScale::One, BlockForm::Middle),
            layout(E2M1, 32, BlockScale::E8M0, BlockForm::Middle),
            layout(E4M3, 32, BlockScale::Super, BlockForm::Plain),
        ] {
            assert!(!layout.is_known(), "{layout}");
        }
    }
}
