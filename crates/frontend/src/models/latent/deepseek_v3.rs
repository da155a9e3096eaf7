//! DeepSeek V3 and R1, and what has taken over their architecture (Kimi K2, GLM 4.7 Flash): latent
//! attention, and in all but the first layers experts with logistic scores, chosen from the best groups,
//! beside shared ones.
//!
//! Reference: `transformers/models/deepseek_v3/modeling_deepseek_v3.py` and `glm4_moe_lite`'s.
//! `tools/oracle` runs them on tiny random checkpoints to make `tests/oracle/deepseek_v3*/` and
//! `glm4_moe_lite/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, further_layers};
use crate::decoder::{Decoder, TIED_HEAD};
use crate::error::Error;
use crate::experts::{ROUTED_FIELDS, Routed, Router, accept, sparse_layers};
use crate::latent::{self, Latent};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct DeepseekV3Config {
    decoder: Decoder,
    latent: Latent,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
    /// Layers behind the last that predict further tokens.
    further: usize,
}

/// The architecture.
pub struct DeepseekV3;

impl Model for DeepseekV3 {
    type Config = DeepseekV3Config;

    const NAME: &'static str = "deepseek_v3";
    const ARCHITECTURES: &'static [&'static str] =
        &["DeepseekV3ForCausalLM", "Glm4MoeLiteForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["deepseek_v3", "glm4_moe_lite", "kimi_k2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<DeepseekV3Config, Error> {
        let decoder = latent::decoder(fields)?;
        let always = [
            ("scoring_func", "sigmoid"),
            ("topk_method", "noaux_tc"),
            ("moe_layer_freq", "1"),
            ("partial_rotary_factor", "1.0"),
        ];
        accept(fields, &always, &["ep_size", "aux_loss_alpha", "seq_aux"])?;
        // What is meant where they are absent differs from model to model.
        for name in ["routed_scaling_factor", "n_group"] {
            if fields.get(name).is_none() {
                return Err(fields.missing(name, "a number"));
            }
        }
        let router = |experts| Router::logistic(fields, experts, true);
        let pairs = fields.flag("rope_interleave", true)?;
        Ok(DeepseekV3Config {
            latent: Latent::read(fields, &decoder, None, pairs)?,
            routed: Routed::read(fields, ROUTED_FIELDS, decoder.activation, router)?,
            sparse: sparse(fields, decoder.sizes.layers)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            further: further_layers(fields)?,
            decoder,
        })
    }

    fn outline(config: &DeepseekV3Config) -> Outline {
        let outline = config.latent.outline(&config.decoder, config.rope.needs_length());
        Outline { further: config.further, ..outline }
    }

    fn forward<'t>(config: &DeepseekV3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
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

/// Whether each layer has experts; one of the fields that say it must be there.
fn sparse(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let name = "first_k_dense_replace";
    if fields.get(name).is_none() && fields.get("mlp_layer_types").is_none() {
        return Err(fields.missing(name, "a number, or mlp_layer_types"));
    }
    sparse_layers(fields, layers, 0)
}
