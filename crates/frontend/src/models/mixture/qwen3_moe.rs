//! Qwen 3 with a mixture of experts in place of the MLP: in every layer, or in some
//! (`decoder_sparse_step`, `mlp_only_layers`).
//!
//! Reference: `transformers/models/qwen3_moe/modeling_qwen3_moe.py`. `tools/oracle` runs it on
//! tiny random checkpoints to make `tests/oracle/qwen3_moe*/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, SparseLayers};
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen3MoeConfig {
    decoder: Decoder,
    attention_bias: bool,
    window: Option<usize>,
    mixture: Mixture,
    sparse: SparseLayers,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen3Moe;

impl Model for Qwen3Moe {
    type Config = Qwen3MoeConfig;

    const NAME: &'static str = "qwen3_moe";
    const ARCHITECTURES: &'static [&'static str] = &["Qwen3MoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["qwen3_moe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Qwen3MoeConfig, Error> {
        // transformers names no default for the width of a head; without one it divides.
        let sizes = SizeDefaults { head_dim: None, kv_heads: false };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let window = config::window(fields, 4096)?;
        let on = fields.flag("use_sliding_window", false)?;
        // Qwen 2's field, which published files carry and this model has no use for: where the
        // window is on, it is on in every layer.
        fields.get("max_window_layers");
        let width = fields.size("moe_intermediate_size", 1 << 22)?;
        Ok(Qwen3MoeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            window: window.filter(|_| on),
            mixture: Mixture::read(fields, width, None)?,
            sparse: SparseLayers::read(fields)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Qwen3MoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Qwen3MoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse.holds(layer.index) {
                true => layer.mixture(x, "mlp", MlpNames::default(), &config.mixture),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &Qwen3MoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let bias = config.attention_bias;
    let qkv = layer.normed_rotated(x, angles, bias);
    layer.attend(qkv, nn::attention_attrs(scalar, config.window), bias)
}
