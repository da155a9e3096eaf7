//! LFM 2 with experts: all but the first layers choose some of many MLPs by corrected logistic scores.
//!
//! Reference: `transformers/models/lfm2_moe/modeling_lfm2_moe.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/lfm2_moe/`.

use super::lfm2::{self, Lfm2, Lfm2Config};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::experts::{Divisor, Mixture, Routed, Router, Score, Weighing};
use crate::nn::Activation;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct Lfm2Moe;

impl Model for Lfm2Moe {
    type Config = Lfm2Config;

    const NAME: &'static str = "lfm2_moe";
    const ARCHITECTURES: &'static [&'static str] = &["Lfm2MoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["lfm2_moe"];
    const WEIGHTS: &'static [WeightRule] = Lfm2::WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<Lfm2Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { head_dim: None, kv_heads: false })?;
        if fields.get("layer_types").is_none() && fields.get("full_attn_idxs").is_none() {
            return Err(fields.missing("layer_types", "the kind of each layer"));
        }
        let plain = RopeRules::plain(Self::NAME, &sizes);
        let dense = fields.optional_count("num_dense_layers", 1 << 12)?.unwrap_or(2);
        Ok(Lfm2Config {
            attends: lfm2::attends(fields, sizes.layers)?,
            conv: lfm2::conv(fields, sizes.hidden)?,
            routed: Some((dense, routed(fields)?)),
            rope: rope::read(fields, RopeRules { theta: 1e6, ..plain })?,
            trunk: lfm2::trunk(fields, sizes)?,
        })
    }

    fn outline(config: &Lfm2Config) -> Outline {
        Lfm2::outline(config)
    }

    fn forward<'t>(config: &Lfm2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        Lfm2::forward(config, w, step)
    }
}

fn routed(fields: &Fields<'_>) -> Result<Routed, Error> {
    let width = fields.size("moe_intermediate_size", 1 << 22)?;
    let normalized = fields.flag("norm_topk_prob", true)?;
    let corrected = fields.flag("use_expert_bias", true)?;
    Ok(Routed {
        mixture: Mixture::read(fields, width, Some(Weighing::OfAll))?,
        router: Router {
            score: Score::Logistic,
            divisor: if normalized { Divisor::Sum(1e-6) } else { Divisor::One },
            groups: None,
            factor: fields.optional_positive("routed_scaling_factor")?.unwrap_or(1.0),
        },
        activation: Activation::Silu,
        names: lfm2::NAMES,
        gate: "gate",
        corrections: if corrected { &["expert_bias"] } else { &[] },
        as_row: false,
        shared: None,
    })
}
