//! Ministral: Mistral with a window in some layers only.
//!
//! Reference: `transformers/models/ministral/modeling_ministral.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/ministral/`.

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Ministral;

impl Model for Ministral {
    type Config = Plain;

    const NAME: &'static str = "ministral";
    const ARCHITECTURES: &'static [&'static str] = &["MinistralForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["ministral"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let (layers, window) = (decoder.sizes.layers, config::window(fields, 4096)?);
        Ok(Plain {
            biases: Biases::default(),
            windows: config::layer_windows(fields, layers, window, |_| true)?,
            pairing: Pairing::Halves,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Plain) -> Outline {
        config.outline()
    }

    fn forward<'t>(config: &Plain, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        config.forward(&w, step)
    }
}
