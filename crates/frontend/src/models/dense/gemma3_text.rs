//! Gemma 3, text only: norms before and after each half of a block, weights of norms stored
//! less one, a scaled embedding, queries and keys normalized, and layers that alternate
//! between a window with one rotary base and everything with another.
//!
//! Reference: `transformers/models/gemma3/modeling_gemma3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/gemma3_text/`. One departure: transformers reads
//! `attn_logit_softcapping` and drops it; here it caps the scores, as in Gemma 2.

use tyto_graph::{AttentionAttrs, RopeTable};

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Gemma3Config {
    decoder: Decoder,
    attention_bias: bool,
    /// Scores are divided by its root.
    query_scalar: f64,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    score_cap: Option<f64>,
    logit_cap: Option<f64>,
    /// The rotary embedding of layers with a window.
    local: RopeTable,
    /// The rotary embedding of the others.
    global: RopeTable,
}

/// The architecture.
pub struct Gemma3Text;

impl Model for Gemma3Text {
    type Config = Gemma3Config;

    const NAME: &'static str = "gemma3_text";
    const ARCHITECTURES: &'static [&'static str] = &["Gemma3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gemma3_text"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Gemma3Config, Error> {
        let defaults = Defaults {
            sizes: SizeDefaults { head_dim: Some(256), kv_heads: false },
            activation: ("hidden_activation", Activation::GeluTanh),
            tied: true,
            norm_offset: 1.0,
        };
        let decoder = Decoder::read(fields, defaults)?;
        let [local, global] = tables(fields, &decoder.sizes)?;
        Ok(Gemma3Config {
            attention_bias: fields.flag("attention_bias", false)?,
            query_scalar: fields.optional_positive("query_pre_attn_scalar")?.unwrap_or(256.0),
            windows: windows(fields, decoder.sizes.layers)?,
            score_cap: fields.optional_positive("attn_logit_softcapping")?,
            logit_cap: fields.optional_positive("final_logit_softcapping")?,
            decoder,
            local,
            global,
        })
    }

    fn outline(config: &Gemma3Config) -> Outline {
        config.decoder.outline(&[&config.local, &config.global])
    }

    fn forward<'t>(config: &Gemma3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let decoder = &config.decoder;
        let (local, global) = (step.angles(&config.local), step.angles(&config.global));
        // The model was made with the factor in the embedding's own element type.
        let factor = w.rounded((decoder.sizes.hidden as f64).sqrt());
        let x = decoder.embed(&w, step).scale(factor);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let angles = if config.windows[layer.index].is_some() { local } else { global };
            block(config, layer, angles, x)
        });
        let logits = decoder.head(&w, step, x);
        config.logit_cap.map_or(logits, |cap| nn::soft_cap(logits, cap))
    }
}

/// The rotary embeddings of layers with a window, and of the others.
fn tables(fields: &Fields<'_>, sizes: &Sizes) -> Result<[RopeTable; 2], Error> {
    let rules = RopeRules::plain(Gemma3Text::NAME, sizes);
    let local = RopeRules { theta: 10_000.0, ..rules };
    let global = RopeRules { theta: 1_000_000.0, ..rules };
    Ok([
        rope::read_for(fields, "sliding_attention", "rope_local_base_freq", false, local)?,
        rope::read_for(fields, "full_attention", "rope_theta", true, global)?,
    ])
}

/// The window of each layer: without `layer_types` every `sliding_window_pattern`th layer
/// sees everything.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = config::window(fields, 4096)?;
    let pattern = fields.optional_size("sliding_window_pattern", 1 << 12)?.unwrap_or(6);
    let slides = |layer: usize| !(layer + 1).is_multiple_of(pattern);
    let windows = config::layer_windows(fields, layers, window, slides)?;
    // With a null window the layers' kinds, and with them their rotary base, would be lost.
    match window {
        None => Err(fields.wrong("sliding_window", "a size of at least 1")),
        Some(_) => Ok(windows),
    }
}

/// `x + norm(attention(norm(x)))`, then the same with the MLP.
fn block<'t>(
    config: &Gemma3Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let attended = attention(config, layer, angles, layer.norm(x, "input_layernorm"));
    let x = x + layer.norm(attended, "post_attention_layernorm");
    let fed = layer.gated_mlp(layer.norm(x, "pre_feedforward_layernorm"), false);
    x + layer.norm(fed, "post_feedforward_layernorm")
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &Gemma3Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let bias = config.attention_bias;
    let qkv = layer.normed_rotated(x, angles, bias);

    let soft_cap = config.score_cap.map(|cap| cap as f32);
    let attrs = nn::attention_attrs(config.query_scalar, config.windows[layer.index]);
    layer.attend(qkv, AttentionAttrs { soft_cap, ..attrs }, bias)
}
