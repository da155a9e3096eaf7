//! Formats of 32 elements. A byte of codes holds element `i` in its low half and element `i + 16` in
//! its high half.

use super::{IQ4_LEVELS, half};

/// `scale f16 | codes 16`: `scale * (code - 8)`.
pub(super) fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let scale = half(block, 0);
    for_each_nibble(&block[2..], |at, code| out[at] = scale * f32::from(code as i8 - 8));
}

/// `scale f16 | minimum f16 | codes 16`: `scale * code + minimum`.
pub(super) fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let (scale, minimum) = (half(block, 0), half(block, 2));
    for_each_nibble(&block[4..], |at, code| out[at] = scale * f32::from(code) + minimum);
}

/// `scale f16 | fifth bits u32 | low codes 16`: `scale * (code - 16)`; bit `i` belongs to element `i`.
pub(super) fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
    let (scale, fifth) = (half(block, 0), fifth_bits(block, 2));
    for_each_nibble(&block[6..], |at, low| {
        let code = low | ((fifth >> at) as u8 & 1) << 4;
        out[at] = scale * f32::from(code as i8 - 16);
    });
}

/// `scale f16 | minimum f16 | fifth bits u32 | low codes 16`: `scale * code + minimum`.
pub(super) fn q5_1(block: &[u8; 24], out: &mut [f32; 32]) {
    let (scale, minimum, fifth) = (half(block, 0), half(block, 2), fifth_bits(block, 4));
    for_each_nibble(&block[8..], |at, low| {
        let code = low | ((fifth >> at) as u8 & 1) << 4;
        out[at] = scale * f32::from(code) + minimum;
    });
}

/// `scale f16 | codes i8 x 32`: `scale * code`.
pub(super) fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let scale = half(block, 0);
    for (out, code) in out.iter_mut().zip(&block[2..]) {
        *out = scale * f32::from(*code as i8);
    }
}

/// `scale f16 | codes 16`: `scale * level[code]`.
pub(super) fn iq4_nl(block: &[u8; 18], out: &mut [f32; 32]) {
    let scale = half(block, 0);
    for_each_nibble(&block[2..], |at, code| {
        out[at] = scale * f32::from(IQ4_LEVELS[usize::from(code)]);
    });
}

/// `scale E8M0 | codes E2M1 16`: `2^(scale - 127) * value`. Code 8 is plus zero, and scale 255 the
/// next power of two rather than not-a-number: that is how files of this format are written and read.
pub(super) fn mxfp4(block: &[u8; 17], out: &mut [f32; 32]) {
    /// Twice the E2M1 values, so that they are integers; the scale is halved to match.
    const DOUBLED: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];
    let half_scale = match block[0] {
        subnormal @ 0..2 => f32::from_bits(0x0020_0000 << subnormal),
        exponent => f32::from_bits(u32::from(exponent - 1) << 23),
    };
    for_each_nibble(&block[1..], |at, code| {
        out[at] = half_scale * f32::from(DOUBLED[usize::from(code)]);
    });
}

fn fifth_bits(block: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]])
}

/// Calls `value` with the element's index and its 4-bit code.
fn for_each_nibble(codes: &[u8], mut value: impl FnMut(usize, u8)) {
    for (at, byte) in codes.iter().enumerate() {
        value(at, byte & 15);
        value(at + 16, byte >> 4);
    }
}
