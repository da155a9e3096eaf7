//! Apertus: Llama with queries and keys normalized a head at a time, and an MLP without a gate whose
//! function, xIELU, has two learned numbers in each layer (Huang and Schlag, 2024).
//!
//! Reference: `transformers/models/apertus/modeling_apertus.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/apertus/`.

use tyto_graph::{RopeTable, Unary};

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct ApertusConfig {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Apertus;

impl Model for Apertus {
    type Config = ApertusConfig;

    const NAME: &'static str = "apertus";
    const ARCHITECTURES: &'static [&'static str] = &["ApertusForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["apertus"];
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        // Keeps a gradient from vanishing; what it changes is below f32's rounding.
        WeightRule::ignore("model.layers.*.mlp.act_fn.eps"),
    ];

    fn config(fields: &Fields<'_>) -> Result<ApertusConfig, Error> {
        only_published(fields)?;
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let defaults = Defaults { sizes, ..Defaults::default() };
        let sizes = Sizes::read(fields, sizes)?;
        let decoder = Decoder::read_but_activation(fields, defaults, sizes)?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(ApertusConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            rope: rope::read_said(fields, RopeRules { theta: 12_000_000.0, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &ApertusConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &ApertusConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let norms = ["attention_layernorm", "feedforward_layernorm"];
            let attention = |x| layer.attend(layer.normed_rotated(x, angles, bias), attrs, bias);
            layer.pre_norm_at(x, norms, attention, |x| mlp(config, layer, x))
        })
    }
}

/// The fields of forms that were never published.
fn only_published(fields: &Fields<'_>) -> Result<(), Error> {
    if !matches!(fields.text("hidden_act")?, None | Some("xielu")) {
        return Err(fields.wrong("hidden_act", "xielu"));
    }
    if !fields.flag("qk_norm", true)? {
        return Err(fields.wrong("qk_norm", "true: queries and keys are normalized"));
    }
    if fields.flag("post_norm", false)? {
        return Err(fields.wrong("post_norm", "false: norms stand before each half of a block"));
    }
    Ok(())
}

/// `down(xielu(up(x)))`.
fn mlp<'t>(config: &ApertusConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, sizes) = (layer.at("mlp"), &config.decoder.sizes);
    let x = xielu(nn::linear(x, w.at("up_proj"), sizes.intermediate), &w.at("act_fn"));
    nn::linear(x, w.at("down_proj"), sizes.hidden)
}

/// `softplus(p) × x² + beta × x` above zero, and below
/// `(beta + softplus(n)) × (exp(x) - 1 - x) + beta × x`.
fn xielu<'t>(x: Tensor<'t>, w: &Weights<'t>) -> Tensor<'t> {
    let softplus = |name| {
        let e = w.at(name).vector(1).unary(Unary::Exponential);
        (e + e.splat(1.0)).unary(Unary::Log)
    };
    let (above, below) = (x.at_least(0.0), x.at_most(0.0));
    let (p, n) = (softplus("alpha_p"), softplus("alpha_n"));
    let beta = match w.at("beta").stands() {
        true => w.at("beta").number(),
        false => p.splat(0.5),
    };
    let excess = below.unary(Unary::Exponential) + (below + x.splat(1.0)).scale(-1.0);
    (above * above).scale_row(p) + excess.scale_row(n + beta) + x.scale_row(beta)
}
