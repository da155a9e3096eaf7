//! Jais 2: Llama with layer norms and biases, and an MLP without a gate whose function is the square of
//! the larger of x and 0.
//!
//! Reference: `transformers/models/jais2/modeling_jais2.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/jais2/`.

use crate::classic::{Classic, LayerNorm, Turning};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::Activation;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Jais2;

impl Model for Jais2 {
    type Config = Turning;

    const NAME: &'static str = "jais2";
    const ARCHITECTURES: &'static [&'static str] = &["Jais2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["jais2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Turning, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        Ok(Turning {
            attention_bias: fields.flag("attention_bias", true)?,
            mlp_bias: fields.flag("mlp_bias", true)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("layer_norm_eps")?),
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
