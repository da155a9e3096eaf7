//! MiMo V2 Flash: values narrower than keys; most layers have a window, twice the key and value heads,
//! a rotary base of their own and a sink for each head; and in all but the first layers experts with
//! logistic scores.
//!
//! Reference: `transformers/models/mimo_v2_flash/modeling_mimo_v2_flash.py`. `tools/oracle` runs it on a
//! tiny random checkpoint to make `tests/oracle/mimo_v2_flash/`.
//!
//! The cache holds values as wide as keys, the rest zeros.

use serde_json::Value;
use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{ROUTED_FIELDS, Routed, Router, accept, sparse_layers};
use crate::memory::KvLayer;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct MimoV2Config {
    decoder: Decoder,
    attention_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    /// Width of a head's values.
    value: usize,
    /// Multiplies values.
    value_scale: f64,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    /// Rotary embeddings of layers with a window, and of the others.
    ropes: [RopeTable; 2],
}

/// The architecture.
pub struct MimoV2;

impl Model for MimoV2 {
    type Config = MimoV2Config;

    const NAME: &'static str = "mimo_v2_flash";
    const ARCHITECTURES: &'static [&'static str] = &["MiMoV2FlashForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mimo_v2_flash"];
    // What predicts further tokens is not part of the model proper.
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD, WeightRule::IgnoreBelow("model.mtp")];

    fn config(fields: &Fields<'_>) -> Result<MimoV2Config, Error> {
        let sizes = SizeDefaults { head_dim: Some(192), kv_heads: false };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let Sizes { layers, head_dim, kv_heads, heads, .. } = decoder.sizes;
        if !heads.is_multiple_of(2 * kv_heads) {
            let expected = format!("half a divisor of num_attention_heads, {heads}");
            return Err(fields.wrong("num_key_value_heads", &expected));
        }
        let value = fields.optional_size("v_head_dim", head_dim)?.unwrap_or(128.min(head_dim));
        published(fields, &decoder, value)?;
        let router = |experts| Router::logistic(fields, experts, true);
        Ok(MimoV2Config {
            attention_bias: fields.flag("attention_bias", false)?,
            windows: windows(fields, layers)?,
            value,
            value_scale: fields.optional_positive("attention_value_scale")?.unwrap_or(1.0),
            routed: Routed::read(fields, ROUTED_FIELDS, decoder.activation, router)?,
            sparse: sparse(fields, layers)?,
            ropes: ropes(fields, &decoder.sizes)?,
            decoder,
        })
    }

    fn outline(config: &MimoV2Config) -> Outline {
        let Sizes { head_dim, .. } = config.decoder.sizes;
        let of = |layer| KvLayer { heads: config.kv_heads(layer), head_dim }.into();
        let memory = (0..config.decoder.sizes.layers).map(of).collect();
        let [local, global] = &config.ropes;
        Outline { memory, ..config.decoder.outline(&[local, global]) }
    }

    fn forward<'t>(config: &MimoV2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let [local, global] = [0, 1].map(|which: usize| step.angles(&config.ropes[which]));
        config.decoder.forward(&w, step, |layer, x| {
            let angles = if config.windows[layer.index].is_some() { local } else { global };
            let attention = |x| attention(config, layer, step, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

impl MimoV2Config {
    /// Key and value heads of a layer.
    fn kv_heads(&self, layer: usize) -> usize {
        let heads = self.decoder.sizes.kv_heads;
        if self.windows[layer].is_some() { 2 * heads } else { heads }
    }
}

/// Fields of published files that say again what others say, or what is always so.
fn published(fields: &Fields<'_>, decoder: &Decoder, value: usize) -> Result<(), Error> {
    let Sizes { heads, kv_heads, head_dim, .. } = decoder.sizes;
    for (name, expected) in [
        ("swa_num_attention_heads", heads),
        ("swa_num_key_value_heads", 2 * kv_heads),
        ("swa_head_dim", head_dim),
        ("swa_v_head_dim", value),
    ] {
        let found = fields.optional_size(name, 1 << 14)?;
        if found.is_some_and(|found| found != expected) {
            return Err(fields.wrong(name, &expected.to_string()));
        }
    }
    let always = [
        ("scoring_func", "sigmoid"),
        ("topk_method", "noaux_tc"),
        ("add_swa_attention_sink_bias", "true"),
        ("add_full_attention_sink_bias", "false"),
    ];
    accept(fields, &always, &["attention_chunk_size"])
}

/// A list of 0 and 1 for every layer.
fn bits(fields: &Fields<'_>, name: &str, layers: usize) -> Result<Option<Vec<bool>>, Error> {
    if !fields.get(name).is_some_and(Value::is_array) {
        return Ok(None);
    }
    let bits = fields.counts(name, 1)?;
    if bits.len() == layers {
        return Ok(Some(bits.into_iter().map(|bit| bit == 1).collect()));
    }
    let expected = format!("{layers} entries, as num_hidden_layers says");
    Err(fields.wrong_as(name, format!("a list of {}", bits.len()), &expected))
}

/// The window of each layer: of `layer_types`, or where that is absent of `hybrid_layer_pattern`, or
/// all but the first and every sixth. Published files count the tokens before a query's own.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let before = fields.optional_size("sliding_window_size", 1 << 30)?;
    let own = fields.optional_size("sliding_window", 1 << 30)?.unwrap_or(129);
    let window = before.map_or(own, |before| before + 1);
    let pattern = bits(fields, "hybrid_layer_pattern", layers)?;
    let slides = |layer: usize| match &pattern {
        Some(pattern) => pattern[layer],
        None => layer != 0 && !(layer + 1).is_multiple_of(6),
    };
    config::layer_windows(fields, layers, Some(window), slides)
}

/// Whether each layer has experts: of `mlp_layer_types`, or where that is absent of `moe_layer_freq`, or
/// all but the first.
fn sparse(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let own = bits(fields, "moe_layer_freq", layers)?;
    let said = sparse_layers(fields, layers, 1)?;
    Ok(own.filter(|_| !fields.stands("mlp_layer_types")).unwrap_or(said))
}

fn ropes(fields: &Fields<'_>, sizes: &Sizes) -> Result<[RopeTable; 2], Error> {
    let factor = fields.optional_positive("partial_rotary_factor")?.unwrap_or(0.334);
    let rules = RopeRules { partial: true, factor, ..RopeRules::plain(MimoV2::NAME, sizes) };
    let global = RopeRules { theta: 5e6, ..rules };
    Ok([
        rope::read_for(fields, "sliding_attention", "swa_rope_theta", false, rules)?,
        rope::read_for(fields, "full_attention", "rope_theta", true, global)?,
    ])
}

/// Grouped-query attention, with sinks in layers with a window.
fn attention<'t>(
    config: &MimoV2Config,
    layer: &Layer<'_, 't>,
    step: &Step<'t>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, head_dim, hidden, .. } = config.decoder.sizes;
    let (kv_heads, bias) = (config.kv_heads(layer.index), config.attention_bias);
    let w = layer.at("self_attn");
    let q = layer.project(x, "q_proj", heads, bias).rotate(angles);
    let k = layer.project(x, "k_proj", kv_heads, bias).rotate(angles);
    let v = nn::linear_bias(x, w.at("v_proj"), kv_heads * config.value, bias);
    let v = v.scale(config.value_scale).split_heads(kv_heads).widened(head_dim);
    let attrs = nn::attention_attrs(head_dim as f64, config.windows[layer.index]);
    let cache = step.kv_cache(layer.index).append(k, v);
    let attended = match attrs.window {
        Some(_) => cache.attend_with_sinks(q, attrs, sinks(&w, heads)),
        None => cache.attend(q, attrs),
    };
    nn::linear(attended.last(0..config.value).merge_heads(), w.at("o_proj"), hidden)
}

/// The sinks, whose name in transformers 5 is another.
fn sinks<'t>(w: &Weights<'t>, heads: usize) -> Tensor<'t> {
    let renamed = w.at("sinks").stands();
    w.at(if renamed { "sinks" } else { "attention_sink_bias" }).vector(heads)
}
