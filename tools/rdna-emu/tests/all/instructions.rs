//! Single instructions, as assembly in a kernel of their own, against definitions in Rust: on random values and on all
//! that are special, with modifiers, rounding modes and subnormal modes.

use std::fmt::Write;

use crate::common;
use crate::common::bench::{Bench, random};
use half::f16;
use rand::{Rng, seq::IndexedRandom};
use tyto_rdna_emu::{Grid, Options};

/// An instruction: its assembly, where `%0` is the result and the old value of `c`, `%1` is `a`, `%2` is `b`, `%3` is
/// `c`; and its definition of `a`, `b` and `c`.
type Case = (&'static str, fn(u32, u32, u32) -> u32);

const COUNT: usize = 4096;

/// Values that are special in some type.
const SPECIAL: [u32; 30] = [
    0,
    1,
    2,
    31,
    32,
    0x7f,
    0x80,
    0xff,
    0x3ff,
    0x400,
    0x7bff,
    0x7c00,
    0x7e00,
    0x7fff,
    0x8000,
    0x8001,
    0xbc00,
    0xfc00,
    0xffff,
    0x3f80_0000,
    0xbf80_0000,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff,
];

fn inputs(seed: u64) -> Vec<u32> {
    random(seed, COUNT, |r| match r.random_range(0..4) {
        0 => *SPECIAL.choose(r).expect("there are some"),
        // Floats near 1, and pairs of halves near 1.
        1 => r.random::<u32>() & 0x81ff_ffff | 0x3e00_0000,
        2 => r.random::<u32>() & 0x8fff_8fff | 0x3000_3000,
        _ => r.random(),
    })
}

fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

fn h(bits: u32) -> f16 {
    f16::from_bits(bits as u16)
}

/// The lower half of a result; the upper one is that of the old value.
fn low(result: f16, old: u32) -> u32 {
    old & 0xffff_0000 | u32::from(result.to_bits())
}

fn fused_half(a: f16, b: f16, c: f16) -> f16 {
    // Products of halves are exact in f64; sums of them that f64 rounds differ from half far below its last bit, except
    // where the sum lies in the middle of two halves.
    let (product, c) = (a.to_f64() * b.to_f64(), c.to_f64());
    let sum = product + c;
    let lost = if product.abs() > c.abs() { c - (sum - product) } else { product - (sum - c) };
    let bits = sum.to_bits();
    if lost == 0.0 || lost.is_nan() || bits & 1 == 1 {
        return f16::from_f64(sum);
    }
    f16::from_f64(f64::from_bits(if (lost > 0.0) == (sum > 0.0) { bits + 1 } else { bits - 1 }))
}

fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// Rounds towards zero what f64 holds exactly.
fn toward_zero(value: f64) -> u32 {
    let nearest = value as f32;
    if f64::from(nearest.abs()) > value.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() }
}

