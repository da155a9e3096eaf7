//! GPT-2: layer norms, a table of positions in place of a rotary embedding, and matrices that stand
//! transposed in the checkpoint.
//!
//! Reference: `transformers/models/gpt2/modeling_gpt2.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/gpt2*/`. `reorder_and_upcast_attn` is a matter of rounding in
//! f16 alone.

use tyto_graph::AttentionAttrs;

use crate::classic::{Block, Classic, Fused, GPT, transposed_linear};
use crate::config::Fields;
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Gpt2Config {
    model: Classic,
    /// Whether scores are divided by the root of a head's width.
    scaled: bool,
    /// Whether they are divided by the layer's number, from 1, as well.
    by_layer: bool,
}

/// The architecture.
pub struct Gpt2;

impl Model for Gpt2 {
    type Config = Gpt2Config;

    const NAME: &'static str = "gpt2";
    const ARCHITECTURES: &'static [&'static str] = &["GPT2LMHeadModel"];
    const MODEL_TYPES: &'static [&'static str] = &["gpt2"];
    const WEIGHTS: &'static [WeightRule] = &[
        WeightRule::tied("lm_head.weight", "transformer.wte.weight"),
        WeightRule::tied("lm_head.weight", "wte.weight"),
        // Masks of old exports.
        WeightRule::ignore("h.*.attn.bias"),
        WeightRule::ignore("h.*.attn.masked_bias"),
        WeightRule::ignore("transformer.h.*.attn.bias"),
        WeightRule::ignore("transformer.h.*.attn.masked_bias"),
    ];
    const POSITION_TABLE: bool = true;

    fn config(fields: &Fields<'_>) -> Result<Gpt2Config, Error> {
        let sizes = GPT.read(fields)?;
        // `n_positions` under an older name; the order of operations in f16.
        fields.optional_size("n_ctx", 1 << 30)?;
        fields.flag("reorder_and_upcast_attn", false)?;
        Ok(Gpt2Config {
            scaled: fields.flag("scale_attn_weights", true)?,
            by_layer: fields.flag("scale_attn_by_inverse_layer_idx", false)?,
            model: Classic::gpt(fields, sizes, true)?,
        })
    }

    fn outline(config: &Gpt2Config) -> Outline {
        config.model.outline(&[])
    }

    fn forward<'t>(config: &Gpt2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        // The first published checkpoints are of the model without its head.
        let root = if w.at("wte.weight").stands() { w.clone() } else { w.at("transformer") };
        config.model.gpt_logits(
            step,
            [root, w.at("lm_head")],
            |block, x| attention(config, block, x),
            |block, x| mlp(config, block, x),
        )
    }
}

/// Attention with a key head for each query head.
fn attention<'t>(config: &Gpt2Config, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let sizes = &config.model.sizes;
    let fused = Fused { transposed: true, ..Fused::plain(sizes, true) };
    let qkv = fused.heads(x, &block.at("attn.c_attn"), sizes.head_dim);
    let divisor = if config.by_layer { block.index + 1 } else { 1 };
    let attrs = nn::attention_attrs(if config.scaled { sizes.head_dim as f64 } else { 1.0 }, None);
    let attrs = AttentionAttrs { scale: attrs.scale / divisor as f32, ..attrs };
    let attended = block.attend(qkv, attrs);
    transposed_linear(attended, &block.at("attn.c_proj"), sizes.hidden, true)
}

fn mlp<'t>(config: &Gpt2Config, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let Classic { sizes, activation, .. } = &config.model;
    let up = transposed_linear(x, &block.at("mlp.c_fc"), sizes.intermediate, true);
    transposed_linear(activation.apply(up), &block.at("mlp.c_proj"), sizes.hidden, true)
}
