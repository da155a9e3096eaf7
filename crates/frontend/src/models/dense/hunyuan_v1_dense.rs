//! HunYuan, dense: Llama with queries and keys normalized a head at a time after they are turned, and
//! a rotary base that a factor stretches.
//!
//! Reference: `transformers/models/hunyuan_v1_dense/modeling_hunyuan_v1_dense.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/hunyuan_v1_dense/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct HunYuanDenseConfig {
    decoder: Decoder,
    attention_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct HunYuanDense;

impl Model for HunYuanDense {
    type Config = HunYuanDenseConfig;

    const NAME: &'static str = "hunyuan_v1_dense";
    const ARCHITECTURES: &'static [&'static str] = &["HunYuanDenseV1ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["hunyuan_v1_dense"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<HunYuanDenseConfig, Error> {
        neutral(fields)?;
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        Ok(HunYuanDenseConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &HunYuanDenseConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &HunYuanDenseConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| layer.gated_mlp(x, false))
        })
    }
}

/// Flags that published files set one way only, and sizes and ids of other models of the family, which
/// nothing of this one reads.
fn neutral(fields: &Fields<'_>) -> Result<(), Error> {
    for (name, only) in [
        ("use_qk_norm", true),
        ("use_rotary_pos_emb", true),
        ("use_cla", false),
        ("mlp_bias", false),
        ("position_embedding_xdrope", false),
        ("add_classification_head", false),
    ] {
        if fields.flag(name, only)? != only {
            return Err(fields.wrong(name, &format!("{only}")));
        }
    }
    if !matches!(fields.text("norm_type")?, None | Some("rms" | "hf_rms" | "fused")) {
        return Err(fields.wrong("norm_type", "rms"));
    }
    if fields.optional_size("num_experts", 1 << 12)?.unwrap_or(1) != 1 {
        return Err(fields.wrong("num_experts", "1: a dense model"));
    }
    for name in OTHERS {
        fields.get(name);
    }
    Ok(())
}

const OTHERS: &[&str] = &[
    "attention_head_dim",
    "cla_share_factor",
    "class_num",
    "dense_list",
    "enable_lm_head_fp32",
    "eod_token_id",
    "im_end_id",
    "im_newline_id",
    "im_start_id",
    "image_token_id",
    "mask_init_id",
    "org_vocab_size",
    "pad_id",
    "pool_type",
    "routed_scaling_factor",
    "text_end_id",
    "text_start_id",
];

/// Grouped-query attention; each head of queries and keys is normalized after it is turned.
fn attention<'t>(
    config: &HunYuanDenseConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { head_dim, .. } = config.decoder.sizes;
    let [q, k, v] = layer.rotated(x, angles, config.attention_bias);
    let q = layer.head_norm(q, "query_layernorm");
    let k = layer.head_norm(k, "key_layernorm");
    let attrs = nn::attention_attrs(head_dim as f64, None);
    layer.attend([q, k, v], attrs, config.attention_bias)
}