const FLOATS: &[Case] = &[
    ("v_add_f32 %0, %1, %2", |a, b, _| (f(a) + f(b)).to_bits()),
    ("v_sub_f32 %0, %1, %2", |a, b, _| (f(a) - f(b)).to_bits()),
    ("v_mul_f32 %0, %1, %2", |a, b, _| (f(a) * f(b)).to_bits()),
    ("v_fma_f32 %0, %1, %2, %3", |a, b, c| f(a).mul_add(f(b), f(c)).to_bits()),
    ("v_fmac_f32 %0, %1, %2", |a, b, c| f(a).mul_add(f(b), f(c)).to_bits()),
    ("v_fma_f32 %0, -%1, |%2|, -|%3|", |a, b, c| {
        (-f(a)).mul_add(f(b).abs(), -f(c).abs()).to_bits()
    }),
    ("v_add_f32 %0, -%1, |%2| mul:4", |a, b, _| ((-f(a) + f(b).abs()) * 4.0).to_bits()),
    ("v_mul_f32 %0, %1, %2 div:2", |a, b, _| ((f(a) * f(b)) * 0.5).to_bits()),
    ("v_add_f32 %0, %1, %2 clamp", |a, b, _| {
        let sum = f(a) + f(b);
        if sum.is_nan() { 0 } else { sum.clamp(0.0, 1.0).to_bits() }
    }),
    ("v_mul_f32 %0, 0.15915494, %1", |a, _, _| (f(0x3e22_f983) * f(a)).to_bits()),
    ("v_fmaak_f32 %0, %1, %2, 0x40490fdb", |a, b, _| {
        f(a).mul_add(f(b), std::f32::consts::PI).to_bits()
    }),
    ("v_floor_f32 %0, %1", |a, _, _| f(a).floor().to_bits()),
    ("v_rndne_f32 %0, %1", |a, _, _| f(a).round_ties_even().to_bits()),
    ("v_cvt_i32_f32 %0, %1", |a, _, _| f(a) as i32 as u32),
    ("v_cvt_u32_f32 %0, %1", |a, _, _| f(a) as u32),
    ("v_cvt_f32_i32 %0, %1", |a, _, _| (a as i32 as f32).to_bits()),
    ("v_cvt_f32_u32 %0, %1", |a, _, _| (a as f32).to_bits()),
    ("v_cvt_f32_ubyte2 %0, %1", |a, _, _| ((a >> 16 & 255) as f32).to_bits()),
    ("v_rcp_f32 %0, %1", |a, _, _| ((1.0 / f64::from(f(a))) as f32).to_bits()),
    ("v_sqrt_f32 %0, %1", |a, _, _| f(a).sqrt().to_bits()),
    // Rounding and subnormals, and back to what the compiler expects.
    ("s_round_mode 0x3\n v_add_f32 %0, %1, %2\n s_round_mode 0x0", |a, b, _| {
        let (a, b) = (f64::from(f(a)), f64::from(f(b)));
        // Exponents far apart: the sum in f64 is not exact, and the smaller term only matters by its sign.
        let sum = a + b;
        let lost = if a.abs() > b.abs() { b - (sum - a) } else { a - (sum - b) };
        let inward = lost != 0.0 && (lost > 0.0) != (sum > 0.0);
        let bits = sum.to_bits();
        toward_zero(f64::from_bits(if inward && sum.is_finite() { bits - 1 } else { bits }))
    }),
    ("s_round_mode 0x3\n v_mul_f32 %0, %1, %2\n s_round_mode 0x0", |a, b, _| {
        toward_zero(f64::from(f(a)) * f64::from(f(b)))
    }),
    ("s_denorm_mode 0xc\n v_mul_f32 %0, %1, %2\n s_denorm_mode 0xf", |a, b, _| {
        flush((f(flush(a)) * f(flush(b))).to_bits())
    }),
    ("s_denorm_mode 0xc\n v_add_f32 %0, %1, %2\n s_denorm_mode 0xf", |a, b, _| {
        flush((f(flush(a)) + f(flush(b))).to_bits())
    }),
];

const HALVES: &[Case] = &[
    ("v_add_f16 %0.l, %1.l, %2.l", |a, b, c| low(h(a) + h(b), c)),
    ("v_mul_f16 %0.l, %1.h, %2.l", |a, b, c| low(h(a >> 16) * h(b), c)),
    ("v_add_f16 %0.h, %1.l, -%2.h", |a, b, c| {
        c & 0xffff | u32::from((h(a) - h(b >> 16)).to_bits()) << 16
    }),
    ("v_fma_f16 %0.l, %1.l, %2.l, %3.l", |a, b, c| low(fused_half(h(a), h(b), h(c)), c)),
    ("v_cvt_f16_f32 %0.l, %1", |a, _, c| low(f16::from_f32(f(a)), c)),
    ("v_cvt_f32_f16 %0, %1.h", |a, _, _| h(a >> 16).to_f32().to_bits()),
    ("v_pk_mul_f16 %0, %1, %2", |a, b, _| {
        low(h(a) * h(b), u32::from((h(a >> 16) * h(b >> 16)).to_bits()) << 16)
    }),
    (
        "v_pk_add_f16 %0, %1, %2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1] neg_hi:[1,0]",
        |a, b, _| low(h(a >> 16) - h(b), u32::from((-h(a) + h(b >> 16)).to_bits()) << 16),
    ),
    ("v_pk_fma_f16 %0, %1, %2, %3", |a, b, c| {
        let high = fused_half(h(a >> 16), h(b >> 16), h(c >> 16));
        low(fused_half(h(a), h(b), h(c)), u32::from(high.to_bits()) << 16)
    }),
    ("v_fma_mix_f32 %0, %1, %2, %3 op_sel:[1,0,0] op_sel_hi:[1,0,0]", |a, b, c| {
        h(a >> 16).to_f32().mul_add(f(b), f(c)).to_bits()
    }),
];

