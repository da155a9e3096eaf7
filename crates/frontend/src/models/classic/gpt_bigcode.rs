//! StarCoder and SantaCoder: GPT-2 with one key and value head for all query heads, or with heads side
//! by side in one matrix.
//!
//! Reference: `transformers/models/gpt_bigcode/modeling_gpt_bigcode.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/gpt_bigcode*/`.

use crate::classic::{Block, Classic, Fused, GPT, gpt_mlp};
use crate::config::Fields;
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GptBigCodeConfig {
    model: Classic,
    multi_query: bool,
    /// Whether scores are divided by the root of a head's width.
    scaled: bool,
}

/// The architecture.
pub struct GptBigCode;

/// What other engines do with memory. transformers derives the number of key heads from `multi_query`
/// whatever the file says.
const UNREAD: [&str; 7] = [
    "inference_runner",
    "max_batch_size",
    "max_sequence_length",
    "num_key_value_heads",
    "pad_key_length",
    "pre_allocate_kv_cache",
    "validate_runner_input",
];

impl Model for GptBigCode {
    type Config = GptBigCodeConfig;

    const NAME: &'static str = "gpt_bigcode";
    const ARCHITECTURES: &'static [&'static str] = &["GPTBigCodeForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gpt_bigcode"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "transformer.wte.weight")];
    const POSITION_TABLE: bool = true;

    fn config(fields: &Fields<'_>) -> Result<GptBigCodeConfig, Error> {
        let mut sizes = GPT.read(fields)?;
        for name in UNREAD {
            fields.get(name);
        }
        for name in ["attention_softmax_in_fp32", "scale_attention_softmax_in_fp32"] {
            fields.flag(name, true)?;
        }
        let multi_query = fields.flag("multi_query", true)?;
        if multi_query {
            sizes.kv_heads = 1;
        }
        Ok(GptBigCodeConfig {
            multi_query,
            scaled: fields.flag("scale_attn_weights", true)?,
            model: Classic::gpt(fields, sizes, true)?,
        })
    }

    fn outline(config: &GptBigCodeConfig) -> Outline {
        config.model.outline(&[])
    }

    fn forward<'t>(config: &GptBigCodeConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let places = [w.at("transformer"), w.at("lm_head")];
        config.model.gpt_logits(step, places, |block, x| attention(config, block, x), gpt_mlp)
    }
}

/// Attention over one key head, or over one for each query head.
fn attention<'t>(config: &GptBigCodeConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let sizes = &config.model.sizes;
    let fused = match config.multi_query {
        true => Fused::plain(sizes, true),
        false => Fused::by_heads(sizes, true),
    };
    let qkv = fused.heads(x, &block.at("attn.c_attn"), sizes.head_dim);
    let scalar = if config.scaled { sizes.head_dim as f64 } else { 1.0 };
    let attended = block.attend(qkv, nn::attention_attrs(scalar, None));
    block.output(attended, "attn.c_proj", true)
}
