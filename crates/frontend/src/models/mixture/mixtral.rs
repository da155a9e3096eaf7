//! Mixtral: Mistral with a mixture of experts in place of the MLP.
//!
//! Reference: `transformers/models/mixtral/modeling_mixtral.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/mixtral/`.

use tyto_graph::RopeTable;

use crate::config::Fields;
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// An expert's matrices by the names of the first publication.
const EXPERTS: MlpNames = MlpNames { gate: "w1", up: "w3", down: "w2" };

/// The part of `config.json` that this model reads.
pub struct MixtralConfig {
    decoder: Decoder,
    window: Option<usize>,
    mixture: Mixture,
    rope: RopeTable,
}

/// The architecture.
pub struct Mixtral;

impl Model for Mixtral {
    type Config = MixtralConfig;

    const NAME: &'static str = "mixtral";
    const ARCHITECTURES: &'static [&'static str] = &["MixtralForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mixtral"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<MixtralConfig, Error> {
        let decoder = Decoder::read(fields, Defaults::default())?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        let width = decoder.sizes.intermediate;
        Ok(MixtralConfig {
            window: fields.optional_size("sliding_window", 1 << 30)?,
            mixture: Mixture::read(fields, width, Some(Weighing::OfChosen))?,
            rope: rope::read(fields, RopeRules { theta: 1e6, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &MixtralConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &MixtralConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            // transformers 5 calls the place as it does in other models.
            let renamed = layer.at("mlp.gate.weight").stands();
            let place = if renamed { "mlp" } else { "block_sparse_moe" };
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| layer.mixture(x, place, EXPERTS, &config.mixture))
        })
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &MixtralConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let scalar = config.decoder.sizes.head_dim as f64;
    let qkv = layer.rotated(x, angles, false);
    layer.attend(qkv, nn::attention_attrs(scalar, config.window), false)
}
