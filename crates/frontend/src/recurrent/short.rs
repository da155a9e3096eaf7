//! The gated short convolution of LFM 2.

use super::conv_weight_at;
use crate::memory::RecurrentLayer;
use crate::nn;
use crate::trace::{Recurrence, Tensor, Weights};

/// A convolution over a few tokens between two gates: `c × conv(b × x)`, where one projection gives
/// `b`, `c` and `x`, and another follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortConv {
    /// Width of the residual stream.
    pub hidden: usize,
    /// Tokens that it sees.
    pub taps: usize,
    /// Whether convolution and projections have a bias.
    pub bias: bool,
}

impl ShortConv {
    /// What it keeps of a sequence.
    pub fn memory(&self) -> RecurrentLayer {
        RecurrentLayer::of_conv([self.taps - 1, self.hidden])
    }

    /// The convolution at `w` of rows of the residual stream.
    #[track_caller]
    pub fn mix<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, memory: Recurrence<'t>) -> Tensor<'t> {
        let Self { hidden, taps, bias } = *self;
        let all = nn::linear_bias(x, w.at("in_proj"), 3 * hidden, bias);
        let [b, c, x] = [0, 1, 2].map(|part| all.columns(part * hidden..(part + 1) * hidden));
        let conv = w.at("conv");
        let of_conv = bias.then(|| conv.at("bias").vector(hidden));
        let mixed = memory.plain_conv(b * x, conv_weight_at(&conv, hidden, taps), of_conv);
        nn::linear_bias(c * mixed, w.at("out_proj"), hidden, bias)
    }
}
