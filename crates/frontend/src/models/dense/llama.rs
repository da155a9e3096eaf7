//! Llama 2, 3 and 3.x, the plain decoder-only transformer, and Mistral, which is Llama with a
//! sliding window in every layer and without biases.
//!
//! Reference: `transformers/models/llama/modeling_llama.py` and `mistral`'s. `tools/oracle`
//! runs them on tiny random checkpoints to make `tests/oracle/llama*/` and `mistral/`.
//!
//! Everything that makes Llama *Llama* is here: the config fields that it reads beside the
//! common ones, its attention, and where its checkpoint departs from its own names. What it
//! shares with other models is in [`crate::decoder`]. How a weight is stored is not a model's
//! business.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct LlamaConfig {
    decoder: Decoder,
    attention_bias: bool,
    mlp_bias: bool,
    window: Option<usize>,
    rope: RopeTable,
}

/// Llama.
pub struct Llama;

/// Mistral.
pub struct Mistral;

const WEIGHTS: &[WeightRule] = &[
    // Small models share the embedding with the output projection.
    TIED_HEAD,
    // Old exports carry a table that the rotary embedding computes.
    WeightRule::ignore("model.layers.*.self_attn.rotary_emb.inv_freq"),
];

/// Also what models hold beside it that see, and where they hold it.
const WEIGHTS_INSIDE: &[WeightRule] = &[
    TIED_HEAD,
    WeightRule::ignore("model.layers.*.self_attn.rotary_emb.inv_freq"),
    WeightRule::Inside("model", "language_model.model"),
    WeightRule::Inside("model", "model.language_model"),
    WeightRule::Inside("lm_head", "language_model.lm_head"),
    WeightRule::IgnoreBelow("vision_tower"),
    WeightRule::IgnoreBelow("multi_modal_projector"),
    WeightRule::IgnoreBelow("model.vision_tower"),
    WeightRule::IgnoreBelow("model.multi_modal_projector"),
];

impl Model for Llama {
    type Config = LlamaConfig;

    const NAME: &'static str = "llama";
    const ARCHITECTURES: &'static [&'static str] = &["LlamaForCausalLM", "LLaMAForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["llama"];
    const WEIGHTS: &'static [WeightRule] = WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<LlamaConfig, Error> {
        // Llama 1 and 2 7B have a key-value head for each query head and do not say so.
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        Ok(LlamaConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            window: None,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &LlamaConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &LlamaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        forward(config, &w, step)
    }
}

impl Model for Mistral {
    type Config = LlamaConfig;

    const NAME: &'static str = "mistral";
    const ARCHITECTURES: &'static [&'static str] =
        &["MistralForCausalLM", "Mistral3ForConditionalGeneration"];
    const MODEL_TYPES: &'static [&'static str] = &["mistral"];
    const WEIGHTS: &'static [WeightRule] = WEIGHTS_INSIDE;

    fn config(fields: &Fields<'_>) -> Result<LlamaConfig, Error> {
        config::of_text(fields, Self::NAME, false, |fields, tied| {
            let decoder = Decoder::read(fields, Defaults { tied, ..Defaults::default() })?;
            Ok(LlamaConfig {
                attention_bias: false,
                mlp_bias: false,
                window: config::window(fields, 4096)?,
                rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
                decoder,
            })
        })
    }

    fn outline(config: &LlamaConfig) -> Outline {
        Llama::outline(config)
    }

    fn forward<'t>(config: &LlamaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        forward(config, &w, step)
    }
}

/// Ids to logits, one row for each sampled position.
fn forward<'t>(config: &LlamaConfig, w: &Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
    let angles = step.angles(&config.rope);
    config.decoder.forward(w, step, |layer, x| {
        let attention = |x| attention(config, layer, angles, x);
        layer.pre_norm(x, attention, |x| layer.gated_mlp(x, config.mlp_bias))
    })
}

/// Grouped-query attention.
fn attention<'t>(
    config: &LlamaConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let bias = config.attention_bias;
    // Three projections as the checkpoint has them; `crate::fuse` makes one.
    let qkv = layer.rotated(x, angles, bias);
    layer.attend(qkv, nn::attention_attrs(scalar, config.window), bias)
}
