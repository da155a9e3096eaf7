//! GLM 4 of 2025: GLM with norms after each half of a block as well.
//!
//! Reference: `transformers/models/glm4/modeling_glm4.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/glm4/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The norms of a block, in the order in which they are met.
const NORMS: [&str; 4] = [
    "input_layernorm",
    "post_self_attn_layernorm",
    "post_attention_layernorm",
    "post_mlp_layernorm",
];

/// The part of `config.json` that this model reads.
pub struct Glm4Config {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Glm4;

impl Model for Glm4 {
    type Config = Glm4Config;

    const NAME: &'static str = "glm4";
    const ARCHITECTURES: &'static [&'static str] = &["Glm4ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["glm4"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Glm4Config, Error> {
        let sizes = SizeDefaults { kv_heads: false, head_dim: Some(128) };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Glm4Config {
            attention_bias: fields.flag("attention_bias", true)?,
            rope: rope::read(fields, RopeRules { partial: true, factor: 0.5, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &Glm4Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Glm4Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let attention =
                |x| layer.attend(layer.rotated_neighbours(x, angles, bias), attrs, false);
            layer.sandwich(x, NORMS, attention, |x| layer.joined_gated_mlp(x))
        })
    }
}
