//! Gemma: Llama with weights of norms stored less one, a scaled embedding, and GELU in the MLP.
//!
//! Reference: `transformers/models/gemma/modeling_gemma.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/gemma/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GemmaConfig {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Gemma;

impl Model for Gemma {
    type Config = GemmaConfig;

    const NAME: &'static str = "gemma";
    const ARCHITECTURES: &'static [&'static str] = &["GemmaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gemma"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<GemmaConfig, Error> {
        let defaults = Defaults {
            sizes: SizeDefaults { head_dim: Some(256), kv_heads: false },
            activation: ("hidden_activation", Activation::GeluTanh),
            tied: true,
            norm_offset: 1.0,
        };
        let decoder = Decoder::read(fields, defaults)?;
        gelu(fields)?;
        Ok(GemmaConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &GemmaConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GemmaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let decoder = &config.decoder;
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let attrs = nn::attention_attrs(decoder.sizes.head_dim as f64, None);
        let x = decoder.embed_scaled(&w, step);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention = |x| layer.attend(layer.rotated(x, angles, bias), attrs, bias);
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false))
        });
        decoder.head(&w, step, x)
    }
}

/// `hidden_act`: the first files call the hyperbolic-tangent form plainly `gelu`.
fn gelu(fields: &Fields<'_>) -> Result<(), Error> {
    match fields.text("hidden_act")? {
        None | Some("gelu" | "gelu_pytorch_tanh") => Ok(()),
        Some(_) => Err(fields.wrong("hidden_act", "gelu or gelu_pytorch_tanh")),
    }
}
