//! Floats as the hardware computes them: any rounding, any width, through exact results.
//!
//! A result is first made in f64, rounded to odd: what is lost sets the last bit. Rounding that once more to 24 or 11
//! bits, in any direction, gives what rounding the exact result would (Boldo and Melquiond, "Emulation of FMA and
//! correctly rounded sums"), since f64 has more than two bits to spare.

/// A direction of rounding: the field `fp_round` of MODE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// To the nearest, ties to even.
    Nearest,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
    /// Towards zero.
    Zero,
}

impl Round {
    /// By the field's two bits.
    pub fn from_bits(bits: u8) -> Self {
        [Round::Nearest, Round::Up, Round::Down, Round::Zero][usize::from(bits & 3)]
    }
}

/// An f16 as f32, exactly.
pub fn f32_from_half(half: u32) -> f32 {
    let sign = (half & 0x8000) << 16;
    let magnitude = half & 0x7fff;
    let bits = match magnitude {
        0x7c00.. => 0x7f80_0000 | (magnitude & 0x3ff) << 13,
        0x0400.. => (magnitude << 13) + (112 << 23),
        // Subnormal: a multiple of 2^-24.
        _ => (magnitude as f32 * f32::from_bits(0x3380_0000)).to_bits(),
    };
    f32::from_bits(bits | sign)
}

/// An f16 as f64, exactly.
pub fn f64_from_half(half: u32) -> f64 {
    f64::from(f32_from_half(half))
}

/// The sum, rounded to odd.
pub fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let rest = sum - a;
    let lost = (a - (sum - rest)) + (b - rest);
    odd(sum, lost)
}

/// `a * b + c` of floats of at most 24 bits, rounded to odd: their product is exact.
pub fn multiply_add_to_odd(a: f64, b: f64, c: f64) -> f64 {
    sum_to_odd(a * b, c)
}

/// Sets the last bit of a rounded value where something was lost.
fn odd(value: f64, lost: f64) -> f64 {
    let bits = value.to_bits();
    // A lost NaN comes from an infinite or undefined value, which is not rounded.
    if lost == 0.0 || lost.is_nan() || bits & 1 == 1 {
        return value;
    }
    let away = (lost > 0.0) == (value > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

/// A value rounded to odd, as f32.
pub fn to_f32(value: f64, round: Round) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    if round == Round::Nearest || back == value || value.is_nan() {
        return nearest;
    }
    let step_down = match round {
        Round::Up => false,
        Round::Down => back > value,
        _ => back > value && value > 0.0,
    };
    let step_up = match round {
        Round::Up => back < value,
        Round::Down => false,
        _ => back < value && value < 0.0,
    };
    match (step_down, step_up) {
        (true, _) => nearest.next_down(),
        (_, true) => nearest.next_up(),
        _ => nearest,
    }
}

/// A value rounded to odd, as f16.
pub fn to_half(value: f64, round: Round) -> u32 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if value.is_nan() {
        // Payloads keep their upper bits, and are quiet.
        return sign | 0x7e00 | (value.to_bits() >> 42 & 0x1ff) as u32;
    }
    if magnitude.is_infinite() {
        return sign | 0x7c00;
    }
    // The distance of two neighbours, at least that of subnormals.
    let exponent = ((magnitude.to_bits() >> 52) as i64 - 1023).max(-14);
    let scaled = magnitude * power_of_two(10 - exponent);
    let up = match round {
        Round::Nearest => scaled.round_ties_even(),
        Round::Zero => scaled.trunc(),
        Round::Up if sign == 0 => scaled.ceil(),
        Round::Down if sign != 0 => scaled.ceil(),
        _ => scaled.trunc(),
    };
    // A full mantissa carries into the exponent by itself.
    let bits = (((exponent + 14) as u64) << 10) + up as u64;
    if bits >= 0x7c00 {
        let away = match round {
            Round::Nearest => true,
            Round::Up => sign == 0,
            Round::Down => sign != 0,
            Round::Zero => false,
        };
        return sign | if away { 0x7c00 } else { 0x7bff };
    }
    sign | bits as u32
}

