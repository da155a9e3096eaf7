//! dots.llm1: queries and keys normalized a head at a time, a window in some layers, and experts
//! with logistic scores beside shared ones in all but the first layers.
//!
//! Reference: `transformers/models/dots1/modeling_dots1.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/dots1/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{ROUTED_FIELDS, Routed, Router, accept, sparse_layers};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Dots1Config {
    decoder: Decoder,
    attention_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
}

/// The architecture.
pub struct Dots1;

impl Model for Dots1 {
    type Config = Dots1Config;

    const NAME: &'static str = "dots1";
    const ARCHITECTURES: &'static [&'static str] = &["Dots1ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["dots1"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Dots1Config, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        accept(fields, &[("scoring_func", "noaux_tc"), ("moe_layer_freq", "1")], &[])?;
        let router = |experts| Router::logistic(fields, experts, false);
        Ok(Dots1Config {
            attention_bias: fields.flag("attention_bias", false)?,
            windows: windows(fields, decoder.sizes.layers)?,
            routed: Routed::read(fields, ROUTED_FIELDS, decoder.activation, router)?,
            sparse: sparse_layers(fields, decoder.sizes.layers, 0)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Dots1Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Dots1Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// The window of each layer: without `layer_types`, those from `max_window_layers` on have it.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = config::window(fields, 4096)?;
    let first = fields.optional_count("max_window_layers", 1 << 30)?.unwrap_or(62);
    config::layer_windows(fields, layers, window, |layer| layer >= first)
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &Dots1Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let qkv = layer.normed_rotated(x, angles, config.attention_bias);
    let scalar = config.decoder.sizes.head_dim as f64;
    let attrs = nn::attention_attrs(scalar, config.windows[layer.index]);
    layer.attend(qkv, attrs, config.attention_bias)
}
