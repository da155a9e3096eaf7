//! Granite 3 with a mixture of experts, and where the configuration says so an MLP beside it that
//! every token has: constants multiply the embedding, what each half of a block adds, and scores, and
//! divide logits.
//!
//! Reference: `transformers/models/granitemoe/modeling_granitemoe.py` and `granitemoeshared`'s.
//! `tools/oracle` runs them on tiny random checkpoints to make `tests/oracle/granitemoe*/`.

use tyto_graph::{AttentionAttrs, RopeTable};

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GraniteMoeConfig {
    decoder: Decoder,
    attention_bias: bool,
    mixture: Mixture,
    /// Width inside the MLP that every token has.
    shared: Option<usize>,
    embedding: f64,
    residual: f64,
    scores: f64,
    logits: f64,
    rope: RopeTable,
}

/// The architecture.
pub struct GraniteMoe;

impl Model for GraniteMoe {
    type Config = GraniteMoeConfig;

    const NAME: &'static str = "granitemoe";
    const ARCHITECTURES: &'static [&'static str] =
        &["GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["granitemoe", "granitemoeshared"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<GraniteMoeConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let factor = |name: &str| -> Result<f64, Error> {
            Ok(fields.optional_positive(name)?.unwrap_or(1.0))
        };
        let width = decoder.sizes.intermediate;
        let shared = fields.optional_count("shared_intermediate_size", 1 << 22)?;
        Ok(GraniteMoeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mixture: Mixture::read(fields, width, Some(Weighing::OfChosen))?,
            shared: shared.filter(|width| *width > 0),
            embedding: factor("embedding_multiplier")?,
            residual: factor("residual_multiplier")?,
            scores: factor("attention_multiplier")?,
            logits: factor("logits_scaling")?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &GraniteMoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GraniteMoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (decoder, angles) = (&config.decoder, step.angles(&config.rope));
        let x = decoder.embed(&w, step).scale(config.embedding);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention = |x| attention(config, layer, angles, x).scale(config.residual);
            layer.pre_norm(x, attention, |x| mlp(config, layer, x).scale(config.residual))
        });
        decoder.head(&w, step, x).scale(1.0 / config.logits)
    }
}

/// Grouped-query attention whose scores are multiplied with a number of the configuration's.
fn attention<'t>(
    config: &GraniteMoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let bias = config.attention_bias;
    let qkv = layer.rotated(x, angles, bias);
    let attrs = AttentionAttrs { scale: config.scores as f32, ..nn::attention_attrs(1.0, None) };
    layer.attend(qkv, attrs, bias)
}

/// The experts, and beside them what every token has.
fn mlp<'t>(config: &GraniteMoeConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, mixture) = (layer.at("block_sparse_moe"), &config.mixture);
    // transformers 5 holds the router's matrix itself there.
    let router = if w.at("router.weight").stands() { "router" } else { "router.layer" };
    let route = mixture.route(nn::linear(x, w.at(router), mixture.experts));
    let activation = config.decoder.activation;
    let sum = mixture.gated(x, &route, &w, MlpNames::default(), activation);
    let Some(width) = config.shared else { return sum };
    // One matrix gives gate and up, one below the other.
    let names = ["input_linear", "output_linear"];
    sum + nn::joined_gated_mlp(x, &layer.at("shared_mlp"), names, (activation, width))
}
