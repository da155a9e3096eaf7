//! What arithmetic depends on beside its operands.

use super::float::Round;

/// How many lanes a wave has.
pub const LANES: usize = 32;
/// A value of 32 bits in each lane.
pub type Lanes = [u32; LANES];
/// A value of 64 bits in each lane.
pub type Lanes64 = [u64; LANES];

/// Which of two models of the hardware's sums of products is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numerics {
    /// Dot and matrix products are chains of fused multiply-adds; functions keep subnormal values.
    #[default]
    Ieee,
    /// Dot and matrix products as gfx1151 was measured to do them: see `dot.rs`. Functions flush subnormal values, as
    /// LLVM's expansions take for granted.
    Gfx11,
}

/// The register MODE and the numerics of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Env {
    /// Bits 0 to 7 of MODE.
    pub mode: u8,
    /// A NaN that is clamped becomes zero.
    pub dx10_clamp: bool,
    /// The model of dot products.
    pub numerics: Numerics,
}

impl Env {
    /// How f32 results are rounded.
    pub fn round32(&self) -> Round {
        Round::from_bits(self.mode)
    }

    /// How f16 and f64 results are rounded.
    pub fn round16(&self) -> Round {
        Round::from_bits(self.mode >> 2)
    }

    /// Whether f32 results and operands keep their subnormal values: results, operands.
    pub fn keeps32(&self) -> (bool, bool) {
        (self.mode >> 5 & 1 == 1, self.mode >> 4 & 1 == 1)
    }

    /// The same of f16 and f64.
    pub fn keeps16(&self) -> (bool, bool) {
        (self.mode >> 7 & 1 == 1, self.mode >> 6 & 1 == 1)
    }
}

/// A subnormal f32 becomes a zero of its sign.
pub fn flush32(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// A subnormal f16 becomes a zero of its sign.
pub fn flush16(bits: u32) -> u32 {
    if bits & 0x7c00 == 0 { bits & 0x8000 } else { bits }
}
