//! Ministral 3: Mistral whose turned queries grow with their position, by a step for every length that
//! the rotary embedding was made for.
//!
//! Reference: `transformers/models/ministral3/modeling_ministral3.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/ministral3/`.

use tyto_graph::{DType, RopeTable, Unary};

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
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
    const ARCHITECTURES: &'static [&'static str] = &["Ministral3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["ministral3"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Ministral3Config, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: Some(128) };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        let own = &["llama_4_scaling_beta", "max_position_embeddings"];
        Ok(Ministral3Config {
            window: fields.optional_size("sliding_window", 1 << 30)?,
            growth: Growth::read(fields)?,
            rope: rope::read_said(fields, RopeRules { own, ..plain })?,
            decoder,
        })
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

/// How queries grow: `1 + beta × ln(1 + floor(position / length))`.
struct Growth {
    beta: f64,
    length: usize,
}

impl Growth {
    fn read(fields: &Fields<'_>) -> Result<Self, Error> {
        let name = "rope_parameters";
        let object = fields.object(name)?.ok_or_else(|| fields.missing(name, "an object"))?;
        Ok(Self {
            beta: object.positive("llama_4_scaling_beta")?,
            length: object.size("original_max_position_embeddings", 1 << 30)?,
        })
    }

    /// One number for each token.
    fn at<'t>(&self, step: &Step<'t>) -> Tensor<'t> {
        // Padding has negative positions, of which nothing is read.
        let rounds = step.positions.divide(self.length as f64).convert(DType::F32);
        let log = (rounds + rounds.splat(1.0)).unary(Unary::Log);
        log.scale(self.beta) + log.splat(1.0)
    }
}
