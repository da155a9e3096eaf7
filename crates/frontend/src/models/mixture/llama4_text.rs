//! Llama 4, text only: layers that turn queries and keys and see a chunk of positions, and every few
//! layers one that turns nothing, sees everything and whose queries grow with their position; experts
//! whose input is weighed by a logistic score, beside one that every token has. Published files hold it
//! inside a model that sees: its fields are those of `text_config`, its tensors are below
//! `language_model`.
//!
//! Reference: `transformers/models/llama4/modeling_llama4.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/llama4/`.

use serde_json::Value;
use tyto_graph::{AttentionAttrs, Op, RopeTable, Unary};

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Growth, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing, product};
use crate::nn;
use crate::recurrent;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};
use crate::weights::{Part, Reading};

/// The part of `config.json` that this model reads.
pub struct Llama4Config {
    decoder: Decoder,
    attention_bias: bool,
    /// Whether heads of queries and keys are normalized where they are turned.
    head_norms: bool,
    /// Whether each layer turns queries and keys.
    turns: Vec<bool>,
    /// The chunk that each layer sees.
    chunks: Vec<Option<usize>>,
    /// How queries grow where they are not turned.
    growth: Option<Growth>,
    mixture: Mixture,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    /// Width inside the MLP of the others.
    dense: usize,
    rope: RopeTable,
}

/// The architecture.
pub struct Llama4Text;

impl Model for Llama4Text {
    type Config = Llama4Config;

    const NAME: &'static str = "llama4_text";
    const ARCHITECTURES: &'static [&'static str] =
        &["Llama4ForCausalLM", "Llama4ForConditionalGeneration"];
    const MODEL_TYPES: &'static [&'static str] = &["llama4_text", "llama4"];
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::Inside("model", "language_model.model"),
        WeightRule::Inside("lm_head", "language_model.lm_head"),
        WeightRule::IgnoreBelow("vision_model"),
        WeightRule::IgnoreBelow("multi_modal_projector"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Llama4Config, Error> {
        config::of_text(fields, Self::NAME, false, read)
    }

    fn outline(config: &Llama4Config) -> Outline {
        config.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Llama4Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let growth = config.growth.map(|growth| growth.at(step));
        config.decoder.forward(&w, step, |layer, x| {
            let attention = |x| attention(config, layer, angles, growth, x);
            layer.pre_norm(x, attention, |x| match config.sparse[layer.index] {
                true => experts(config, layer, x),
                false => layer.gated_mlp_at(x, "feed_forward", config.dense, false),
            })
        })
    }
}

/// The text model's own fields; `tied` is what they mean where they do not say.
fn read(fields: &Fields<'_>, tied: bool) -> Result<Llama4Config, Error> {
    let sizes = SizeDefaults { head_dim: None, kv_heads: true };
    let decoder = Decoder::read(fields, Defaults { sizes, tied, ..Defaults::default() })?;
    let layers = decoder.sizes.layers;
    let turns = turns(fields, layers)?;
    let plain = RopeRules::plain(Llama4Text::NAME, &decoder.sizes);
    Ok(Llama4Config {
        attention_bias: fields.flag("attention_bias", false)?,
        head_norms: fields.flag("use_qk_norm", true)?,
        chunks: chunks(fields, &turns)?,
        turns,
        growth: growth(fields)?,
        mixture: Mixture::read(fields, decoder.sizes.intermediate, Some(Weighing::OfAll))?,
        sparse: sparse(fields, layers)?,
        dense: fields.size("intermediate_size_mlp", 1 << 22)?,
        rope: rope::read(fields, RopeRules { theta: 5e5, ..plain })?,
        decoder,
    })
}

/// Whether each layer turns: of `no_rope_layers`, which says so with a 1 (an empty list is none), or all
/// but every `no_rope_layer_interval`th.
fn turns(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let interval = fields.optional_size("no_rope_layer_interval", 1 << 12)?.unwrap_or(4);
    let name = "no_rope_layers";
    let listed = fields.counts(name, 1)?;
    match listed.len() {
        0 => Ok((0..layers).map(|layer| !(layer + 1).is_multiple_of(interval)).collect()),
        count if count >= layers => Ok(listed[..layers].iter().map(|turns| *turns == 1).collect()),
        count => {
            let expected = format!("a number for each of {layers} layers");
            Err(fields.wrong_as(name, format!("a list of {count}"), &expected))
        }
    }
}

