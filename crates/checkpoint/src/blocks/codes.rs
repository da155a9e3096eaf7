//! The codes and scales of GGUF's block formats.

use super::k_quants::{self, bit_pair, paired_nibble};
use crate::codes::{BlockForm, BlockFormat, CodeType, Codes, ScaleType};
use crate::dtype::StoredType;

/// What the codes of `dtype` are; `None` of other types.
pub(crate) fn block_format(dtype: StoredType) -> Option<BlockFormat> {
    use BlockForm::{Bias, Middle, Minimum, Plain};
    use CodeType::{E2M1, Iq4, Unsigned};
    use ScaleType::{E8M0, F16, Super};
    let (code, group, scale, form) = match dtype {
        StoredType::Q4_0 => (Unsigned(4), 32, F16, Middle),
        StoredType::Q4_1 => (Unsigned(4), 32, F16, Bias),
        StoredType::Q5_0 => (Unsigned(5), 32, F16, Middle),
        StoredType::Q5_1 => (Unsigned(5), 32, F16, Bias),
        StoredType::Q8_0 => (Unsigned(8), 32, F16, Middle),
        StoredType::Iq4Nl => (Iq4, 32, F16, Plain),
        StoredType::Mxfp4 => (E2M1, 32, E8M0, Plain),
        StoredType::Q2K => (Unsigned(2), 16, Super, Minimum),
        StoredType::Q3K => (Unsigned(3), 16, Super, Middle),
        StoredType::Q4K => (Unsigned(4), 32, Super, Minimum),
        StoredType::Q5K => (Unsigned(5), 32, Super, Minimum),
        StoredType::Q6K => (Unsigned(6), 16, Super, Middle),
        StoredType::Iq4Xs => (Iq4, 32, Super, Plain),
        _ => return None,
    };
    Some(BlockFormat { code, group, scale, form, row_scale: false })
}

/// Adds a row of a matrix whose blocks are `stored`.
pub(crate) fn push_row(dtype: StoredType, stored: &[u8], row: usize, to: &mut Codes) {
    let row_bytes = to.columns / dtype.block_elements() * dtype.block_bytes();
    let blocks = stored[row * row_bytes..][..row_bytes].chunks_exact(dtype.block_bytes());
    for block in blocks {
        match dtype {
            StoredType::Q2K => q2_k(block, to),
            StoredType::Q3K => q3_k(block, to),
            StoredType::Q4K => q4_k(block, to),
            StoredType::Q5K => q5_k(block, to),
            StoredType::Q6K => q6_k(block, to),
            StoredType::Iq4Xs => iq4_xs(block, to),
            _ => small(dtype, block, to),
        }
    }
}

/// Formats of 32 elements: scale, in some a minimum, in some the fifth bits, then the codes.
fn small(dtype: StoredType, block: &[u8], to: &mut Codes) {
    let (scale, rest) = block.split_at(to.format.scale.bytes());
    to.scales.extend(scale);
    let rest = match &mut to.biases {
        None => rest,
        Some(biases) => {
            let (bias, rest) = rest.split_at(to.format.scale.bytes());
            biases.extend(bias);
            rest
        }
    };
    match dtype {
        // Signed codes, moved to begin at zero.
        StoredType::Q8_0 => to.codes.extend(rest.iter().map(|code| code ^ 0x80)),
        StoredType::Q5_0 | StoredType::Q5_1 => {
            let (fifth, low) = rest.split_at(4);
            let fifth = |at: usize| (fifth[at / 8] >> (at % 8) & 1) << 4;
            to.codes.extend(halves(low).enumerate().map(|(at, low)| low | fifth(at)));
        }
        // This format has no negative zero: ggml reads code 8 as zero.
        StoredType::Mxfp4 => to.codes.extend(halves(rest).map(|c| if c == 8 { 0 } else { c })),
        _ => to.codes.extend(halves(rest)),
    }
}

/// GGUF's order of 4-bit codes: all low halves, then all high halves.
fn halves(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.iter().map(|byte| byte & 15).chain(bytes.iter().map(|byte| byte >> 4))
}

fn q2_k(block: &[u8], to: &mut Codes) {
    push_supers(&block[80..84], to);
    for scales in &block[..16] {
        push_group(scales & 15, scales >> 4, to);
    }
    to.codes.extend((0..256).map(|element| bit_pair(&block[16..80], element)));
}

fn q3_k(block: &[u8], to: &mut Codes) {
    push_supers(&block[108..110], to);
    to.scales.extend((0..16).map(|group| k_quants::q3_k_scale(&block[96..108], group) as u8));
    to.codes.extend((0..256).map(|element| k_quants::q3_k_code(block, element)));
}

fn q4_k(block: &[u8], to: &mut Codes) {
    push_supers(&block[..4], to);
    for group in 0..8 {
        let [scale, minimum] = k_quants::scale_and_minimum(&block[4..16], group);
        push_group(scale, minimum, to);
        to.codes.extend((0..32).map(|at| paired_nibble(&block[16..144], group, at)));
    }
}

fn q5_k(block: &[u8], to: &mut Codes) {
    push_supers(&block[..4], to);
    for group in 0..8 {
        let [scale, minimum] = k_quants::scale_and_minimum(&block[4..16], group);
        push_group(scale, minimum, to);
        to.codes.extend((0..32).map(|at| k_quants::q5_k_code(block, group, at)));
    }
}

fn q6_k(block: &[u8], to: &mut Codes) {
    push_supers(&block[208..210], to);
    to.scales.extend(&block[192..208]);
    to.codes.extend((0..256).map(|element| k_quants::q6_k_code(block, element)));
}

fn iq4_xs(block: &[u8], to: &mut Codes) {
    push_supers(&block[..2], to);
    for group in 0..8 {
        to.scales.push(k_quants::iq4_xs_scale(block, group) as u8);
        to.codes.extend(halves(&block[8 + group * 16..][..16]));
    }
}

/// The f16 of scales, and of minima where the format has one.
fn push_supers(halves: &[u8], to: &mut Codes) {
    let half = |at: usize| halves.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
    to.supers.get_or_insert_default().push([half(0), half(2)]);
}

fn push_group(scale: u8, minimum: u8, to: &mut Codes) {
    to.scales.push(scale);
    to.minima.get_or_insert_default().push(minimum);
}
