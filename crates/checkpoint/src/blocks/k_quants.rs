//! Formats of 256 elements: groups of 16 or 32 with small integer scales under one half-precision
//! scale of the block.

use super::{IQ4_LEVELS, half};

/// `group scales 16 (low half scale, high half minimum) | codes 64 | scale f16 | minimum f16`.
/// Codes come in two runs of 128 elements; in a run, byte `b` holds elements `b + 32 * plane` in its
/// bit pair `plane`.
pub(super) fn q2_k(block: &[u8; 84], out: &mut [f32; 256]) {
    let (scale, minimum) = (half(block, 80), half(block, 82));
    for (group, out) in out.chunks_exact_mut(16).enumerate() {
        let scales = block[group];
        let (scale, minimum) = (scale * f32::from(scales & 15), minimum * f32::from(scales >> 4));
        for (at, out) in out.iter_mut().enumerate() {
            *out = scale * f32::from(bit_pair(&block[16..80], group * 16 + at)) - minimum;
        }
    }
}

/// `third bits 32 | codes 64 | group scales 12 | scale f16`: `scale * (group - 32) * (code - 4)`.
/// Bit `p` of third-bit byte `b` belongs to element `32 * p + b`.
pub(super) fn q3_k(block: &[u8; 110], out: &mut [f32; 256]) {
    let scale = half(block, 108);
    for (group, out) in out.chunks_exact_mut(16).enumerate() {
        let scale = scale * f32::from(q3_k_scale(&block[96..108], group));
        for (at, out) in out.iter_mut().enumerate() {
            *out = scale * f32::from(q3_k_code(block, group * 16 + at) as i8 - 4);
        }
    }
}

/// Low four bits: two to a byte of the first eight. High two bits: four to a byte of the rest.
pub(super) fn q3_k_scale(scales: &[u8], group: usize) -> i8 {
    let low = scales[group % 8] >> (4 * (group / 8)) & 15;
    let high = scales[8 + group % 4] >> (2 * (group / 4)) & 3;
    (low | high << 4) as i8 - 32
}

pub(super) fn q3_k_code(block: &[u8], element: usize) -> u8 {
    let third = block[element % 32] >> (element / 32) & 1;
    bit_pair(&block[32..96], element) | third << 2
}

/// `scale f16 | minimum f16 | group scales and minima 12 | codes 128`: 8 groups of 32; two groups
/// share 32 code bytes, the even group in the low halves.
pub(super) fn q4_k(block: &[u8; 144], out: &mut [f32; 256]) {
    let (scale, minimum) = (half(block, 0), half(block, 2));
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let [of_scale, of_minimum] = scale_and_minimum(&block[4..16], group).map(f32::from);
        let (scale, minimum) = (scale * of_scale, minimum * of_minimum);
        for (at, out) in out.iter_mut().enumerate() {
            *out = scale * f32::from(paired_nibble(&block[16..144], group, at)) - minimum;
        }
    }
}

/// As Q4_K with `fifth bits 32` before the codes; bit `g` of byte `b` belongs to element `32 * g + b`.
pub(super) fn q5_k(block: &[u8; 176], out: &mut [f32; 256]) {
    let (scale, minimum) = (half(block, 0), half(block, 2));
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let [of_scale, of_minimum] = scale_and_minimum(&block[4..16], group).map(f32::from);
        let (scale, minimum) = (scale * of_scale, minimum * of_minimum);
        for (at, out) in out.iter_mut().enumerate() {
            *out = scale * f32::from(q5_k_code(block, group, at)) - minimum;
        }
    }
}

pub(super) fn q5_k_code(block: &[u8], group: usize, at: usize) -> u8 {
    let fifth = block[16 + at] >> group & 1;
    paired_nibble(&block[48..176], group, at) | fifth << 4
}

/// `low codes 128 | high bit pairs 64 | group scales i8 x 16 | scale f16`: `scale * group * (code - 32)`.
/// In each run of 128 elements, low codes pair element `e` with `e + 64` in one byte.
pub(super) fn q6_k(block: &[u8; 210], out: &mut [f32; 256]) {
    let scale = half(block, 208);
    for (group, out) in out.chunks_exact_mut(16).enumerate() {
        let scale = scale * f32::from(block[192 + group] as i8);
        for (at, out) in out.iter_mut().enumerate() {
            *out = scale * f32::from(q6_k_code(block, group * 16 + at) as i8 - 32);
        }
    }
}

pub(super) fn q6_k_code(block: &[u8], element: usize) -> u8 {
    let (run, within) = (element / 128, element % 128);
    let low = block[run * 64 + within % 64] >> (4 * (within / 64)) & 15;
    low | bit_pair(&block[128..192], element) << 4
}

/// `scale f16 | high scale bits u16 | low scale bits 4 | codes 128`: 8 groups of 32, each laid out as
/// in IQ4_NL: `scale * (group - 32) * level[code]`.
pub(super) fn iq4_xs(block: &[u8; 136], out: &mut [f32; 256]) {
    let scale = half(block, 0);
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let scale = scale * f32::from(iq4_xs_scale(block, group));
        let codes = &block[8 + group * 16..];
        for (at, out) in out.iter_mut().enumerate() {
            let code = codes[at % 16] >> (4 * (at / 16)) & 15;
            *out = scale * f32::from(IQ4_LEVELS[usize::from(code)]);
        }
    }
}

pub(super) fn iq4_xs_scale(block: &[u8], group: usize) -> i8 {
    let low = block[4 + group / 2] >> (4 * (group % 2)) & 15;
    let high = (u16::from_le_bytes([block[2], block[3]]) >> (2 * group) & 3) as u8;
    (low | high << 4) as i8 - 32
}

/// The two bits of `element`: runs of 128 elements in 32 bytes, four planes of 32 elements.
pub(super) fn bit_pair(bytes: &[u8], element: usize) -> u8 {
    let (run, plane, byte) = (element / 128, element % 128 / 32, element % 32);
    bytes[run * 32 + byte] >> (2 * plane) & 3
}

/// The 4-bit code of element `at` in `group`, where two groups share 32 bytes.
pub(super) fn paired_nibble(codes: &[u8], group: usize, at: usize) -> u8 {
    codes[group / 2 * 32 + at] >> (4 * (group % 2)) & 15
}

/// The group's six-bit scale and minimum. Groups 0-3 lie in the low six bits of bytes 0-3 (scale) and
/// 4-7 (minimum); groups 4-7 have their low four bits in bytes 8-11 and their high two in the top of
/// the bytes before.
pub(super) fn scale_and_minimum(packed: &[u8], group: usize) -> [u8; 2] {
    if group < 4 {
        return [packed[group] & 63, packed[group + 4] & 63];
    }
    let shared = packed[group + 4];
    [shared & 15 | packed[group - 4] >> 6 << 4, shared >> 4 | packed[group] >> 6 << 4]
}
