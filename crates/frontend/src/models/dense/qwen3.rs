//! Qwen 3, dense: Qwen 2 with queries and keys normalized a head at a time, and without
//! biases unless the configuration asks for them.
//!
//! Reference: `transformers/models/qwen3/modeling_qwen3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/qwen3*/`.

use tyto_checkpoint::Pooling;
use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen3Config {
    decoder: Decoder,
    attention_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen3;

impl Model for Qwen3 {
    type Config = Qwen3Config;

    const NAME: &'static str = "qwen3";
    const ARCHITECTURES: &'static [&'static str] =
        &["Qwen3ForCausalLM", "Qwen3VLForConditionalGeneration"];
    const BARE: &'static [&'static str] = &["Qwen3Model"];
    const SCORED: Option<(&'static [&'static str], Pooling)> =
        Some((&["Qwen3ForSequenceClassification"], Pooling::Last));
    const MODEL_TYPES: &'static [&'static str] = &["qwen3", "qwen3_vl_text", "qwen3_vl"];
    // Models that also see hold it in a place of its own.
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::Inside("model", "model.language_model"),
        WeightRule::IgnoreBelow("model.visual"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Qwen3Config, Error> {
        config::of_text(fields, Self::NAME, false, |fields, tied| {
            let sizes = SizeDefaults { head_dim: Some(128), kv_heads: false };
            let decoder = Decoder::read(fields, Defaults { sizes, tied, ..Defaults::default() })?;
            let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
            Ok(Qwen3Config {
                attention_bias: fields.flag("attention_bias", false)?,
                windows: config::late_windows(fields, decoder.sizes.layers)?,
                rope: rope::read(fields, RopeRules { sections: true, ..plain })?,
                decoder,
            })
        })
    }

    fn outline(config: &Qwen3Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Qwen3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &Qwen3Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let bias = config.attention_bias;
    let qkv = layer.normed_rotated(x, angles, bias);
    let attrs = nn::attention_attrs(scalar, config.windows[layer.index]);
    layer.attend(qkv, attrs, bias)
}
