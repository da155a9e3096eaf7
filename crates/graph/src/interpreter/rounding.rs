//! Rounding to the narrow float types, and their bytes.

use crate::dtype::DType;

/// A binary float format narrower than f32.
struct Format {
    /// Stored bits of the significand.
    mantissa_bits: i32,
    /// Exponent of the smallest normal number.
    smallest_exponent: i32,
    /// The largest finite number.
    largest: f64,
    /// What lies beyond it.
    overflow: f64,
}

fn format(dtype: DType) -> Option<Format> {
    let (mantissa_bits, smallest_exponent, largest, overflow) = match dtype {
        DType::F16 => (10, -14, 65504.0, f64::INFINITY),
        DType::BF16 => (7, -126, f64::from(f32::from_bits(0x7f7f_0000)), f64::INFINITY),
        DType::F8E4M3 => (3, -6, 448.0, f64::NAN),
        DType::F8E5M2 => (2, -14, 57344.0, f64::INFINITY),
        _ => return None,
    };
    Some(Format { mantissa_bits, smallest_exponent, largest, overflow })
}

/// `value` rounded to nearest even in `dtype`, which is a float type.
pub(super) fn round(dtype: DType, value: f64) -> f32 {
    let Some(format) = format(dtype) else { return value as f32 };
    if value == 0.0 || value.is_nan() {
        return value as f32;
    }
    if value.is_infinite() {
        return format.overflow.copysign(value) as f32;
    }
    // A subnormal f64 is far below half the smallest number of every format.
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let unit = exponent.max(format.smallest_exponent) - format.mantissa_bits;
    // Scaling by powers of two is exact: units lie far inside the range of f64.
    let unit = 2f64.powi(unit);
    let rounded = (value / unit).round_ties_even() * unit;
    let fits = rounded.abs() <= format.largest;
    if fits { rounded as f32 } else { format.overflow.copysign(value) as f32 }
}

/// The bits of a value that [`round`] gave for a 16- or 8-bit type.
pub(super) fn encode(dtype: DType, value: f32) -> u16 {
    match dtype {
        DType::F16 => half::f16::from_f32(value).to_bits(),
        DType::BF16 => half::bf16::from_f32(value).to_bits(),
        _ => {
            let sign = u16::from(value.is_sign_negative()) << 7;
            let code = (0..0x80).find(|code| decode(dtype, *code) == value.abs());
            sign | code.unwrap_or(0x7f)
        }
    }
}

/// The value of the bits of a 16- or 8-bit type.
pub(super) fn decode(dtype: DType, bits: u16) -> f32 {
    match dtype {
        DType::F16 => half::f16::from_bits(bits).to_f32(),
        DType::BF16 => half::bf16::from_bits(bits).to_f32(),
        // E5M2 is the upper half of an f16.
        DType::F8E5M2 => half::f16::from_bits(bits << 8).to_f32(),
        _ => {
            let (exponent, mantissa) = (i32::from(bits >> 3 & 0xf), f32::from(bits & 7));
            let magnitude = match (exponent, bits & 7) {
                (0xf, 7) => f32::NAN,
                (0, _) => mantissa / 8.0 * 2f32.powi(-6),
                _ => (1.0 + mantissa / 8.0) * 2f32.powi(exponent - 7),
            };
            if bits & 0x80 == 0 { magnitude } else { -magnitude }
        }
    }
}
