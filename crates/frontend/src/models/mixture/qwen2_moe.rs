//! Qwen 2 and 1.5 with a mixture of experts beside one expert that every token has, weighed by a
//! gate of its own.
//!
//! Reference: `transformers/models/qwen2_moe/modeling_qwen2_moe.py`. `tools/oracle` runs it on a
//! tiny random checkpoint to make `tests/oracle/qwen2_moe/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, SparseLayers};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen2MoeConfig {
    decoder: Decoder,
    qkv_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    mixture: Mixture,
    /// Width inside the expert that every token has.
    shared: usize,
    sparse: SparseLayers,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen2Moe;

impl Model for Qwen2Moe {
    type Config = Qwen2MoeConfig;

    const NAME: &'static str = "qwen2_moe";
    const ARCHITECTURES: &'static [&'static str] = &["Qwen2MoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["qwen2_moe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Qwen2MoeConfig, Error> {
        let decoder = Decoder::read(fields, Defaults::default())?;
        let width = fields.size("moe_intermediate_size", 1 << 22)?;
        Ok(Qwen2MoeConfig {
            qkv_bias: fields.flag("qkv_bias", true)?,
            windows: windows(fields, decoder.sizes.layers)?,
            mixture: Mixture::read(fields, width, None)?,
            shared: fields.size("shared_expert_intermediate_size", 1 << 22)?,
            sparse: SparseLayers::read(fields)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Qwen2MoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Qwen2MoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse.holds(layer.index) {
                true => layer.mixture_and_shared(x, &config.mixture, config.shared),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// The window of each layer: none unless `use_sliding_window`; without `layer_types`, every second
/// layer below `max_window_layers` has it, the first included.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = config::window(fields, 4096)?;
    let on = fields.flag("use_sliding_window", false)?;
    let end = fields.optional_count("max_window_layers", 1 << 30)?.unwrap_or(28);
    let slides = |layer: usize| layer.is_multiple_of(2) && layer < end;
    config::layer_windows(fields, layers, window.filter(|_| on), slides)
}

/// Grouped-query attention with biases on what goes in, none on what comes out.
fn attention<'t>(
    config: &Qwen2MoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let bias = config.qkv_bias;
    let qkv = layer.rotated(x, angles, bias);
    let attrs = nn::attention_attrs(scalar, config.windows[layer.index]);
    layer.attend(qkv, attrs, false)
}
