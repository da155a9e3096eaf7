//! Arcee's Trinity: norms before and after each half of a block, layers with a window that turn
//! queries and keys and layers without that do not, a gate on what attention gives, and in all but the
//! first layers experts with logistic scores beside shared ones.
//!
//! Reference: `transformers/models/afmoe/modeling_afmoe.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/afmoe/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Divisor, Routed, RoutedFields, Router, Score, accept, groups};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

const FIELDS: RoutedFields = RoutedFields {
    experts: "num_experts",
    chosen: "num_experts_per_tok",
    shared: "num_shared_experts",
};

const NORMS: [&str; 4] =
    ["input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm"];

/// The part of `config.json` that this model reads.
pub struct AfmoeConfig {
    decoder: Decoder,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    routed: Routed,
    /// Layers without experts, from the first on.
    dense: usize,
    /// Whether the embedding is multiplied with the root of its width.
    scaled: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Afmoe;

impl Model for Afmoe {
    type Config = AfmoeConfig;

    const NAME: &'static str = "afmoe";
    const ARCHITECTURES: &'static [&'static str] = &["AfmoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["afmoe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<AfmoeConfig, Error> {
        let sizes = SizeDefaults { head_dim: Some(128), kv_heads: true };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let always = [
            ("score_func", "sigmoid"),
            ("route_norm", "true"),
            ("num_limited_groups", "1"),
            ("num_expert_groups", "1"),
            ("attention_bias", "false"),
        ];
        accept(fields, &always, &["load_balance_coeff", "use_grouped_mm"])?;
        let mut routed = Routed::read(fields, FIELDS, decoder.activation, |experts| {
            if groups(fields, experts, 1)?.is_some() {
                return Err(fields.wrong("n_group", "1"));
            }
            Ok(Router {
                score: Score::Logistic,
                divisor: Divisor::Sum(1e-20),
                groups: None,
                factor: fields.optional_positive("route_scale")?.unwrap_or(1.0),
            })
        })?;
        (routed.gate, routed.corrections) = ("router.gate", &["expert_bias"]);
        Ok(AfmoeConfig {
            windows: windows(fields, decoder.sizes.layers)?,
            routed,
            dense: fields.optional_count("num_dense_layers", 1 << 12)?.unwrap_or(1),
            scaled: fields.flag("mup_enabled", false)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &AfmoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &AfmoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (decoder, angles) = (&config.decoder, step.angles(&config.rope));
        let x = decoder.embed(&w, step);
        let x = match config.scaled {
            true => x.scale((decoder.sizes.hidden as f64).sqrt()),
            false => x,
        };
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.sandwich(x, NORMS, attention, |x| match layer.index < config.dense {
                true => layer.gated_mlp(x, false),
                false => config.routed.apply(layer, x, "mlp"),
            })
        });
        decoder.head(&w, step, x)
    }
}

/// The window of each layer: without `layer_types`, all but every `global_attn_every_n_layers`th
/// have it.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let every = fields.optional_size("global_attn_every_n_layers", 1 << 12)?.unwrap_or(4);
    // With a null window it would be lost which layers turn.
    if fields.get("sliding_window").is_none() {
        return Err(fields.missing("sliding_window", "a size of at least 1"));
    }
    let window = config::window(fields, 1024)?;
    config::layer_windows(fields, layers, window, |layer| !(layer + 1).is_multiple_of(every))
}

/// Grouped-query attention; each head of queries and keys is normalized.
fn attention<'t>(
    config: &AfmoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, head_dim, .. } = config.decoder.sizes;
    let window = config.windows[layer.index];
    let qkv = layer.normed_turned(x, window.map(|_| angles), false);
    let gate = nn::linear(x, layer.at("self_attn.gate_proj"), heads * head_dim);
    layer.attend_gated(qkv, nn::attention_attrs(head_dim as f64, window), gate)
}