const INTEGERS: &[Case] = &[
    ("v_add_nc_u32 %0, %1, %2", |a, b, _| a.wrapping_add(b)),
    ("v_add_nc_u32 %0, %1, %2 clamp", |a, b, _| a.saturating_add(b)),
    ("v_sub_nc_i32 %0, %1, %2 clamp", |a, b, _| (a as i32).saturating_sub(b as i32) as u32),
    ("v_subrev_nc_u32 %0, %1, %2", |a, b, _| b.wrapping_sub(a)),
    ("v_mul_hi_i32 %0, %1, %2", |a, b, _| {
        ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
    }),
    ("v_mad_u32_u24 %0, %1, %2, %3", |a, b, c| {
        (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff).wrapping_add(c)
    }),
    ("v_mad_i32_i24 %0, %1, %2, %3", |a, b, c| {
        let s = |v: u32| (v << 8) as i32 >> 8;
        (s(a).wrapping_mul(s(b)) as u32).wrapping_add(c)
    }),
    ("v_bfe_u32 %0, %1, %2, %3", |a, b, c| {
        ((u64::from(a) >> (b & 31)) & ((1 << (c & 31)) - 1)) as u32
    }),
    ("v_bfe_i32 %0, %1, %2, %3", |a, b, c| {
        let (from, width) = (b & 31, c & 31);
        let field = (u64::from(a) >> from & ((1 << width) - 1)) as i64;
        let sign = if width == 0 { 0 } else { 1i64 << (width - 1) };
        ((field ^ sign) - sign) as u32
    }),
    ("v_bfi_b32 %0, %1, %2, %3", |a, b, c| a & b | !a & c),
    ("v_perm_b32 %0, %1, %2, %3", |a, b, c| {
        let bytes = u64::from(a) << 32 | u64::from(b);
        let pick = |s: u32| match s {
            0..=7 => (bytes >> (8 * s)) as u32 & 255,
            8..=11 => 255 * (bytes >> (16 * (s - 8) + 15) & 1) as u32,
            12 => 0,
            _ => 255,
        };
        (0..4).fold(0, |all, at| all | pick(c >> (8 * at) & 255) << (8 * at))
    }),
    ("v_alignbit_b32 %0, %1, %2, 7", |a, b, _| ((u64::from(a) << 32 | u64::from(b)) >> 7) as u32),
    ("v_lshl_add_u32 %0, %1, 3, %3", |a, _, c| (a << 3).wrapping_add(c)),
    ("v_ashrrev_i32 %0, %1, %2", |a, b, _| ((b as i32) >> (a & 31)) as u32),
    ("v_cls_i32 %0, %1", |a, _, _| {
        let same = (0..32).rev().take_while(|bit| a >> bit & 1 == a >> 31).count() as u32;
        if same == 32 { !0 } else { same }
    }),
    ("v_med3_i32 %0, %1, %2, %3", |a, b, c| {
        let mut all = [a as i32, b as i32, c as i32];
        all.sort_unstable();
        all[1] as u32
    }),
    ("v_pk_add_i16 %0, %1, %2 clamp", |a, b, _| {
        let sum = |at: u32| ((a >> at) as i16).saturating_add((b >> at) as i16) as u16;
        u32::from(sum(0)) | u32::from(sum(16)) << 16
    }),
    ("v_pk_lshlrev_b16 %0, %1, %2", |a, b, _| {
        let shift = |at: u32| ((b >> at) as u16) << (a >> at & 15);
        u32::from(shift(0)) | u32::from(shift(16)) << 16
    }),
    ("v_dot4_i32_iu8 %0, %1, %2, %3 neg_lo:[1,0,0] clamp", |a, b, c| {
        let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        let sum: i32 = products.map(|(a, b)| i32::from(a as i8) * i32::from(b)).sum();
        (c as i32).saturating_add(sum) as u32
    }),
    ("v_cmp_lt_u32 vcc_lo, %1, %2\n v_cndmask_b32 %0, 1, 2, vcc_lo", |a, b, _| {
        1 + u32::from(a < b)
    }),
    ("v_cmp_class_f32 vcc_lo, %1, %2\n v_cndmask_b32 %0, 0, 1, vcc_lo", |a, b, _| {
        let (x, quiet) = (f(a), a >> 22 & 1);
        let class = match x.classify() {
            std::num::FpCategory::Nan => quiet,
            std::num::FpCategory::Infinite => {
                if x < 0.0 {
                    2
                } else {
                    9
                }
            }
            std::num::FpCategory::Normal => {
                if x < 0.0 {
                    3
                } else {
                    8
                }
            }
            std::num::FpCategory::Subnormal => {
                if x < 0.0 {
                    4
                } else {
                    7
                }
            }
            std::num::FpCategory::Zero => {
                if x.is_sign_negative() {
                    5
                } else {
                    6
                }
            }
        };
        b >> class & 1
    }),
    ("v_add_co_u32 %0, vcc_lo, %1, %2\n v_add_co_ci_u32 %0, vcc_lo, %1, %3, vcc_lo", |a, b, c| {
        a.wrapping_add(c).wrapping_add(u32::from(a.checked_add(b).is_none()))
    }),
    ("v_mov_b32_dpp %0, %1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", |_, b, _| b),
];

