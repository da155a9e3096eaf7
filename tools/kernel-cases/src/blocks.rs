//! Layouts of blocks that published formats have, and random codes and scales for them.

use tyto_graph::interpreter::Tensor;
use tyto_graph::{BlockCode, BlockForm, BlockLayout, BlockScale, DType};

use crate::random::Random;

/// The layouts of published formats.
pub fn published() -> Vec<BlockLayout> {
    use BlockCode::{E2M1, E4M3, Iq4, Unsigned};
    use BlockForm::{Bias, Middle, Minimum, Plain, Zero};
    use BlockScale::{Bf16, E8M0, F16, F32, One, Super};
    let of = |code, group, scale, form| BlockLayout { code, group, scale, form, row_scale: false };
    let scaled = |layout: BlockLayout| BlockLayout { row_scale: true, ..layout };
    let affine = [2, 3, 4, 5, 6, 8].into_iter().zip([F16, Bf16].into_iter().cycle());
    let mut all: Vec<BlockLayout> = affine
        .zip([32, 64, 128].into_iter().cycle())
        .map(|((bits, scale), group)| of(Unsigned(bits), group, scale, Bias))
        .collect();
    all.extend([
        of(Unsigned(4), 64, F16, Bias),
        of(Unsigned(4), 32, Bf16, Bias),
        of(Unsigned(8), 64, F16, Bias),
        // GGUF.
        of(Unsigned(4), 32, F16, Middle),
        of(Unsigned(4), 32, F16, Bias),
        of(Unsigned(8), 32, F16, Middle),
        of(Unsigned(5), 32, F16, Middle),
        of(Unsigned(5), 32, F16, Bias),
        of(Unsigned(2), 16, Super, Minimum),
        of(Unsigned(3), 16, Super, Middle),
        of(Unsigned(4), 32, Super, Minimum),
        of(Unsigned(5), 32, Super, Minimum),
        of(Unsigned(6), 16, Super, Middle),
        of(Iq4, 32, F16, Plain),
        of(Iq4, 32, Super, Plain),
        // OCP and NVIDIA.
        of(E2M1, 32, E8M0, Plain),
        of(E2M1, 16, BlockScale::E4M3, Plain),
        scaled(of(E2M1, 16, BlockScale::E4M3, Plain)),
        of(E4M3, 32, E8M0, Plain),
        of(E4M3, 128, F32, Plain),
        of(E4M3, 64, Bf16, Plain),
        scaled(of(E4M3, 32, One, Plain)),
        // AWQ, GPTQ, compressed-tensors.
        of(Unsigned(4), 128, F16, Zero),
        of(Unsigned(4), 32, F32, Zero),
        of(Unsigned(8), 128, Bf16, Middle),
        scaled(of(Unsigned(8), 32, One, Middle)),
    ]);
    all
}

/// A stored scale of about `size`, among them zeros and subnormal numbers; no NaN.
pub fn stored_scale(scale: BlockScale, size: f32, random: &mut Random) -> Vec<u8> {
    let number = match random.below(16) {
        0 => 0.0,
        1 => random.unit() * 1e-6,
        2 if scale != BlockScale::F16 => random.unit() * 1e-39,
        _ => random.unit() * size,
    };
    let rounded = |dtype| Tensor::floats(dtype, [1], [number]).expect("one number").to_bytes();
    match scale {
        BlockScale::F16 => rounded(DType::F16),
        BlockScale::Bf16 => rounded(DType::BF16),
        BlockScale::F32 => rounded(DType::F32),
        BlockScale::E8M0 if random.one_of(20) => vec![random.below(3) as u8],
        BlockScale::E8M0 => vec![115 + random.below(12) as u8],
        BlockScale::E4M3 => vec![random.below(0x7f) as u8],
        BlockScale::Super => vec![random.below(256) as u8],
        BlockScale::One => Vec::new(),
    }
}

/// A code; with `extreme` 0 the largest, with 1 the smallest.
pub fn stored_code(code: BlockCode, extreme: usize, random: &mut Random) -> u8 {
    let largest = if code == BlockCode::E4M3 { 0x7e } else { 0xff >> (8 - code.bits()) };
    match extreme {
        0 => largest,
        1 => 0,
        _ if code == BlockCode::E4M3 => {
            random.below(0x7f) as u8 | if random.one_of(2) { 0x80 } else { 0 }
        }
        _ => random.below(usize::from(largest) + 1) as u8,
    }
}
