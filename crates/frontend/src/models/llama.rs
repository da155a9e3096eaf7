//! Llama 2, 3 and 3.x, the plain decoder-only transformer, and Mistral, which is Llama with a
//! sliding window in every layer and without biases.
//!
//! Reference: `transformers/models/llama/modeling_llama.py` and `mistral`'s. `tools/oracle`
//! runs them on tiny random checkpoints to make `tests/oracle/llama*/` and `mistral/`.
//!
//! Everything that makes Llama *Llama* is here: the config fields it reads, its forward
//! pass, and where its checkpoint departs from its own names. What it shares with other
//! models is in [`crate::nn`]. How a weight is stored is not a model's business.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct LlamaConfig {
    sizes: Sizes,
    epsilon: f64,
    activation: Activation,
    attention_bias: bool,
    mlp_bias: bool,
    tied: bool,
    window: Option<usize>,
    rope: RopeTable,
}

/// Llama.
pub struct Llama;

/// Mistral.
pub struct Mistral;

const WEIGHTS: &[WeightRule] = &[
    // Small models share the embedding with the output projection.
    WeightRule::tied("lm_head.weight", "model.embed_tokens.weight"),
    // Old exports carry a table that the rotary embedding computes.
    WeightRule::ignore("model.layers.*.self_attn.rotary_emb.inv_freq"),
];

impl Model for Llama {
    type Config = LlamaConfig;

    const NAME: &'static str = "llama";
    const ARCHITECTURES: &'static [&'static str] = &["LlamaForCausalLM", "LLaMAForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["llama"];
    const WEIGHTS: &'static [WeightRule] = WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<LlamaConfig, Error> {
        // Llama 1 and 2 7B have a key-value head for each query head and do not say so.
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        Ok(LlamaConfig {
            epsilon: fields.positive("rms_norm_eps")?,
            activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            tied: fields.flag("tie_word_embeddings", false)?,
            window: None,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            sizes,
        })
    }

    fn outline(config: &LlamaConfig) -> Outline {
        Outline {
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: config.rope.needs_length(),
        }
    }

    fn forward<'t>(config: &LlamaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        forward(config, w, step)
    }
}

impl Model for Mistral {
    type Config = LlamaConfig;

    const NAME: &'static str = "mistral";
    const ARCHITECTURES: &'static [&'static str] = &["MistralForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mistral"];
    const WEIGHTS: &'static [WeightRule] = WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<LlamaConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults::default())?;
        Ok(LlamaConfig {
            epsilon: fields.positive("rms_norm_eps")?,
            activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
            attention_bias: false,
            mlp_bias: false,
            tied: fields.flag("tie_word_embeddings", false)?,
            window: config::window(fields, 4096)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            sizes,
        })
    }

    fn outline(config: &LlamaConfig) -> Outline {
        Llama::outline(config)
    }

    fn forward<'t>(config: &LlamaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        forward(config, w, step)
    }
}

/// Ids to logits, one row for each sampled position.
fn forward<'t>(config: &LlamaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
    let sizes = &config.sizes;
    let angles = step.angles(&config.rope);
    let table = [sizes.vocabulary, sizes.hidden];
    let mut x = nn::embedding(step.tokens, w.at("model.embed_tokens"), table);
    for layer in 0..sizes.layers {
        x = block(config, w.at("model.layers").index(layer), step, layer, angles, x);
    }
    let x = x.take_rows(step.sampled);
    let x = nn::rms_norm(x, w.at("model.norm"), sizes.hidden, config.epsilon);
    nn::linear(x, w.at("lm_head"), sizes.vocabulary)
}

/// Pre-norm residual block: `x + attention(norm(x))`, then the same with the MLP.
fn block<'t>(
    config: &LlamaConfig,
    w: Weights<'t>,
    step: &Step<'t>,
    layer: usize,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let norm = |x, name| nn::rms_norm(x, w.at(name), config.sizes.hidden, config.epsilon);
    let normed = norm(x, "input_layernorm");
    let x = x + attention(config, w.at("self_attn"), step, layer, angles, normed);
    let normed = norm(x, "post_attention_layernorm");
    let (width, bias) = (config.sizes.intermediate, config.mlp_bias);
    x + nn::gated_mlp(normed, w.at("mlp"), width, config.activation, bias)
}

/// Grouped-query attention over the paged cache. Writes this step's keys and values before
/// it reads, so a token sees itself.
fn attention<'t>(
    config: &LlamaConfig,
    w: Weights<'t>,
    step: &Step<'t>,
    layer: usize,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, hidden, .. } = config.sizes;
    // Three projections as the checkpoint has them; `crate::fuse` makes one.
    let project = |name, heads: usize| {
        nn::linear_bias(x, w.at(name), heads * head_dim, config.attention_bias).split_heads(heads)
    };
    let q = project("q_proj", heads).rotate(angles);
    let k = project("k_proj", kv_heads).rotate(angles);
    let v = project("v_proj", kv_heads);

    let attrs = nn::attention_attrs(head_dim as f64, config.window);
    let out = step.kv_cache(layer).append(k, v).attend(q, attrs);
    nn::linear_bias(out.merge_heads(), w.at("o_proj"), hidden, config.attention_bias)
}