/// Kernels that each run one instruction on every element.
fn source(cases: &[Case]) -> String {
    let mut text = "#include \"kernel.h\"\n".to_owned();
    for (index, (assembly, _)) in cases.iter().enumerate() {
        let assembly = assembly.replace('\n', "\\n");
        writeln!(
            text,
            "KERNEL(32) case_{index}(const u32* a, const u32* b, const u32* c, u32* out) {{
              int i = BLOCK * 32 + TID;
              u32 r = c[i];
              asm volatile(\"{assembly}\" : \"+&v\"(r) : \"v\"(a[i]), \"v\"(b[i]), \"v\"(c[i]) : \"vcc\");
              out[i] = r;
            }}"
        )
        .expect("text takes text");
    }
    text
}

fn check(cases: &[Case], kind: fn(u32) -> bool) {
    let mut bench = Bench::load(&common::compile_text(&source(cases), "gfx1151"));
    let [a, mut b, c] = [1, 2, 3].map(inputs);
    for (index, (assembly, definition)) in cases.iter().enumerate() {
        if assembly.contains("dpp") {
            // Its definition takes the neighbour's value as `b`.
            b = (0..COUNT).map(|at| a[at ^ 1]).collect();
        }
        let buffers = [bench.buffer("a", &a), bench.buffer("b", &b), bench.buffer("c", &c)];
        let out = bench.memory.allocate("out", 4 * COUNT);
        let values = [buffers[0], buffers[1], buffers[2], out].map(Into::into);
        let grid = Grid::line(COUNT as u32 / 32, 32);
        bench
            .run(&format!("case_{index}"), grid, &values, &Options::default())
            .unwrap_or_else(|error| panic!("{assembly}: {error}"));
        for (at, found) in bench.read::<u32>(out, COUNT).into_iter().enumerate() {
            let (a, b, c) = (a[at], b[at], c[at]);
            let expected = definition(a, b, c);
            let same = found == expected || kind(found) && kind(expected);
            assert!(same, "{assembly}: of {a:#x} {b:#x} {c:#x}: {found:#x}, not {expected:#x}");
        }
    }
}

/// NaNs may have any payload.
fn is_nan32(bits: u32) -> bool {
    f(bits).is_nan()
}

fn has_nan16(bits: u32) -> bool {
    h(bits).is_nan() || h(bits >> 16).is_nan() || f(bits).is_nan()
}

#[test]
fn floats_of_32_bits() {
    check(FLOATS, is_nan32);
}

#[test]
fn halves_and_pairs_of_them() {
    check(HALVES, has_nan16);
}

#[test]
fn integers_comparisons_and_lanes() {
    check(INTEGERS, |_| false);
}
