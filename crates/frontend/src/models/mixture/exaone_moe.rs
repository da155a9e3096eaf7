//! K-EXAONE: queries and keys normalized a head at a time and turned only in layers with a window,
//! and in all but the first layers experts with logistic scores beside a shared one.
//!
//! Reference: `transformers/models/exaone_moe/modeling_exaone_moe.py`. `tools/oracle` runs it on a
//! tiny random checkpoint to make `tests/oracle/exaone_moe/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Routed, RoutedFields, Router, accept, sparse_layers};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

const FIELDS: RoutedFields = RoutedFields {
    experts: "num_experts",
    chosen: "num_experts_per_tok",
    shared: "num_shared_experts",
};

/// The part of `config.json` that this model reads.
pub struct ExaoneMoeConfig {
    decoder: Decoder,
    /// Whether any layer has a window: without, all layers turn.
    slides: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
}

/// The architecture.
pub struct ExaoneMoe;

impl Model for ExaoneMoe {
    type Config = ExaoneMoeConfig;

    const NAME: &'static str = "exaone_moe";
    const ARCHITECTURES: &'static [&'static str] = &["ExaoneMoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["exaone_moe"];
    // What predicts further tokens is not part of the model proper.
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD, WeightRule::IgnoreBelow("mtp")];

    fn config(fields: &Fields<'_>) -> Result<ExaoneMoeConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let always = [("scoring_func", "sigmoid"), ("topk_method", "noaux_tc")];
        // The last says again which layers have experts.
        let further = ["num_nextn_predict_layers", "mtp_loss_scaling_factor", "is_moe_layer"];
        accept(fields, &always, &further)?;
        let (window, windows) = windows(fields, decoder.sizes.layers)?;
        let mut routed = Routed::read(fields, FIELDS, decoder.activation, |experts| {
            let router = Router::logistic(fields, experts, true)?;
            let factor = fields.optional_positive("routed_scaling_factor")?.unwrap_or(2.5);
            Ok(Router { factor, ..router })
        })?;
        routed.corrections = &["gate.e_score_correction_bias", "e_score_correction_bias"];
        Ok(ExaoneMoeConfig {
            slides: window.is_some(),
            windows,
            routed,
            sparse: sparse_layers(fields, decoder.sizes.layers, 1)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &ExaoneMoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &ExaoneMoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// The window, and which layers have it: without `layer_types`, all but every
/// `sliding_window_pattern`th.
fn windows(
    fields: &Fields<'_>,
    layers: usize,
) -> Result<(Option<usize>, Vec<Option<usize>>), Error> {
    let window = config::window(fields, 4096)?;
    let name = "sliding_window_pattern";
    let pattern = match fields.get(name).is_some_and(serde_json::Value::is_string) {
        // Letters of layers, which the list spells out.
        true if fields.stands("layer_types") => 4,
        _ => fields.optional_size(name, 1 << 12)?.unwrap_or(4),
    };
    let slides = |layer: usize| !(layer + 1).is_multiple_of(pattern);
    Ok((window, config::layer_windows(fields, layers, window, slides)?))
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &ExaoneMoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let window = config.windows[layer.index];
    let turns = !config.slides || window.is_some();
    let qkv = layer.normed_turned(x, turns.then_some(angles), false);
    let scalar = config.decoder.sizes.head_dim as f64;
    layer.attend(qkv, nn::attention_attrs(scalar, window), false)
}
