//! Persimmon: layer norms, queries and keys normalized head by head, an MLP without a gate whose
//! function is the square of the larger of x and 0, and half of each head turned.
//!
//! Reference: `transformers/models/persimmon/modeling_persimmon.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/persimmon/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, Fused, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct PersimmonConfig {
    model: Classic,
    /// Whether heads of queries and keys are normalized.
    qk_norm: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Persimmon;

impl Model for Persimmon {
    type Config = PersimmonConfig;

    const NAME: &'static str = "persimmon";
    const ARCHITECTURES: &'static [&'static str] = &["PersimmonForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["persimmon"];
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        // Old exports carry a table that the rotary embedding computes.
        WeightRule::ignore("model.layers.*.self_attn.rotary_emb.inv_freq"),
    ];

    fn config(fields: &Fields<'_>) -> Result<PersimmonConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        let plain = RopeRules::plain(Self::NAME, &sizes);
        Ok(PersimmonConfig {
            qk_norm: fields.flag("qk_layernorm", true)?,
            rope: rope::read(fields, RopeRules { factor: 0.5, partial: true, ..plain })?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("layer_norm_eps")?),
                activation: Activation::read(fields, "hidden_act", Activation::ReluSquared)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &PersimmonConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &PersimmonConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.dense_h_to_4h", "mlp.dense_4h_to_h"], true);
            block.serial(x, ["input_layernorm", "post_attention_layernorm"], attention, mlp)
        });
        model.head(x, step, &root.at("final_layernorm"), w.at("lm_head"), false)
    }
}

/// Attention with a key head for each query head.
fn attention<'t>(
    config: &PersimmonConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Classic { sizes, norm, .. } = &config.model;
    let place = block.at("self_attn.query_key_value");
    let [mut q, mut k, v] = Fused::by_heads(sizes, true).heads(x, &place, sizes.head_dim);
    if config.qk_norm {
        q = norm.apply_heads(q, &block.at("self_attn.q_layernorm"));
        k = norm.apply_heads(k, &block.at("self_attn.k_layernorm"));
    }
    let attrs = nn::attention_attrs(sizes.head_dim as f64, None);
    let attended = block.attend([q.rotate(angles), k.rotate(angles), v], attrs);
    block.output(attended, "self_attn.dense", true)
}