/// The chunk of each layer: where `layer_types` says so, or where that is absent of layers that turn.
fn chunks(fields: &Fields<'_>, turns: &[bool]) -> Result<Vec<Option<usize>>, Error> {
    let name = "attention_chunk_size";
    let size = match fields.stands(name) {
        true => fields.optional_size(name, 1 << 30)?,
        false => Some(8192),
    };
    let known = [("chunked_attention", true), ("full_attention", false)];
    let kinds = recurrent::kinds(fields, "layer_types", turns.len(), &known)?;
    let chunked = kinds.unwrap_or_else(|| turns.to_vec());
    if size.is_none() && fields.get("layer_types").is_some() && chunked.contains(&true) {
        return Err(fields.wrong(name, "a size, as layer_types says that layers have chunks"));
    }
    Ok(chunked.into_iter().map(|chunked| size.filter(|_| chunked)).collect())
}

/// How queries grow, where they do: the field says so, in older files with a number above 0.
fn growth(fields: &Fields<'_>) -> Result<Option<Growth>, Error> {
    let name = "attn_temperature_tuning";
    let grows = match fields.get(name) {
        Some(Value::Number(_)) => fields.optional_number(name)? != Some(0.0),
        _ => fields.flag(name, true)?,
    };
    let growth = Growth {
        beta: fields.optional_number("attn_scale")?.unwrap_or(0.1),
        length: fields.optional_size("floor_scale", 1 << 30)?.unwrap_or(8192),
        ahead: 1,
    };
    Ok(grows.then_some(growth))
}

/// Which layers have experts: those of `moe_layers`, or every `interleave_moe_layer_step`th.
fn sparse(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let step = fields.optional_size("interleave_moe_layer_step", 1 << 12)?.unwrap_or(1);
    let listed = fields.counts("moe_layers", layers - 1)?;
    let of = |layer: usize| match fields.get("moe_layers") {
        Some(_) => listed.contains(&layer),
        None => (layer + 1).is_multiple_of(step),
    };
    Ok((0..layers).map(of).collect())
}

/// Grouped-query attention. What is turned is normalized after it, without weights.
fn attention<'t>(
    config: &Llama4Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    growth: Option<Tensor<'t>>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { head_dim, .. } = config.decoder.sizes;
    let bias = config.attention_bias;
    let [mut q, mut k, v] = match config.turns[layer.index] {
        true => layer.rotated_neighbours(x, angles, bias),
        false => layer.turned(x, None, bias),
    };
    if config.turns[layer.index] && config.head_norms {
        [q, k] = [q, k].map(|x| nn::unit_norm(x, head_dim, config.decoder.norm));
    }
    if let Some(growth) = growth.filter(|_| !config.turns[layer.index]) {
        q = q.scale_tokens(growth);
    }
    let attrs = nn::attention_attrs(head_dim as f64, None);
    let chunk = config.chunks[layer.index];
    layer.attend([q, k, v], AttentionAttrs { chunk, ..attrs }, bias)
}

/// The sum of the chosen experts, each of the input times its score, and of the one that all tokens have.
fn experts<'t>(config: &Llama4Config, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, hidden) = (layer.at("feed_forward"), x.size(1));
    let Mixture { experts, width, .. } = config.mixture;
    let scores = nn::linear(x, w.at("router"), experts);
    let route = config.mixture.route(scores);
    let ids = route.ids;
    let weights = scores.with(Op::TakeAlong, &[ids]).unary(Unary::Logistic);
    let shape = vec![x.size(0), weights.size(1), hidden];
    let each = |x: Tensor<'t>, axes| x.with(Op::Broadcast { shape: shape.clone(), axes }, &[]);
    let rows = each(x, vec![0, 2]) * each(weights, vec![0, 1]);

    let both = stacked(rows, ids, &w.at("experts.gate_up_proj"), [experts, 2 * width]);
    let gate = config.decoder.activation.apply(both.last(0..width));
    let inner = gate * both.last(width..2 * width);
    let y = stacked(inner, ids, &w.at("experts.down_proj"), [experts, hidden]);
    let sum = y.with(Op::WeightedSum, &[weights.splat(1.0)]);
    let shared = "feed_forward.shared_expert";
    sum + layer.gated_mlp_at(x, shared, config.decoder.sizes.intermediate, false)
}

/// Each row times the matrix of its expert, all of which stand transposed in one tensor.
fn stacked<'t>(
    x: Tensor<'t>,
    ids: Tensor<'t>,
    place: &Weights<'t>,
    [experts, rows]: [usize; 2],
) -> Tensor<'t> {
    let columns = x.size(2);
    let part = |expert: usize| Part {
        rows: Some(expert * rows..(expert + 1) * rows),
        reading: Reading { transposed: true, ..Reading::default() },
        ..Part::whole(place.path(), vec![experts, columns, rows])
    };
    let parts = (0..experts).map(part).collect();
    product(x, ids, place, [experts, rows, columns], parts)
}
