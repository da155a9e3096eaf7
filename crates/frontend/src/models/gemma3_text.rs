//! Gemma 3, text only: norms before and after each half of a block, weights of norms stored
//! less one, a scaled embedding, queries and keys normalized, and layers that alternate
//! between a window with one rotary base and everything with another.
//!
//! Reference: `transformers/models/gemma3/modeling_gemma3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/gemma3_text/`. One departure: transformers reads
//! `attn_logit_softcapping` and drops it; here it caps the scores, as in Gemma 2.

use tyto_graph::{AttentionAttrs, RopeTable};

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Gemma3Config {
    sizes: Sizes,
    epsilon: f64,
    activation: Activation,
    attention_bias: bool,
    tied: bool,
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
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<Gemma3Config, Error> {
        let defaults = SizeDefaults { head_dim: Some(256), kv_heads: false };
        let sizes = Sizes::read(fields, defaults)?;
        let rules = RopeRules::plain(Self::NAME, &sizes);
        let local = RopeRules { theta: 10_000.0, ..rules };
        let global = RopeRules { theta: 1_000_000.0, ..rules };
        Ok(Gemma3Config {
            epsilon: fields.positive("rms_norm_eps")?,
            activation: Activation::read(fields, "hidden_activation", Activation::GeluTanh)?,
            attention_bias: fields.flag("attention_bias", false)?,
            tied: fields.flag("tie_word_embeddings", true)?,
            query_scalar: fields.optional_positive("query_pre_attn_scalar")?.unwrap_or(256.0),
            windows: windows(fields, sizes.layers)?,
            score_cap: fields.optional_positive("attn_logit_softcapping")?,
            logit_cap: fields.optional_positive("final_logit_softcapping")?,
            local: rope::read_for(
                fields,
                "sliding_attention",
                "rope_local_base_freq",
                false,
                local,
            )?,
            global: rope::read_for(fields, "full_attention", "rope_theta", true, global)?,
            sizes,
        })
    }

    fn outline(config: &Gemma3Config) -> Outline {
        Outline {
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: config.local.needs_length() || config.global.needs_length(),
        }
    }

    fn forward<'t>(config: &Gemma3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let sizes = &config.sizes;
        let (local, global) = (step.angles(&config.local), step.angles(&config.global));
        let table = [sizes.vocabulary, sizes.hidden];
        let mut x = nn::embedding(step.tokens, w.at("model.embed_tokens"), table);
        // The model was made with the factor in the embedding's own element type.
        x = x.scale(w.rounded((sizes.hidden as f64).sqrt()));
        for layer in 0..sizes.layers {
            let angles = if config.windows[layer].is_some() { local } else { global };
            x = block(config, w.at("model.layers").index(layer), step, layer, angles, x);
        }
        let x = x.take_rows(step.sampled);
        let x = nn::rms_norm_plus_one(x, w.at("model.norm"), sizes.hidden, config.epsilon);
        let logits = nn::linear(x, w.at("lm_head"), sizes.vocabulary);
        config.logit_cap.map_or(logits, |cap| nn::soft_cap(logits, cap))
    }
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
    w: Weights<'t>,
    step: &Step<'t>,
    layer: usize,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let norm = |x, name| nn::rms_norm_plus_one(x, w.at(name), config.sizes.hidden, config.epsilon);
    let normed = norm(x, "input_layernorm");
    let attended = attention(config, w.at("self_attn"), step, layer, angles, normed);
    let x = x + norm(attended, "post_attention_layernorm");
    let normed = norm(x, "pre_feedforward_layernorm");
    let width = config.sizes.intermediate;
    let fed = nn::gated_mlp(normed, w.at("mlp"), width, config.activation, false);
    x + norm(fed, "post_feedforward_layernorm")
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &Gemma3Config,
    w: Weights<'t>,
    step: &Step<'t>,
    layer: usize,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, hidden, .. } = config.sizes;
    let project = |name, heads: usize| {
        nn::linear_bias(x, w.at(name), heads * head_dim, config.attention_bias).split_heads(heads)
    };
    let norm = |x, name| nn::rms_norm_plus_one(x, w.at(name), head_dim, config.epsilon);
    let q = norm(project("q_proj", heads), "q_norm").rotate(angles);
    let k = norm(project("k_proj", kv_heads), "k_norm").rotate(angles);
    let v = project("v_proj", kv_heads);

    let soft_cap = config.score_cap.map(|cap| cap as f32);
    let attrs = nn::attention_attrs(config.query_scalar, config.windows[layer]);
    let attrs = AttentionAttrs { soft_cap, ..attrs };
    let out = step.kv_cache(layer).append(k, v).attend(q, attrs);
    nn::linear_bias(out.merge_heads(), w.at("o_proj"), hidden, config.attention_bias)
}
