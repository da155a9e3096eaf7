//! Elementwise decoding of every floating-point type to f32, and encoding to the output types.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use crate::dtype::{DType, StoredType};

/// Decodes whole blocks of a plain floating-point type. `bytes` holds exactly `out.len()` elements,
/// at any alignment. F64 is rounded so that a second rounding to `target` gives the correctly
/// rounded result; all other types are exact.
pub(crate) fn decode(dtype: StoredType, bytes: &[u8], target: DType, out: &mut [f32]) {
    match dtype {
        StoredType::F32 => each::<4>(bytes, out, f32::from_le_bytes),
        StoredType::F16 => each::<2>(bytes, out, |b| f16::from_le_bytes(b).to_f32()),
        StoredType::Bf16 => each::<2>(bytes, out, |b| bf16::from_le_bytes(b).to_f32()),
        StoredType::F64 if target == DType::F32 => {
            each::<8>(bytes, out, |b| f64::from_le_bytes(b) as f32);
        }
        StoredType::F64 => each::<8>(bytes, out, |b| round_to_odd(f64::from_le_bytes(b))),
        StoredType::F8E4M3 => each::<1>(bytes, out, |[b]| small_float(b, &E4M3)),
        StoredType::F8E5M2 => {
            each::<1>(bytes, out, |[b]| f16::from_bits(u16::from(b) << 8).to_f32())
        }
        StoredType::F8E8M0 => each::<1>(bytes, out, |[b]| e8m0(b)),
        StoredType::F4 => {
            for (pair, byte) in out.chunks_exact_mut(2).zip(bytes) {
                pair[0] = small_float(byte & 15, &E2M1);
                pair[1] = small_float(byte >> 4, &E2M1);
            }
        }
        StoredType::F6E2M3 => each_6_bit(bytes, out, &E2M3),
        StoredType::F6E3M2 => each_6_bit(bytes, out, &E3M2),
        other => unreachable!("{} is not a plain floating-point type", other.name()),
    }
}

/// Writes `values` in little-endian `target`, rounding to nearest, ties to even.
pub(crate) fn encode(values: &[f32], target: DType, out: &mut [u8]) {
    match target {
        DType::F32 => {
            for (bytes, value) in out.chunks_exact_mut(4).zip(values) {
                bytes.copy_from_slice(&value.to_le_bytes());
            }
        }
        DType::F16 => {
            let mut halves = [f16::ZERO; 256];
            for (bytes, values) in out.chunks_mut(512).zip(values.chunks(256)) {
                let halves = &mut halves[..values.len()];
                halves.convert_from_f32_slice(values);
                for (bytes, half) in bytes.chunks_exact_mut(2).zip(halves) {
                    bytes.copy_from_slice(&half.to_le_bytes());
                }
            }
        }
        DType::Bf16 => {
            for (bytes, value) in out.chunks_exact_mut(2).zip(values) {
                bytes.copy_from_slice(&bf16::from_f32(*value).to_le_bytes());
            }
        }
    }
}

/// The one value that `bytes` hold.
pub(crate) fn one(dtype: StoredType, bytes: &[u8]) -> f32 {
    let mut value = [0.0];
    decode(dtype, bytes, DType::F32, &mut value);
    value[0]
}

/// A 4-bit float, 2 exponent bits and 1 mantissa bit.
pub(crate) fn e2m1(code: u8) -> f32 {
    small_float(code, &E2M1)
}

/// An 8-bit float, 4 exponent bits and 3 mantissa bits.
pub(crate) fn e4m3(code: u8) -> f32 {
    small_float(code, &E4M3)
}

/// Decodes elements of `N` bytes each.
fn each<const N: usize>(bytes: &[u8], out: &mut [f32], value: impl Fn([u8; N]) -> f32) {
    let (elements, _) = bytes.as_chunks::<N>();
    for (out, element) in out.iter_mut().zip(elements) {
        *out = value(*element);
    }
}

/// Four 6-bit codes in three bytes, the first in the lowest bits.
fn each_6_bit(bytes: &[u8], out: &mut [f32], format: &SmallFloat) {
    for (four, three) in out.chunks_exact_mut(4).zip(bytes.chunks_exact(3)) {
        let word = u32::from_le_bytes([three[0], three[1], three[2], 0]);
        for (at, out) in four.iter_mut().enumerate() {
            *out = small_float((word >> (6 * at)) as u8 & 63, format);
        }
    }
}

/// A sign, `exponent` bits with `bias`, and `mantissa` bits; no infinities.
struct SmallFloat {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    /// All bits but the sign set means not-a-number (E4M3 only).
    has_nan: bool,
}

