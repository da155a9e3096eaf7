//! The rounding of one group to small floats, as `mlx.core.quantize` has it for f32 on a CPU
//! (mlx 0.32.4).

use super::group::Number;

/// The largest 4-bit float.
const LARGEST_E2M1: f32 = 6.0;
/// The largest 8-bit float.
const LARGEST_E4M3: f32 = 448.0;

/// `mxfp4` and `mxfp8`: the scale is the least power of two under which the largest magnitude is a
/// code's; 1 where all values are 0.
pub(super) fn mx(values: &[f32], codes: &mut [u8], eight_bits: bool) -> Number {
    let largest = if eight_bits { LARGEST_E4M3 } else { LARGEST_E2M1 };
    let byte = power_above(most(values) / largest);
    let scale = power(byte);
    let code: fn(f32) -> u8 = if eight_bits { e4m3_of } else { e2m1_of };
    for (to, value) in codes.iter_mut().zip(values) {
        *to = code(value / scale);
    }
    Number::byte(scale, byte)
}

/// `nvfp4`: the scale is the 8-bit float nearest to that under which the largest magnitude is 6. No
/// number where it is beyond the largest such scale; all codes are 0 where it rounds to 0.
pub(super) fn nvfp4(values: &[f32], codes: &mut [u8]) -> Number {
    let exact = most(values) / LARGEST_E2M1;
    let byte = e4m3_of(exact);
    let scale = if exact > LARGEST_E4M3 { f32::NAN } else { e4m3(byte) };
    for (to, value) in codes.iter_mut().zip(values) {
        *to = if scale > 0.0 { e2m1_of(value / scale) } else { 0 };
    }
    Number::byte(scale, byte)
}

fn most(values: &[f32]) -> f32 {
    values.iter().fold(0f32, |most, value| most.max(value.abs()))
}

/// The least power of two that is no less than `value`, as E8M0; that of 1 for 0.
fn power_above(value: f32) -> u8 {
    if value == 0.0 {
        return 127;
    }
    let bits = value.to_bits();
    // Below the normal numbers, 2^-126 is above, and 2^-127 is half of it.
    let exponent = (bits >> 23) as u8;
    let above = bits & 0x007f_ffff != 0;
    match exponent {
        0 => u8::from(bits > 0x0040_0000),
        exponent => (exponent + u8::from(above)).min(254),
    }
}

/// `2^(byte - 127)`.
fn power(byte: u8) -> f32 {
    f32::from_bits(if byte == 0 { 0x0040_0000 } else { u32::from(byte) << 23 })
}

/// The nearest 4-bit float; of two that are as near the smaller magnitude, and no negative zero.
fn e2m1_of(value: f32) -> u8 {
    const BOUNDS: [f32; 7] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];
    let code = BOUNDS.iter().filter(|bound| value.abs() > **bound).count() as u8;
    if code > 0 && value < 0.0 { code | 8 } else { code }
}

/// The nearest 8-bit float, ties to even, the largest for all beyond it.
fn e4m3_of(value: f32) -> u8 {
    let sign = (value.to_bits() >> 24) as u8 & 0x80;
    let magnitude = value.abs();
    if magnitude >= LARGEST_E4M3 {
        return sign | 0x7e;
    }
    // Steps are 2^-9 below 2^-6, and an eighth of the power of two at and above it.
    let exponent = ((magnitude.to_bits() >> 23) as i32 - 127).max(-6);
    let steps = (magnitude * 2f32.powi(3 - exponent)).round_ties_even() as u8;
    // Eight steps are the next exponent's first: the sum carries.
    sign | ((((exponent + 6) as u8) << 3) + steps)
}

