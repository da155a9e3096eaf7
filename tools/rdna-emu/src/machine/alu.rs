//! Vector arithmetic of 16 and 32 bits, by name.

use super::env::{Env, LANES, Lanes, Numerics, flush32};
use super::float::{self, Round, f32_from_half as h, f64_from_half, max32, min32, to_f32, to_half};

/// An operation on lanes. Operands of 16 bits are the lower bits of their lanes; unused ones are zero.
pub type Operation = fn(&Env, [&Lanes; 3], &mut Lanes);

/// An operation in each lane by itself.
macro_rules! each {
    (|$a:ident| $body:expr) => {
        |_, s, out| {
            for i in 0..LANES {
                let $a = s[0][i];
                out[i] = $body;
            }
        }
    };
    (|$a:ident, $b:ident| $body:expr) => {
        |_, s, out| {
            for i in 0..LANES {
                let ($a, $b) = (s[0][i], s[1][i]);
                out[i] = $body;
            }
        }
    };
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {
        |_, s, out| {
            for i in 0..LANES {
                let ($a, $b, $c) = (s[0][i], s[1][i], s[2][i]);
                out[i] = $body;
            }
        }
    };
}

/// An f32 result: what IEEE arithmetic gives, and the same rounded to odd for other directions.
macro_rules! rounded {
    (|$a:ident, $b:ident, $c:ident| $fast:expr, $exact:expr) => {
        |env, s, out| {
            let round = env.round32();
            if round == Round::Nearest {
                for i in 0..LANES {
                    let ($a, $b, $c) = (f(s[0][i]), f(s[1][i]), f(s[2][i]));
                    let _ = ($b, $c);
                    out[i] = f32::to_bits($fast);
                }
            } else {
                for i in 0..LANES {
                    let ($a, $b, $c) = (d(s[0][i]), d(s[1][i]), d(s[2][i]));
                    let _ = ($b, $c);
                    out[i] = to_f32($exact, round).to_bits();
                }
            }
        }
    };
}

/// An f16 result from operands as f64, exact or rounded to odd.
macro_rules! half {
    (|$a:ident, $b:ident, $c:ident| $body:expr) => {
        |env, s, out| {
            let round = env.round16();
            for i in 0..LANES {
                let ($a, $b, $c) =
                    (f64_from_half(s[0][i]), f64_from_half(s[1][i]), f64_from_half(s[2][i]));
                let _ = ($b, $c);
                out[i] = to_half($body, round);
            }
        }
    };
}

/// A function that the hardware approximates: computed in f64 and rounded.
macro_rules! function {
    (|$a:ident| $body:expr) => {
        |env, s, out| {
            let flushes = env.numerics == Numerics::Gfx11;
            for i in 0..LANES {
                let bits = if flushes { flush32(s[0][i]) } else { s[0][i] };
                let $a = f64::from(f32::from_bits(bits));
                let result = (($body) as f32).to_bits();
                out[i] = if flushes { flush32(result) } else { result };
            }
        }
    };
}

fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

