//! Hunyuan A13B: queries and keys normalized a head at a time after they are turned, and in every
//! layer experts beside a shared one of the same width.
//!
//! Reference: `transformers/models/hunyuan_v1_moe/modeling_hunyuan_v1_moe.py`. `tools/oracle` runs it
//! on a tiny random checkpoint to make `tests/oracle/hunyuan_v1_moe/`.

use serde_json::Value;
use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing, accept};
use crate::nn::{self, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct HunyuanMoeConfig {
    decoder: Decoder,
    attention_bias: bool,
    mixture: Mixture,
    rope: RopeTable,
}

/// The architecture.
pub struct HunyuanMoe;

impl Model for HunyuanMoe {
    type Config = HunyuanMoeConfig;

    const NAME: &'static str = "hunyuan_v1_moe";
    const ARCHITECTURES: &'static [&'static str] = &["HunYuanMoEV1ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["hunyuan_v1_moe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<HunyuanMoeConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let always = [
            ("use_qk_norm", "true"),
            ("use_rotary_pos_emb", "true"),
            ("use_mixed_mlp_moe", "true"),
            ("norm_type", "rms"),
        ];
        let further = ["eod_token_id", "attention_head_dim", "org_vocab_size", "cla_share_factor"];
        accept(fields, &always, &further)?;
        for (name, expected) in [
            ("moe_intermediate_size", decoder.sizes.intermediate),
            ("num_shared_expert", 1),
            ("moe_layer_num_skipped", 0),
        ] {
            if one(fields, name)?.is_some_and(|found| found != expected) {
                return Err(fields.wrong(name, &format!("{expected}")));
            }
        }
        Ok(HunyuanMoeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            mixture: mixture(fields, decoder.sizes.intermediate)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &HunyuanMoeConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &HunyuanMoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, x);
            layer.pre_norm(x, attention, |x| mlp(config, layer, x))
        })
    }
}

/// A number, which files also spell as a list of it for every layer.
fn one(fields: &Fields<'_>, name: &str) -> Result<Option<usize>, Error> {
    let expected = "one number, or the same for all layers";
    let count = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
    let Some(value) = fields.get(name) else { return Ok(None) };
    let all: Option<Vec<usize>> = match value.as_array() {
        Some(list) => list.iter().map(count).collect(),
        None => count(value).map(|count| vec![count]),
    };
    match all.as_deref() {
        Some([first, others @ ..]) if others.iter().all(|other| other == first) => Ok(Some(*first)),
        _ => Err(fields.wrong(name, expected)),
    }
}

fn mixture(fields: &Fields<'_>, width: usize) -> Result<Mixture, Error> {
    let size = |name: &str, most: usize| {
        let size = one(fields, name)?.ok_or_else(|| fields.missing(name, "a number"))?;
        match (1..=most).contains(&size) {
            true => Ok(size),
            false => Err(fields.wrong(name, &format!("a size from 1 to {most}"))),
        }
    };
    let experts = size("num_experts", 1 << 12)?;
    Ok(Mixture { experts, chosen: size("moe_topk", experts)?, width, weighing: Weighing::OfChosen })
}

/// Experts, and beside them an MLP that every token has.
fn mlp<'t>(config: &HunyuanMoeConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, mixture) = (layer.at("mlp"), &config.mixture);
    let route = mixture.route(nn::linear(x, w.at("gate.wg"), mixture.experts));
    let names = MlpNames::default();
    let sum = mixture.gated(x, &route, &w, names, config.decoder.activation);
    sum + layer.gated_mlp_at(x, "mlp.shared_mlp", mixture.width, false)
}

/// Grouped-query attention; each head of queries and keys is normalized after it is turned.
fn attention<'t>(
    config: &HunyuanMoeConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { head_dim, .. } = config.decoder.sizes;
    let bias = config.attention_bias;
    let [q, k, v] = layer.rotated(x, angles, bias);
    let q = layer.head_norm(q, "query_layernorm");
    let k = layer.head_norm(k, "key_layernorm");
    layer.attend([q, k, v], nn::attention_attrs(head_dim as f64, None), bias)
}
