//! OLMo 3: OLMo 2 with a window in three of four layers; only layers without one have the scaled
//! rotary embedding.
//!
//! Reference: `transformers/models/olmo3/modeling_olmo3.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/olmo3/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Olmo3Config {
    decoder: Decoder,
    attention_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    /// The rotary embedding of layers with a window.
    local: RopeTable,
    /// The rotary embedding of the others.
    global: RopeTable,
}

/// The architecture.
pub struct Olmo3;

impl Model for Olmo3 {
    type Config = Olmo3Config;

    const NAME: &'static str = "olmo3";
    const ARCHITECTURES: &'static [&'static str] = &["Olmo3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["olmo3"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Olmo3Config, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        let rules = RopeRules { theta: 500_000.0, ..plain };
        let table = |kind, scaled| rope::read_for(fields, kind, "rope_theta", scaled, rules);
        Ok(Olmo3Config {
            attention_bias: fields.flag("attention_bias", false)?,
            windows: config::layers_of_two_kinds(fields, decoder.sizes.layers, |layer| {
                !(layer + 1).is_multiple_of(4)
            })?,
            local: table("sliding_attention", false)?,
            global: table("full_attention", true)?,
            decoder,
        })
    }

    fn outline(config: &Olmo3Config) -> Outline {
        config.decoder.outline(&[&config.local, &config.global])
    }

    fn forward<'t>(config: &Olmo3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (local, global) = (step.angles(&config.local), step.angles(&config.global));
        let (scalar, bias) = (config.decoder.sizes.head_dim as f64, config.attention_bias);
        config.decoder.forward(&w, step, |layer, x| {
            let window = config.windows[layer.index];
            let angles = if window.is_some() { local } else { global };
            let attention = |x| {
                let qkv = layer.jointly_normed_turned(x, Some(angles), bias);
                layer.attend(qkv, nn::attention_attrs(scalar, window), bias)
            };
            layer.post_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}
