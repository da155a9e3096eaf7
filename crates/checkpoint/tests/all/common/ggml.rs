//! Blocks as ggml packs them, after the structures and the packing loops of its `ggml-common.h` and
//! `ggml-quants.c`.

/// A block before it is packed. Sub-scales and minima are whole numbers, one for each group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub scale: u16,
    pub minimum: u16,
    pub subs: Vec<i8>,
    pub minima: Vec<u8>,
    pub codes: Vec<u8>,
}

fn half(bits: u16) -> Vec<u8> {
    bits.to_le_bytes().to_vec()
}

/// Element `i` in the low half of byte `i`, element `i + 16` in its high half.
fn nibbles(codes: &[u8]) -> Vec<u8> {
    (0..16).map(|at| codes[at] & 15 | (codes[at + 16] & 15) << 4).collect()
}

fn fifth(codes: &[u8]) -> Vec<u8> {
    let bits = codes.iter().enumerate().map(|(at, code)| u32::from(code >> 4) << at);
    bits.fold(0, |all, bit| all | bit).to_le_bytes().to_vec()
}

pub fn q4_0(b: &Block) -> Vec<u8> {
    [half(b.scale), nibbles(&b.codes)].concat()
}

pub fn q4_1(b: &Block) -> Vec<u8> {
    [half(b.scale), half(b.minimum), nibbles(&b.codes)].concat()
}

pub fn q5_0(b: &Block) -> Vec<u8> {
    [half(b.scale), fifth(&b.codes), nibbles(&b.codes)].concat()
}

pub fn q5_1(b: &Block) -> Vec<u8> {
    [half(b.scale), half(b.minimum), fifth(&b.codes), nibbles(&b.codes)].concat()
}

/// Codes here are unsigned; the file's are 128 less.
pub fn q8_0(b: &Block) -> Vec<u8> {
    let signed = b.codes.iter().map(|code| (i16::from(*code) - 128) as i8 as u8).collect();
    [half(b.scale), signed].concat()
}

/// The scale is a byte.
pub fn mxfp4(b: &Block) -> Vec<u8> {
    [vec![b.scale as u8], nibbles(&b.codes)].concat()
}

/// 2-bit codes: each 128 in 32 bytes, 32 to a plane of two bits.
fn pairs(codes: &[u8]) -> Vec<u8> {
    let run = |q: &[u8]| -> Vec<u8> {
        let byte = |l: usize| {
            q[l] & 3 | (q[l + 32] & 3) << 2 | (q[l + 64] & 3) << 4 | (q[l + 96] & 3) << 6
        };
        (0..32).map(byte).collect()
    };
    codes.chunks(128).flat_map(run).collect()
}

pub fn q2_k(b: &Block) -> Vec<u8> {
    let scales = b.subs.iter().zip(&b.minima).map(|(sub, minimum)| *sub as u8 | minimum << 4);
    [scales.collect(), pairs(&b.codes), half(b.scale), half(b.minimum)].concat()
}

pub fn q3_k(b: &Block) -> Vec<u8> {
    let mut mask = vec![0u8; 32];
    for (at, code) in b.codes.iter().enumerate() {
        mask[at % 32] |= (code >> 2) << (at / 32);
    }
    let mut scales = vec![0u8; 12];
    for (at, sub) in b.subs.iter().enumerate() {
        let stored = (sub + 32) as u8;
        scales[at % 8] |= (stored & 15) << (at / 8 * 4);
        scales[at % 4 + 8] |= (stored >> 4) << (at / 4 * 2);
    }
    [mask, pairs(&b.codes), scales, half(b.scale)].concat()
}

fn six_bit_scales(b: &Block) -> Vec<u8> {
    let mut scales = vec![0u8; 12];
    for at in 0..8 {
        let (sub, minimum) = (b.subs[at] as u8, b.minima[at]);
        if at < 4 {
            scales[at] = sub;
            scales[at + 4] = minimum;
        } else {
            scales[at + 4] = sub & 15 | (minimum & 15) << 4;
            scales[at - 4] |= (sub >> 4) << 6;
            scales[at] |= (minimum >> 4) << 6;
        }
    }
    scales
}

/// 64 elements in 32 bytes, the second 32 in the high halves.
fn paired_nibbles(codes: &[u8]) -> Vec<u8> {
    let run =
        |q: &[u8]| -> Vec<u8> { (0..32).map(|l| q[l] & 15 | (q[l + 32] & 15) << 4).collect() };
    codes.chunks(64).flat_map(run).collect()
}

pub fn q4_k(b: &Block) -> Vec<u8> {
    [half(b.scale), half(b.minimum), six_bit_scales(b), paired_nibbles(&b.codes)].concat()
}

pub fn q5_k(b: &Block) -> Vec<u8> {
    let mut high = vec![0u8; 32];
    for (at, code) in b.codes.iter().enumerate() {
        high[at % 32] |= (code >> 4) << (at / 32);
    }
    [half(b.scale), half(b.minimum), six_bit_scales(b), high, paired_nibbles(&b.codes)].concat()
}

pub fn q6_k(b: &Block) -> Vec<u8> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for q in b.codes.chunks(128) {
        low.extend((0..64).map(|l| q[l] & 15 | (q[l + 64] & 15) << 4));
        high.extend(
            (0..32).map(|l| {
                q[l] >> 4 | q[l + 32] >> 4 << 2 | q[l + 64] >> 4 << 4 | q[l + 96] >> 4 << 6
            }),
        );
    }
    let subs = b.subs.iter().map(|sub| *sub as u8).collect();
    [low, high, subs, half(b.scale)].concat()
}

pub fn iq4_xs(b: &Block) -> Vec<u8> {
    let (mut low, mut high) = (vec![0u8; 4], 0u16);
    for (at, sub) in b.subs.iter().enumerate() {
        let stored = (sub + 32) as u8;
        low[at / 2] |= (stored & 15) << (at % 2 * 4);
        high |= u16::from(stored >> 4) << (2 * at);
    }
    let codes = b.codes.chunks(32).flat_map(nibbles).collect();
    [half(b.scale), half(high), low, codes].concat()
}
