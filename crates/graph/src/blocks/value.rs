//! What codes and scales mean, in f32.

use std::ops::Range;

use super::{BlockCode, BlockForm, BlockLayout, BlockScale};

/// llama.cpp's `kvalues_iq4nl`.
const IQ4_VALUES: [i8; 16] =
    [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

impl BlockCode {
    /// The number that a code stands for, exact.
    pub fn value(self, code: u8) -> f32 {
        match self {
            Self::Unsigned(_) => code.into(),
            Self::E2M1 => small_float(code, 2, 1),
            Self::Iq4 => IQ4_VALUES[usize::from(code & 15)].into(),
            Self::E4M3 => e4m3(code),
        }
    }
}

impl BlockScale {
    /// The number that a stored scale stands for, exact; [`BlockScale::Super`]'s is its i8 alone.
    /// `stored` holds [`BlockScale::bytes`] bytes.
    pub fn value(self, stored: &[u8]) -> f32 {
        match (self, stored) {
            (Self::F16, &[a, b]) => half::f16::from_le_bytes([a, b]).to_f32(),
            (Self::Bf16, &[a, b]) => half::bf16::from_le_bytes([a, b]).to_f32(),
            (Self::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (Self::E8M0, &[0xff]) => f32::NAN,
            (Self::E8M0, &[byte]) => 2f64.powi(i32::from(byte) - 127) as f32,
            (Self::E4M3, &[byte]) => e4m3(byte),
            (Self::Super, &[byte]) => f32::from(byte as i8),
            (Self::One, &[]) => 1.0,
            _ => unreachable!("a stored scale has its type's bytes"),
        }
    }
}

impl BlockLayout {
    /// The value of a code before a row's own scale. `offset` is the bias, the zero point or the
    /// minimum of the code's group, or nothing that matters. The product of scale and code is exact
    /// for all scales but f32; a sum rounds once.
    pub fn value(self, code: u8, scale: f32, offset: f32) -> f32 {
        let value = self.code.value(code);
        match self.form {
            BlockForm::Plain => scale * value,
            BlockForm::Middle => scale * (value - f32::from(1u8 << (self.code.bits() - 1))),
            BlockForm::Bias => scale * value + offset,
            BlockForm::Zero => scale * (value - offset),
            BlockForm::Minimum => scale * value - offset,
        }
    }

    /// The values of row `row` of a band of `columns`, whose bytes `byte` gives.
    pub fn decode_row(self, byte: impl Fn(usize) -> u8, row: usize, columns: usize) -> Vec<f32> {
        let word = |at: Range<usize>| -> Vec<u8> { at.map(&byte).collect() };
        let row_scale = self.row_scale_at(row).map(|at| BlockScale::F32.value(&word(at)));
        let groups = (0..columns).step_by(self.columns()).flat_map(|first| {
            let scale = self.scale_of(&byte, row, first);
            let offset = self.offset_of(&byte, row, first);
            (first..first + self.columns()).map(move |column| (column, scale, offset))
        });
        let values = groups.map(|(column, scale, offset)| {
            let (low, high) = self.code_at(row, column);
            let code = high.map_or(0, |high| high.get(&byte) << low.bits) | low.get(&byte);
            let value = self.value(code, scale, offset);
            row_scale.map_or(value, |row_scale| row_scale * value)
        });
        values.collect()
    }

    /// The scale of the group of `column`.
    fn scale_of(self, byte: &impl Fn(usize) -> u8, row: usize, column: usize) -> f32 {
        let word = |at: Range<usize>| -> Vec<u8> { at.map(byte).collect() };
        match (self.super_at(row, column), self.sub_scale_at(row, column)) {
            (Some(at), Some(sub)) => {
                BlockScale::F16.value(&word(at)) * self.scale.value(&[sub.get(byte)])
            }
            _ => self.scale.value(&word(self.scale_at(row, column).unwrap_or(0..0))),
        }
    }

    /// The bias, zero point or minimum of the group of `column`; 0 in forms without.
    fn offset_of(self, byte: &impl Fn(usize) -> u8, row: usize, column: usize) -> f32 {
        let word = |at: Range<usize>| -> Vec<u8> { at.map(byte).collect() };
        if let Some(at) = self.bias_at(row, column) {
            return self.scale.value(&word(at));
        }
        if let Some(at) = self.zero_at(row, column) {
            return byte(at).into();
        }
        match (self.super_minimum_at(row, column), self.minimum_at(row, column)) {
            (Some(at), Some(minimum)) => {
                BlockScale::F16.value(&word(at)) * f32::from(minimum.get(byte))
            }
            _ => 0.0,
        }
    }
}

fn e4m3(code: u8) -> f32 {
    if code & 0x7f == 0x7f { f32::NAN } else { small_float(code, 4, 3) }
}

/// A float of a sign, `exponent` bits and `mantissa` bits, without infinities.
fn small_float(code: u8, exponent: u32, mantissa: u32) -> f32 {
    let bits = u32::from(code);
    let (sign, e) = (bits >> (exponent + mantissa) & 1, bits >> mantissa & ((1 << exponent) - 1));
    let fraction = bits & ((1 << mantissa) - 1);
    let bias = (1 << (exponent - 1)) - 1;
    let significand = if e == 0 { fraction } else { fraction | 1 << mantissa };
    let size = significand as f32 * 2f32.powi(e.max(1) as i32 - bias - mantissa as i32);
    if sign == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the OCP specification of microscaling formats.
    const E2M1: [f32; 16] =
        [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0];

    #[test]
    fn four_bit_floats_have_the_specifications_values() {
        for (code, expected) in E2M1.into_iter().enumerate() {
            assert_eq!(BlockCode::E2M1.value(code as u8).to_bits(), expected.to_bits(), "{code}");
        }
    }

    #[test]
    fn eight_bit_floats_have_the_specifications_values() {
        // The specification's examples, and the rule for all others: neighbours are one step of
        // 2^(exponent - 3) apart, the same for the two smallest exponents.
        for (code, expected) in [
            (0x00, 0.0),
            (0x01, 2f32.powi(-9)),
            (0x07, 0.875 * 2f32.powi(-6)),
            (0x08, 2f32.powi(-6)),
            (0x38, 1.0),
            (0x7e, 448.0),
            (0x80, -0.0),
            (0xb8, -1.0),
            (0xfe, -448.0),
        ] {
            assert_eq!(BlockCode::E4M3.value(code).to_bits(), expected.to_bits(), "{code:x}");
            let stored = BlockScale::E4M3.value(&[code]);
            assert_eq!(stored.to_bits(), expected.to_bits(), "{code:x}");
        }
        for code in 0..0x7e {
            let step = 2f32.powi(i32::from(code >> 3).max(1) - 7 - 3);
            let [one, next] = [code, code + 1].map(|code| BlockCode::E4M3.value(code));
            assert_eq!(next - one, step, "{code:x}");
            assert_eq!(BlockCode::E4M3.value(code | 0x80), -one);
        }
        for code in [0x7f, 0xff] {
            assert!(
                BlockCode::E4M3.value(code).is_nan() && BlockScale::E4M3.value(&[code]).is_nan()
            );
        }
    }

    #[test]
    fn scales_of_one_byte_have_the_specifications_values() {
        let mut expected = f64::from_bits((1023 - 127) << 52);
        for byte in 0..255u8 {
            let found = BlockScale::E8M0.value(&[byte]);
            assert_eq!(f64::from(found), expected, "{byte}");
            expected *= 2.0;
            assert_eq!(BlockScale::Super.value(&[byte]), f32::from(byte as i8), "{byte}");
        }
        assert!(BlockScale::E8M0.value(&[255]).is_nan());
        assert_eq!(BlockScale::One.value(&[]), 1.0);
    }

    #[test]
    fn forms_are_their_formulas() {
        let form = |code, form| BlockLayout {
            code,
            group: 32,
            scale: BlockScale::F16,
            form,
            row_scale: false,
        };
        for code in 0..=255u8 {
            let number = f32::from(code);
            let of = |form_of| form(BlockCode::Unsigned(8), form_of).value(code, 0.5, 3.0);
            assert_eq!(of(BlockForm::Middle), 0.5 * (number - 128.0));
            assert_eq!(of(BlockForm::Bias), 0.5 * number + 3.0);
            assert_eq!(of(BlockForm::Zero), 0.5 * (number - 3.0));
            assert_eq!(of(BlockForm::Minimum), 0.5 * number - 3.0);
        }
        let values: Vec<f32> = (0..16)
            .map(|code| form(BlockCode::Iq4, BlockForm::Plain).value(code, 2.0, 7.0))
            .collect();
        let expected: Vec<f32> = IQ4_VALUES.map(|value| 2.0 * f32::from(value)).to_vec();
        assert_eq!(values, expected);
    }
}