/// 2 to that power, which is a normal f64.
pub fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `value * 2^exponent`, rounded to odd where it becomes subnormal, which only f64 cannot hold.
pub fn scale(value: f64, exponent: i32) -> f64 {
    let mut result = value;
    let mut rest = exponent.clamp(-4000, 4000);
    while rest != 0 {
        let step = rest.clamp(-1000, 1000);
        result *= power_of_two(i64::from(step));
        rest -= step;
    }
    result
}

/// A bf16 as f32.
pub fn f32_from_brain(brain: u32) -> f32 {
    f32::from_bits(brain << 16)
}

/// An f32 as bf16, to the nearest.
pub fn to_brain(value: f32) -> u32 {
    let bits = value.to_bits();
    if value.is_nan() {
        return bits >> 16 | 0x40;
    }
    bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16
}

macro_rules! min_and_max {
    ($min:ident, $max:ident, $float:ty) => {
        /// The smaller; a NaN only where both are; -0 is smaller than 0.
        pub fn $min(a: $float, b: $float) -> $float {
            match (a.is_nan(), b.is_nan()) {
                (true, _) => b,
                (_, true) => a,
                _ if a < b || (a == b && a.is_sign_negative()) => a,
                _ => b,
            }
        }

        /// The larger; a NaN only where both are; 0 is larger than -0.
        pub fn $max(a: $float, b: $float) -> $float {
            match (a.is_nan(), b.is_nan()) {
                (true, _) => b,
                (_, true) => a,
                _ if a > b || (a == b && b.is_sign_negative()) => a,
                _ => b,
            }
        }
    };
}
min_and_max!(min32, max32, f32);
min_and_max!(min64, max64, f64);

/// The middle one of three; with a NaN among them, the smallest.
pub fn middle(a: f32, b: f32, c: f32) -> f32 {
    if a.is_nan() || b.is_nan() || c.is_nan() {
        return min32(min32(a, b), c);
    }
    max32(min32(a, b), min32(max32(a, b), c))
}

/// The bit of a class mask that a float has: signalling and quiet NaN, then from negative to positive infinity.
pub fn class(
    sign: bool,
    exponent_is_zero: bool,
    exponent_is_full: bool,
    mantissa: u64,
    quiet: bool,
) -> u32 {
    let bit = match (exponent_is_full, mantissa != 0, exponent_is_zero) {
        (true, true, _) => return 1 << u32::from(quiet),
        (true, false, _) => 2,
        (_, false, true) => 5,
        (_, true, true) => 4,
        _ => 3,
    };
    // Positive classes mirror the negative ones.
    1 << if sign { bit } else { 11 - bit }
}

/// The class of an f32.
pub fn class32(bits: u32) -> u32 {
    let exponent = bits >> 23 & 0xff;
    let mantissa = u64::from(bits & 0x7f_ffff);
    class(bits >> 31 == 1, exponent == 0, exponent == 0xff, mantissa, bits >> 22 & 1 == 1)
}

/// The class of an f16.
pub fn class16(bits: u32) -> u32 {
    let exponent = bits >> 10 & 0x1f;
    let mantissa = u64::from(bits & 0x3ff);
    class(bits >> 15 & 1 == 1, exponent == 0, exponent == 0x1f, mantissa, bits >> 9 & 1 == 1)
}

/// The class of an f64.
pub fn class64(bits: u64) -> u32 {
    let exponent = bits >> 52 & 0x7ff;
    let mantissa = bits & ((1 << 52) - 1);
    class(bits >> 63 == 1, exponent == 0, exponent == 0x7ff, mantissa, bits >> 51 & 1 == 1)
}

/// Mantissa in `[0.5, 1)` and exponent; a value that has none keeps itself and 0.
pub fn split(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    if exponent == 0 {
        let (mantissa, exponent) = split(value * power_of_two(64));
        return (mantissa, exponent - 64);
    }
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent - 1022)
}

