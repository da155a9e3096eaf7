//! Where the parts of a row lie in a band.

use std::ops::Range;

use super::{BlockCode, BlockForm, BlockLayout, BlockScale};

/// Some bits of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPlace {
    /// The byte, from the band's begin.
    pub byte: usize,
    /// Its bit that is the lowest of these.
    pub shift: u8,
    /// How many bits.
    pub bits: u8,
}

/// Where a code's bits lie: those of its first plane, then the higher ones of the second, if it
/// has two.
pub type CodePlaces = (BitPlace, Option<BitPlace>);

impl BitPlace {
    /// What stands there, where `byte` reads a band.
    pub fn get(self, byte: impl Fn(usize) -> u8) -> u8 {
        byte(self.byte) >> self.shift & (0xff >> (8 - self.bits))
    }
}

impl BlockLayout {
    /// The bytes of a row's own scale, if it has one.
    pub fn row_scale_at(self, row: usize) -> Option<Range<usize>> {
        self.row_scale.then_some(4 * row..4 * row + 4)
    }

    /// The bytes of a group's scale; `None` for [`BlockScale::One`] and [`BlockScale::Super`].
    pub fn scale_at(self, row: usize, column: usize) -> Option<Range<usize>> {
        if matches!(self.scale, BlockScale::One | BlockScale::Super) {
            return None;
        }
        let size = self.scale.bytes();
        let at = self.unit_begin(column) + self.of_group(row, column) * size;
        Some(at..at + size)
    }

    /// The bytes of a group's bias, in the form that has one.
    pub fn bias_at(self, row: usize, column: usize) -> Option<Range<usize>> {
        let scale = self.scale_at(row, column)?;
        let after = self.groups_of_unit() * Self::ROWS * self.scale.bytes();
        (self.form == BlockForm::Bias).then_some(scale.start + after..scale.end + after)
    }

    /// The byte of a group's zero point, in the form that has one.
    pub fn zero_at(self, row: usize, column: usize) -> Option<usize> {
        let scales = self.groups_of_unit() * Self::ROWS * self.scale.bytes();
        (self.form == BlockForm::Zero)
            .then(|| self.unit_begin(column) + scales + self.of_group(row, column))
    }

    /// The bytes of the f16 of 256 columns that multiplies all scales of [`BlockScale::Super`].
    pub fn super_at(self, row: usize, column: usize) -> Option<Range<usize>> {
        let at = self.unit_begin(column) + 2 * row;
        (self.scale == BlockScale::Super).then_some(at..at + 2)
    }

    /// The same of what multiplies all minima.
    pub fn super_minimum_at(self, row: usize, column: usize) -> Option<Range<usize>> {
        let at = self.unit_begin(column) + 2 * (Self::ROWS + row);
        (self.form == BlockForm::Minimum).then_some(at..at + 2)
    }

    /// A group's part of a scale of [`BlockScale::Super`]: signed, but for codes of 2 bits with
    /// minima, where it is 4 bits without a sign.
    pub fn sub_scale_at(self, row: usize, column: usize) -> Option<BitPlace> {
        let bits = if self.shares_bytes() { 4 } else { 8 };
        let byte = self.unit_begin(column) + self.supers_bytes() + self.of_group(row, column);
        (self.scale == BlockScale::Super).then_some(BitPlace { byte, shift: 0, bits })
    }

    /// A group's minimum, in the form that has one.
    pub fn minimum_at(self, row: usize, column: usize) -> Option<BitPlace> {
        let sub = self.sub_scale_at(row, column).filter(|_| self.form == BlockForm::Minimum)?;
        if self.shares_bytes() {
            return Some(BitPlace { shift: 4, ..sub });
        }
        let after = self.groups_of_unit() * Self::ROWS;
        Some(BitPlace { byte: sub.byte + after, ..sub })
    }

    /// Where a column's code lies.
    pub fn code_at(self, row: usize, column: usize) -> CodePlaces {
        let bits = usize::from(self.code.bits());
        let begin = self.unit_begin(column) + self.header_bytes();
        let run = begin + column % self.unit() / 32 * bits * 64;
        let column = column % 32;
        let place = |plane: usize, first_word: usize| {
            let in_word = 32 / plane; // columns that a word holds a part of
            let (word, within) = (first_word + column / in_word, column % in_word);
            BitPlace {
                byte: run + (word * Self::ROWS + row) * 4 + within % 4,
                shift: (within / 4 * plane) as u8,
                bits: plane as u8,
            }
        };
        match bits {
            3 => (place(2, 0), Some(place(1, 2))),
            5 => (place(4, 0), Some(place(1, 4))),
            6 => (place(4, 0), Some(place(2, 4))),
            whole => (place(whole, 0), None),
        }
    }

    /// Bytes before the first unit.
    pub(super) fn row_scale_bytes(self) -> usize {
        if self.row_scale { 4 * Self::ROWS } else { 0 }
    }

