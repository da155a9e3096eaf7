//! The recurrent block of Griffin.

use tyto_graph::Op;

use super::{conv_weight_at, taps};
use crate::config::Fields;
use crate::error::Error;
use crate::memory::RecurrentLayer;
use crate::nn::{self, Activation};
use crate::trace::{Recurrence, Tensor, Weights};
use crate::weights::{Part, Reading};

/// The recurrent block of Griffin (De et al., 2024): two projections, one through an activation, the
/// other through a short convolution and the RG-LRU, whose gates are made of blocks of columns; their
/// product, and a projection back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GriffinBlock {
    /// Columns of the recurrence.
    pub inner: usize,
    /// Blocks of them that gates are made of.
    pub blocks: usize,
    /// Tokens that the convolution sees.
    pub taps: usize,
    /// What the other branch goes through.
    pub activation: Activation,
}

impl GriffinBlock {
    /// Reads the block, in which there is one block of gates for each head of attention.
    pub fn read(
        fields: &Fields<'_>,
        [hidden, heads]: [usize; 2],
        activation: Activation,
    ) -> Result<Self, Error> {
        let inner = fields.optional_size("lru_width", 1 << 20)?.unwrap_or(hidden);
        if !inner.is_multiple_of(heads) {
            let expected = format!("a multiple of num_attention_heads, {heads}");
            return Err(fields.wrong("lru_width", &expected));
        }
        Ok(Self { inner, blocks: heads, taps: taps(fields, "conv1d_width")?, activation })
    }

    /// What it keeps of a sequence.
    pub fn memory(&self) -> RecurrentLayer {
        RecurrentLayer {
            state: Some([1, 1, self.inner]),
            ..RecurrentLayer::of_conv([self.taps - 1, self.inner])
        }
    }

    /// The block at `w` of rows of the residual stream.
    #[track_caller]
    pub fn mix<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, memory: Recurrence<'t>) -> Tensor<'t> {
        let (hidden, inner) = (x.size(1), self.inner);
        let y = self.activation.apply(nn::linear_bias(x, w.at("linear_y"), inner, true));
        let x = nn::linear_bias(x, w.at("linear_x"), inner, true);
        let conv = w.at("conv_1d");
        let weight = conv_weight_at(&conv, inner, self.taps);
        let x = memory.plain_conv(x, weight, Some(conv.at("bias").vector(inner)));
        let unit = w.at("rg_lru");
        let gates = ["recurrent_gate", "input_gate"].map(|name| self.gate(x, &unit, name));
        let lambda = unit.at("recurrent_param").vector(inner);
        let kept = memory.rg_lru([x, gates[0], gates[1]], lambda);
        nn::linear_bias(kept * y, w.at("linear_out"), hidden, true)
    }

    /// A gate before its logistic: each block of columns times a matrix of its own, which the
    /// checkpoint has transposed, and a bias.
    #[track_caller]
    fn gate<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, name: &str) -> Tensor<'t> {
        let (blocks, width) = (self.blocks, self.inner / self.blocks);
        let place = w.at(&format!("{name}_weight"));
        let matrix = |block: usize| Part {
            rows: Some(block * width..(block + 1) * width),
            reading: Reading { transposed: true, ..Reading::default() },
            ..Part::whole(place.path(), vec![blocks, width, width])
        };
        let (stack, layout) =
            place.stack([blocks, width, width], (0..blocks).map(matrix).collect());
        let op = Op::HeadLinear { layout, rows: width };
        let gate = x.split_heads(blocks).with(op, &[stack]).merge_heads();
        let place = w.at(&format!("{name}_bias"));
        let bias = Part::whole(place.path(), vec![blocks, width]);
        let bias = place.vectors(blocks, width, vec![bias]);
        gate.add_row(bias.with(Op::Reshape(vec![self.inner]), &[]))
    }
}
