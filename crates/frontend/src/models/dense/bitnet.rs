//! BitNet b1.58: Llama with norms of what goes into the output and down projections, squared rectified
//! units, and matrices of -1, 0 and 1, which are the checkpoint's business.
//!
//! Reference: `transformers/models/bitnet/modeling_bitnet.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/bitnet*/`. Activations are not rounded to 8 bits before products
//! as the model's training had it: our kernels have a form of their own.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct BitNetConfig {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct BitNet;

impl Model for BitNet {
    type Config = BitNetConfig;

    const NAME: &'static str = "bitnet";
    const ARCHITECTURES: &'static [&'static str] = &["BitNetForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["bitnet"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<BitNetConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let activation = ("hidden_act", Activation::ReluSquared);
        let defaults = Defaults { sizes, activation, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(BitNetConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            rope: rope::read(fields, RopeRules { theta: 500_000.0, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &BitNetConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &BitNetConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| mlp(config, layer, x))
        })
    }
}

/// Grouped-query attention with a norm before its output projection.
fn attention<'t>(
    config: &BitNetConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { hidden, head_dim, .. } = config.decoder.sizes;
    let (w, bias) = (layer.at("self_attn"), config.attention_bias);
    let qkv = layer.rotated(x, angles, bias);
    let attended = layer.attended(qkv, nn::attention_attrs(head_dim as f64, None)).merge_heads();
    let normed = nn::rms_norm(attended, w.at("attn_sub_norm"), hidden, config.decoder.norm);
    nn::linear_bias(normed, w.at("o_proj"), hidden, bias)
}

/// A gated MLP with a norm before its second matrix.
fn mlp<'t>(config: &BitNetConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let w = layer.at("mlp");
    let Sizes { hidden, intermediate, .. } = config.decoder.sizes;
    let gate = nn::linear(x, w.at("gate_proj"), intermediate);
    let up = nn::linear(x, w.at("up_proj"), intermediate);
    let x = config.decoder.activation.apply(gate) * up;
    let x = nn::rms_norm(x, w.at("ffn_sub_norm"), intermediate, config.decoder.norm);
    nn::linear(x, w.at("down_proj"), hidden)
}
