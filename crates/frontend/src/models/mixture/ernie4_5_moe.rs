//! ERNIE 4.5 with a mixture of experts: neighbouring values of a head are turned together, and
//! experts are chosen by corrected probabilities, beside shared ones, in some of the layers.
//!
//! Reference: `transformers/models/ernie4_5_moe/modeling_ernie4_5_moe.py`. `tools/oracle` runs it on a
//! tiny random checkpoint to make `tests/oracle/ernie4_5_moe/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Divisor, Routed, RoutedFields, Router, Score, accept};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

const FIELDS: RoutedFields =
    RoutedFields { experts: "moe_num_experts", chosen: "moe_k", shared: "moe_num_shared_experts" };

/// The part of `config.json` that this model reads.
pub struct Ernie45MoeConfig {
    decoder: Decoder,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
}

/// The architecture.
pub struct Ernie45Moe;

impl Model for Ernie45Moe {
    type Config = Ernie45MoeConfig;

    const NAME: &'static str = "ernie4_5_moe";
    const ARCHITECTURES: &'static [&'static str] =
        &["Ernie4_5_MoeForCausalLM", "Ernie4_5_MoEForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["ernie4_5_moe"];
    // What predicts further tokens is not part of the model proper.
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::IgnoreBelow("model.mtp_block"),
        WeightRule::IgnoreBelow("model.mtp_emb_norm"),
        WeightRule::IgnoreBelow("model.mtp_hidden_norm"),
        WeightRule::IgnoreBelow("model.mtp_linear_proj"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Ernie45MoeConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let defaults = Defaults { sizes, tied: true, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        let always = [("use_bias", "false"), ("moe_gate", "topk"), ("moe_use_aux_free", "true")];
        let further = ["num_nextn_predict_layers", "moe_capacity", "moe_gate_act"];
        accept(fields, &always, &further)?;
        let mut routed = Routed::read(fields, FIELDS, decoder.activation, |_| {
            let least = fields.optional_positive("moe_norm_min")?.unwrap_or(1e-12);
            let divisor = Divisor::SumAtLeast(least);
            Ok(Router { score: Score::Softmax, divisor, groups: None, factor: 1.0 })
        })?;
        routed.as_row = true;
        routed.corrections =
            &["gate.moe_statics.e_score_correction_bias", "moe_statics.e_score_correction_bias"];
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Ernie45MoeConfig {
            routed,
            sparse: sparse(fields, decoder.sizes.layers)?,
            rope: rope::read(fields, RopeRules { theta: 500_000.0, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &Ernie45MoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Ernie45MoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| {
                let qkv = layer.rotated_neighbours(x, angles, false);
                layer.attend(qkv, attrs, false)
            };
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// Whether each layer has experts: every `moe_layer_interval`th from `moe_layer_start_index` to
/// `moe_layer_end_index`, which is -1 for the last.
fn sparse(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let interval = fields.optional_size("moe_layer_interval", 1 << 12)?.unwrap_or(1);
    let start = fields.optional_count("moe_layer_start_index", 1 << 12)?.unwrap_or(1);
    let name = "moe_layer_end_index";
    let end = match fields.get(name).and_then(serde_json::Value::as_i64) {
        Some(-1) => layers - 1,
        _ => fields.optional_count(name, 1 << 12)?.unwrap_or(layers - 1),
    };
    let holds =
        |layer: usize| (layer + 1).is_multiple_of(interval) && (start..=end).contains(&layer);
    Ok((0..layers).map(holds).collect())
}
