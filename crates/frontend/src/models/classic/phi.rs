//! Phi-1, 1.5 and 2: one layer norm for both halves of a block, which run side by side, biases on
//! everything, the head included, and half of each head turned.
//!
//! Reference: `transformers/models/phi/modeling_phi.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/phi/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct PhiConfig {
    model: Classic,
    /// Whether heads of queries and keys are normalized.
    qk_norm: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Phi;

impl Model for Phi {
    type Config = PhiConfig;

    const NAME: &'static str = "phi";
    const ARCHITECTURES: &'static [&'static str] = &["PhiForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["phi"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<PhiConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        let plain = RopeRules::plain(Self::NAME, &sizes);
        Ok(PhiConfig {
            qk_norm: fields.flag("qk_layernorm", false)?,
            rope: rope::read(fields, RopeRules { factor: 0.5, partial: true, ..plain })?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("layer_norm_eps")?),
                activation: Activation::read(fields, "hidden_act", Activation::GeluTanh)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &PhiConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &PhiConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.fc1", "mlp.fc2"], true);
            block.parallel(x, ["input_layernorm"; 2], attention, mlp)
        });
        model.head(x, step, &root.at("final_layernorm"), w.at("lm_head"), true)
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &PhiConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let normed = |x, name: &str| match config.qk_norm {
        true => config.model.norm.apply_heads(x, &block.at(name)),
        false => x,
    };
    let q = normed(block.project(x, "self_attn.q_proj", heads, true), "self_attn.q_layernorm");
    let k = normed(block.project(x, "self_attn.k_proj", kv_heads, true), "self_attn.k_layernorm");
    let v = block.project(x, "self_attn.v_proj", kv_heads, true);
    let attrs = nn::attention_attrs(head_dim as f64, None);
    let attended = block.attend([q.rotate(angles), k.rotate(angles), v], attrs);
    block.output(attended, "self_attn.dense", true)
}
