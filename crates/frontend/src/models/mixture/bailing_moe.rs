//! Ling 2.0 and Ring 2.0, and Sarvam, which stores the same: queries, keys and values in one matrix,
//! heads normalized before a part of them is turned, and in all but the first layers experts with
//! logistic scores, chosen from the best groups, beside shared ones.
//!
//! Reference: `transformers/models/sarvam_moe`, which computes it by `glm4_moe`'s model and reads the
//! files of both. `tools/oracle` runs it on a tiny random checkpoint to make
//! `tests/oracle/bailing_moe/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes, further_layers};
use crate::decoder::{Decoder, Defaults, Layer};
use crate::error::Error;
use crate::experts::{ROUTED_FIELDS, Routed, RoutedFields, Router, accept, sparse_layers};
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// As published files call them.
const FIELDS: RoutedFields = RoutedFields {
    experts: "num_experts",
    chosen: "num_experts_per_tok",
    shared: "num_shared_experts",
};

/// The part of `config.json` that this model reads.
pub struct BailingMoeConfig {
    decoder: Decoder,
    qkv_bias: bool,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    rope: RopeTable,
    /// Layers behind the last that predict further tokens.
    further: usize,
}

/// The architecture.
pub struct BailingMoe;

impl Model for BailingMoe {
    type Config = BailingMoeConfig;

    const NAME: &'static str = "bailing_moe";
    const ARCHITECTURES: &'static [&'static str] =
        &["BailingMoeV2ForCausalLM", "SarvamMoEForCausalLM", "Glm4MoeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["bailing_moe", "bailing_moe_v2", "sarvam_moe"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.word_embeddings.weight")];

    fn config(fields: &Fields<'_>) -> Result<BailingMoeConfig, Error> {
        let sizes = SizeDefaults { head_dim: None, kv_heads: false };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let always = [
            ("use_qk_norm", "true"),
            ("score_function", "sigmoid"),
            ("moe_router_enable_expert_bias", "true"),
            ("use_rmsnorm", "true"),
            ("use_bias", "false"),
            ("norm_head", "false"),
            ("use_sliding_window", "false"),
        ];
        let further = [
            "router_dtype",
            "embedding_dropout",
            "output_dropout",
            "max_window_layers",
            "moe_shared_expert_intermediate_size",
        ];
        accept(fields, &always, &further)?;
        let published = fields.stands(FIELDS.experts);
        let names = if published { FIELDS } else { ROUTED_FIELDS };
        let router = |experts| Router::logistic(fields, experts, true);
        let bias = fields.flag("use_qkv_bias", false)?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(BailingMoeConfig {
            qkv_bias: fields.flag("attention_bias", bias)?,
            routed: Routed {
                corrections: &["gate.expert_bias"],
                ..Routed::read(fields, names, decoder.activation, router)?
            },
            sparse: sparse_layers(fields, decoder.sizes.layers, 1)?,
            rope: rope::read(fields, RopeRules { partial: true, ..plain })?,
            further: further_layers(fields)?,
            decoder,
        })
    }

    fn outline(config: &BailingMoeConfig) -> Outline {
        Outline { further: config.further, ..config.decoder.outline(&[&config.rope]) }
    }

    fn forward<'t>(config: &BailingMoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (decoder, angles) = (&config.decoder, step.angles(&config.rope));
        let table = [decoder.sizes.vocabulary, decoder.sizes.hidden];
        let x = nn::embedding(step.tokens, w.at("model.word_embeddings"), table);
        let x = decoder.layers(&w, step, x, |layer, x| {
            let attention = |x| attention(config, layer, step, angles, x);
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => config.routed.apply(layer, x, "mlp"),
                false => layer.gated_mlp(x, false),
            })
        });
        decoder.head(&w, step, x)
    }
}

/// Grouped-query attention; each head of queries and keys is normalized before it is turned.
fn attention<'t>(
    config: &BailingMoeConfig,
    layer: &Layer<'_, 't>,
    step: &Step<'t>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, hidden, .. } = config.decoder.sizes;
    let w = layer.at("attention");
    let [q_end, k_end] = [heads * head_dim, (heads + kv_heads) * head_dim];
    let rows = k_end + kv_heads * head_dim;
    let all = nn::linear_bias(x, w.at("query_key_value"), rows, config.qkv_bias);
    let normed = |x: Tensor<'t>, norm: &str, heads: usize| {
        let x = x.split_heads(heads);
        nn::rms_norm(x, w.at(norm), head_dim, config.decoder.norm).rotate(angles)
    };
    let q = normed(all.columns(0..q_end), "query_layernorm", heads);
    let k = normed(all.columns(q_end..k_end), "key_layernorm", kv_heads);
    let v = all.columns(k_end..rows).split_heads(kv_heads);
    let attrs = nn::attention_attrs(head_dim as f64, None);
    let attended = step.kv_cache(layer.index).append(k, v).attend(q, attrs);
    nn::linear(attended.merge_heads(), w.at("dense"), hidden)
}
