//! Solar Open: Llama's attention, and in every layer experts with logistic scores beside a shared
//! one.
//!
//! Reference: `transformers/models/solar_open/modeling_solar_open.py`. `tools/oracle` runs it on a
//! tiny random checkpoint to make `tests/oracle/solar_open/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::experts::{ROUTED_FIELDS, Routed, Router, accept};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct SolarOpenConfig {
    decoder: Decoder,
    attention_bias: bool,
    routed: Routed,
    rope: RopeTable,
}

/// The architecture.
pub struct SolarOpen;

impl Model for SolarOpen {
    type Config = SolarOpenConfig;

    const NAME: &'static str = "solar_open";
    const ARCHITECTURES: &'static [&'static str] = &["SolarOpenForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["solar_open"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<SolarOpenConfig, Error> {
        let sizes = SizeDefaults { head_dim: Some(128), kv_heads: false };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        // Published files have them from the family that this one comes from.
        let always = [("first_k_dense_replace", "0"), ("use_qk_norm", "false")];
        accept(fields, &always, &["num_nextn_predict_layers"])?;
        let router = |experts| Router::logistic(fields, experts, true);
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(SolarOpenConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            routed: Routed::read(fields, ROUTED_FIELDS, decoder.activation, router)?,
            rope: rope::read(fields, RopeRules { theta: 1e6, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &SolarOpenConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &SolarOpenConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| {
                let qkv = layer.rotated(x, angles, config.attention_bias);
                layer.attend(qkv, attrs, false)
            };
            layer.pre_norm(x, attention, |x| config.routed.apply(layer, x, "mlp"))
        })
    }
}