    /// Bytes of a unit before its codes.
    pub(super) fn header_bytes(self) -> usize {
        let a_group = match (self.scale, self.form) {
            (_, BlockForm::Minimum) if self.shares_bytes() => 1,
            (_, BlockForm::Minimum) => 2,
            (scale, BlockForm::Bias) => 2 * scale.bytes(),
            (scale, BlockForm::Zero) => scale.bytes() + 1,
            (scale, BlockForm::Plain | BlockForm::Middle) => scale.bytes(),
        };
        self.supers_bytes() + self.groups_of_unit() * Self::ROWS * a_group
    }

    /// Bytes of the numbers for 256 columns.
    fn supers_bytes(self) -> usize {
        match (self.scale, self.form) {
            (BlockScale::Super, BlockForm::Minimum) => 4 * Self::ROWS,
            (BlockScale::Super, _) => 2 * Self::ROWS,
            _ => 0,
        }
    }

    /// Whether a group's scale and minimum are halves of one byte.
    fn shares_bytes(self) -> bool {
        self.code == BlockCode::Unsigned(2) && self.form == BlockForm::Minimum
    }

    fn groups_of_unit(self) -> usize {
        self.unit() / self.columns()
    }

    /// The place of a group's number among those of a unit.
    fn of_group(self, row: usize, column: usize) -> usize {
        column % self.unit() / self.columns() * Self::ROWS + row
    }

    fn unit_begin(self, column: usize) -> usize {
        self.row_scale_bytes() + column / self.unit() * self.unit_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(owners: &mut [u8], place: BitPlace) {
        let begin = place.byte * 8 + usize::from(place.shift);
        owners[begin..begin + usize::from(place.bits)].iter_mut().for_each(|owner| *owner += 1);
    }

    fn count_bytes(owners: &mut [u8], bytes: impl Iterator<Item = usize>) {
        bytes.for_each(|byte| count(owners, BitPlace { byte, shift: 0, bits: 8 }));
    }

    #[test]
    fn every_bit_of_a_band_has_one_owner() {
        for layout in BlockLayout::all() {
            let columns = 2 * layout.unit();
            let mut owners = vec![0u8; layout.band_bytes(columns) * 8];
            for row in 0..BlockLayout::ROWS {
                count_bytes(&mut owners, layout.row_scale_at(row).into_iter().flatten());
                for column in (0..columns).step_by(256) {
                    let halves =
                        [layout.super_at(row, column), layout.super_minimum_at(row, column)];
                    count_bytes(&mut owners, halves.into_iter().flatten().flatten());
                }
                for column in (0..columns).step_by(layout.columns()) {
                    let numbers = [layout.scale_at(row, column), layout.bias_at(row, column)];
                    count_bytes(&mut owners, numbers.into_iter().flatten().flatten());
                    count_bytes(&mut owners, layout.zero_at(row, column).into_iter());
                    let parts = [layout.sub_scale_at(row, column), layout.minimum_at(row, column)];
                    parts.into_iter().flatten().for_each(|place| count(&mut owners, place));
                }
                for column in 0..columns {
                    let (low, high) = layout.code_at(row, column);
                    count(&mut owners, low);
                    high.into_iter().for_each(|place| count(&mut owners, place));
                    let bits = low.bits + high.map_or(0, |place| place.bits);
                    assert_eq!(bits, layout.code.bits(), "{layout}");
                }
            }
            assert!(owners.iter().all(|count| *count == 1), "{layout}");
        }
    }

    #[test]
    fn codes_lie_in_words_of_sixteen_rows() {
        let four = BlockLayout {
            code: BlockCode::Unsigned(4),
            group: 32,
            scale: BlockScale::F16,
            form: BlockForm::Middle,
            row_scale: false,
        };
        let place = |byte, shift, bits| BitPlace { byte, shift, bits };
        // Column 13 is byte 1 of word 1, high half; row 3 is the fourth word of its run.
        assert_eq!(four.code_at(3, 13), (place(32 + (16 + 3) * 4 + 1, 4, 4), None));
        assert_eq!(four.code_at(3, 9), (place(32 + (16 + 3) * 4 + 1, 0, 4), None));
        let eight = BlockLayout { code: BlockCode::Unsigned(8), form: BlockForm::Bias, ..four };
        assert_eq!(eight.code_at(15, 31), (place(64 + (7 * 16 + 15) * 4 + 3, 0, 8), None));
        assert_eq!(eight.bias_at(2, 31), Some(36..38));
        assert_eq!(eight.bias_at(2, 32), Some(576 + 36..576 + 38));
        // Column 27 of 6 bits: word 3 and byte 3, low half; word 1 of the high plane, bits 4 and 5.
        let six = BlockLayout { code: BlockCode::Unsigned(6), ..four };
        let expected =
            (place(32 + (3 * 16 + 1) * 4 + 3, 0, 4), place(32 + (5 * 16 + 1) * 4 + 3, 4, 2));
        assert_eq!(six.code_at(1, 27), (expected.0, Some(expected.1)));
        // Column 22 of 3 bits: word 1, byte 2, bits 2 and 3; bit 5 of byte 2.
        let three = BlockLayout { code: BlockCode::Unsigned(3), ..four };
        let expected = (place(32 + (16 + 9) * 4 + 2, 2, 2), place(32 + (2 * 16 + 9) * 4 + 2, 5, 1));
        assert_eq!(three.code_at(9, 22), (expected.0, Some(expected.1)));
    }
}
