//! Ministral 3: Mistral whose turned queries grow with their position, by a step for every length that
//! the rotary embedding was made for.
//!
//! Reference: `transformers/models/ministral3/modeling_ministral3.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/ministral3/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Growth, TIED_OR_INSIDE};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Ministral3Config {
    decoder: Decoder,
    window: Option<usize>,
    growth: Growth,
    rope: RopeTable,
}

/// The architecture.
pub struct Ministral3;

impl Model for Ministral3 {
    type Config = Ministral3Config;

    const NAME: &'static str = "ministral3";
    const ARCHITECTURES: &'static [&'static str] =
        &["Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"];
    const MODEL_TYPES: &'static [&'static str] = &["ministral3"];
    // Published files hold it inside a model that sees.
    const WEIGHTS: &'static [WeightRule] = TIED_OR_INSIDE;

    fn config(fields: &Fields<'_>) -> Result<Ministral3Config, Error> {
        config::of_text(fields, Self::NAME, false, read)
    }

    fn outline(config: &Ministral3Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Ministral3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (angles, growth) = (step.angles(&config.rope), config.growth.at(step));
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, config.window);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| {
                let [q, k, v] = layer.rotated(x, angles, false);
                layer.attend([q.scale_tokens(growth), k, v], attrs, false)
            };
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}

/// The text model's own fields; `tied` is what they mean where they do not say.
fn read(fields: &Fields<'_>, tied: bool) -> Result<Ministral3Config, Error> {
    let sizes = SizeDefaults { kv_heads: true, head_dim: Some(128) };
    let decoder = Decoder::read(fields, Defaults { sizes, tied, ..Defaults::default() })?;
    let plain = RopeRules::plain(Ministral3::NAME, &decoder.sizes);
    let own = &["llama_4_scaling_beta", "max_position_embeddings"];
    Ok(Ministral3Config {
        window: fields.optional_size("sliding_window", 1 << 30)?,
        growth: growth(fields)?,
        rope: rope::read_said(fields, RopeRules { own, ..plain })?,
        decoder,
    })
}

/// How queries grow.
fn growth(fields: &Fields<'_>) -> Result<Growth, Error> {
    let name = "rope_parameters";
    let object = fields.object(name)?.ok_or_else(|| fields.missing(name, "an object"))?;
    Ok(Growth {
        beta: object.positive("llama_4_scaling_beta")?,
        length: object.size("original_max_position_embeddings", 1 << 30)?,
        ahead: 0,
    })
}
