//! GGUF's block formats, decoded to f32.
//!
//! Every format multiplies small integers by a half-precision scale: the product fits f32's 24 bits,
//! so the only rounding is where a minimum is added, and the results equal any other correct decoder
//! bit for bit. Layouts are written as byte ranges of one block; `tests/all/blocks.rs` compares each with
//! the reference implementation's output.

mod codes;
mod k_quants;
mod small;

use crate::dtype::StoredType;

pub(crate) use codes::{block_format, push_row};

/// Decodes whole blocks; `bytes` holds exactly the blocks of `out`.
pub(crate) fn decode(dtype: StoredType, bytes: &[u8], out: &mut [f32]) {
    match dtype {
        StoredType::Q4_0 => each::<18, 32>(bytes, out, small::q4_0),
        StoredType::Q4_1 => each::<20, 32>(bytes, out, small::q4_1),
        StoredType::Q5_0 => each::<22, 32>(bytes, out, small::q5_0),
        StoredType::Q5_1 => each::<24, 32>(bytes, out, small::q5_1),
        StoredType::Q8_0 => each::<34, 32>(bytes, out, small::q8_0),
        StoredType::Iq4Nl => each::<18, 32>(bytes, out, small::iq4_nl),
        StoredType::Mxfp4 => each::<17, 32>(bytes, out, small::mxfp4),
        StoredType::Q2K => each::<84, 256>(bytes, out, k_quants::q2_k),
        StoredType::Q3K => each::<110, 256>(bytes, out, k_quants::q3_k),
        StoredType::Q4K => each::<144, 256>(bytes, out, k_quants::q4_k),
        StoredType::Q5K => each::<176, 256>(bytes, out, k_quants::q5_k),
        StoredType::Q6K => each::<210, 256>(bytes, out, k_quants::q6_k),
        StoredType::Iq4Xs => each::<136, 256>(bytes, out, k_quants::iq4_xs),
        other => unreachable!("{} is not a block format", other.name()),
    }
}

/// Applies one block's decoder to each block.
fn each<const BYTES: usize, const ELEMENTS: usize>(
    bytes: &[u8],
    out: &mut [f32],
    block: impl Fn(&[u8; BYTES], &mut [f32; ELEMENTS]),
) {
    let (blocks, _) = bytes.as_chunks::<BYTES>();
    let (outs, _) = out.as_chunks_mut::<ELEMENTS>();
    for (bytes, out) in blocks.iter().zip(outs) {
        block(bytes, out);
    }
}

/// The half-precision number at `bytes[at..at + 2]`.
fn half(bytes: &[u8], at: usize) -> f32 {
    half::f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

/// The sixteen levels that the IQ4 formats choose from.
const IQ4_LEVELS: [i8; 16] =
    [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
