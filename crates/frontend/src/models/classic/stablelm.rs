//! StableLM 2 and 3B: Llama with layer norms, a quarter of each head turned, and in some checkpoints
//! a norm of its own for each head, or both halves of a block side by side behind one norm.
//!
//! Reference: `transformers/models/stablelm/modeling_stablelm.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/stablelm*/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};
use crate::weights::Part;

/// The part of `config.json` that this model reads.
pub struct StableLmConfig {
    model: Classic,
    qkv_bias: bool,
    /// Whether heads of queries and keys are normalized.
    qk_norm: bool,
    parallel: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct StableLm;

impl Model for StableLm {
    type Config = StableLmConfig;

    const NAME: &'static str = "stablelm";
    const ARCHITECTURES: &'static [&'static str] = &["StableLmForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["stablelm"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<StableLmConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        let plain = RopeRules::plain(Self::NAME, &sizes);
        Ok(StableLmConfig {
            qkv_bias: fields.flag("use_qkv_bias", false)?,
            qk_norm: fields.flag("qk_layernorm", false)?,
            parallel: fields.flag("use_parallel_residual", false)?,
            rope: rope::read(fields, RopeRules { factor: 0.25, partial: true, ..plain })?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("layer_norm_eps")?),
                activation: Activation::read(fields, "hidden_act", Activation::Silu)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &StableLmConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &StableLmConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.gated_mlp(x);
            match config.parallel {
                true => block.parallel(x, ["input_layernorm"; 2], attention, mlp),
                false => {
                    let norms = ["input_layernorm", "post_attention_layernorm"];
                    block.serial(x, norms, attention, mlp)
                }
            }
        });
        model.head(x, step, &root.at("norm"), w.at("lm_head"), false)
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &StableLmConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let project = |name: &str, norm: &str, heads| {
        let x = block.project(x, name, heads, config.qkv_bias);
        if config.qk_norm { head_norms(config, block, norm, x) } else { x }
    };
    let q = project("self_attn.q_proj", "self_attn.q_layernorm", heads).rotate(angles);
    let k = project("self_attn.k_proj", "self_attn.k_layernorm", kv_heads).rotate(angles);
    let v = block.project(x, "self_attn.v_proj", kv_heads, config.qkv_bias);
    let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, None));
    block.output(attended, "self_attn.o_proj", false)
}

/// The norm of each head, with weights of its own.
fn head_norms<'t>(
    config: &StableLmConfig,
    block: &Block<'_, 't>,
    name: &str,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let (heads, size) = (x.size(1), x.size(2));
    let norms = block.at(name).at("norms");
    let part = |head| Part::whole(norms.index(head).at("weight").path(), vec![size]);
    let weights = norms.at("weight").vector_of(heads * size, (0..heads).map(part).collect());
    config.model.norm.apply_plainly(x).merge_heads().scale_row(weights).split_heads(heads)
}
