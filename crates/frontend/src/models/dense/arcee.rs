//! Arcee (AFM): Llama with an MLP without a gate, of squared rectified units.
//!
//! Reference: `transformers/models/arcee/modeling_arcee.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/arcee/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct ArceeConfig {
    decoder: Decoder,
    attention_bias: bool,
    mlp_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Arcee;

impl Model for Arcee {
    type Config = ArceeConfig;

    const NAME: &'static str = "arcee";
    const ARCHITECTURES: &'static [&'static str] = &["ArceeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["arcee"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<ArceeConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let activation = ("hidden_act", Activation::ReluSquared);
        let defaults = Defaults { sizes, activation, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        Ok(ArceeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &ArceeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &ArceeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| layer.attend(layer.rotated(x, angles, bias), attrs, bias);
            let names = ["up_proj", "down_proj"];
            layer.pre_norm(x, attention, |x| layer.ungated_mlp(x, names, config.mlp_bias))
        })
    }
}