const E4M3: SmallFloat = SmallFloat { exponent: 4, mantissa: 3, bias: 7, has_nan: true };
const E2M1: SmallFloat = SmallFloat { exponent: 2, mantissa: 1, bias: 1, has_nan: false };
const E2M3: SmallFloat = SmallFloat { exponent: 2, mantissa: 3, bias: 1, has_nan: false };
const E3M2: SmallFloat = SmallFloat { exponent: 3, mantissa: 2, bias: 3, has_nan: false };

fn small_float(code: u8, format: &SmallFloat) -> f32 {
    let code = u32::from(code);
    let magnitude_bits = format.exponent + format.mantissa;
    let magnitude = code & ((1 << magnitude_bits) - 1);
    let sign = code >> magnitude_bits << 31;
    if format.has_nan && magnitude == (1 << magnitude_bits) - 1 {
        return f32::from_bits(sign | 0x7fc0_0000);
    }
    let exponent = (magnitude >> format.mantissa) as i32;
    let fraction =
        (magnitude & ((1 << format.mantissa) - 1)) as f32 / (1 << format.mantissa) as f32;
    let absolute = if exponent == 0 {
        fraction * power_of_two(1 - format.bias)
    } else {
        (1.0 + fraction) * power_of_two(exponent - format.bias)
    };
    f32::from_bits(absolute.to_bits() | sign)
}

/// `2^exponent` for the small exponents of the formats above.
fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent) as u32) << 23)
}

/// OCP `E8M0`: `2^(code - 127)`, and 255 is not a number. Code 0 is subnormal as f32.
fn e8m0(code: u8) -> f32 {
    match code {
        0 => f32::from_bits(1 << 22),
        255 => f32::NAN,
        _ => f32::from_bits(u32::from(code) << 23),
    }
}

/// The f32 nearest towards zero, with its last bit set when anything was cut off: rounding the
/// result to a type with at least two bits less gives what rounding the f64 once would have given.
fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) == value || value.is_nan() {
        return nearest;
    }
    if nearest.is_infinite() {
        // Far above every finite half-precision value, and above bf16's when it rounds up.
        return if value > 0.0 { f32::MAX } else { f32::MIN };
    }
    let bits = nearest.to_bits();
    let towards_zero = if f64::from(nearest).abs() > value.abs() { bits - 1 } else { bits };
    f32::from_bits(towards_zero | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_rounded_f64_equals_once_rounded() {
        // Just above the tie between two halves: f32 would land on the tie and go down to even.
        let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(f16::from_f32(value as f32).to_bits(), 0x3c00, "the trap");
        assert_eq!(f16::from_f32(round_to_odd(value)).to_bits(), 0x3c01);
        let mut value = 7.000_001e-8_f64;
        while value < 6e4 {
            for value in [value, -value] {
                // The `half` crate's own from_f64 drops low bits first, so it is no reference.
                let odd = round_to_odd(value);
                let near = |bits: u16, of: fn(u16) -> f64| {
                    let distance = |bits| (of(bits) - value).abs();
                    assert!(distance(bits) <= distance(bits.wrapping_add(1)), "{value}");
                    assert!(distance(bits) <= distance(bits.wrapping_sub(1)), "{value}");
                };
                near(f16::from_f32(odd).to_bits(), |bits| f16::from_bits(bits).to_f64());
                near(bf16::from_f32(odd).to_bits(), |bits| bf16::from_bits(bits).to_f64());
            }
            value *= 1.000_37;
        }
    }

    #[test]
    fn f4_and_f6_codes_follow_the_ocp_tables() {
        let values: Vec<f32> = (0..8).map(|code| small_float(code, &E2M1)).collect();
        assert_eq!(values, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(small_float(15, &E2M1), -6.0);
        assert_eq!(small_float(0x1f, &E2M3), 7.5, "largest E2M3");
        assert_eq!(small_float(0x01, &E2M3), 0.125, "smallest E2M3");
        assert_eq!(small_float(0x1f, &E3M2), 28.0, "largest E3M2");
        assert_eq!(small_float(0x21, &E3M2), -0.0625, "smallest negative E3M2");
        let mut out = [0.0; 4];
        each_6_bit(&[0b0100_0000, 0b0011_0000, 0b0000_0100], &mut out, &E2M3);
        assert_eq!(out, [0.0, 0.125, 0.375, 0.125]);
    }

    #[test]
    fn e8m0_covers_its_range() {
        assert_eq!(e8m0(127), 1.0);
        assert_eq!(e8m0(0), 2f32.powi(-127));
        assert_eq!(e8m0(254), 2f32.powi(127));
        assert!(e8m0(255).is_nan());
    }
}
