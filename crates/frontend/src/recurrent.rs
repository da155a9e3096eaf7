//! Layers with a state: Mamba 2's mixer and what recurrent layers share.

mod delta;
mod fields;
mod griffin;
mod selective;
mod short;

use std::ops::Range;

use crate::config::Fields;
use crate::error::Error;
use crate::memory::RecurrentLayer;
use crate::nn::{self, Norm};
use crate::trace::{HeadParameters, Recurrence, Tensor, Weights};
use crate::weights::Part;

pub use delta::{GatedDeltaNet, Projections, Turns};
pub use fields::{MixerFields, attends, kinds};
pub use griffin::GriffinBlock;
pub use selective::{MambaFields, MambaMixer, Norms};
pub use short::ShortConv;

/// A mixer of Mamba 2 (Dao and Gu, 2024): one projection to everything, a causal convolution, the
/// scan, a gated norm and a projection back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mamba2Mixer {
    /// Heads of the scan.
    pub heads: usize,
    /// Width of each.
    pub head_dim: usize,
    /// Groups of heads that share what goes in and comes out.
    pub groups: usize,
    /// Elements of a state for each element of a head.
    pub depth: usize,
    /// Tokens that the convolution sees.
    pub taps: usize,
    /// Whether the convolution has a bias.
    pub conv_bias: bool,
    /// Whether the projections to everything and back have one.
    pub bias: [bool; 2],
    /// Limits of time steps.
    pub dt_limit: [f32; 2],
    /// How what the scan gives meets its gate.
    pub gating: Gating,
    /// What gate, `x`, `b`, `c` and time steps are multiplied with once they are projected.
    pub scales: [f64; 5],
}

/// How what a scan gives meets its gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gating {
    /// The product is normalized.
    Then(Norm),
    /// What is normalized is multiplied.
    Before(Norm),
    /// There is no norm.
    Only,
}

impl Mamba2Mixer {
    /// Width of what the scan works on.
    pub fn inner(&self) -> usize {
        self.heads * self.head_dim
    }

    /// Columns of the convolution.
    fn channels(&self) -> usize {
        self.inner() + 2 * self.groups * self.depth
    }

    /// What it keeps of a sequence.
    pub fn memory(&self) -> RecurrentLayer {
        RecurrentLayer {
            state: Some([self.heads, self.depth, self.head_dim]),
            ..RecurrentLayer::of_conv([self.taps - 1, self.channels()])
        }
    }

    /// The mixer at `w` of rows of the residual stream.
    #[track_caller]
    pub fn mix<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, memory: Recurrence<'t>) -> Tensor<'t> {
        let (hidden, inner, channels) = (x.size(1), self.inner(), self.channels());
        let all = inner + channels + self.heads;
        let projected = nn::linear_bias(x, w.at("in_proj"), all, self.bias[0]);
        let [of_gate, .., of_dt] = self.scales;
        let gate = scaled(projected.columns(0..inner), of_gate);
        let dt = scaled(projected.columns(inner + channels..all), of_dt);

        let bias = self.conv_bias.then(|| w.at("conv1d.bias").vector(channels));
        let weight = conv_weight(w, channels, self.taps);
        let mixed = memory.conv(self.convolved(projected, inner), weight, bias);
        let group = |range: Range<usize>| mixed.columns(range).split_heads(self.groups);
        let middle = inner + self.groups * self.depth;
        let x = mixed.columns(0..inner).split_heads(self.heads);
        let (b, c) = (group(inner..middle), group(middle..channels));

        let d = w.at("D").vector(self.heads);
        let y = memory.ssm([x, dt, b, c], head_parameters(w, self.heads), d, self.dt_limit);
        let gated = self.gated(y.merge_heads(), nn::Activation::Silu.apply(gate), w);
        nn::linear_bias(gated, w.at("out_proj"), hidden, self.bias[1])
    }

    /// What goes into the convolution, which begins at column `begin`: each part times its scale.
    #[track_caller]
    fn convolved<'t>(&self, projected: Tensor<'t>, begin: usize) -> Tensor<'t> {
        let all = projected.columns(begin..begin + self.channels());
        let [_, x, b, c, _] = self.scales;
        if [x, b, c] == [1.0; 3] {
            return all;
        }
        let (inner, group) = (self.inner(), self.groups * self.depth);
        let of = |(scale, count): (f64, usize)| std::iter::repeat_n(scale as f32, count);
        let scales = [(x, inner), (b, group), (c, group)].into_iter().flat_map(of).collect();
        all.scale_row(all.vector(scales))
    }

    #[track_caller]
    fn gated<'t>(&self, y: Tensor<'t>, gate: Tensor<'t>, w: &Weights<'t>) -> Tensor<'t> {
        let sizes = [self.groups, self.inner()];
        match self.gating {
            Gating::Then(norm) => nn::grouped_rms_norm(y * gate, w.at("norm"), sizes, norm),
            Gating::Before(norm) => nn::grouped_rms_norm(y, w.at("norm"), sizes, norm) * gate,
            Gating::Only => y * gate,
        }
    }
}

/// `x` itself where the factor is 1.
#[track_caller]
pub fn scaled(x: Tensor<'_>, factor: f64) -> Tensor<'_> {
    if factor == 1.0 { x } else { x.scale(factor) }
}

/// The weights `[channels, taps]` of a convolution, which checkpoints store as `[channels, 1,
/// taps]`.
#[track_caller]
pub fn conv_weight<'t>(w: &Weights<'t>, channels: usize, taps: usize) -> Tensor<'t> {
    conv_weight_at(&w.at("conv1d"), channels, taps)
}

/// The same of the convolution at `w` itself.
#[track_caller]
pub fn conv_weight_at<'t>(w: &Weights<'t>, channels: usize, taps: usize) -> Tensor<'t> {
    let place = w.at("weight");
    let part = Part::whole(place.path(), vec![channels, 1, taps]);
    place.vectors(channels, taps, vec![part])
}

/// `A_log` and `dt_bias`.
#[track_caller]
pub fn head_parameters<'t>(w: &Weights<'t>, heads: usize) -> HeadParameters<'t> {
    HeadParameters { a_log: w.at("A_log").vector(heads), dt_bias: w.at("dt_bias").vector(heads) }
}

/// `time_step_limit`, a least and a largest length, the latter perhaps infinite; 0 and infinity
/// where it is absent.
pub fn dt_limit(fields: &Fields<'_>) -> Result<[f32; 2], Error> {
    let name = "time_step_limit";
    let Some(value) = fields.get(name) else { return Ok([0.0, f32::INFINITY]) };
    let number = |value: &serde_json::Value| match value.get("__float__") {
        Some(name) => (name.as_str() == Some("Infinity")).then_some(f32::INFINITY),
        None => value.as_f64().map(|number| number as f32),
    };
    let limits: Option<Vec<f32>> =
        value.as_array().and_then(|list| list.iter().map(number).collect());
    match limits.as_deref() {
        Some(&[least, most]) if least >= 0.0 && most >= least => Ok([least, most]),
        _ => Err(fields.wrong(name, "two numbers from 0 up, the second no smaller than the first")),
    }
}

/// The number of tokens that a convolution sees: at least 2.
pub fn taps(fields: &Fields<'_>, name: &str) -> Result<usize, Error> {
    match fields.size(name, 1 << 8)? {
        1 => Err(fields.wrong(name, "a size from 2 to 256")),
        taps => Ok(taps),
    }
}
