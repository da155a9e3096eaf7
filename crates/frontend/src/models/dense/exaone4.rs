//! EXAONE 4: norms of what comes out of each half of a block, none of what goes in, queries and keys
//! normalized a head at a time, and, in models with windows, no rotary embedding in layers without one.
//!
//! Reference: `transformers/models/exaone4/modeling_exaone4.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/exaone4/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Exaone4Config {
    decoder: Decoder,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    /// Whether some layers are made to have a window.
    hybrid: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Exaone4;

impl Model for Exaone4 {
    type Config = Exaone4Config;

    const NAME: &'static str = "exaone4";
    const ARCHITECTURES: &'static [&'static str] = &["Exaone4ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["exaone4"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Exaone4Config, Error> {
        let decoder = Decoder::read(fields, Defaults::default())?;
        let window = config::window(fields, 4096)?;
        Ok(Exaone4Config {
            windows: windows(fields, decoder.sizes.layers, window)?,
            hybrid: window.is_some(),
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Exaone4Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Exaone4Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let scalar = config.decoder.sizes.head_dim as f64;
        config.decoder.forward(&w, step, |layer, x| {
            let window = config.windows[layer.index];
            let angles = (window.is_some() || !config.hybrid).then_some(angles);
            let attention = |x| {
                let qkv = layer.normed_turned(x, angles, false);
                layer.attend(qkv, nn::attention_attrs(scalar, window), false)
            };
            layer.post_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}

/// The window of each layer: without `layer_types` every `sliding_window_pattern`th layer has none.
/// Beside `layer_types` the pattern may be a text that says the same, `LLLG`.
fn windows(
    fields: &Fields<'_>,
    layers: usize,
    window: Option<usize>,
) -> Result<Vec<Option<usize>>, Error> {
    let name = "sliding_window_pattern";
    let pattern = match fields.get("layer_types") {
        Some(_) => fields.get(name).map(|_| 1),
        None => fields.optional_count(name, 1 << 12)?,
    };
    let pattern = pattern.unwrap_or(4).max(1);
    config::layer_windows(fields, layers, window, |layer| !(layer + 1).is_multiple_of(pattern))
}
