//! Phi-3, 3.5 and 4 (mini and medium): Llama with queries, keys and values from one matrix,
//! gate and up from another, and LongRoPE that may turn only part of a head.
//!
//! Reference: `transformers/models/phi3/modeling_phi3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/phi3*/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Phi3Config {
    sizes: Sizes,
    epsilon: f64,
    activation: Activation,
    tied: bool,
    window: Option<usize>,
    rope: RopeTable,
}

/// The architecture.
pub struct Phi3;

impl Model for Phi3 {
    type Config = Phi3Config;

    const NAME: &'static str = "phi3";
    const ARCHITECTURES: &'static [&'static str] = &["Phi3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["phi3"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<Phi3Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        let plain = RopeRules::plain(Self::NAME, &sizes);
        let rules = RopeRules { original: Some(4096), partial: true, long_only: true, ..plain };
        Ok(Phi3Config {
            epsilon: fields.positive("rms_norm_eps")?,
            activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
            tied: fields.flag("tie_word_embeddings", false)?,
            window: fields.optional_size("sliding_window", 1 << 30)?,
            rope: rope::read(fields, rules)?,
            sizes,
        })
    }

    fn outline(config: &Phi3Config) -> Outline {
        Outline {
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: config.rope.needs_length(),
        }
    }

    fn forward<'t>(config: &Phi3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
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
    config: &Phi3Config,
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
    x + mlp(config, w.at("mlp"), normed)
}

/// Grouped-query attention; one matrix gives queries, keys and values side by side.
fn attention<'t>(
    config: &Phi3Config,
    w: Weights<'t>,
    step: &Step<'t>,
    layer: usize,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, hidden, .. } = config.sizes;
    let (q_end, k_end) = (heads * head_dim, (heads + kv_heads) * head_dim);
    let v_end = k_end + kv_heads * head_dim;
    let qkv = nn::linear(x, w.at("qkv_proj"), v_end);
    let q = qkv.columns(0..q_end).split_heads(heads).rotate(angles);
    let k = qkv.columns(q_end..k_end).split_heads(kv_heads).rotate(angles);
    let v = qkv.columns(k_end..v_end).split_heads(kv_heads);

    let attrs = nn::attention_attrs(head_dim as f64, config.window);
    let out = step.kv_cache(layer).append(k, v).attend(q, attrs);
    nn::linear(out.merge_heads(), w.at("o_proj"), hidden)
}

/// `down(activation(gate) * up)`; one matrix gives gate and up side by side.
fn mlp<'t>(config: &Phi3Config, w: Weights<'t>, x: Tensor<'t>) -> Tensor<'t> {
    let width = config.sizes.intermediate;
    let gate_up = nn::linear(x, w.at("gate_up_proj"), 2 * width);
    let (gate, up) = (gate_up.columns(0..width), gate_up.columns(width..2 * width));
    nn::linear(config.activation.apply(gate) * up, w.at("down_proj"), config.sizes.hidden)
}
