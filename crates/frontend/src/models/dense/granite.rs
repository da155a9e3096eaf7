//! Granite 3: Llama with constants that multiply the embedding, the scores, what each half of a block
//! adds, and divide the logits.
//!
//! Reference: `transformers/models/granite/modeling_granite.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/granite/`.

use tyto_graph::{AttentionAttrs, RopeTable};

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GraniteConfig {
    decoder: Decoder,
    attention_bias: bool,
    mlp_bias: bool,
    multipliers: Multipliers,
    rope: RopeTable,
}

/// The architecture.
pub struct Granite;

impl Model for Granite {
    type Config = GraniteConfig;

    const NAME: &'static str = "granite";
    const ARCHITECTURES: &'static [&'static str] = &["GraniteForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["granite"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<GraniteConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        Ok(GraniteConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            multipliers: Multipliers::read(fields)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &GraniteConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GraniteConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (decoder, by) = (&config.decoder, &config.multipliers);
        let (angles, bias) = (step.angles(&config.rope), config.attention_bias);
        let x = decoder.embed(&w, step).scale(by.embedding);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention = |x| {
                let qkv = layer.rotated(x, angles, bias);
                layer.attend(qkv, by.attention(), bias).scale(by.residual)
            };
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, config.mlp_bias).scale(by.residual))
        });
        decoder.head(&w, step, x).scale(1.0 / by.logits)
    }
}

/// The constants; each is 1 where no field says it.
struct Multipliers {
    embedding: f64,
    scores: f64,
    residual: f64,
    /// Logits are divided by it.
    logits: f64,
}

impl Multipliers {
    fn read(fields: &Fields<'_>) -> Result<Self, Error> {
        let of = |name| Ok::<f64, Error>(fields.optional_positive(name)?.unwrap_or(1.0));
        Ok(Self {
            embedding: of("embedding_multiplier")?,
            scores: of("attention_multiplier")?,
            residual: of("residual_multiplier")?,
            logits: of("logits_scaling")?,
        })
    }

    fn attention(&self) -> AttentionAttrs {
        AttentionAttrs { scale: self.scores as f32, ..nn::attention_attrs(1.0, None) }
    }
}
