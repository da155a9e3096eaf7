//! FlexOlmo: OLMo 2, which normalizes what comes out of each half of a block, with a mixture of
//! experts in place of the MLP.
//!
//! Reference: `transformers/models/flex_olmo/modeling_flex_olmo.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/flex_olmo/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{ExpertNames, Mixture};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct FlexOlmoConfig {
    decoder: Decoder,
    attention_bias: bool,
    mixture: Mixture,
    rope: RopeTable,
}

/// The architecture.
pub struct FlexOlmo;

impl Model for FlexOlmo {
    type Config = FlexOlmoConfig;

    const NAME: &'static str = "flex_olmo";
    const ARCHITECTURES: &'static [&'static str] = &["FlexOlmoForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["flex_olmo"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<FlexOlmoConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(FlexOlmoConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mixture: Mixture::read(fields, decoder.sizes.intermediate, None)?,
            rope: rope::read(fields, RopeRules { theta: 500_000.0, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &FlexOlmoConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &FlexOlmoConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attended = attention(config, layer, angles, x);
            let x = x + layer.norm(attended, "post_attention_layernorm");
            let fed = layer.mixture(x, "mlp", ExpertNames::default(), &config.mixture);
            x + layer.norm(fed, "post_feedforward_layernorm")
        })
    }
}

/// Grouped-query attention; queries and keys are normalized over all heads before they are split.
fn attention<'t>(
    config: &FlexOlmoConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.decoder.sizes;
    let (w, bias) = (layer.at("self_attn"), config.attention_bias);
    let normed = |name: &str, norm: &str, heads: usize| {
        let y = nn::linear_bias(x, w.at(name), heads * head_dim, bias);
        let y = nn::rms_norm(y, w.at(norm), heads * head_dim, config.decoder.norm);
        y.split_heads(heads).rotate(angles)
    };
    let q = normed("q_proj", "q_norm", heads);
    let k = normed("k_proj", "k_norm", kv_heads);
    let v = layer.project(x, "v_proj", kv_heads, bias);
    layer.attend([q, k, v], nn::attention_attrs(head_dim as f64, None), bias)
}
