//! GLM 4 of 2024: Llama whose rotary embedding turns neighbours in half of a head, with gate and up
//! from one matrix.
//!
//! Reference: `transformers/models/glm/modeling_glm.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/glm/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GlmConfig {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Glm;

impl Model for Glm {
    type Config = GlmConfig;

    const NAME: &'static str = "glm";
    const ARCHITECTURES: &'static [&'static str] = &["GlmForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["glm"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<GlmConfig, Error> {
        let sizes = SizeDefaults { kv_heads: false, head_dim: Some(128) };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(GlmConfig {
            attention_bias: fields.flag("attention_bias", true)?,
            rope: rope::read(fields, RopeRules { partial: true, factor: 0.5, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &GlmConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GlmConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let attention =
                |x| layer.attend(layer.rotated_neighbours(x, angles, bias), attrs, false);
            layer.pre_norm(x, attention, |x| layer.joined_gated_mlp(x))
        })
    }
}
