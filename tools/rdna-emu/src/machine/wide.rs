//! Vector arithmetic with an operand of 64 bits, by name. Shorter operands and results are the lower bits.

use super::env::{Env, LANES, Lanes64};
use super::float;

/// An operation on lanes of 64 bits.
pub type Operation = fn(&Env, [&Lanes64; 3], &mut Lanes64);

macro_rules! each {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {
        |_, s, out| {
            for i in 0..LANES {
                let ($a, $b, $c) = (s[0][i], s[1][i], s[2][i]);
                let _ = ($b, $c);
                out[i] = $body;
            }
        }
    };
}

/// An f64 result from f64 operands.
macro_rules! float {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {
        each!(|x, y, z| {
            let ($a, $b, $c) = (f64::from_bits(x), f64::from_bits(y), f64::from_bits(z));
            let _ = ($b, $c);
            f64::to_bits($body)
        })
    };
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The operation of that name, without its prefix `v_`, or none.
pub fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "add_f64" => float!(|a, b, c| a + b),
        "mul_f64" => float!(|a, b, c| a * b),
        "fma_f64" => float!(|a, b, c| a.mul_add(b, c)),
        "min_f64" => float!(|a, b, c| float::min64(a, b)),
        "max_f64" => float!(|a, b, c| float::max64(a, b)),
        "trunc_f64" => float!(|a, b, c| a.trunc()),
        "ceil_f64" => float!(|a, b, c| a.ceil()),
        "floor_f64" => float!(|a, b, c| a.floor()),
        "rndne_f64" => float!(|a, b, c| a.round_ties_even()),
        "fract_f64" => float!(|a, b, c| (a - a.floor()).min(1.0f64.next_down())),
        "rcp_f64" => float!(|a, b, c| 1.0 / a),
        "rsq_f64" => float!(|a, b, c| 1.0 / a.sqrt()),
        "sqrt_f64" => float!(|a, b, c| a.sqrt()),
        "ldexp_f64" => each!(|x, y, z| float::scale(d(x), y as u32 as i32).to_bits()),
        "frexp_mant_f64" => float!(|a, b, c| float::split(a).0),
        "frexp_exp_i32_f64" => each!(|x, y, z| u64::from(float::split(d(x)).1 as u32)),
        "div_fixup_f64" => float!(|a, b, c| float::fix_quotient(a, b, c, -1075)),
        "cvt_f64_f32" => each!(|x, y, z| f64::from(f32::from_bits(x as u32)).to_bits()),
        "cvt_f64_i32" => each!(|x, y, z| f64::from(x as u32 as i32).to_bits()),
        "cvt_f64_u32" => each!(|x, y, z| f64::from(x as u32).to_bits()),
        "cvt_i32_f64" => each!(|x, y, z| u64::from(d(x) as i32 as u32)),
        "cvt_u32_f64" => each!(|x, y, z| u64::from(d(x) as u32)),
        "cvt_f32_f64" => |env, s, out| {
            for i in 0..LANES {
                out[i] = u64::from(float::to_f32(d(s[0][i]), env.round32()).to_bits());
            }
        },
        "lshlrev_b64" => each!(|x, y, z| y << (x & 63)),
        "lshrrev_b64" => each!(|x, y, z| y >> (x & 63)),
        "ashrrev_i64" => each!(|x, y, z| (y as i64 >> (x & 63)) as u64),
        _ => return None,
    })
}

/// A step of a division: the scaled operand, and whether the quotient must be scaled back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled {
    /// The operand.
    pub value: f64,
    /// The lane's bit of VCC.
    pub scale_back: bool,
}

/// The bounds of a float's exponent that a division depends on.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A difference of exponents at which the quotient overflows a step.
    difference: i32,
    /// By how much operands are scaled.
    by: i32,
    /// The largest biased exponent at which the numerator is too small.
    small: i32,
    /// The mantissa's bits.
    mantissa: u32,
    /// The bias of the exponent.
    bias: i32,
}

/// For f32.
pub const LIMITS32: Limits = Limits { difference: 96, by: 64, small: 23, mantissa: 23, bias: 127 };
/// For f64.
pub const LIMITS64: Limits =
    Limits { difference: 768, by: 128, small: 53, mantissa: 52, bias: 1023 };

impl Limits {
    /// The biased exponent, 0 for what is subnormal or zero.
    fn exponent(&self, value: f64) -> i32 {
        let (_, exponent) = float::split(value);
        if value == 0.0 { 0 } else { (exponent - 1 + self.bias).max(0) }
    }

    /// Whether a value is subnormal in this float; one that is rounded to zero is not.
    fn is_subnormal(&self, value: f64) -> bool {
        if self.mantissa == 52 { value.is_subnormal() } else { (value as f32).is_subnormal() }
    }

    /// v_div_scale: `operand` is the denominator or the numerator, which is told by its value.
    pub fn scale(&self, operand: f64, denominator: f64, numerator: f64) -> Scaled {
        let (d, n) = (denominator, numerator);
        let up = float::scale(operand, self.by);
        let is_denominator = operand.to_bits() == d.to_bits();
        let is_numerator = operand.to_bits() == n.to_bits();
        let keep = |value| Scaled { value, scale_back: false };
        let back = |value| Scaled { value, scale_back: true };
        if d == 0.0 || n == 0.0 || d.is_nan() || n.is_nan() {
            return keep(f64::NAN);
        }
        if self.exponent(n) - self.exponent(d) >= self.difference {
            return back(if is_denominator { up } else { operand });
        }
        if self.is_subnormal(d) {
            return keep(up);
        }
        let reciprocal_is_small = self.is_subnormal(1.0 / d);
        let quotient_is_small = self.is_subnormal(n / d);
        let down = float::scale(operand, -self.by);
        if reciprocal_is_small && quotient_is_small {
            // The published pseudocode scales up here, which overflows. Down is what the last step scales back.
            return back(if is_denominator { down } else { operand });
        }
        if reciprocal_is_small {
            return keep(down);
        }
        if quotient_is_small {
            return back(if is_numerator { up } else { operand });
        }
        if self.exponent(n) <= self.small {
            return keep(up);
        }
        keep(operand)
    }

    /// The power that v_div_fmas scales its result by, where VCC says so, given its third operand.
    pub fn back(&self, third: f64) -> i32 {
        if self.exponent(third) > self.bias { self.by } else { -self.by }
    }
}
