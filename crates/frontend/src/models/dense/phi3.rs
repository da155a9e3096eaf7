//! Phi-3, 3.5 and 4 (mini and medium): Llama with queries, keys and values from one matrix,
//! gate and up from another, and LongRoPE that may turn only part of a head.
//!
//! Reference: `transformers/models/phi3/modeling_phi3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/phi3*/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Phi3Config {
    decoder: Decoder,
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
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Phi3Config, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        let rules = RopeRules { original: Some(4096), partial: true, long_only: true, ..plain };
        Ok(Phi3Config {
            window: fields.optional_size("sliding_window", 1 << 30)?,
            rope: rope::read(fields, rules)?,
            decoder,
        })
    }

    fn outline(config: &Phi3Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Phi3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| layer.joined_gated_mlp(x))
        })
    }
}

/// Grouped-query attention; one matrix gives queries, keys and values side by side.
fn attention<'t>(
    config: &Phi3Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.decoder.sizes;
    let (q_end, k_end) = (heads * head_dim, (heads + kv_heads) * head_dim);
    let v_end = k_end + kv_heads * head_dim;
    let qkv = nn::linear(x, layer.at("self_attn.qkv_proj"), v_end);
    let q = qkv.columns(0..q_end).split_heads(heads).rotate(angles);
    let k = qkv.columns(q_end..k_end).split_heads(kv_heads).rotate(angles);
    let v = qkv.columns(k_end..v_end).split_heads(kv_heads);
    layer.attend([q, k, v], nn::attention_attrs(head_dim as f64, config.window), false)
}
