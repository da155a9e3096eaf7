//! MiniMax M2: all query heads, and all key heads, normalized as one vector, of which a part is
//! turned; experts with logistic scores in every layer.
//!
//! Reference: `transformers/models/minimax_m2/modeling_minimax_m2.py`. `tools/oracle` runs it on a
//! tiny random checkpoint to make `tests/oracle/minimax_m2/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Divisor, Mixture, Routed, Router, Score, Weighing, accept};
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct MiniMaxM2Config {
    decoder: Decoder,
    routed: Routed,
    rope: RopeTable,
}

/// The architecture.
pub struct MiniMaxM2;

impl Model for MiniMaxM2 {
    type Config = MiniMaxM2Config;

    const NAME: &'static str = "minimax_m2";
    const ARCHITECTURES: &'static [&'static str] = &["MiniMaxM2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["minimax_m2"];
    // What predicts further tokens is not part of the model proper.
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD, WeightRule::IgnoreBelow("model.mtp")];

    fn config(fields: &Fields<'_>) -> Result<MiniMaxM2Config, Error> {
        let sizes = SizeDefaults { head_dim: Some(128), kv_heads: false };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let always = [
            ("scoring_func", "sigmoid"),
            ("use_qk_norm", "true"),
            ("qk_norm_type", "per_layer"),
            ("use_routing_bias", "true"),
            ("shared_intermediate_size", "0"),
        ];
        let further = ["use_mtp", "num_mtp_modules", "mtp_transformer_layers", "attn_type_list"];
        accept(fields, &always, &further)?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        let rules = RopeRules { theta: 5e6, ..plain }.with_rotary_dim(fields)?;
        Ok(MiniMaxM2Config {
            routed: routed(fields, &decoder)?,
            rope: rope::read(fields, rules)?,
            decoder,
        })
    }

    fn outline(config: &MiniMaxM2Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &MiniMaxM2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            // transformers 5 calls the place as it does in other models.
            let renamed = layer.at("mlp.gate.weight").stands();
            let place = if renamed { "mlp" } else { "block_sparse_moe" };
            let attention = |x| {
                let qkv = layer.jointly_normed_turned(x, Some(angles), false);
                layer.attend(qkv, attrs, false)
            };
            layer.pre_norm(x, attention, |x| config.routed.apply(layer, x, place))
        })
    }
}

/// The experts, under the names of the first publication of such mixtures.
fn routed(fields: &Fields<'_>, decoder: &Decoder) -> Result<Routed, Error> {
    let width = decoder.sizes.intermediate;
    let router =
        Router { score: Score::Logistic, divisor: Divisor::Sum(0.0), groups: None, factor: 1.0 };
    Ok(Routed {
        mixture: Mixture::read(fields, width, Some(Weighing::OfAll))?,
        router,
        activation: decoder.activation,
        names: MlpNames { gate: "w1", up: "w3", down: "w2" },
        gate: "gate",
        corrections: &["e_score_correction_bias"],
        as_row: false,
        shared: None,
    })
}
