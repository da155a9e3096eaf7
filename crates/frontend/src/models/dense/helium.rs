//! Helium: Llama whose rotary embedding turns neighbours, and whose outputs have no bias.
//!
//! Reference: `transformers/models/helium/modeling_helium.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/helium/`.

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Helium;

impl Model for Helium {
    type Config = Plain;

    const NAME: &'static str = "helium";
    const ARCHITECTURES: &'static [&'static str] = &["HeliumForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["helium"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: false, head_dim: Some(128) };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Plain {
            biases: Biases {
                qkv: fields.flag("attention_bias", false)?,
                output: false,
                mlp: fields.flag("mlp_bias", false)?,
            },
            windows: vec![None; decoder.sizes.layers],
            pairing: Pairing::Neighbours,
            rope: rope::read(fields, RopeRules { theta: 100_000.0, ..plain })?,
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
