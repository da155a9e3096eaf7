//! Nemotron and Minitron: layer norms whose weights are stored less one, an MLP without a gate whose
//! function is the square of the larger of x and 0, and half of each head turned.
//!
//! Reference: `transformers/models/nemotron/modeling_nemotron.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/nemotron/`.

use crate::classic::{Classic, LayerNorm, Turning};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::Activation;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Nemotron;

impl Model for Nemotron {
    type Config = Turning;

    const NAME: &'static str = "nemotron";
    const ARCHITECTURES: &'static [&'static str] = &["NemotronForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["nemotron"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Turning, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        // Published files have the share under two older names as well.
        let factor = fields.optional_positive("rope_percent")?;
        let factor = fields.optional_positive("partial_rotary_percent")?.or(factor).unwrap_or(0.5);
        let plain = RopeRules::plain(Self::NAME, &sizes);
        let norm = LayerNorm::full(fields.positive("norm_eps")?);
        Ok(Turning {
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            rope: rope::read(fields, RopeRules { factor, partial: true, ..plain })?,
            model: Classic {
                norm: LayerNorm { weight: Some(1.0), ..norm },
                activation: Activation::read(fields, "hidden_act", Activation::ReluSquared)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &Turning) -> Outline {
        config.outline()
    }

    fn forward<'t>(config: &Turning, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        config.forward(w, step)
    }
}
