//! OLMoE: Llama with a mixture of experts in place of the MLP, and with all query heads, and all
//! key heads, normalized as one vector.
//!
//! Reference: `transformers/models/olmoe/modeling_olmoe.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/olmoe/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::Mixture;
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct OlmoeConfig {
    decoder: Decoder,
    attention_bias: bool,
    /// Queries, keys and values are clamped to this magnitude.
    clip: Option<f64>,
    mixture: Mixture,
    rope: RopeTable,
}

/// The architecture.
pub struct Olmoe;

impl Model for Olmoe {
    type Config = OlmoeConfig;

    const NAME: &'static str = "olmoe";
    const ARCHITECTURES: &'static [&'static str] = &["OlmoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["olmoe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<OlmoeConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        Ok(OlmoeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            clip: fields.optional_positive("clip_qkv")?,
            mixture: Mixture::read(fields, decoder.sizes.intermediate, None)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &OlmoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &OlmoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            let names = MlpNames::default();
            layer.pre_norm(x, attention, |x| layer.mixture(x, "mlp", names, &config.mixture))
        })
    }
}

/// Grouped-query attention; queries and keys are normalized over all heads before they are split.
fn attention<'t>(
    config: &OlmoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.decoder.sizes;
    let project = |name: &str, norm: Option<&str>, heads: usize| {
        let (w, width) = (layer.at("self_attn"), heads * head_dim);
        let mut y = nn::linear_bias(x, w.at(name), width, config.attention_bias);
        if let Some(norm) = norm {
            y = nn::rms_norm(y, w.at(norm), width, config.decoder.norm);
        }
        if let Some(clip) = config.clip {
            y = y.at_least(-clip).at_most(clip);
        }
        y.split_heads(heads)
    };
    let q = project("q_proj", Some("q_norm"), heads).rotate(angles);
    let k = project("k_proj", Some("k_norm"), kv_heads).rotate(angles);
    let v = project("v_proj", None, kv_heads);
    layer.attend([q, k, v], nn::attention_attrs(head_dim as f64, None), config.attention_bias)
}
