//! The gated delta net of Qwen 3 Next.

use tyto_graph::Op;

use super::{conv_weight, head_parameters};
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
}

impl GatedDeltaNet {
    /// Reads the fields that begin with `linear_`.
    pub fn read(fields: &Fields<'_>, norm: Norm) -> Result<Self, Error> {
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
        })
    }

    /// Columns of all queries, and of all values.
    fn columns(&self) -> [usize; 2] {
        [self.groups * self.depth, self.heads * self.width]
    }

    /// What it keeps of a sequence.
    pub fn memory(&self) -> RecurrentLayer {
        let [keys, values] = self.columns();
        RecurrentLayer {
            conv: [self.taps - 1, 2 * keys + values],
            state: [self.heads, self.depth, self.width],
        }
    }

    /// The net at `w` of rows of the residual stream.
    #[track_caller]
    pub fn mix<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, memory: Recurrence<'t>) -> Tensor<'t> {
        let [keys, values] = self.columns();
        let (hidden, channels) = (x.size(1), 2 * keys + values);
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

        let mixed = memory.conv(qkv, conv_weight(w, channels, self.taps), None);
        let q = mixed.columns(0..keys).split_heads(self.groups);
        let k = mixed.columns(keys..2 * keys).split_heads(self.groups);
        let v = mixed.columns(2 * keys..channels).split_heads(self.heads);
        let y = memory.delta([q, k, v], [a, b], head_parameters(w, self.heads), EPSILON);
        let normed = nn::rms_norm(y, w.at("norm"), self.width, self.norm).merge_heads();
        nn::linear(normed * Activation::Silu.apply(z), w.at("out_proj"), hidden)
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
