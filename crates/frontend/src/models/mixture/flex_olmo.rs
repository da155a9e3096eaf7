//! FlexOlmo: OLMo 2, which normalizes what comes out of each half of a block, with a mixture of
//! experts in place of the MLP.
//!
//! Reference: `transformers/models/flex_olmo/modeling_flex_olmo.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/flex_olmo/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::experts::Mixture;
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct FlexOlmoConfig {
    decoder: Decoder,
    attention_bias: bool,
    mixture: Mixture,
    rope: RopeTable,
}

/// The architecture.
pub struct FlexOlmo;

impl Model for FlexOlmo {
    type Config = FlexOlmoConfig;

    const NAME: &'static str = "flex_olmo";
    const ARCHITECTURES: &'static [&'static str] = &["FlexOlmoForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["flex_olmo"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<FlexOlmoConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(FlexOlmoConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mixture: Mixture::read(fields, decoder.sizes.intermediate, None)?,
            rope: rope::read(fields, RopeRules { theta: 500_000.0, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &FlexOlmoConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &FlexOlmoConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        let bias = config.attention_bias;
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| {
                let qkv = layer.jointly_normed_turned(x, Some(angles), bias);
                layer.attend(qkv, attrs, bias)
            };
            let names = MlpNames::default();
            layer.post_norm(x, attention, |x| layer.mixture(x, "mlp", names, &config.mixture))
        })
    }
}
