//! OLMo 2: norms of what comes out of each half of a block, none of what goes in, and all query
//! heads, and all key heads, normalized as one vector.
//!
//! Reference: `transformers/models/olmo2/modeling_olmo2.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/olmo2/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Olmo2Config {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Olmo2;

impl Model for Olmo2 {
    type Config = Olmo2Config;

    const NAME: &'static str = "olmo2";
    const ARCHITECTURES: &'static [&'static str] = &["Olmo2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["olmo2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Olmo2Config, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        Ok(Olmo2Config {
            attention_bias: fields.flag("attention_bias", false)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Olmo2Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Olmo2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let attention =
                |x| layer.attend(layer.jointly_normed_turned(x, Some(angles), bias), attrs, bias);
            layer.post_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}
