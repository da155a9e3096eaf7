//! The rounding of one group, format by format.

use half::f16;

use super::Quantization;
use super::floats::{mx, nvfp4};

/// The smallest step of an affine group, as MLX has it.
const SMALLEST_STEP: f32 = 1e-7;

/// A scale or bias as the format rounds it, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f32,
    bytes: [u8; 2],
    length: usize,
}

impl Number {
    /// An f16.
    fn half(value: f32) -> Self {
        let half = f16::from_f32(value);
        Self { value: half.to_f32(), bytes: half.to_le_bytes(), length: 2 }
    }

    /// A byte that stands for `value`.
    pub(super) fn byte(value: f32, byte: u8) -> Self {
        Self { value, bytes: [byte, 0], length: 1 }
    }

    /// Its bytes in a file.
    pub(super) fn stored(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Quantization {
    /// Writes the codes of a group and gives its scale and bias (0 in forms without one), as the
    /// format rounds them. `values` are finite; scale or bias are not where the group is beyond
    /// the format.
    ///
    /// Whole codes are chosen with the scale before it is rounded, floats with the rounded one, as
    /// the reference implementations do.
    pub(super) fn group(self, values: &[f32], codes: &mut [u8]) -> (Number, Number) {
        let (scale, bias) = match self {
            Self::Mxfp4 | Self::Mxfp8 => {
                return (mx(values, codes, self == Self::Mxfp8), Number::half(0.0));
            }
            Self::Nvfp4 => return (nvfp4(values, codes), Number::half(0.0)),
            Self::Q4_0 => (signed_extreme(values, codes), 0.0),
            Self::Q4_1 => between(values, codes),
            Self::Q8_0 => (symmetric(values, codes), 0.0),
            Self::Affine4 => affine(values, codes, 15.0),
            Self::Affine8 => affine(values, codes, 255.0),
        };
        (Number::half(scale), Number::half(bias))
    }
}

/// `Q4_0`: the value of the largest magnitude, with its sign, is code −8 (stored as 0). A value of
/// the other sign and the same magnitude is clamped to 7.
fn signed_extreme(values: &[f32], codes: &mut [u8]) -> f32 {
    let scale = extreme(values) / -8.0;
    let inverse = inverse(scale);
    for (code, value) in codes.iter_mut().zip(values) {
        *code = ((value * inverse + 8.5) as u8).min(15);
    }
    scale
}

/// `Q4_1`: the minimum is code 0, the maximum 15.
fn between(values: &[f32], codes: &mut [u8]) -> (f32, f32) {
    let (least, most) = bounds(values);
    let scale = (most - least) / 15.0;
    let inverse = inverse(scale);
    for (code, value) in codes.iter_mut().zip(values) {
        *code = (((value - least) * inverse + 0.5) as u8).min(15);
    }
    (scale, least)
}

/// `Q8_0`: the largest magnitude is ±127 (stored with 128 added), zero is exact.
fn symmetric(values: &[f32], codes: &mut [u8]) -> f32 {
    let most = values.iter().fold(0f32, |most, value| most.max(value.abs()));
    let scale = most / 127.0;
    let inverse = inverse(scale);
    for (code, value) in codes.iter_mut().zip(values) {
        *code = ((value * inverse).round() as i8 as u8) ^ 0x80;
    }
    scale
}

/// MLX's affine groups: the extreme of the larger magnitude is the bias, and so exact with code
/// 0; the scale points from it to the other extreme and is adjusted so that zero has a code of
/// its own. The adjustment can move the other extreme beyond the last code, by less than one step.
fn affine(values: &[f32], codes: &mut [u8], last: f32) -> (f32, f32) {
    let (least, most) = bounds(values);
    let step = ((most - least) / last).max(SMALLEST_STEP);
    let (edge, step) = if least.abs() > most.abs() { (least, step) } else { (most, -step) };
    let zero = (edge / step).round_ties_even();
    let (scale, bias) = if zero == 0.0 { (step, 0.0) } else { (edge / zero, edge) };
    for (code, value) in codes.iter_mut().zip(values) {
        *code = ((value - bias) / scale).round_ties_even().clamp(0.0, last) as u8;
    }
    (scale, bias)
}

/// The first value of the largest magnitude, with its sign.
pub(super) fn extreme(values: &[f32]) -> f32 {
    let larger = |most: f32, value: &f32| if value.abs() > most.abs() { *value } else { most };
    values.iter().fold(0.0, larger)
}

fn bounds(values: &[f32]) -> (f32, f32) {
    let (least, most) = (f32::INFINITY, f32::NEG_INFINITY);
    values.iter().fold((least, most), |(least, most), value| (least.min(*value), most.max(*value)))
}

/// 0 where there is none: such a group is below everything that its f16 scale can hold.
fn inverse(scale: f32) -> f32 {
    let inverse = 1.0 / scale;
    if inverse.is_finite() { inverse } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scale, bias and codes of a short group.
    fn of(format: Quantization, values: &[f32]) -> (f32, f32, Vec<u8>) {
        let mut codes = vec![0; values.len()];
        let (scale, bias) = format.group(values, &mut codes);
        (scale.value, bias.value, codes)
    }

    /// Worked out by hand from the formats' definitions; every scale is exact in f16.
    #[test]
    fn codes_are_those_of_the_definitions() {
        use Quantization::*;
        for (format, values, scale, bias, codes) in [
            // The first of two equal magnitudes decides the sign; the other is clamped. Halves
            // go up: 0.5 + 8.5 is 9.
            (
                Q4_0,
                &[-8.0, 8.0, 7.0, 1.0, 0.5, 0.49, -0.5, -0.51][..],
                1.0,
                0.0,
                &[0, 15, 15, 9, 9, 8, 8, 7][..],
            ),
            (Q4_0, &[0.0, 4.0, -4.0, 1.0, -3.5], -0.5, 0.0, &[8, 0, 15, 6, 15]),
            (Q4_1, &[-1.0, 14.0, 0.4, 0.5, -0.6], 1.0, -1.0, &[0, 15, 1, 2, 0]),
            // All of one sign: the minimum is the bias all the same.
            (Q4_1, &[10.0, 40.0, 24.0, 25.0], 2.0, 10.0, &[0, 15, 7, 8]),
            // Halves go away from zero.
            (
                Q8_0,
                &[127.0, -127.0, 0.5, -0.5, 1.5, 2.4, 0.0],
                1.0,
                0.0,
                &[255, 1, 129, 127, 130, 130, 128],
            ),
            // Halves go to even codes.
            (Affine4, &[-15.0, 0.0, -14.5, -13.5, -7.0], 1.0, -15.0, &[0, 15, 0, 2, 8]),
            (Affine4, &[15.0, 0.0, 14.5, 13.5, 7.0], -1.0, 15.0, &[0, 15, 0, 2, 8]),
            // The step 15.5 / 15 is adjusted to 1, so that zero is code 8; −7.5 is clamped to −7.
            (Affine4, &[8.0, -7.5, 0.0, 3.2], -1.0, 8.0, &[0, 15, 8, 5]),
            (Affine8, &[-255.0, 0.0, -1.0, -200.5], 1.0, -255.0, &[0, 255, 254, 54]),
            // 510 / 255 is 2; the magnitudes are equal, so the maximum is the edge, and zero is
            // at 127.5, which goes to 128: the step becomes 255 / 128, and −255 is clamped.
            (Affine8, &[255.0, -255.0, 0.0], -1.9921875, 255.0, &[0, 255, 128]),
        ] {
            let found = of(format, values);
            assert_eq!(found, (scale, bias, codes.to_vec()), "{format} of {values:?}");
        }
    }

    /// The formats of whole codes; floats have tests of their own.
    fn whole() -> impl Iterator<Item = Quantization> {
        let is_whole = |format: &Quantization| {
            matches!(format.layout().code, tyto_graph::BlockCode::Unsigned(_))
        };
        Quantization::ALL.into_iter().filter(is_whole)
    }

    #[test]
    fn groups_of_one_value_are_exact() {
        for format in whole() {
            for value in [0.0f32, 0.5, -0.5, 3.0, -24.0] {
                let (scale, bias, codes) = of(format, &[value; 32]);
                for code in codes {
                    let found = format.layout().value(code, scale, bias);
                    // 127 steps of f16 are not exact; every other form has the value itself.
                    let tolerance =
                        if format == Quantization::Q8_0 { value.abs() / 2048.0 } else { 0.0 };
                    assert!((found - value).abs() <= tolerance, "{format} of {value}: {found}");
                }
            }
        }
    }

    /// Half a step from what is stored, one step where a code is clamped to the last, and what
    /// rounding scale and bias to f16 (11 bits, or multiples of 2⁻²⁴ below its normal numbers)
    /// moves the decoded values by.
    fn check(format: Quantization, values: &[f32]) {
        let layout = format.layout();
        let (scale, bias, codes) = of(format, values);
        let last = ((1u32 << layout.code.bits()) - 1) as f32;
        let half = |value: f32| (value.abs() / 2048.0).max(2f32.powi(-25));
        let rounding = last * half(scale) + if bias == 0.0 { 0.0 } else { half(bias) };
        let largest = values.iter().fold(0f32, |most, value| most.max(value.abs()));
        for (value, code) in values.iter().zip(codes) {
            let exact = matches!(format, Quantization::Q4_1 | Quantization::Q8_0);
            let clamped = f32::from(code) == last && !exact;
            let steps = if clamped { 1.0 } else { 0.5 };
            let bound = (steps * scale.abs() + rounding) * 1.001 + largest * 1e-6;
            let found = layout.value(code, scale, bias);
            let error = (found - value).abs();
            assert!(error <= bound, "{format}: {value} is {found}, {error} above {bound}");
        }
    }

    /// Seeded uniform numbers in −1..1 (a linear congruential generator's high bits).
    fn random(seed: u64) -> impl Iterator<Item = f32> {
        let mut state = seed;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
    }

    #[test]
    fn a_value_comes_back_within_half_a_step() {
        for format in whole() {
            let group = format.layout().columns();
            for seed in 0..2000 {
                let size = 10f32.powi((seed % 11) as i32 - 7);
                let shift = [0.0, 0.0, 0.7, -3.0][seed as usize % 4] * size;
                let values: Vec<f32> =
                    random(seed).take(group).map(|value| value * size + shift).collect();
                check(format, &values);
            }
        }
    }

    #[test]
    fn awkward_groups_come_back_within_half_a_step() {
        for format in whole() {
            let group = format.layout().columns();
            let mut outlier: Vec<f32> = random(3).take(group).map(|value| value / 100.0).collect();
            outlier[7] = -40.0;
            check(format, &outlier);
            let one_hot: Vec<f32> = (0..group).map(|at| if at == 5 { 1.0 } else { 0.0 }).collect();
            check(format, &one_hot);
            for size in [1e-45, 1e-40, 1e-38, 1e-30, 1e-9, 5e-8, 1e-7, 3e-6] {
                let values: Vec<f32> = random(9).take(group).map(|value| value * size).collect();
                check(format, &values);
                check(format, &vec![size; group]);
                check(format, &vec![-size; group]);
            }
            let signed_zeros: Vec<f32> =
                (0..group).map(|at| if at % 2 == 0 { 0.0 } else { -0.0 }).collect();
            check(format, &signed_zeros);
        }
    }

    #[test]
    fn what_f16_cannot_scale_is_not_finite() {
        for format in whole() {
            let mut values = vec![0.0; format.layout().columns()];
            values[0] = f32::MAX;
            values[1] = f32::MIN;
            let (scale, bias, _) = of(format, &values);
            assert!(!(scale.is_finite() && bias.is_finite()), "{format}: {scale} {bias}");
        }
    }
}