/// The value of a positive 8-bit float.
fn e4m3(code: u8) -> f32 {
    let (exponent, fraction) = (i32::from(code >> 3), f32::from(code & 7) / 8.0);
    match exponent {
        0 => fraction * 2f32.powi(-6),
        _ => (1.0 + fraction) * 2f32.powi(exponent - 7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantize::Quantization;

    #[test]
    fn every_float_is_its_own_nearest() {
        for code in 0..0x7f {
            assert_eq!(e4m3_of(e4m3(code)), code);
            assert_eq!(e4m3_of(-e4m3(code)), code | 0x80);
            if code < 0x7e {
                let middle = (e4m3(code) + e4m3(code + 1)) / 2.0;
                assert_eq!(e4m3_of(middle), code + code % 2, "ties to even");
                assert_eq!(e4m3_of(middle.next_up()), code + 1);
                assert_eq!(e4m3_of(middle.next_down()), code);
            }
        }
        assert_eq!([e4m3_of(449.0), e4m3_of(-1e9)], [0x7e, 0xfe]);
        let values = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
        for (code, value) in values.into_iter().enumerate() {
            assert_eq!(usize::from(e2m1_of(value)), code);
            let negative = if code == 0 { 0 } else { code | 8 };
            assert_eq!(usize::from(e2m1_of(-value)), negative);
        }
        for pair in values.windows(2) {
            let (middle, code) = ((pair[0] + pair[1]) / 2.0, e2m1_of(pair[0]));
            assert_eq!(e2m1_of(middle), code, "the smaller of two");
            assert_eq!(e2m1_of(middle.next_up()), code + 1);
        }
        assert_eq!([e2m1_of(7.0), e2m1_of(-1e9), e2m1_of(-0.2)], [7, 15, 0]);
    }

    #[test]
    fn powers_are_the_least_that_suffice() {
        for (value, byte) in [
            (0.0, 127),
            (1.0, 127),
            (1.0f32.next_up(), 128),
            (1.0f32.next_down(), 127),
            (0.5, 126),
            (f32::MIN_POSITIVE, 1),
            (f32::MIN_POSITIVE.next_up(), 2),
            (f32::MIN_POSITIVE.next_down(), 1),
            (f32::MIN_POSITIVE / 2.0, 0),
            (1e-45, 0),
            (2f32.powi(127), 254),
            (f32::MAX / 6.0, 253),
        ] {
            assert_eq!(power_above(value), byte, "{value}");
            assert!(value == 0.0 || power(byte) >= value);
        }
    }

    /// No value is further from its code's than half of the widest step beside it.
    #[test]
    fn values_come_back_within_half_a_step() {
        let mut state = 5u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        for format in [Quantization::Mxfp4, Quantization::Mxfp8, Quantization::Nvfp4] {
            let layout = format.layout();
            for size in [1e-30, 1e-3, 1.0, 100.0] {
                // Below that its scales have few bits, or none.
                if format == Quantization::Nvfp4 && size < 1.0 {
                    continue;
                }
                let values: Vec<f32> = (0..layout.columns()).map(|_| random() * size).collect();
                let mut codes = vec![0; values.len()];
                let (scale, _) = format.group(&values, &mut codes);
                let (step, least) = match format {
                    // Steps of a half or a quarter of the value; E4M3's are an eighth.
                    Quantization::Mxfp8 => (1.0 / 16.0, 2f32.powi(-10)),
                    _ => (1.0 / 4.0, 0.25),
                };
                for (value, code) in values.iter().zip(codes) {
                    let found = layout.value(code, scale.value, 0.0);
                    // nvfp4's scale may round down, and its largest is then clamped to 6.
                    let clamped =
                        if format == Quantization::Nvfp4 { value.abs() / 16.0 } else { 0.0 };
                    let bound = (value.abs() * step).max(least * scale.value) * 1.0001 + clamped;
                    assert!((found - value).abs() <= bound, "{format}: {value} is {found}");
                }
            }
        }
    }

    #[test]
    fn groups_beyond_the_scales_are_no_numbers() {
        let mut codes = [0; 16];
        assert!(nvfp4(&[2688.0; 16], &mut codes).value == 448.0);
        assert!(nvfp4(&[-2689.0; 16], &mut codes).value.is_nan());
        assert_eq!(nvfp4(&[1e-3; 16], &mut codes).value, 0.0);
        assert_eq!(codes, [0; 16], "below the least scale");
    }
}
