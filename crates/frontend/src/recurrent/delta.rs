//! The gated delta net of Qwen 3 Next and Qwen 3.5.

use tyto_graph::Op;

use super::{conv_weight, conv_weight_at, head_parameters};
use crate::config::Fields;
use crate::error::Error;
use crate::memory::RecurrentLayer;
use crate::nn::{self, Activation, Norm};
use crate::trace::{Recurrence, Tensor, Weights};
use crate::weights::{Every, Part, Reading};

/// What transformers adds to squared lengths of queries and keys.
const EPSILON: f32 = 1e-6;

/// A gated delta net: projections whose rows take turns, group by group; a causal convolution of
/// queries, keys and values; the delta rule; and a norm whose result is gated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GatedDeltaNet {
    /// Heads of queries and keys.
    pub groups: usize,
    /// Heads of values, equally many for each of those.
    pub heads: usize,
    /// Width of a head of queries or keys.
    pub depth: usize,
    /// Width of a head of values.
    pub width: usize,
    /// Tokens that the convolution sees.
    pub taps: usize,
    /// How its norm is computed.
    pub norm: Norm,
    /// How its projections are stored.
    pub projections: Projections,
    /// Multiplies how much of an error is written: 1, or 2 where a state may turn round.
    pub strength: f32,
}

/// How the projections of a gated delta net are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projections {
    /// Two matrices whose rows take turns, group by group (Qwen 3 Next).
    Interleaved,
    /// One for queries, keys and values, and one for each gate (Qwen 3.5).
    Apart,
    /// One for each, with a convolution each for queries, keys and values (OLMo Hybrid).
    Single,
}

impl GatedDeltaNet {
    /// Reads the fields that begin with `linear_`.
    pub fn read(fields: &Fields<'_>, norm: Norm, projections: Projections) -> Result<Self, Error> {
        let groups = fields.size("linear_num_key_heads", 1 << 12)?;
        let heads = fields.size("linear_num_value_heads", 1 << 12)?;
        if !heads.is_multiple_of(groups) {
            let expected = format!("a multiple of linear_num_key_heads, {groups}");
            return Err(fields.wrong("linear_num_value_heads", &expected));
        }
        Ok(Self {
            groups,
            heads,
            depth: fields.size("linear_key_head_dim", 1 << 12)?,
            width: fields.size("linear_value_head_dim", 1 << 12)?,
            taps: super::taps(fields, "linear_conv_kernel_dim")?,
            norm,
            projections,
            strength: 1.0,
        })
    }

    /// Columns of all queries, and of all values.
    fn columns(&self) -> [usize; 2] {
        [self.groups * self.depth, self.heads * self.width]
    }

    /// What it keeps of a sequence.
    pub fn memory(&self) -> RecurrentLayer {
        let [keys, values] = self.columns();
        let conv = match self.projections {
            Projections::Single => [keys, keys, values].map(|width| Some([self.taps - 1, width])),
            _ => RecurrentLayer::of_conv([self.taps - 1, 2 * keys + values]).conv,
        };
        RecurrentLayer { conv, state: Some([self.heads, self.depth, self.width]) }
    }

    /// The net at `w` of rows of the residual stream.
    #[track_caller]
    pub fn mix<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, memory: Recurrence<'t>) -> Tensor<'t> {
        let hidden = x.size(1);
        let ([q, k, v], [z, b, a]) = match self.projections {
            Projections::Single => self.single(x, w, memory),
            _ => self.joined(x, w, memory),
        };
        let (q, k) = (q.split_heads(self.groups), k.split_heads(self.groups));
        let rows = [q, k, v.split_heads(self.heads)];
        let y =
            memory.delta(rows, [a, b], head_parameters(w, self.heads), [EPSILON, self.strength]);
        let [norm, out] = match self.projections {
            Projections::Single => ["o_norm", "o_proj"],
            _ => ["norm", "out_proj"],
        };
        let normed = nn::rms_norm(y, w.at(norm), self.width, self.norm).merge_heads();
        nn::linear(normed * Activation::Silu.apply(z), w.at(out), hidden)
    }

