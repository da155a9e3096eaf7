//! Arithmetic of integers and bits.

use super::{Operation, s, s16, s24};
use crate::machine::env::LANES;

pub(super) fn integers(name: &str) -> Option<Operation> {
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

pub(super) fn three_integers(name: &str) -> Option<Operation> {
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

pub(super) fn short_integers(name: &str) -> Option<Operation> {
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
