//! Scalar arithmetic, by name.

use super::env::Env;
use super::float::{self, f32_from_half, f64_from_half, to_f32, to_half};

/// What a scalar operation may read and gives.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Its sources, in order; for those in place, the old destination comes last.
    pub sources: [u64; 3],
    /// SCC before.
    pub scc: bool,
    /// Rounding.
    pub env: &'a Env,
}

/// A result, and SCC where the operation writes it.
pub type Output = (u64, Option<bool>);
/// A scalar operation.
pub type Operation = fn(Input<'_>) -> Output;

/// Writes no SCC.
macro_rules! plain {
    (|$a:ident, $b:ident| $body:expr) => {
        |input| {
            let [$a, $b, _] = input.sources;
            let _ = $b;
            (($body) as u64, None)
        }
    };
}

/// SCC says whether the result, of 32 or 64 bits, is not zero.
macro_rules! non_zero {
    ($width:ty: |$a:ident, $b:ident| $body:expr) => {
        |input| {
            let [$a, $b, _] = input.sources;
            let _ = $b;
            let result = ($body) as $width;
            (result.into(), Some(result != 0))
        }
    };
}

/// An f32 result from f64 operands, rounded to odd.
macro_rules! float {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {
        |input| {
            let [$a, $b, $c] = input.sources.map(|bits| f64::from(f32::from_bits(bits as u32)));
            let _ = ($b, $c);
            (to_f32($body, input.env.round32()).to_bits().into(), None)
        }
    };
}

/// The same of f16.
macro_rules! half {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {
        |input| {
            let [$a, $b, $c] = input.sources.map(|bits| f64_from_half(bits as u32 & 0xffff));
            let _ = ($b, $c);
            (to_half($body, input.env.round16()).into(), None)
        }
    };
}

fn s(bits: u64) -> i32 {
    bits as u32 as i32
}

/// The operation of that name, without its prefix `s_`, or none.
pub fn operation(name: &str) -> Option<Operation> {
    sums(name)
        .or_else(|| bits(name))
        .or_else(|| fields(name))
        .or_else(|| floats(name))
        .or_else(|| half_floats(name))
}

fn shifted_sum(input: Input<'_>, shift: u32) -> Output {
    let sum = (input.sources[0] << shift) + input.sources[1];
    (sum & 0xffff_ffff, Some(sum >> 32 != 0))
}

fn sums(name: &str) -> Option<Operation> {
    Some(match name {
        "add_u32" => |i| shifted_sum(i, 0),
        "lshl1_add_u32" => |i| shifted_sum(i, 1),
        "lshl2_add_u32" => |i| shifted_sum(i, 2),
        "lshl3_add_u32" => |i| shifted_sum(i, 3),
        "lshl4_add_u32" => |i| shifted_sum(i, 4),
        "addc_u32" => |i| {
            let sum = i.sources[0] + i.sources[1] + u64::from(i.scc);
            (sum & 0xffff_ffff, Some(sum >> 32 != 0))
        },
        "sub_u32" => |i| {
            let (result, borrow) = (i.sources[0] as u32).overflowing_sub(i.sources[1] as u32);
            (result.into(), Some(borrow))
        },
        "subb_u32" => |i| {
            let result = i.sources[0] as i64 - i.sources[1] as i64 - i64::from(i.scc);
            (result as u64 & 0xffff_ffff, Some(result < 0))
        },
        "add_i32" | "addk_i32" => |i| {
            let (result, overflow) = s(i.sources[0]).overflowing_add(s(i.sources[1]));
            (u64::from(result as u32), Some(overflow))
        },
        "sub_i32" => |i| {
            let (result, overflow) = s(i.sources[0]).overflowing_sub(s(i.sources[1]));
            (u64::from(result as u32), Some(overflow))
        },
        "mul_i32" | "mulk_i32" => plain!(|a, b| (a as u32).wrapping_mul(b as u32)),
        "mul_hi_u32" => plain!(|a, b| (a * b) >> 32),
        "mul_hi_i32" => plain!(|a, b| ((i64::from(s(a)) * i64::from(s(b))) >> 32) as u32),
        "min_u32" => |i| (i.sources[0].min(i.sources[1]), Some(i.sources[0] < i.sources[1])),
        "max_u32" => |i| (i.sources[0].max(i.sources[1]), Some(i.sources[0] > i.sources[1])),
        "min_i32" => |i| {
            let (a, b) = (s(i.sources[0]), s(i.sources[1]));
            (u64::from(a.min(b) as u32), Some(a < b))
        },
        "max_i32" => |i| {
            let (a, b) = (s(i.sources[0]), s(i.sources[1]));
            (u64::from(a.max(b) as u32), Some(a > b))
        },
        "abs_i32" => non_zero!(u32: |a, b| s(a).wrapping_abs() as u32),
        "absdiff_i32" => non_zero!(u32: |a, b| s(a).wrapping_sub(s(b)).wrapping_abs() as u32),
        _ => return None,
    })
}

fn bits(name: &str) -> Option<Operation> {
    Some(match name {
        "mov_b32" | "mov_b64" | "movk_i32" => plain!(|a, b| a),
        "not_b32" => non_zero!(u32: |a, b| !a),
        "not_b64" => non_zero!(u64: |a, b| !a),
        "brev_b32" => plain!(|a, b| (a as u32).reverse_bits()),
        "brev_b64" => plain!(|a, b| a.reverse_bits()),
        "and_b32" => non_zero!(u32: |a, b| a & b),
        "and_b64" => non_zero!(u64: |a, b| a & b),
        "or_b32" => non_zero!(u32: |a, b| a | b),
        "or_b64" => non_zero!(u64: |a, b| a | b),
        "xor_b32" => non_zero!(u32: |a, b| a ^ b),
        "xor_b64" => non_zero!(u64: |a, b| a ^ b),
        "nand_b32" => non_zero!(u32: |a, b| !(a & b)),
        "nand_b64" => non_zero!(u64: |a, b| !(a & b)),
        "nor_b32" => non_zero!(u32: |a, b| !(a | b)),
        "nor_b64" => non_zero!(u64: |a, b| !(a | b)),
        "xnor_b32" => non_zero!(u32: |a, b| !(a ^ b)),
        "xnor_b64" => non_zero!(u64: |a, b| !(a ^ b)),
        "and_not1_b32" => non_zero!(u32: |a, b| a & !b),
        "and_not1_b64" => non_zero!(u64: |a, b| a & !b),
        "or_not1_b32" => non_zero!(u32: |a, b| a | !b),
        "or_not1_b64" => non_zero!(u64: |a, b| a | !b),
        "lshl_b32" => non_zero!(u32: |a, b| a << (b & 31)),
        "lshl_b64" => non_zero!(u64: |a, b| a << (b & 63)),
        "lshr_b32" => non_zero!(u32: |a, b| a >> (b & 31)),
        "lshr_b64" => non_zero!(u64: |a, b| a >> (b & 63)),
        "ashr_i32" => non_zero!(u32: |a, b| s(a) >> (b & 31)),
        "ashr_i64" => non_zero!(u64: |a, b| a as i64 >> (b & 63)),
        "cselect_b32" | "cselect_b64" => |i| (i.sources[usize::from(!i.scc)], None),
        // In place: the old destination is the last source.
        "cmov_b32" | "cmov_b64" | "cmovk_i32" => |i| (i.sources[usize::from(!i.scc)], None),
        _ => return None,
    })
}

fn fields(name: &str) -> Option<Operation> {
    Some(match name {
        "ctz_i32_b32" => plain!(|a, b| if a == 0 { !0 } else { a.trailing_zeros() }),
        "ctz_i32_b64" => plain!(|a, b| if a == 0 { !0 } else { a.trailing_zeros() }),
        "clz_i32_u32" => plain!(|a, b| if a == 0 { !0 } else { (a as u32).leading_zeros() }),
        "clz_i32_u64" => plain!(|a, b| if a == 0 { !0 } else { a.leading_zeros() }),
        "cls_i32" => plain!(|a, b| {
            let same = (a as u32 ^ (s(a) >> 31) as u32).leading_zeros();
            if same == 32 { !0 } else { same }
        }),
        "bcnt1_i32_b32" | "bcnt1_i32_b64" => non_zero!(u32: |a, b| a.count_ones()),
        "bcnt0_i32_b32" => non_zero!(u32: |a, b| (a as u32).count_zeros()),
        "bcnt0_i32_b64" => non_zero!(u32: |a, b| a.count_zeros()),
        "sext_i32_i8" => plain!(|a, b| i32::from(a as i8) as u32),
        "sext_i32_i16" => plain!(|a, b| i32::from(a as i16) as u32),
        // In place: the old destination is the second source.
        "bitset0_b32" => plain!(|a, b| b & !(1 << (a & 31))),
        "bitset1_b32" => plain!(|a, b| b | 1 << (a & 31)),
        "bitset0_b64" => plain!(|a, b| b & !(1 << (a & 63))),
        "bitset1_b64" => plain!(|a, b| b | 1 << (a & 63)),
        "bfe_u32" => non_zero!(u32: |a, b| field(a, b as u32 & 31, b as u32 >> 16 & 127, 32)),
        "bfe_u64" => non_zero!(u64: |a, b| field(a, b as u32 & 63, b as u32 >> 16 & 127, 64)),
        "bfe_i32" => non_zero!(u32: |a, b| {
            signed_field(s(a) as i64 as u64, b as u32 & 31, b as u32 >> 16 & 127, 32)
        }),
        "bfe_i64" => non_zero!(u64: |a, b| {
            signed_field(a, b as u32 & 63, b as u32 >> 16 & 127, 64)
        }),
        "bfm_b32" => plain!(|a, b| (((1u64 << (a & 31)) - 1) << (b & 31)) as u32),
        "bfm_b64" => plain!(|a, b| ((1u64 << (a & 63)) - 1) << (b & 63)),
        "pack_ll_b32_b16" => plain!(|a, b| a & 0xffff | (b & 0xffff) << 16),
        "pack_lh_b32_b16" => plain!(|a, b| a & 0xffff | b & 0xffff_0000),
        "pack_hh_b32_b16" => plain!(|a, b| a >> 16 & 0xffff | b & 0xffff_0000),
        "pack_hl_b32_b16" => plain!(|a, b| a >> 16 & 0xffff | (b & 0xffff) << 16),
        _ => return None,
    })
}

fn field(value: u64, offset: u32, width: u32, bits: u32) -> u64 {
    let width = width.min(bits);
    if width == 0 { 0 } else { (value >> offset) & (!0 >> (64 - width)) }
}

fn signed_field(value: u64, offset: u32, width: u32, bits: u32) -> u64 {
    let width = width.min(bits - offset);
    if width == 0 { 0 } else { ((value >> offset << (64 - width)) as i64 >> (64 - width)) as u64 }
}

fn floats(name: &str) -> Option<Operation> {
    Some(match name {
        "add_f32" => float!(|a, b, c| float::sum_to_odd(a, b)),
        "sub_f32" => float!(|a, b, c| float::sum_to_odd(a, -b)),
        "mul_f32" => float!(|a, b, c| a * b),
        "min_f32" => float!(|a, b, c| float::min64(a, b)),
        "max_f32" => float!(|a, b, c| float::max64(a, b)),
        "fmac_f32" | "fmaak_f32" | "fmamk_f32" => {
            float!(|a, b, c| float::multiply_add_to_odd(a, b, c))
        }
        "ceil_f32" => float!(|a, b, c| a.ceil()),
        "floor_f32" => float!(|a, b, c| a.floor()),
        "trunc_f32" => float!(|a, b, c| a.trunc()),
        "rndne_f32" => float!(|a, b, c| a.round_ties_even()),
        "cvt_f32_i32" => |i| {
            let value = f64::from(s(i.sources[0]));
            (to_f32(value, i.env.round32()).to_bits().into(), None)
        },
        "cvt_f32_u32" => |i| {
            let value = i.sources[0] as u32;
            (to_f32(value.into(), i.env.round32()).to_bits().into(), None)
        },
        "cvt_i32_f32" => plain!(|a, b| f32::from_bits(a as u32) as i32 as u32),
        "cvt_u32_f32" => plain!(|a, b| f32::from_bits(a as u32) as u32),
        "cvt_f32_f16" => plain!(|a, b| f32_from_half(a as u32 & 0xffff).to_bits()),
        "cvt_hi_f32_f16" => plain!(|a, b| f32_from_half(a as u32 >> 16).to_bits()),
        "cvt_f16_f32" => |i| {
            let value = f64::from(f32::from_bits(i.sources[0] as u32));
            (to_half(value, i.env.round16()).into(), None)
        },
        "cvt_pk_rtz_f16_f32" => plain!(|a, b| {
            let half = |bits| to_half(f32::from_bits(bits).into(), float::Round::Zero);
            half(a as u32) | half(b as u32) << 16
        }),
        _ => return None,
    })
}

fn half_floats(name: &str) -> Option<Operation> {
    Some(match name {
        "add_f16" => half!(|a, b, c| a + b),
        "sub_f16" => half!(|a, b, c| a - b),
        "mul_f16" => half!(|a, b, c| a * b),
        "min_f16" => half!(|a, b, c| float::min64(a, b)),
        "max_f16" => half!(|a, b, c| float::max64(a, b)),
        "fmac_f16" => half!(|a, b, c| float::multiply_add_to_odd(a, b, c)),
        "ceil_f16" => half!(|a, b, c| a.ceil()),
        "floor_f16" => half!(|a, b, c| a.floor()),
        "trunc_f16" => half!(|a, b, c| a.trunc()),
        "rndne_f16" => half!(|a, b, c| a.round_ties_even()),
        _ => return None,
    })
}

/// A scalar comparison.
pub type Test = fn(u64, u64) -> bool;

/// The comparison of that name, without `s_cmp_` or `s_cmpk_`; operands of 32 bits have zeros above them.
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "the negated comparisons hold for NaN")]
pub fn test(name: &str) -> Option<Test> {
    macro_rules! floats {
        ($name:expr, $read:expr) => {
            match $name {
                "lt" => |a, b| $read(a as u32) < $read(b as u32),
                "le" => |a, b| $read(a as u32) <= $read(b as u32),
                "gt" => |a, b| $read(a as u32) > $read(b as u32),
                "ge" => |a, b| $read(a as u32) >= $read(b as u32),
                "eq" => |a, b| $read(a as u32) == $read(b as u32),
                "neq" => |a, b| $read(a as u32) != $read(b as u32),
                "nlt" => |a, b| !($read(a as u32) < $read(b as u32)),
                "nle" => |a, b| !($read(a as u32) <= $read(b as u32)),
                "ngt" => |a, b| !($read(a as u32) > $read(b as u32)),
                "nge" => |a, b| !($read(a as u32) >= $read(b as u32)),
                "lg" => {
                    |a, b| $read(a as u32) < $read(b as u32) || $read(a as u32) > $read(b as u32)
                }
                "nlg" => {
                    |a, b| !($read(a as u32) < $read(b as u32) || $read(a as u32) > $read(b as u32))
                }
                "u" => |a, b| $read(a as u32).is_nan() || $read(b as u32).is_nan(),
                "o" => |a, b| !$read(a as u32).is_nan() && !$read(b as u32).is_nan(),
                _ => return None,
            }
        };
    }
    let (name, kind) = name.rsplit_once('_')?;
    Some(match (name, kind) {
        (_, "f32") => floats!(name, f32::from_bits),
        (_, "f16") => floats!(name, f32_from_half),
        ("eq", _) => |a, b| a == b,
        ("lg", _) => |a, b| a != b,
        ("lt", "u32") => |a, b| a < b,
        ("le", "u32") => |a, b| a <= b,
        ("gt", "u32") => |a, b| a > b,
        ("ge", "u32") => |a, b| a >= b,
        ("lt", "i32") => |a, b| s(a) < s(b),
        ("le", "i32") => |a, b| s(a) <= s(b),
        ("gt", "i32") => |a, b| s(a) > s(b),
        ("ge", "i32") => |a, b| s(a) >= s(b),
        _ => return None,
    })
}
