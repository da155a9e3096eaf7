//! Command R and R+, Aya 23: one layer norm without a bias for both halves of a block, which run side
//! by side, heads turned in neighbouring pairs, and logits times a constant.
//!
//! Reference: `transformers/models/cohere/modeling_cohere.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/cohere*/`.

use tyto_graph::{Op, RopeTable};

use crate::classic::{Block, Classic, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};
use crate::weights::{Halves, Part, Reading};

/// The part of `config.json` that this model reads.
pub struct CohereConfig {
    model: Classic,
    attention_bias: bool,
    /// Whether each head of queries and keys is normalized, with weights of its own.
    qk_norm: bool,
    logit_scale: f64,
    rope: RopeTable,
}

/// The architecture.
pub struct Cohere;

impl Model for Cohere {
    type Config = CohereConfig;

    const NAME: &'static str = "cohere";
    const ARCHITECTURES: &'static [&'static str] = &["CohereForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["cohere"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<CohereConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        let rules = RopeRules { theta: 500_000.0, ..RopeRules::plain(Self::NAME, &sizes) };
        Ok(CohereConfig {
            attention_bias: fields.flag("attention_bias", false)?,
            qk_norm: fields.flag("use_qk_norm", false)?,
            logit_scale: fields.optional_positive("logit_scale")?.unwrap_or(0.0625),
            rope: rope::read(fields, rules)?,
            model: model(fields, sizes)?,
        })
    }

    fn outline(config: &CohereConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &CohereConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let x = forward(&config.model, &w, step, |block, x| attention(config, block, angles, x));
        x.scale(config.logit_scale)
    }
}

/// What Command's generations share of the configuration.
pub(super) fn model(fields: &Fields<'_>, sizes: Sizes) -> Result<Classic, Error> {
    let norm = LayerNorm::full(fields.optional_positive("layer_norm_eps")?.unwrap_or(1e-5));
    Ok(Classic {
        norm: LayerNorm { bias: false, ..norm },
        activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
        tied: fields.flag("tie_word_embeddings", true)?,
        sizes,
    })
}

/// Ids to logits before they are scaled.
pub(super) fn forward<'t>(
    model: &Classic,
    w: &Weights<'t>,
    step: &Step<'t>,
    attention: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
) -> Tensor<'t> {
    let root = w.at("model");
    let x = model.embed(root.at("embed_tokens"), step);
    let x = model.layers(&root.at("layers"), step, x, |block, x| {
        let attention = |x| attention(block, x);
        block.parallel(x, ["input_layernorm"; 2], attention, |x| block.gated_mlp(x))
    });
    model.head(x, step, &root.at("norm"), w.at("lm_head"), false)
}

/// Grouped-query attention.
fn attention<'t>(
    config: &CohereConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let turned = (head_dim, config.attention_bias);
    let mut q = block.project_pairs(x, "self_attn.q_proj", heads, turned);
    let mut k = block.project_pairs(x, "self_attn.k_proj", kv_heads, turned);
    if config.qk_norm {
        q = head_norms(config, block, "self_attn.q_norm", q);
        k = head_norms(config, block, "self_attn.k_norm", k);
    }
    let v = block.project(x, "self_attn.v_proj", kv_heads, config.attention_bias);
    let attrs = nn::attention_attrs(head_dim as f64, None);
    let attended = block.attend([q.rotate(angles), k.rotate(angles), v], attrs);
    block.output(attended, "self_attn.o_proj", config.attention_bias)
}

/// The norm of each head, with weights of its own in the order of the head's rows.
fn head_norms<'t>(
    config: &CohereConfig,
    block: &Block<'_, 't>,
    name: &str,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let (heads, size) = (x.size(1), x.size(2));
    let place = block.at(name).at("weight");
    let reading = Reading { halves: Halves::Columns, ..Reading::default() };
    let part = Part { reading, ..Part::whole(place.path(), vec![heads, size]) };
    let weights = place.vectors(heads, size, vec![part]);
    let weights = weights.with(Op::Reshape(vec![heads * size]), &[]);
    config.model.norm.apply_plainly(x).merge_heads().scale_row(weights).split_heads(heads)
}