fn d(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

fn b(value: f32) -> u32 {
    value.to_bits()
}

fn s(bits: u32) -> i32 {
    bits as i32
}

fn s16(bits: u32) -> i32 {
    i32::from(bits as u16 as i16)
}

fn s24(bits: u32) -> i32 {
    (bits << 8) as i32 >> 8
}

/// `a * b + c` with one rounding. The library's own function is slow where the host's code has no such instruction.
fn fused(a: f32, b: f32, c: f32) -> f32 {
    float::multiply_add_to_odd(a.into(), b.into(), c.into()) as f32
}

/// The operation of that name, without its prefix `v_`, or none.
pub fn operation(name: &str) -> Option<Operation> {
    float32(name)
        .or_else(|| half_floats(name))
        .or_else(|| conversions(name))
        .or_else(|| integers(name))
        .or_else(|| three_integers(name))
        .or_else(|| short_integers(name))
}

fn float32(name: &str) -> Option<Operation> {
    Some(match name {
        "add_f32" => rounded!(|a, b, c| a + b, float::sum_to_odd(a, b)),
        "sub_f32" => rounded!(|a, b, c| a - b, float::sum_to_odd(a, -b)),
        "subrev_f32" => rounded!(|a, b, c| b - a, float::sum_to_odd(b, -a)),
        "mul_f32" => rounded!(|a, b, c| a * b, a * b),
        "mul_dx9_zero_f32" => rounded!(
            |a, b, c| if a == 0.0 || b == 0.0 { 0.0 } else { a * b },
            if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
        ),
        "fma_f32" | "fmac_f32" | "fmaak_f32" | "fmamk_f32" => {
            rounded!(|a, b, c| fused(a, b, c), float::multiply_add_to_odd(a, b, c))
        }
        "min_f32" => each!(|x, y| b(min32(f(x), f(y)))),
        "max_f32" => each!(|x, y| b(max32(f(x), f(y)))),
        "min3_f32" => each!(|x, y, z| b(min32(min32(f(x), f(y)), f(z)))),
        "max3_f32" => each!(|x, y, z| b(max32(max32(f(x), f(y)), f(z)))),
        "med3_f32" => each!(|x, y, z| b(float::middle(f(x), f(y), f(z)))),
        "maxmin_f32" => each!(|x, y, z| b(min32(max32(f(x), f(y)), f(z)))),
        "minmax_f32" => each!(|x, y, z| b(max32(min32(f(x), f(y)), f(z)))),
        "trunc_f32" => each!(|x| b(f(x).trunc())),
        "ceil_f32" => each!(|x| b(f(x).ceil())),
        "floor_f32" => each!(|x| b(f(x).floor())),
        "rndne_f32" => each!(|x| b(f(x).round_ties_even())),
        "fract_f32" => each!(|x| b(float::fraction(f(x)))),
        "exp_f32" => function!(|x| x.exp2()),
        "log_f32" => function!(|x| x.log2()),
        "rcp_f32" | "rcp_iflag_f32" => function!(|x| 1.0 / x),
        "rsq_f32" => function!(|x| 1.0 / x.sqrt()),
        "sqrt_f32" => function!(|x| x.sqrt()),
        "sin_f32" => function!(|x| (x.fract() * std::f64::consts::TAU).sin()),
        "cos_f32" => function!(|x| (x.fract() * std::f64::consts::TAU).cos()),
        "ldexp_f32" => |env, s, out| {
            for i in 0..LANES {
                let scaled = float::scale(d(s[0][i]), s[1][i] as i32);
                out[i] = b(to_f32(scaled, env.round32()));
            }
        },
        "frexp_mant_f32" => each!(|x| b(float::split(d(x)).0 as f32)),
        "frexp_exp_i32_f32" => each!(|x| float::split(d(x)).1 as u32),
        "div_fixup_f32" => each!(|x, y, z| b(float::fix_quotient(d(x), d(y), d(z), -150) as f32)),
        _ => return None,
    })
}

fn half_floats(name: &str) -> Option<Operation> {
    Some(match name {
        "add_f16" => half!(|a, b, c| a + b),
        "sub_f16" => half!(|a, b, c| a - b),
        "subrev_f16" => half!(|a, b, c| b - a),
        "mul_f16" => half!(|a, b, c| a * b),
        "fma_f16" | "fmac_f16" | "fmaak_f16" | "fmamk_f16" => {
            half!(|a, b, c| float::multiply_add_to_odd(a, b, c))
        }
        "min_f16" => half!(|a, b, c| float::min64(a, b)),
        "max_f16" => half!(|a, b, c| float::max64(a, b)),
        "min3_f16" => half!(|a, b, c| float::min64(float::min64(a, b), c)),
        "max3_f16" => half!(|a, b, c| float::max64(float::max64(a, b), c)),
        "med3_f16" => half!(|a, b, c| f64::from(float::middle(a as f32, b as f32, c as f32))),
        "maxmin_f16" => half!(|a, b, c| float::min64(float::max64(a, b), c)),
        "minmax_f16" => half!(|a, b, c| float::max64(float::min64(a, b), c)),
        "trunc_f16" => half!(|a, b, c| a.trunc()),
        "ceil_f16" => half!(|a, b, c| a.ceil()),
        "floor_f16" => half!(|a, b, c| a.floor()),
        "rndne_f16" => half!(|a, b, c| a.round_ties_even()),
        "fract_f16" => half!(|a, b, c| (a - a.floor()).min(1.0 - 1.0 / 2048.0)),
        "exp_f16" => half!(|a, b, c| a.exp2()),
        "log_f16" => half!(|a, b, c| a.log2()),
        "rcp_f16" => half!(|a, b, c| 1.0 / a),
        "rsq_f16" => half!(|a, b, c| 1.0 / a.sqrt()),
        "sqrt_f16" => half!(|a, b, c| a.sqrt()),
        "sin_f16" => half!(|a, b, c| (a.fract() * std::f64::consts::TAU).sin()),
        "cos_f16" => half!(|a, b, c| (a.fract() * std::f64::consts::TAU).cos()),
        "ldexp_f16" => |env, s, out| {
            for i in 0..LANES {
                let scaled = float::scale(f64_from_half(s[0][i]), s16(s[1][i]));
                out[i] = to_half(scaled, env.round16());
            }
        },
        "frexp_mant_f16" => half!(|a, b, c| float::split(a).0),
        "frexp_exp_i16_f16" => each!(|x| float::split(f64_from_half(x)).1 as u32 & 0xffff),
        "div_fixup_f16" => {
            half!(|a, b, c| float::fix_quotient(a, b, c, -26))
        }
        _ => return None,
    })
}

fn conversions(name: &str) -> Option<Operation> {
    Some(match name {
        "cvt_f32_i32" => |env, src, out| {
            for i in 0..LANES {
                out[i] = b(to_f32(f64::from(src[0][i] as i32), env.round32()));
            }
        },
        "cvt_f32_u32" => |env, src, out| {
            for i in 0..LANES {
                out[i] = b(to_f32(f64::from(src[0][i]), env.round32()));
            }
        },
        // Rust's conversion truncates, holds in range and makes zero of a NaN, as the hardware does.
        "cvt_i32_f32" => each!(|x| f(x) as i32 as u32),
        "cvt_u32_f32" => each!(|x| f(x) as u32),
        "cvt_nearest_i32_f32" => each!(|x| (f(x) + 0.5).floor() as i32 as u32),
        "cvt_floor_i32_f32" => each!(|x| f(x).floor() as i32 as u32),
        "cvt_f16_f32" => |env, src, out| {
            for i in 0..LANES {
                out[i] = to_half(d(src[0][i]), env.round16());
            }
        },
        "cvt_f32_f16" => each!(|x| b(h(x))),
        "cvt_f32_ubyte0" => each!(|x| b((x & 255) as f32)),
        "cvt_f32_ubyte1" => each!(|x| b((x >> 8 & 255) as f32)),
        "cvt_f32_ubyte2" => each!(|x| b((x >> 16 & 255) as f32)),
        "cvt_f32_ubyte3" => each!(|x| b((x >> 24) as f32)),
        "cvt_off_f32_i4" => each!(|x| b(((x << 28) as i32 >> 28) as f32 / 16.0)),
        "cvt_f16_u16" => |env, src, out| {
            for i in 0..LANES {
                out[i] = to_half(f64::from(src[0][i] & 0xffff), env.round16());
            }
        },
        "cvt_f16_i16" => |env, src, out| {
            for i in 0..LANES {
                out[i] = to_half(f64::from(s16(src[0][i])), env.round16());
            }
        },
        "cvt_u16_f16" => each!(|x| u32::from(h(x) as u16)),
        "cvt_i16_f16" => each!(|x| u32::from(h(x) as i16 as u16)),
        "cvt_i32_i16" => each!(|x| s16(x) as u32),
        "cvt_u32_u16" => each!(|x| x & 0xffff),
        "cvt_pk_rtz_f16_f32" => {
            each!(|x, y| to_half(d(x), Round::Zero) | to_half(d(y), Round::Zero) << 16)
        }
        "cvt_pk_u16_u32" => each!(|x, y| x.min(0xffff) | y.min(0xffff) << 16),
        "cvt_pk_i16_i32" => each!(|x, y| {
            let hold = |v: u32| s(v).clamp(-0x8000, 0x7fff) as u32 & 0xffff;
            hold(x) | hold(y) << 16
        }),
        "cvt_pk_i16_f32" => {
            each!(|x, y| u32::from(f(x) as i16 as u16) | u32::from(f(y) as i16 as u16) << 16)
        }
        "cvt_pk_u16_f32" => each!(|x, y| u32::from(f(x) as u16) | u32::from(f(y) as u16) << 16),
        "cvt_pk_norm_i16_f32" => each!(|x, y| {
            let norm = |v: u32| (f(v).clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i16 as u16;
            u32::from(norm(x)) | u32::from(norm(y)) << 16
        }),
        "cvt_pk_norm_u16_f32" => each!(|x, y| {
            let norm = |v: u32| (f(v).clamp(0.0, 1.0) * 65535.0).round_ties_even() as u16;
            u32::from(norm(x)) | u32::from(norm(y)) << 16
        }),
        "cvt_pk_u8_f32" => each!(|x, y, z| {
            let shift = 8 * (y & 3);
            z & !(255 << shift) | u32::from(f(x) as u8) << shift
        }),
        "pack_b32_f16" => each!(|x, y| x & 0xffff | y << 16),
        "sat_pk_u8_i16" => each!(|x| {
            let hold = |v: u32| s16(v).clamp(0, 255) as u32;
            hold(x) | hold(x >> 16) << 8
        }),
        _ => return None,
    })
}

fn integers(name: &str) -> Option<Operation> {
    Some(match name {
        "mov_b32" => each!(|x| x),
        "not_b32" => each!(|x| !x),
        "bfrev_b32" => each!(|x| x.reverse_bits()),
        "clz_i32_u32" => each!(|x| if x == 0 { !0 } else { x.leading_zeros() }),
        "ctz_i32_b32" => each!(|x| if x == 0 { !0 } else { x.trailing_zeros() }),
        "cls_i32" => each!(|x| {
            let same = (x ^ (s(x) >> 31) as u32).leading_zeros();
            if same == 32 { !0 } else { same }
        }),
        "add_nc_u32" | "add_nc_i32" => each!(|x, y| x.wrapping_add(y)),
        "sub_nc_u32" | "sub_nc_i32" => each!(|x, y| x.wrapping_sub(y)),
        "subrev_nc_u32" => each!(|x, y| y.wrapping_sub(x)),
        "mul_lo_u32" => each!(|x, y| x.wrapping_mul(y)),
        "mul_hi_u32" => each!(|x, y| ((u64::from(x) * u64::from(y)) >> 32) as u32),
        "mul_hi_i32" => each!(|x, y| ((i64::from(s(x)) * i64::from(s(y))) >> 32) as u32),
        "mul_i32_i24" => each!(|x, y| s24(x).wrapping_mul(s24(y)) as u32),
        "mul_hi_i32_i24" => each!(|x, y| ((i64::from(s24(x)) * i64::from(s24(y))) >> 32) as u32),
        "mul_u32_u24" => each!(|x, y| (x & 0xff_ffff).wrapping_mul(y & 0xff_ffff)),
        "mul_hi_u32_u24" => {
            each!(|x, y| ((u64::from(x & 0xff_ffff) * u64::from(y & 0xff_ffff)) >> 32) as u32)
        }
        "and_b32" => each!(|x, y| x & y),
        "or_b32" => each!(|x, y| x | y),
        "xor_b32" => each!(|x, y| x ^ y),
        "xnor_b32" => each!(|x, y| !(x ^ y)),
        "lshlrev_b32" => each!(|x, y| y << (x & 31)),
        "lshrrev_b32" => each!(|x, y| y >> (x & 31)),
        "ashrrev_i32" => each!(|x, y| (s(y) >> (x & 31)) as u32),
        "min_u32" => each!(|x, y| x.min(y)),
        "max_u32" => each!(|x, y| x.max(y)),
        "min_i32" => each!(|x, y| s(x).min(s(y)) as u32),
        "max_i32" => each!(|x, y| s(x).max(s(y)) as u32),
        "bcnt_u32_b32" => each!(|x, y| x.count_ones().wrapping_add(y)),
        "bfm_b32" => each!(|x, y| (((1u64 << (x & 31)) - 1) << (y & 31)) as u32),
        _ => return None,
    })
}

fn three_integers(name: &str) -> Option<Operation> {
    Some(match name {
        "and_or_b32" => each!(|x, y, z| x & y | z),
        "or3_b32" => each!(|x, y, z| x | y | z),
        "xor3_b32" => each!(|x, y, z| x ^ y ^ z),
        "xad_u32" => each!(|x, y, z| (x ^ y).wrapping_add(z)),
        "lshl_or_b32" => each!(|x, y, z| x << (y & 31) | z),
        "lshl_add_u32" => each!(|x, y, z| (x << (y & 31)).wrapping_add(z)),
        "add_lshl_u32" => each!(|x, y, z| x.wrapping_add(y) << (z & 31)),
        "add3_u32" => each!(|x, y, z| x.wrapping_add(y).wrapping_add(z)),
        "mad_u32_u24" => {
            each!(|x, y, z| (x & 0xff_ffff).wrapping_mul(y & 0xff_ffff).wrapping_add(z))
        }
        "mad_i32_i24" => each!(|x, y, z| (s24(x).wrapping_mul(s24(y)) as u32).wrapping_add(z)),
        "mad_u32_u16" => each!(|x, y, z| (x & 0xffff).wrapping_mul(y & 0xffff).wrapping_add(z)),
        "mad_i32_i16" => each!(|x, y, z| ((s16(x) * s16(y)) as u32).wrapping_add(z)),
        "bfe_u32" => each!(|x, y, z| (x >> (y & 31)) & ((1u32 << (z & 31)) - 1)),
        "bfe_i32" => each!(|x, y, z| {
            let width = z & 31;
            // The field at the top, then back down with its sign.
            let top = (x >> (y & 31)) << ((32 - width) & 31);
            if width == 0 { 0 } else { (s(top) >> (32 - width)) as u32 }
        }),
        "bfi_b32" => each!(|x, y, z| x & y | !x & z),
        "alignbit_b32" => {
            each!(|x, y, z| ((u64::from(x) << 32 | u64::from(y)) >> (z & 31)) as u32)
        }
        "alignbyte_b32" => {
            each!(|x, y, z| ((u64::from(x) << 32 | u64::from(y)) >> (8 * (z & 3))) as u32)
        }
        "perm_b32" => each!(|x, y, z| permute(u64::from(x) << 32 | u64::from(y), z)),
        "min3_u32" => each!(|x, y, z| x.min(y).min(z)),
        "max3_u32" => each!(|x, y, z| x.max(y).max(z)),
        "med3_u32" => each!(|x, y, z| x.min(y).max(x.max(y).min(z))),
        "min3_i32" => each!(|x, y, z| s(x).min(s(y)).min(s(z)) as u32),
        "max3_i32" => each!(|x, y, z| s(x).max(s(y)).max(s(z)) as u32),
        "med3_i32" => each!(|x, y, z| s(x).min(s(y)).max(s(x).max(s(y)).min(s(z))) as u32),
        "maxmin_u32" => each!(|x, y, z| x.max(y).min(z)),
        "minmax_u32" => each!(|x, y, z| x.min(y).max(z)),
        "maxmin_i32" => each!(|x, y, z| s(x).max(s(y)).min(s(z)) as u32),
        "minmax_i32" => each!(|x, y, z| s(x).min(s(y)).max(s(z)) as u32),
        "sad_u32" => each!(|x, y, z| x.abs_diff(y).wrapping_add(z)),
        "sad_u8" => each!(|x, y, z| {
            let pairs = x.to_le_bytes().into_iter().zip(y.to_le_bytes());
            pairs.fold(z, |sum, (p, q)| sum.wrapping_add(u32::from(p.abs_diff(q))))
        }),
        _ => return None,
    })
}

/// v_perm_b32: bytes of eight, signs of words, zeros and ones, by a selector byte for each.
fn permute(bytes: u64, selectors: u32) -> u32 {
    let byte = |selector: u8| match selector {
        0..=7 => bytes.to_le_bytes()[usize::from(selector)],
        8..=11 => {
            let sign = bytes >> (16 * (selector - 8) + 15) & 1;
            if sign == 1 { 0xff } else { 0 }
        }
        12 => 0,
        _ => 0xff,
    };
    u32::from_le_bytes(selectors.to_le_bytes().map(byte))
}

fn short_integers(name: &str) -> Option<Operation> {
    Some(match name {
        "mov_b16" => each!(|x| x & 0xffff),
        "not_b16" => each!(|x| !x & 0xffff),
        "and_b16" => each!(|x, y| x & y),
        "or_b16" => each!(|x, y| x | y),
        "xor_b16" => each!(|x, y| x ^ y),
        "lshlrev_b16" => each!(|x, y| (y << (x & 15)) & 0xffff),
        "lshrrev_b16" => each!(|x, y| (y & 0xffff) >> (x & 15)),
        "ashrrev_i16" => each!(|x, y| (s16(y) >> (x & 15)) as u32 & 0xffff),
        "add_nc_u16" | "add_nc_i16" => each!(|x, y| x.wrapping_add(y) & 0xffff),
        "sub_nc_u16" | "sub_nc_i16" => each!(|x, y| x.wrapping_sub(y) & 0xffff),
        "mul_lo_u16" => each!(|x, y| x.wrapping_mul(y) & 0xffff),
        "mad_u16" | "mad_i16" => each!(|x, y, z| x.wrapping_mul(y).wrapping_add(z) & 0xffff),
        "min_u16" => each!(|x, y| (x & 0xffff).min(y & 0xffff)),
        "max_u16" => each!(|x, y| (x & 0xffff).max(y & 0xffff)),
        "min_i16" => each!(|x, y| s16(x).min(s16(y)) as u32 & 0xffff),
        "max_i16" => each!(|x, y| s16(x).max(s16(y)) as u32 & 0xffff),
        "min3_u16" => each!(|x, y, z| (x & 0xffff).min(y & 0xffff).min(z & 0xffff)),
        "max3_u16" => each!(|x, y, z| (x & 0xffff).max(y & 0xffff).max(z & 0xffff)),
        "med3_u16" => each!(|x, y, z| {
            let (x, y, z) = (x & 0xffff, y & 0xffff, z & 0xffff);
            x.min(y).max(x.max(y).min(z))
        }),
        "med3_i16" => each!(|x, y, z| {
            let (x, y, z) = (s16(x), s16(y), s16(z));
            x.min(y).max(x.max(y).min(z)) as u32 & 0xffff
        }),
        "min3_i16" => each!(|x, y, z| s16(x).min(s16(y)).min(s16(z)) as u32 & 0xffff),
        "max3_i16" => each!(|x, y, z| s16(x).max(s16(y)).max(s16(z)) as u32 & 0xffff),
        _ => return None,
    })
}

/// The variants of integer sums that hold their result in range, for `clamp`.
pub fn saturating(name: &str) -> Option<Operation> {
    Some(match name {
        "add_nc_u32" => each!(|x, y| x.saturating_add(y)),
        "sub_nc_u32" => each!(|x, y| x.saturating_sub(y)),
        "add_nc_i32" => each!(|x, y| s(x).saturating_add(s(y)) as u32),
        "sub_nc_i32" => each!(|x, y| s(x).saturating_sub(s(y)) as u32),
        "add_nc_u16" => each!(|x, y| ((x & 0xffff) + (y & 0xffff)).min(0xffff)),
        "sub_nc_u16" => each!(|x, y| (x & 0xffff).saturating_sub(y & 0xffff)),
        "add_nc_i16" => each!(|x, y| (s16(x) + s16(y)).clamp(-0x8000, 0x7fff) as u32 & 0xffff),
        "sub_nc_i16" => each!(|x, y| (s16(x) - s16(y)).clamp(-0x8000, 0x7fff) as u32 & 0xffff),
        _ => return None,
    })
}
