//! SmolLM 3: Llama in which every fourth layer turns nothing; such layers may have a window.
//!
//! Reference: `transformers/models/smollm3/modeling_smollm3.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/smollm3/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct SmolLm3Config {
    decoder: Decoder,
    attention_bias: bool,
    mlp_bias: bool,
    /// Whether each layer turns queries and keys.
    turns: Vec<bool>,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct SmolLm3;

impl Model for SmolLm3 {
    type Config = SmolLm3Config;

    const NAME: &'static str = "smollm3";
    const ARCHITECTURES: &'static [&'static str] = &["SmolLM3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["smollm3"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<SmolLm3Config, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let defaults = Defaults { sizes, tied: true, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        let layers = decoder.sizes.layers;
        let turns = turns(fields, layers)?;
        let slides = fields.flag("use_sliding_window", false)?;
        let window = fields.optional_size("sliding_window", 1 << 30)?.filter(|_| slides);
        // Of Qwen 2's fields; nothing reads it.
        fields.get("max_window_layers");
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(SmolLm3Config {
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            windows: config::layer_windows(fields, layers, window, |layer| !turns[layer])?,
            rope: rope::read(fields, RopeRules { theta: 2_000_000.0, ..plain })?,
            turns,
            decoder,
        })
    }

    fn outline(config: &SmolLm3Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &SmolLm3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let scalar = config.decoder.sizes.head_dim as f64;
        config.decoder.forward(&w, step, |layer, x| {
            let angles = config.turns[layer.index].then_some(angles);
            let attrs = nn::attention_attrs(scalar, config.windows[layer.index]);
            let attention = |x| layer.attend(layer.turned(x, angles, bias), attrs, bias);
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, config.mlp_bias))
        })
    }
}

/// Whether each layer turns: 1 in `no_rope_layers`, or without it all but every
/// `no_rope_layer_interval`th.
fn turns(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let interval = fields.optional_size("no_rope_layer_interval", 1 << 12)?.unwrap_or(4);
    let name = "no_rope_layers";
    let said = fields.counts(name, 1)?;
    match said.len() {
        0 => Ok((1..=layers).map(|layer| !layer.is_multiple_of(interval)).collect()),
        count if count == layers => Ok(said.into_iter().map(|turns| turns == 1).collect()),
        count => {
            let expected = format!("{layers} entries, as num_hidden_layers says");
            Err(fields.wrong_as(name, format!("a list of {count}"), &expected))
        }
    }
}
