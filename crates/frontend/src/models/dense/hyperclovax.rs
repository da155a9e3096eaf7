//! HyperCLOVA X SEED Think: Granite whose logits are multiplied, and whose halves of a block are
//! normalized once more behind.
//!
//! Reference: `transformers/models/hyperclovax/modeling_hyperclovax.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/hyperclovax/`.

use tyto_graph::{AttentionAttrs, RopeTable};

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::recurrent::scaled;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct HyperclovaxConfig {
    decoder: Decoder,
    attention_bias: bool,
    mlp_bias: bool,
    /// What multiplies the embedding, scores, what each half adds, and logits.
    by: [f64; 4],
    rope: RopeTable,
}

/// The architecture.
pub struct Hyperclovax;

impl Model for Hyperclovax {
    type Config = HyperclovaxConfig;

    const NAME: &'static str = "hyperclovax";
    const ARCHITECTURES: &'static [&'static str] = &["HyperCLOVAXForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["hyperclovax"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<HyperclovaxConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        // What is meant where it is absent differs from release to release.
        if !fields.flag("use_post_norm", false)? {
            return Err(fields.wrong("use_post_norm", "true"));
        }
        let number =
            |name, default| Ok::<f64, Error>(fields.optional_positive(name)?.unwrap_or(default));
        Ok(HyperclovaxConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            by: [
                number("embedding_multiplier", 1.0)?,
                number("attention_multiplier", (decoder.sizes.head_dim as f64).powf(-0.5))?,
                number("residual_multiplier", 1.0)?,
                number("logits_scaling", 1.0)?,
            ],
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &HyperclovaxConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &HyperclovaxConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let HyperclovaxConfig { decoder, attention_bias: bias, mlp_bias, by, .. } = config;
        let angles = step.angles(&config.rope);
        let attrs = AttentionAttrs { scale: by[1] as f32, ..nn::attention_attrs(1.0, None) };
        let x = scaled(decoder.embed(&w, step), by[0]);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention = |x| {
                let qkv = layer.rotated(x, angles, *bias);
                config.behind(layer, layer.attend(qkv, attrs, *bias), "post_norm1")
            };
            let mlp = |x| config.behind(layer, layer.gated_mlp(x, *mlp_bias), "post_norm2");
            layer.pre_norm(x, attention, mlp)
        });
        scaled(decoder.head(&w, step, x), by[3])
    }
}

impl HyperclovaxConfig {
    /// What a half of a block adds to the stream.
    #[track_caller]
    fn behind<'t>(&self, layer: &Layer<'_, 't>, x: Tensor<'t>, norm: &str) -> Tensor<'t> {
        scaled(layer.norm(x, norm), self.by[2])
    }
}
