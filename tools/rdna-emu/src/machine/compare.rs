//! Comparisons, by name.

use super::env::{LANES, Lanes, Lanes64};
use super::float::{self, f32_from_half};

/// A comparison of values of up to 32 bits: the mask of the lanes where it holds.
pub type Short = fn(&Lanes, &Lanes) -> u32;
/// The same of 64 bits.
pub type Wide = fn(&Lanes64, &Lanes64) -> u32;

/// A comparison.
#[derive(Debug, Clone, Copy)]
pub enum Comparison {
    /// Of up to 32 bits.
    Short(Short),
    /// Of 64 bits.
    Wide(Wide),
}

macro_rules! mask {
    (|$a:ident, $b:ident| $body:expr) => {
        |x, y| {
            let mut mask = 0;
            for i in 0..LANES {
                let ($a, $b) = (x[i], y[i]);
                mask |= u32::from($body) << i;
            }
            mask
        }
    };
}

/// Comparisons of floats, by the name between `cmp_` and the type.
macro_rules! floats {
    ($name:expr, $read:expr) => {
        match $name {
            "f" => mask!(|_a, _b| false),
            "t" => mask!(|_a, _b| true),
            "lt" => mask!(|a, b| $read(a) < $read(b)),
            "le" => mask!(|a, b| $read(a) <= $read(b)),
            "gt" => mask!(|a, b| $read(a) > $read(b)),
            "ge" => mask!(|a, b| $read(a) >= $read(b)),
            "eq" => mask!(|a, b| $read(a) == $read(b)),
            "lg" => mask!(|a, b| $read(a) < $read(b) || $read(a) > $read(b)),
            "neq" => mask!(|a, b| $read(a) != $read(b)),
            "nlt" => mask!(|a, b| !($read(a) < $read(b))),
            "nle" => mask!(|a, b| !($read(a) <= $read(b))),
            "ngt" => mask!(|a, b| !($read(a) > $read(b))),
            "nge" => mask!(|a, b| !($read(a) >= $read(b))),
            "nlg" => mask!(|a, b| !($read(a) < $read(b) || $read(a) > $read(b))),
            "u" => mask!(|a, b| $read(a).is_nan() || $read(b).is_nan()),
            "o" => mask!(|a, b| !$read(a).is_nan() && !$read(b).is_nan()),
            _ => return None,
        }
    };
}

/// Comparisons of integers.
macro_rules! integers {
    ($name:expr, $read:ty) => {
        match $name {
            "f" => mask!(|_a, _b| false),
            "t" => mask!(|_a, _b| true),
            "lt" => mask!(|a, b| (a as $read) < (b as $read)),
            "le" => mask!(|a, b| (a as $read) <= (b as $read)),
            "gt" => mask!(|a, b| (a as $read) > (b as $read)),
            "ge" => mask!(|a, b| (a as $read) >= (b as $read)),
            "eq" => mask!(|a, b| (a as $read) == (b as $read)),
            "ne" => mask!(|a, b| (a as $read) != (b as $read)),
            _ => return None,
        }
    };
}

/// The comparison of a name like `lt_f32`: behind `v_cmp_` or `v_cmpx_`.
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "the negated comparisons hold for NaN")]
pub fn comparison(name: &str) -> Option<Comparison> {
    let (name, kind) = name.rsplit_once('_')?;
    Some(match (name, kind) {
        ("class", "f16") => Comparison::Short(mask!(|a, b| float::class16(a) & b != 0)),
        ("class", "f32") => Comparison::Short(mask!(|a, b| float::class32(a) & b != 0)),
        ("class", "f64") => Comparison::Wide(mask!(|a, b| float::class64(a) & b as u32 != 0)),
        (_, "f16") => Comparison::Short(floats!(name, f32_from_half)),
        (_, "f32") => Comparison::Short(floats!(name, f32::from_bits)),
        (_, "f64") => Comparison::Wide(floats!(name, f64::from_bits)),
        (_, "u16") => Comparison::Short(integers!(name, u16)),
        (_, "i16") => Comparison::Short(integers!(name, i16)),
        (_, "u32") => Comparison::Short(integers!(name, u32)),
        (_, "i32") => Comparison::Short(integers!(name, i32)),
        (_, "u64") => Comparison::Wide(integers!(name, u64)),
        (_, "i64") => Comparison::Wide(integers!(name, i64)),
        _ => return None,
    })
}
