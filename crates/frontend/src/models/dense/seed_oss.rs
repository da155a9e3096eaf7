//! Seed-OSS: Llama with biases on queries, keys and values, and on outputs where asked for.
//!
//! Reference: `transformers/models/seed_oss/modeling_seed_oss.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/seed_oss/`.

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct SeedOss;

impl Model for SeedOss {
    type Config = Plain;

    const NAME: &'static str = "seed_oss";
    const ARCHITECTURES: &'static [&'static str] = &["SeedOssForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["seed_oss"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: Some(128) };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        // Dropout of training.
        fields.get("residual_dropout");
        Ok(Plain {
            biases: Biases {
                qkv: fields.flag("attention_bias", true)?,
                output: fields.flag("attention_out_bias", false)?,
                mlp: fields.flag("mlp_bias", false)?,
            },
            windows: vec![None; decoder.sizes.layers],
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
