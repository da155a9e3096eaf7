//! The decoder of Nemotron and Jais 2: blocks of two halves in turn, heads that turn with their positions, and an MLP
//! without a gate.

use tyto_graph::RopeTable;

use super::{Block, Classic};
use crate::config::Sizes;
use crate::nn;
use crate::registry::Outline;
use crate::trace::{Step, Tensor, Weights};

/// Sizes and choices of such a decoder.
pub struct Turning {
    /// Sizes, norms and activation.
    pub model: Classic,
    /// Whether attention's matrices have biases.
    pub attention_bias: bool,
    /// Whether the MLP's have.
    pub mlp_bias: bool,
    /// How heads turn.
    pub rope: RopeTable,
}

impl Turning {
    /// What the engine has to know.
    pub fn outline(&self) -> Outline {
        self.model.outline(&[&self.rope])
    }

    /// From token ids to logits.
    pub fn forward<'t>(&self, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&self.model, w.at("model"));
        let angles = step.angles(&self.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| self.attention(block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.up_proj", "mlp.down_proj"], self.mlp_bias);
            block.serial(x, ["input_layernorm", "post_attention_layernorm"], attention, mlp)
        });
        model.head(x, step, &root.at("norm"), w.at("lm_head"), false)
    }

    /// Grouped-query attention.
    fn attention<'t>(
        &self,
        block: &Block<'_, 't>,
        angles: Tensor<'t>,
        x: Tensor<'t>,
    ) -> Tensor<'t> {
        let Sizes { heads, kv_heads, head_dim, .. } = self.model.sizes;
        let bias = self.attention_bias;
        let q = block.project(x, "self_attn.q_proj", heads, bias).rotate(angles);
        let k = block.project(x, "self_attn.k_proj", kv_heads, bias).rotate(angles);
        let v = block.project(x, "self_attn.v_proj", kv_heads, bias);
        let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, None));
        block.output(attended, "self_attn.o_proj", bias)
    }
}
