//! The mixer of Mamba.

use super::{conv_weight, taps};
use crate::config::Fields;
use crate::error::Error;
use crate::memory::RecurrentLayer;
use crate::nn::{self, Activation, Norm};
use crate::trace::{Recurrence, Tensor, Weights};
use crate::weights::Part;

/// A mixer of Mamba (Gu and Dao, 2023): a projection to rows and their gate, a causal convolution,
/// time steps and what goes in and out as projections of what that gives, the scan, and a projection
/// back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MambaMixer {
    /// Channels of the scan.
    pub inner: usize,
    /// Elements of a channel's state.
    pub depth: usize,
    /// Numbers that time steps are made of.
    pub rank: usize,
    /// Tokens that the convolution sees.
    pub taps: usize,
    /// Whether the convolution has a bias.
    pub conv_bias: bool,
    /// Whether the projections to everything and back have one.
    pub bias: bool,
    /// Norms of time steps and of what goes in and out.
    pub norms: Norms,
}

/// Norms of time steps and of what goes into a scan and comes out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Norms {
    /// None.
    None,
    /// Without weights (Falcon Mamba).
    Plain(Norm),
    /// With weights (Jamba).
    Weighed(Norm),
}

/// What the fields of the mixer are called.
#[derive(Clone, Copy, Debug)]
pub struct MambaFields {
    /// Elements of a state.
    pub depth: &'static str,
    /// Numbers that time steps are made of; absent or `auto`, a sixteenth of the stream's width.
    pub rank: &'static str,
    /// Tokens of the convolution.
    pub taps: &'static str,
    /// How many times wider than the stream the scan is.
    pub expand: &'static str,
    /// Whether the convolution has a bias.
    pub conv_bias: &'static str,
    /// Whether the projections have.
    pub bias: &'static str,
}

impl MambaFields {
    /// Reads the mixer.
    pub fn read(
        &self,
        fields: &Fields<'_>,
        hidden: usize,
        norms: Norms,
    ) -> Result<MambaMixer, Error> {
        let auto = fields.get(self.rank).is_none_or(|value| value == "auto");
        Ok(MambaMixer {
            inner: fields.optional_size(self.expand, 1 << 10)?.unwrap_or(2) * hidden,
            depth: fields.size(self.depth, 1 << 14)?,
            rank: match auto {
                true => hidden.div_ceil(16),
                false => fields.size(self.rank, 1 << 14)?,
            },
            taps: taps(fields, self.taps)?,
            conv_bias: fields.flag(self.conv_bias, true)?,
            bias: fields.flag(self.bias, false)?,
            norms,
        })
    }
}

impl MambaMixer {
    /// What it keeps of a sequence.
    pub fn memory(&self) -> RecurrentLayer {
        RecurrentLayer {
            state: Some([1, self.depth, self.inner]),
            ..RecurrentLayer::of_conv([self.taps - 1, self.inner])
        }
    }

    /// The mixer at `w` of rows of the residual stream.
    #[track_caller]
    pub fn mix<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, memory: Recurrence<'t>) -> Tensor<'t> {
        let Self { inner, depth, rank, .. } = *self;
        let hidden = x.size(1);
        let projected = nn::linear_bias(x, w.at("in_proj"), 2 * inner, self.bias);
        let gate = projected.columns(inner..2 * inner);
        let bias = self.conv_bias.then(|| w.at("conv1d.bias").vector(inner));
        let weight = conv_weight(w, inner, self.taps);
        let mixed = memory.conv(projected.columns(0..inner), weight, bias);

        let of = nn::linear(mixed, w.at("x_proj"), rank + 2 * depth);
        let step = self.normed(of.columns(0..rank), w, "dt_layernorm");
        let b = self.normed(of.columns(rank..rank + depth), w, "b_layernorm");
        let c = self.normed(of.columns(rank + depth..rank + 2 * depth), w, "c_layernorm");
        let dt = nn::linear(step, w.at("dt_proj"), inner);
        let place = w.at("A_log");
        let a_log =
            place.vectors(inner, depth, vec![Part::whole(place.path(), vec![inner, depth])]);
        let parameters = [a_log, w.at("dt_proj.bias").vector(inner), w.at("D").vector(inner)];
        let y = memory.selective([mixed, dt, b, c], parameters);
        let gated = y * Activation::Silu.apply(gate);
        nn::linear_bias(gated, w.at("out_proj"), hidden, self.bias)
    }

    #[track_caller]
    fn normed<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, name: &str) -> Tensor<'t> {
        match self.norms {
            Norms::None => x,
            Norms::Plain(norm) => nn::unit_norm(x, x.size(1), norm),
            Norms::Weighed(norm) => nn::rms_norm(x, w.at(name), x.size(1), norm),
        }
    }
}
