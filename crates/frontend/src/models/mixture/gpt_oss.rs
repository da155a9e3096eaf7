//! gpt-oss: a mixture of experts in every layer, attention with a sink for each head, a window in
//! every second layer, and biases on everything but norms and the head.
//!
//! Reference: `transformers/models/gpt_oss/modeling_gpt_oss.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/gpt_oss/`.

use tyto_graph::{RopeTable, Unary};

use crate::config::{self, Fields, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GptOssConfig {
    decoder: Decoder,
    attention_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    mixture: Mixture,
    /// Multiplies the gate inside its logistic.
    alpha: f64,
    /// Bounds the gate from above, and what it is multiplied with from both sides.
    limit: f64,
    rope: RopeTable,
}

/// The architecture.
pub struct GptOss;

impl Model for GptOss {
    type Config = GptOssConfig;

    const NAME: &'static str = "gpt_oss";
    const ARCHITECTURES: &'static [&'static str] = &["GptOssForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gpt_oss"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<GptOssConfig, Error> {
        let decoder = Decoder::read(fields, Defaults::default())?;
        let mixture = Mixture::read(fields, decoder.sizes.intermediate, Some(Weighing::OfChosen))?;
        let chosen = fields.optional_size("experts_per_token", mixture.experts)?;
        if chosen.is_some_and(|chosen| chosen != mixture.chosen) {
            let expected = format!("{}, as num_experts_per_tok says", mixture.chosen);
            return Err(fields.wrong("experts_per_token", &expected));
        }
        Ok(GptOssConfig {
            attention_bias: fields.flag("attention_bias", true)?,
            windows: windows(fields, decoder.sizes.layers)?,
            mixture,
            alpha: fields.optional_positive("swiglu_alpha")?.unwrap_or(1.702),
            limit: fields.optional_positive("swiglu_limit")?.unwrap_or(7.0),
            rope: rope(fields, &decoder.sizes)?,
            decoder,
        })
    }

    fn outline(config: &GptOssConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GptOssConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| experts(config, layer, x))
        })
    }
}

/// The window of each layer: without `layer_types`, every second one has it, the first included.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = config::window(fields, 128)?;
    config::layer_windows(fields, layers, window, |layer| layer.is_multiple_of(2))
}

/// transformers scales by YaRN where the configuration is silent; no published file is.
fn rope(fields: &Fields<'_>, sizes: &Sizes) -> Result<RopeTable, Error> {
    if fields.get("rope_scaling").is_none() && fields.get("rope_parameters").is_none() {
        return Err(fields.missing("rope_scaling", "how rotary embeddings are scaled"));
    }
    // The same as `original_max_position_embeddings` inside.
    fields.get("initial_context_length");
    let plain = RopeRules::plain(GptOss::NAME, sizes);
    rope::read(fields, RopeRules { theta: 150_000.0, ..plain })
}

/// Grouped-query attention; a part of each head's weights goes to its sink, which has no value.
fn attention<'t>(
    config: &GptOssConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let bias = config.attention_bias;
    let qkv = layer.rotated(x, angles, bias);
    let attrs = nn::attention_attrs(scalar, config.windows[layer.index]);
    layer.attend_with_sinks(qkv, attrs, bias)
}

/// The experts that a router with a bias chooses.
fn experts<'t>(config: &GptOssConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, mixture) = (layer.at("mlp"), &config.mixture);
    let scores = nn::linear_bias(x, w.at("router"), mixture.experts, true);
    let route = mixture.route(scores);
    mixture.alternating(x, &route, &w, |gate, up| {
        let gate = gate.at_most(config.limit);
        let up = up.at_least(-config.limit).at_most(config.limit);
        let gate = gate * gate.scale(config.alpha).unary(Unary::Logistic);
        (up + up.splat(1.0)) * gate
    })
}
