//! Qwen 2 and 2.5: Llama with biases on queries, keys and values, and a window in the upper
//! layers where the configuration switches it on.
//!
//! Reference: `transformers/models/qwen2/modeling_qwen2.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/qwen2*/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen2Config {
    decoder: Decoder,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen2;

impl Model for Qwen2 {
    type Config = Qwen2Config;

    const NAME: &'static str = "qwen2";
    const ARCHITECTURES: &'static [&'static str] = &[
        "Qwen2ForCausalLM",
        "Qwen2VLForConditionalGeneration",
        "Qwen2_5_VLForConditionalGeneration",
    ];
    const MODEL_TYPES: &'static [&'static str] =
        &["qwen2", "qwen2_vl_text", "qwen2_vl", "qwen2_5_vl_text", "qwen2_5_vl"];
    // Models that also see hold it in a place of its own.
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::Inside("model", "model.language_model"),
        WeightRule::IgnoreBelow("model.visual"),
        WeightRule::IgnoreBelow("visual"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Qwen2Config, Error> {
        config::of_text(fields, Self::NAME, false, |fields, tied| {
            let decoder = Decoder::read(fields, Defaults { tied, ..Defaults::default() })?;
            let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
            Ok(Qwen2Config {
                windows: config::late_windows(fields, decoder.sizes.layers)?,
                rope: rope::read(fields, RopeRules { sections: true, ..plain })?,
                decoder,
            })
        })
    }

    fn outline(config: &Qwen2Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Qwen2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}

/// Grouped-query attention with biases on what goes in, none on what comes out.
fn attention<'t>(
    config: &Qwen2Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let qkv = layer.rotated(x, angles, true);
    let attrs = nn::attention_attrs(scalar, config.windows[layer.index]);
    layer.attend(qkv, attrs, false)
}