    /// Queries, keys and values that went through one convolution; and the gates of what comes out,
    /// of what is written and of what stays.
    #[track_caller]
    fn joined<'t>(
        &self,
        x: Tensor<'t>,
        w: &Weights<'t>,
        memory: Recurrence<'t>,
    ) -> ([Tensor<'t>; 3], [Tensor<'t>; 3]) {
        let [keys, values] = self.columns();
        let channels = 2 * keys + values;
        let [qkv, z, b, a] = match self.projections {
            Projections::Interleaved => self.interleaved(x, w),
            _ => {
                let rows = [channels, values, self.heads, self.heads];
                let names = ["in_proj_qkv", "in_proj_z", "in_proj_b", "in_proj_a"];
                std::array::from_fn(|at| nn::linear(x, w.at(names[at]), rows[at]))
            }
        };
        let mixed = memory.conv(qkv, conv_weight(w, channels, self.taps), None);
        let parts = [0..keys, keys..2 * keys, 2 * keys..channels];
        (parts.map(|columns| mixed.columns(columns)), [z, b, a])
    }

    /// The same with a projection and a convolution for each.
    #[track_caller]
    fn single<'t>(
        &self,
        x: Tensor<'t>,
        w: &Weights<'t>,
        memory: Recurrence<'t>,
    ) -> ([Tensor<'t>; 3], [Tensor<'t>; 3]) {
        let [keys, values] = self.columns();
        let mixed = |at: usize, name: &str, width: usize| {
            let y = nn::linear(x, w.at(&format!("{name}_proj")), width);
            let conv = conv_weight_at(&w.at(&format!("{name}_conv1d")), width, self.taps);
            memory.nth(at).conv(y, conv, None)
        };
        let rows = [mixed(0, "q", keys), mixed(1, "k", keys), mixed(2, "v", values)];
        let gates = [("g_proj", values), ("b_proj", self.heads), ("a_proj", self.heads)];
        (rows, gates.map(|(name, width)| nn::linear(x, w.at(name), width)))
    }

    /// Queries, keys and values; the gate of what comes out; the gates of what is written and of
    /// what stays: where they take turns.
    #[track_caller]
    fn interleaved<'t>(&self, x: Tensor<'t>, w: &Weights<'t>) -> [Tensor<'t>; 4] {
        // Rows of each group: a query, a key, the values and the gates of its heads; and of the
        // gates of the state what is written, then what stays.
        let each = self.heads / self.groups.max(1);
        let (d, of_values) = (self.depth, each * self.width);
        let qkvz = Turns { groups: self.groups, run: 2 * (d + of_values) };
        let ba = Turns { groups: self.groups, run: 2 * each };
        let place = w.at("in_proj_qkvz");
        let qkv = qkvz.linear(x, &place, "qkv", (0, [d, d, of_values]));
        let z = qkvz.linear(x, &place, "z", (2 * d + of_values, [of_values, 0, 0]));
        let place = w.at("in_proj_ba");
        let b = ba.linear(x, &place, "b", (0, [each, 0, 0]));
        let a = ba.linear(x, &place, "a", (each, [each, 0, 0]));
        [qkv, z, b, a]
    }
}

/// A matrix whose rows take turns: in each of `groups` runs so many rows, of several kinds.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Runs.
    pub groups: usize,
    /// Rows of each.
    pub run: usize,
}

impl Turns {
    /// `x wᵀ` with the rows of some kinds of the matrix at `w.weight`, the first of which begins
    /// at `begin` in each run, under a name of their own below `w`.
    #[track_caller]
    pub fn linear<'t>(
        &self,
        x: Tensor<'t>,
        w: &Weights<'t>,
        name: &str,
        (begin, counts): (usize, [usize; 3]),
    ) -> Tensor<'t> {
        let every = Every { run: self.run, begin, counts };
        let (rows, columns) = (self.groups * every.count(), x.size(1));
        let whole = Part::whole(w.at("weight").path(), vec![self.groups * self.run, columns]);
        let reading = Reading { every: Some(every), ..Reading::default() };
        let place = w.at(name).at("weight");
        let (matrix, layout) = place.part(rows, columns, Part { reading, ..whole });
        x.with(Op::Linear { layout, rows }, &[matrix])
    }
}
