//! Qwen 3, dense: Qwen 2 with queries and keys normalized a head at a time, and without
//! biases unless the configuration asks for them.
//!
//! Reference: `transformers/models/qwen3/modeling_qwen3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/qwen3*/`.

use tyto_graph::RopeTable;

use super::qwen2::windows;
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen3Config {
    sizes: Sizes,
    epsilon: f64,
    activation: Activation,
    attention_bias: bool,
    tied: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen3;

impl Model for Qwen3 {
    type Config = Qwen3Config;

    const NAME: &'static str = "qwen3";
    const ARCHITECTURES: &'static [&'static str] = &["Qwen3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["qwen3"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<Qwen3Config, Error> {
        let defaults = SizeDefaults { head_dim: Some(128), kv_heads: false };
        let sizes = Sizes::read(fields, defaults)?;
        Ok(Qwen3Config {
            epsilon: fields.positive("rms_norm_eps")?,
            activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
            attention_bias: fields.flag("attention_bias", false)?,
            tied: fields.flag("tie_word_embeddings", false)?,
            windows: windows(fields, sizes.layers)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            sizes,
        })
    }

    fn outline(config: &Qwen3Config) -> Outline {
        Outline {
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: config.rope.needs_length(),
        }
    }

    fn forward<'t>(config: &Qwen3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
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
}

/// Pre-norm residual block: `x + attention(norm(x))`, then the same with the MLP.
fn block<'t>(
    config: &Qwen3Config,
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
    x + nn::gated_mlp(normed, w.at("mlp"), config.sizes.intermediate, config.activation, false)
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &Qwen3Config,
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
    let norm = |x, name| nn::rms_norm(x, w.at(name), head_dim, config.epsilon);
    let q = norm(project("q_proj", heads), "q_norm").rotate(angles);
    let k = norm(project("k_proj", kv_heads), "k_norm").rotate(angles);
    let v = project("v_proj", kv_heads);

    let attrs = nn::attention_attrs(head_dim as f64, config.windows[layer]);
    let out = step.kv_cache(layer).append(k, v).attend(q, attrs);
    nn::linear_bias(out.merge_heads(), w.at("o_proj"), hidden, config.attention_bias)
}
