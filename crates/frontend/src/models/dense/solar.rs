//! Solar Pro: Llama in which the streams that come into some layers are kept, and those that come into
//! some later ones are mixed with them.
//!
//! Reference: the model's own `modeling_solar.py`, which transformers does not have, as vLLM's
//! `solar.py` computes it. `tools/oracle` mixes the streams of transformers' Llama alike to make
//! `tests/oracle/solar/`.

use std::cell::Cell;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct SolarConfig {
    plain: Plain,
    skips: [Skip; 2],
    /// The kept stream's part of the mixture.
    part: f64,
}

/// A stream that skips layers.
struct Skip {
    /// Layers before which it is kept; the last one counts.
    kept: Vec<usize>,
    /// Layers before which it is mixed in.
    mixed: Vec<usize>,
}

/// The architecture.
pub struct Solar;

impl Model for Solar {
    type Config = SolarConfig;

    const NAME: &'static str = "solar";
    const ARCHITECTURES: &'static [&'static str] = &["SolarForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["solar"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<SolarConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let layers = decoder.sizes.layers;
        let bias = fields.flag("attention_bias", false)?;
        // The second number; the first is for training.
        let part = fields.positives("bskcn_tv", 2)?[1];
        let skip = |kept, mixed| Skip::read(fields, [kept, mixed], layers);
        Ok(SolarConfig {
            skips: [skip("bskcn_1", "bskcn_3")?, skip("bskcn_2", "bskcn_4")?],
            part,
            plain: Plain {
                biases: Biases { qkv: bias, output: bias, mlp: fields.flag("mlp_bias", false)? },
                windows: vec![config::window(fields, 2047)?; layers],
                pairing: Pairing::Halves,
                rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
                decoder,
            },
        })
    }

    fn outline(config: &SolarConfig) -> Outline {
        config.plain.outline()
    }

    fn forward<'t>(config: &SolarConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let kept = [Cell::new(None), Cell::new(None)];
        let angles = step.angles(&config.plain.rope);
        config.plain.decoder.forward(&w, step, |layer, x| {
            let mut x = x;
            for (skip, kept) in config.skips.iter().zip(&kept) {
                if skip.kept.contains(&layer.index) {
                    kept.set(Some(x));
                }
            }
            for (skip, kept) in config.skips.iter().zip(&kept) {
                if let Some(kept) = kept.get().filter(|_| skip.mixed.contains(&layer.index)) {
                    x = kept.scale(config.part) + x.scale(1.0 - config.part);
                }
            }
            config.plain.block(layer, angles, x)
        })
    }
}

impl Skip {
    /// The layers that two fields list; a stream is kept before it is mixed in.
    fn read(fields: &Fields<'_>, [kept, mixed]: [&str; 2], layers: usize) -> Result<Self, Error> {
        let list = |name| fields.counts(name, layers - 1);
        let skip = Self { kept: list(kept)?, mixed: list(mixed)? };
        let first = skip.kept.iter().min();
        match skip.mixed.iter().find(|layer| first.is_none_or(|first| first > layer)) {
            None => Ok(skip),
            Some(layer) => {
                let expected = format!("layers from the first of {kept} on");
                Err(fields.wrong_as(mixed, layer.to_string(), &expected))
            }
        }
    }
}
