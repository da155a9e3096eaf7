//! nanochat: norms without weights, one of them after the embedding, queries and keys turned the other
//! way round and normalized after it, an MLP of squared rectified units, and capped logits.
//!
//! Reference: `transformers/models/nanochat/modeling_nanochat.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/nanochat/`.

use tyto_graph::{RopeScaling, RopeTable};

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct NanoChatConfig {
    decoder: Decoder,
    attention_bias: bool,
    logit_cap: Option<f64>,
    rope: RopeTable,
}

/// The architecture.
pub struct NanoChat;

impl Model for NanoChat {
    type Config = NanoChatConfig;

    const NAME: &'static str = "nanochat";
    const ARCHITECTURES: &'static [&'static str] = &["NanoChatForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["nanochat"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<NanoChatConfig, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let activation = ("hidden_act", Activation::ReluSquared);
        let defaults = Defaults { sizes, activation, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        let cap = "final_logit_softcapping";
        let said = fields.optional_positive(cap)?;
        let forwards = rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?;
        Ok(NanoChatConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            logit_cap: if fields.stands(cap) { said } else { Some(15.0) },
            rope: backwards(fields, forwards)?,
            decoder,
        })
    }

    fn outline(config: &NanoChatConfig) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &NanoChatConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let decoder = &config.decoder;
        let norm = |x| nn::unit_norm(x, decoder.sizes.hidden, decoder.norm);
        let angles = step.angles(&config.rope);
        let x = norm(decoder.embed(&w, step));
        let x = decoder.layers(&w, step, x, |layer, x| {
            let x = x + attention(config, layer, angles, norm(x));
            x + layer.ungated_mlp(norm(x), ["fc1", "fc2"], false)
        });
        let x = norm(x.take_rows(step.sampled));
        let logits = nn::linear(x, w.at("lm_head"), decoder.sizes.vocabulary);
        config.logit_cap.map_or(logits, |cap| nn::soft_cap(logits, cap))
    }
}

/// The table of angles that turn the other way round.
fn backwards(fields: &Fields<'_>, table: RopeTable) -> Result<RopeTable, Error> {
    if table.scaling != RopeScaling::Fixed {
        let expected = "a rotary embedding that does not change with the length";
        return Err(fields.wrong("rope_parameters", expected));
    }
    let inverse_frequencies = table.inverse_frequencies.iter().map(|f| -f).collect();
    Ok(RopeTable { inverse_frequencies, ..table })
}

/// Grouped-query attention; each head of queries and keys is normalized after it is turned.
fn attention<'t>(
    config: &NanoChatConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { head_dim, .. } = config.decoder.sizes;
    let [q, k, v] = layer.rotated(x, angles, config.attention_bias);
    let norm = |x| nn::unit_norm(x, head_dim, config.decoder.norm);
    let attrs = nn::attention_attrs(head_dim as f64, None);
    layer.attend([norm(q), norm(k), v], attrs, config.attention_bias)
}
