//! ERNIE 4.5, dense: Llama whose rotary embedding turns neighbours, with one flag for all biases.
//!
//! Reference: `transformers/models/ernie4_5/modeling_ernie4_5.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/ernie4_5/`.

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Ernie45;

impl Model for Ernie45 {
    type Config = Plain;

    const NAME: &'static str = "ernie4_5";
    const ARCHITECTURES: &'static [&'static str] = &["Ernie4_5ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["ernie4_5"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: Some(128) };
        let defaults = Defaults { sizes, tied: true, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        let bias = fields.flag("use_bias", false)?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Plain {
            biases: Biases { qkv: bias, output: bias, mlp: bias },
            windows: vec![None; decoder.sizes.layers],
            pairing: Pairing::Neighbours,
            rope: rope::read(fields, RopeRules { theta: 500_000.0, ..plain })?,
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
