//! Gemma 2: Gemma with norms before and after each half of a block, caps on scores and logits, and
//! a window in every second layer.
//!
//! Reference: `transformers/models/gemma2/modeling_gemma2.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/gemma2/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields};
use crate::decoder::{Capped, SANDWICH, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Gemma2Config {
    capped: Capped,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct Gemma2;

impl Model for Gemma2 {
    type Config = Gemma2Config;

    const NAME: &'static str = "gemma2";
    const ARCHITECTURES: &'static [&'static str] = &["Gemma2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gemma2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Gemma2Config, Error> {
        let capped = Capped::read(fields, [Some(50.0), Some(30.0)])?;
        let sizes = &capped.decoder.sizes;
        let window = config::window(fields, 4096)?;
        Ok(Gemma2Config {
            windows: config::layer_windows(fields, sizes.layers, window, |layer| layer % 2 == 0)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, sizes))?,
            capped,
        })
    }

    fn outline(config: &Gemma2Config) -> Outline {
        config.capped.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Gemma2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (capped, angles) = (&config.capped, step.angles(&config.rope));
        capped.forward(&w, step, |layer, x| {
            let attention = |x| {
                let qkv = layer.rotated(x, angles, capped.attention_bias);
                capped.attend(layer, qkv, config.windows[layer.index])
            };
            layer.sandwich(x, SANDWICH, attention, |x| layer.gated_mlp(x, false))
        })
    }
}
