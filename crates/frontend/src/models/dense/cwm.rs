//! CWM (Code World Model): Llama with a window in three of four layers, the first of four without.
//!
//! Reference: `transformers/models/cwm/modeling_cwm.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/cwm/`.

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Cwm;

impl Model for Cwm {
    type Config = Plain;

    const NAME: &'static str = "cwm";
    const ARCHITECTURES: &'static [&'static str] = &["CwmForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["cwm"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: false, head_dim: Some(128) };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let (layers, window) = (decoder.sizes.layers, config::window(fields, 8192)?);
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Plain {
            biases: Biases { mlp: fields.flag("mlp_bias", false)?, ..Biases::default() },
            windows: config::layer_windows(fields, layers, window, |layer| {
                !layer.is_multiple_of(4)
            })?,
            pairing: Pairing::Halves,
            rope: rope::read_said(fields, RopeRules { theta: 1_000_000.0, ..plain })?,
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
