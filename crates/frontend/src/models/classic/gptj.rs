//! GPT-J: one layer norm for both halves of a block, which run side by side, and the first rows of
//! each head turned in neighbouring pairs.
//!
//! Reference: `transformers/models/gptj/modeling_gptj.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/gptj/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, GPT};
use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope;
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model and CodeGen read.
pub struct GptJConfig {
    pub(super) model: Classic,
    /// Rows of a head that are turned.
    pub(super) turned: usize,
    pub(super) rope: RopeTable,
}

/// The architecture.
pub struct GptJ;

/// Exceptions of names, also CodeGen's.
pub(super) const WEIGHTS: &[WeightRule] = &[
    WeightRule::tied("lm_head.weight", "transformer.wte.weight"),
    // Masks of old exports.
    WeightRule::ignore("transformer.h.*.attn.bias"),
    WeightRule::ignore("transformer.h.*.attn.masked_bias"),
    WeightRule::ignore("transformer.h.*.attn.causal_mask"),
];

impl Model for GptJ {
    type Config = GptJConfig;

    const NAME: &'static str = "gptj";
    const ARCHITECTURES: &'static [&'static str] = &["GPTJForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gptj"];
    const WEIGHTS: &'static [WeightRule] = WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<GptJConfig, Error> {
        config(fields)
    }

    fn outline(config: &GptJConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GptJConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        forward(config, &w, step, |block, x| attention(config, block, angles, x))
    }
}

/// Reads the configuration.
pub(super) fn config(fields: &Fields<'_>) -> Result<GptJConfig, Error> {
    let sizes = GPT.read(fields)?;
    // `n_positions` under an older name.
    fields.optional_size("n_ctx", 1 << 30)?;
    for (name, only) in [("rotary", true), ("scale_attn_weights", true)] {
        if fields.flag(name, only)? != only {
            return Err(fields.wrong(name, "true"));
        }
    }
    let turned = fields.optional_size("rotary_dim", sizes.head_dim)?.unwrap_or(64);
    if !turned.is_multiple_of(2) || turned > sizes.head_dim {
        let expected = format!("an even size up to a head's, {}", sizes.head_dim);
        return Err(fields.wrong_as("rotary_dim", turned.to_string(), &expected));
    }
    Ok(GptJConfig {
        turned,
        rope: rope::plain(turned, 10_000.0),
        model: Classic::gpt(fields, sizes, false)?,
    })
}

/// Ids to logits, with this attention.
pub(super) fn forward<'t>(
    config: &GptJConfig,
    w: &Weights<'t>,
    step: &Step<'t>,
    attention: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
) -> Tensor<'t> {
    let (model, root) = (&config.model, w.at("transformer"));
    let x = model.embed(root.at("wte"), step);
    let x = model.layers(&root.at("h"), step, x, |block, x| {
        let mlp = |x| block.mlp(x, ["mlp.fc_in", "mlp.fc_out"], true);
        block.parallel(x, ["ln_1"; 2], |x| attention(block, x), mlp)
    });
    model.head(x, step, &root.at("ln_f"), w.at("lm_head"), true)
}

/// Attention with a key head for each query head.
fn attention<'t>(
    config: &GptJConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, head_dim, .. } = config.model.sizes;
    let turned = (config.turned, false);
    let q = block.project_pairs(x, "attn.q_proj", heads, turned).rotate(angles);
    let k = block.project_pairs(x, "attn.k_proj", heads, turned).rotate(angles);
    let v = block.project(x, "attn.v_proj", heads, false);
    let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, None));
    block.output(attended, "attn.out_proj", false)
}
