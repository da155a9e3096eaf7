//! Youtu-LLM: latent attention with plain MLPs.
//!
//! Reference: `transformers/models/youtu/modeling_youtu.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/youtu/`.

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
pub struct YoutuConfig {
    decoder: Decoder,
    latent: Latent,
    rope: RopeTable,
}

/// The architecture.
pub struct Youtu;

impl Model for Youtu {
    type Config = YoutuConfig;

    const NAME: &'static str = "youtu";
    const ARCHITECTURES: &'static [&'static str] = &["YoutuForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["youtu", "youtu_llm"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<YoutuConfig, Error> {
        let decoder = latent::decoder_tied(fields)?;
        accept(fields, &[("mlp_bias", "false")], &["embedding_initializer_range"])?;
        let pairs = fields.flag("rope_interleave", true)?;
        Ok(YoutuConfig {
            latent: Latent::read(fields, &decoder, None, pairs)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &YoutuConfig) -> Outline {
        config.latent.outline(&config.decoder, config.rope.needs_length())
    }

    fn forward<'t>(config: &YoutuConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| config.latent.attend(layer, step, x, Some(angles));
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}
