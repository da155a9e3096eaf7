//! Vector arithmetic of 16 and 32 bits, by name.

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

mod integers;

pub use integers::saturating;

use crate::machine::env::{Env, LANES, Lanes, Numerics, flush32};
use crate::machine::float::{
    self, Round, f32_from_half as h, f64_from_half, max32, min32, to_f32, to_half,
};

/// An operation on lanes. Operands of 16 bits are the lower bits of their lanes; unused ones are zero.
pub type Operation = fn(&Env, [&Lanes; 3], &mut Lanes);

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
        .or_else(|| integers::integers(name))
        .or_else(|| integers::three_integers(name))
        .or_else(|| integers::short_integers(name))
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
