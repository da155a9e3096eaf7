//! GLM 4.5 and 4.6: a part of each head is turned, queries and keys may be normalized a head at a
//! time, and all but the first layers have experts with logistic scores beside a shared one.
//!
//! Reference: `transformers/models/glm4_moe/modeling_glm4_moe.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/glm4_moe/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, further_layers};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{ROUTED_FIELDS, Routed, Router, sparse_layers};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Glm4MoeConfig {
    decoder: Decoder,
    attention_bias: bool,
    /// Whether each head of queries and keys is normalized.
    head_norms: bool,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
    /// Layers behind the last that predict further tokens.
    further: usize,
}

/// The architecture.
pub struct Glm4Moe;

impl Model for Glm4Moe {
    type Config = Glm4MoeConfig;

    const NAME: &'static str = "glm4_moe";
    const ARCHITECTURES: &'static [&'static str] = &["Glm4MoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["glm4_moe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Glm4MoeConfig, Error> {
        let decoder = Decoder::read(fields, Defaults::default())?;
        let router = |experts| Router::logistic(fields, experts, true);
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Glm4MoeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            head_norms: fields.flag("use_qk_norm", false)?,
            routed: Routed::read(fields, ROUTED_FIELDS, decoder.activation, router)?,
            sparse: sparse_layers(fields, decoder.sizes.layers, 1)?,
            rope: rope::read(fields, RopeRules { partial: true, factor: 0.5, ..plain })?,
            further: further_layers(fields)?,
            decoder,
        })
    }

    fn outline(config: &Glm4MoeConfig) -> Outline {
        Outline { further: config.further, ..config.decoder.outline(&[&config.rope]) }
    }

    fn forward<'t>(config: &Glm4MoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// Grouped-query attention with biases on what goes in, none on what comes out.
fn attention<'t>(
    config: &Glm4MoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let bias = config.attention_bias;
    let qkv = match config.head_norms {
        true => layer.normed_rotated(x, angles, bias),
        false => layer.rotated(x, angles, bias),
    };
    layer.attend(qkv, nn::attention_attrs(config.decoder.sizes.head_dim as f64, None), false)
}