/// The end of a division: `numerator / denominator`, given `quotient` where both are ordinary.
///
/// A difference of exponents below `lowest` gives zero. A quotient that is no number comes from steps that overflowed,
/// which this takes for an infinite result; the published pseudocode leaves that case open.
pub fn fix_quotient(quotient: f64, denominator: f64, numerator: f64, lowest: i32) -> f64 {
    let sign =
        if denominator.is_sign_negative() != numerator.is_sign_negative() { -1.0 } else { 1.0 };
    let both = |test: fn(f64) -> bool| test(denominator) && test(numerator);
    if numerator.is_nan() {
        numerator
    } else if denominator.is_nan() {
        denominator
    } else if both(|value| value == 0.0) || both(f64::is_infinite) {
        f64::NAN
    } else if denominator == 0.0 || numerator.is_infinite() {
        sign * f64::INFINITY
    } else if denominator.is_infinite()
        || numerator == 0.0
        || split(numerator).1 - split(denominator).1 < lowest
    {
        sign * 0.0
    } else if quotient.is_nan() {
        sign * f64::INFINITY
    } else {
        quotient.abs() * sign
    }
}

/// What a fraction may be at most, below 1.
pub fn fraction(value: f32) -> f32 {
    (value - value.floor()).min(1.0f32.next_down())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_agree_with_the_library() {
        for bits in 0..=0xffffu32 {
            let expected = half::f16::from_bits(bits as u16);
            let ours = f32_from_half(bits);
            assert!(ours == expected.to_f32() || ours.is_nan() && expected.is_nan(), "{bits:#x}");
            if !ours.is_nan() {
                assert_eq!(to_half(f64::from(ours), Round::Nearest), bits);
            }
        }
        let mut bits = 0x1234_5678u32;
        for _ in 0..2_000_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Exponents about those of f16.
            let value = f32::from_bits(bits & 0x8fff_ffff | 0x3000_0000);
            let expected = half::f16::from_f32(value).to_bits();
            assert_eq!(to_half(f64::from(value), Round::Nearest), u32::from(expected), "{value:e}");
        }
    }

    #[test]
    fn fused_products_agree_with_the_library() {
        let mut bits = 0x9e37_79b9u32;
        let mut next = || {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // All values, half of them near 1, where sums cancel.
            let raw = bits.rotate_left(13);
            f32::from_bits(if bits & 0x100 == 0 { raw & 0x81ff_ffff | 0x3e00_0000 } else { raw })
        };
        for _ in 0..2_000_000 {
            let (a, b, c) = (next(), next(), next());
            let odd = multiply_add_to_odd(a.into(), b.into(), c.into());
            let (ours, expected) = (to_f32(odd, Round::Nearest), a.mul_add(b, c));
            let same = ours.to_bits() == expected.to_bits() || ours.is_nan() && expected.is_nan();
            assert!(same, "{a:e} * {b:e} + {c:e}: {ours:e}, not {expected:e}");
        }
    }

    #[test]
    fn directions_bracket_the_exact_value() {
        for (value, down, up) in [
            (1.0 + 2f64.powi(-30), 1.0f32, 1.0f32.next_up()),
            (-1.0 - 2f64.powi(-30), (-1.0f32).next_down(), -1.0),
            (1e300, f32::MAX, f32::INFINITY),
            (1e-60, 0.0, f32::from_bits(1)),
        ] {
            assert_eq!(to_f32(value, Round::Down), down);
            assert_eq!(to_f32(value, Round::Up), up);
            let to_zero = if value > 0.0 { down } else { up };
            assert_eq!(to_f32(value, Round::Zero), to_zero);
        }
        assert_eq!(to_half(65520.0, Round::Nearest), 0x7c00);
        assert_eq!(to_half(65520.0, Round::Zero), 0x7bff);
        assert_eq!(to_half(-65520.0, Round::Down), 0xfc00);
        assert_eq!(to_half(2f64.powi(-30), Round::Up), 1);
        assert_eq!(to_half(-(2f64.powi(-30)), Round::Up), 0x8000);
    }
}
