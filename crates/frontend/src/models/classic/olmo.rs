//! OLMo: Llama with layer norms that have neither weights nor biases, and with queries, keys and
//! values clamped.
//!
//! Reference: `transformers/models/olmo/modeling_olmo.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/olmo/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// What transformers adds to variances; no field says it.
const EPSILON: f64 = 1e-5;

/// The part of `config.json` that this model reads.
pub struct OlmoConfig {
    model: Classic,
    attention_bias: bool,
    /// Queries, keys and values are clamped to this magnitude.
    clip: Option<f64>,
    rope: RopeTable,
}

/// The architecture.
pub struct Olmo;

impl Model for Olmo {
    type Config = OlmoConfig;

    const NAME: &'static str = "olmo";
    const ARCHITECTURES: &'static [&'static str] = &["OlmoForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["olmo"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<OlmoConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        Ok(OlmoConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            clip: fields.optional_positive("clip_qkv")?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            model: Classic {
                norm: LayerNorm { epsilon: EPSILON, weight: None, bias: false },
                activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &OlmoConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &OlmoConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let norms = ["input_layernorm", "post_attention_layernorm"];
            block.serial(x, norms, attention, |x| block.gated_mlp(x))
        });
        model.head(x, step, &root.at("norm"), w.at("lm_head"), false)
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &OlmoConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let project = |name: &str, heads| {
        let y = block.project(x, name, heads, config.attention_bias);
        config.clip.map_or(y, |clip| y.at_least(-clip).at_most(clip))
    };
    let q = project("self_attn.q_proj", heads).rotate(angles);
    let k = project("self_attn.k_proj", kv_heads).rotate(angles);
    let qkv = [q, k, project("self_attn.v_proj", kv_heads)];
    let attended = block.attend(qkv, nn::attention_attrs(head_dim as f64, None));
    block.output(attended, "self_attn.o_proj", config.attention_bias)
}
