//! Phi 3.5 MoE: layer norms, and two experts for each token, each weighed by a softmax of the scores that
//! come close to its own (Liu et al., 2024, "GRIN").
//!
//! Reference: `transformers/models/phimoe/modeling_phimoe.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/phimoe/`. One departure: transformers divides by LongRoPE's factors
//! for short texts whatever their length; here, as in the authors' code, those for long ones follow.

use tyto_graph::{Binary, Comparison, DType, Op, RopeTable, Unary};

use crate::classic::{Block, Classic, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::experts::{Mixture, Route, Weighing};
use crate::nn::{self, Activation, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// An expert's matrices by the names of the first publication.
const EXPERTS: MlpNames = MlpNames { gate: "w1", up: "w3", down: "w2" };

/// The part of `config.json` that this model reads.
pub struct PhimoeConfig {
    model: Classic,
    attention_bias: bool,
    head_bias: bool,
    window: Option<usize>,
    mixture: Mixture,
    /// How far below the best a score may be, as a part of the larger.
    near: f64,
    rope: RopeTable,
}

/// The architecture.
pub struct Phimoe;

impl Model for Phimoe {
    type Config = PhimoeConfig;

    const NAME: &'static str = "phimoe";
    const ARCHITECTURES: &'static [&'static str] = &["PhimoeForCausalLM", "PhiMoEForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["phimoe"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<PhimoeConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults::default())?;
        let mixture = Mixture::read(fields, sizes.intermediate, Some(Weighing::OfAll))?;
        if mixture.chosen != 2 || mixture.experts < 2 {
            return Err(fields.wrong("num_experts_per_tok", "2, of at least two experts"));
        }
        // Noise of training alone.
        fields.optional_number("input_jitter_noise")?;
        let jitter = fields.optional_number("router_jitter_noise")?.unwrap_or(0.01);
        let plain = RopeRules::plain(Self::NAME, &sizes);
        Ok(PhimoeConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            head_bias: fields.flag("lm_head_bias", false)?,
            window: fields.optional_size("sliding_window", 1 << 30)?,
            mixture,
            near: 2.0 * jitter,
            rope: rope::read(fields, RopeRules { theta: 1e6, amplitudes: true, ..plain })?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("rms_norm_eps")?),
                activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &PhimoeConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &PhimoeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let norms = ["input_layernorm", "post_attention_layernorm"];
            block.serial(x, norms, attention, |x| experts(config, block, x))
        });
        model.head(x, step, &root.at("norm"), w.at("lm_head"), config.head_bias)
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &PhimoeConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let bias = config.attention_bias;
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let q = block.project(x, "self_attn.q_proj", heads, bias).rotate(angles);
    let k = block.project(x, "self_attn.k_proj", kv_heads, bias).rotate(angles);
    let v = block.project(x, "self_attn.v_proj", kv_heads, bias);
    let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, config.window));
    block.output(attended, "self_attn.o_proj", bias)
}

/// The two experts of each token.
fn experts<'t>(config: &PhimoeConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let mixture = &config.mixture;
    // transformers 5 calls place and router otherwise.
    let renamed = block.at("mlp.router.weight").stands();
    let [place, router] = if renamed { ["mlp", "router"] } else { ["block_sparse_moe", "gate"] };
    let w = block.at(place);
    let route = route(nn::linear(x, w.at(router), mixture.experts), config.near);
    mixture.gated(x, &route, &w, EXPERTS, config.model.activation)
}

/// The two best experts. The weight of each is its share in a softmax of the scores near its own, of the
/// second without the first.
fn route(scores: Tensor<'_>, near: f64) -> Route<'_> {
    let ids = scores.with(Op::TopK { k: 2, groups: None }, &[]);
    let [first, second] = [0, 1].map(|which| ids.columns(which..which + 1));
    let of_first = share(scores, first, near_to(scores, first, near));
    let numbers = scores.vector((0..scores.size(1)).map(|expert| expert as f32).collect());
    let numbers = over_rows(numbers, scores, 1);
    let chosen = over_rows(flat(first.convert(DType::F32)), scores, 0);
    let others = numbers.with(Op::Compare(Comparison::Ne), &[chosen]);
    let near_second = near_to(scores, second, near);
    let of_second = share(scores, second, others.with(Op::Binary(Binary::And), &[near_second]));
    Route { ids, weights: of_first.with(Op::Concat { axis: 1 }, &[of_second]) }
}

/// The softmax of the scores of `mask` at one id for each row.
fn share<'t>(scores: Tensor<'t>, id: Tensor<'t>, mask: Tensor<'t>) -> Tensor<'t> {
    scores.with(Op::MaskedSoftmax, &[mask]).with(Op::TakeAlong, &[id])
}

/// Which scores are no further below that of `id` than `near` times the larger of it and their own size.
fn near_to<'t>(scores: Tensor<'t>, id: Tensor<'t>, near: f64) -> Tensor<'t> {
    let best = over_rows(flat(scores.with(Op::TakeAlong, &[id])), scores, 0);
    let size = scores.with(Op::Binary(Binary::Maximum), &[scores.scale(-1.0)]);
    let larger = size.with(Op::Binary(Binary::Maximum), &[best]);
    let below = (best + scores.scale(-1.0)).over(larger);
    below.with(Op::Compare(Comparison::Gt), &[below.splat(near)]).unary(Unary::Not)
}

/// A column as a vector.
fn flat(column: Tensor<'_>) -> Tensor<'_> {
    column.with(Op::Reshape(vec![column.size(0)]), &[])
}

/// A vector along one axis of a matrix of this shape.
fn over_rows<'t>(vector: Tensor<'t>, like: Tensor<'t>, axis: usize) -> Tensor<'t> {
    let shape = vec![like.size(0), like.size(1)];
    vector.with(Op::Broadcast { shape, axes: vec![axis] }, &[])
}
