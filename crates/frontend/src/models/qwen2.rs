//! Qwen 2 and 2.5: Llama with biases on queries, keys and values, and a window in the upper
//! layers where the configuration switches it on.
//!
//! Reference: `transformers/models/qwen2/modeling_qwen2.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/qwen2*/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen2Config {
    sizes: Sizes,
    epsilon: f64,
    activation: Activation,
    tied: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen2;

impl Model for Qwen2 {
    type Config = Qwen2Config;

    const NAME: &'static str = "qwen2";
    const ARCHITECTURES: &'static [&'static str] = &["Qwen2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["qwen2"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<Qwen2Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults::default())?;
        Ok(Qwen2Config {
            epsilon: fields.positive("rms_norm_eps")?,
            activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
            tied: fields.flag("tie_word_embeddings", false)?,
            windows: windows(fields, sizes.layers)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            sizes,
        })
    }

    fn outline(config: &Qwen2Config) -> Outline {
        Outline {
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: config.rope.needs_length(),
        }
    }

    fn forward<'t>(config: &Qwen2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
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

/// The window of each layer: none unless `use_sliding_window`; without `layer_types` the
/// layers from `max_window_layers` on have it.
pub(super) fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = config::window(fields, 4096)?;
    let on = fields.flag("use_sliding_window", false)?;
    let first = fields.optional_count("max_window_layers", 1 << 30)?.unwrap_or(28);
    config::layer_windows(fields, layers, window.filter(|_| on), |layer| layer >= first)
}

/// Pre-norm residual block: `x + attention(norm(x))`, then the same with the MLP.
fn block<'t>(
    config: &Qwen2Config,
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

/// Grouped-query attention with biases on what goes in, none on what comes out.
fn attention<'t>(
    config: &Qwen2Config,
    w: Weights<'t>,
    step: &Step<'t>,
    layer: usize,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, hidden, .. } = config.sizes;
    let project = |name, heads: usize| {
        nn::linear_bias(x, w.at(name), heads * head_dim, true).split_heads(heads)
    };
    let q = project("q_proj", heads).rotate(angles);
    let k = project("k_proj", kv_heads).rotate(angles);
    let v = project("v_proj", kv_heads);

    let attrs = nn::attention_attrs(head_dim as f64, config.windows[layer]);
    let out = step.kv_cache(layer).append(k, v).attend(q, attrs);
    nn::linear(out.merge_heads(), w.at("o_proj"), hidden)
}
