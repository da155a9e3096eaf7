//! DeepSeek V2: latent attention whose neighbouring columns are turned together, and in all but the
//! first layers experts with softmax scores, which may be limited to the best groups, beside shared
//! ones.
//!
//! Reference: `transformers/models/deepseek_v2/modeling_deepseek_v2.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/deepseek_v2*/`.

use tyto_graph::RopeTable;

use crate::config::Fields;
use crate::decoder::{Decoder, TIED_HEAD};
use crate::error::Error;
use crate::experts::{
    Divisor, ROUTED_FIELDS, Routed, Router, Score, accept, groups, sparse_layers,
};
use crate::latent::{self, Latent};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct DeepseekV2Config {
    decoder: Decoder,
    latent: Latent,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
}

/// The architecture.
pub struct DeepseekV2;

impl Model for DeepseekV2 {
    type Config = DeepseekV2Config;

    const NAME: &'static str = "deepseek_v2";
    const ARCHITECTURES: &'static [&'static str] = &["DeepseekV2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["deepseek_v2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<DeepseekV2Config, Error> {
        let decoder = latent::decoder(fields)?;
        let always = [
            ("norm_topk_prob", "false"),
            ("scoring_func", "softmax"),
            ("moe_layer_freq", "1"),
            ("mlp_bias", "false"),
        ];
        accept(fields, &always, &["ep_size", "aux_loss_alpha", "seq_aux"])?;
        let mut routed = Routed::read(fields, ROUTED_FIELDS, decoder.activation, |experts| {
            Ok(Router {
                score: Score::Softmax,
                divisor: Divisor::One,
                groups: limit(fields, experts)?,
                factor: fields.optional_positive("routed_scaling_factor")?.unwrap_or(1.0),
            })
        })?;
        routed.corrections = &[];
        Ok(DeepseekV2Config {
            latent: Latent::read(fields, &decoder, None, true)?,
            routed,
            sparse: sparse_layers(fields, decoder.sizes.layers, 0)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &DeepseekV2Config) -> Outline {
        config.latent.outline(&config.decoder, config.rope.needs_length())
    }

    fn forward<'t>(config: &DeepseekV2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| config.latent.attend(layer, step, x, Some(angles));
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// The groups that `topk_method` limits the choice to, compared by their best expert.
fn limit(fields: &Fields<'_>, experts: usize) -> Result<Option<tyto_graph::Groups>, Error> {
    let groups = groups(fields, experts, 1)?;
    match fields.text("topk_method")? {
        None | Some("greedy") => Ok(None),
        Some("group_limited_greedy") => Ok(groups),
        Some(_) => Err(fields.wrong("topk_method", "greedy or group_limited_greedy")),
    }
}
