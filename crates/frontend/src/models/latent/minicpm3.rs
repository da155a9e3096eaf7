//! MiniCPM 3: latent attention whose columns are turned in halves, plain MLPs, and constants that
//! multiply the embedding and what each half of a block adds, and divide what the head reads.
//!
//! Reference: `transformers/models/minicpm3/modeling_minicpm3.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/minicpm3/`.

use tyto_graph::RopeTable;

use crate::config::Fields;
use crate::decoder::{Decoder, TIED_HEAD};
use crate::error::Error;
use crate::experts::accept;
use crate::latent::{self, Latent};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct MiniCpm3Config {
    decoder: Decoder,
    latent: Latent,
    embedding: f64,
    residual: f64,
    /// Divides what the head reads.
    head: f64,
    rope: RopeTable,
}

/// The architecture.
pub struct MiniCpm3;

impl Model for MiniCpm3 {
    type Config = MiniCpm3Config;

    const NAME: &'static str = "minicpm3";
    const ARCHITECTURES: &'static [&'static str] = &["MiniCPM3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["minicpm3"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<MiniCpm3Config, Error> {
        let decoder = latent::decoder_tied(fields)?;
        accept(fields, &[("mlp_bias", "false")], &[])?;
        let layers = decoder.sizes.layers as f64;
        let (hidden, heads) = (decoder.sizes.hidden, decoder.sizes.heads);
        let base = fields.optional_positive("dim_model_base")?;
        Ok(MiniCpm3Config {
            latent: Latent::read(fields, &decoder, Some(hidden / heads), false)?,
            embedding: fields.optional_positive("scale_emb")?.unwrap_or(12.0),
            residual: fields.optional_positive("scale_depth")?.unwrap_or(1.4) / layers.sqrt(),
            head: hidden as f64 / base.unwrap_or(256.0),
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &MiniCpm3Config) -> Outline {
        config.latent.outline(&config.decoder, config.rope.needs_length())
    }

    fn forward<'t>(config: &MiniCpm3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (decoder, angles) = (&config.decoder, step.angles(&config.rope));
        let x = decoder.embed(&w, step).scale(config.embedding);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention =
                |x| config.latent.attend(layer, step, x, Some(angles)).scale(config.residual);
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false).scale(config.residual))
        });
        // Dividing what the head reads divides what it gives.
        decoder.head(&w, step, x).scale(1.0 / config.head)
    }
}
