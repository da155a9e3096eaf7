//! CodeGen: GPT-J with queries, values and keys in one matrix, cut as for the four devices that it was
//! trained on.
//!
//! Reference: `transformers/models/codegen/modeling_codegen.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/codegen/`.

use super::gptj::{self, GptJConfig};
use crate::classic::{Block, Fused};
use crate::config::Fields;
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// Parts of the matrix, each with queries, then values, then keys of some heads.
const PARTS: usize = 4;

/// The architecture.
pub struct CodeGen;

impl Model for CodeGen {
    type Config = GptJConfig;

    const NAME: &'static str = "codegen";
    const ARCHITECTURES: &'static [&'static str] = &["CodeGenForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["codegen"];
    const WEIGHTS: &'static [WeightRule] = gptj::WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<GptJConfig, Error> {
        let config = gptj::config(fields)?;
        match config.model.sizes.hidden.is_multiple_of(PARTS) {
            true => Ok(config),
            false => Err(fields.wrong("n_embd", "a multiple of 4")),
        }
    }

    fn outline(config: &GptJConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GptJConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        gptj::forward(config, &w, step, |block, x| attention(config, block, angles, x))
    }
}

/// Attention with a key head for each query head.
fn attention<'t>(
    config: &GptJConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let sizes = &config.model.sizes;
    let part = sizes.hidden / PARTS;
    let fused = Fused {
        runs: PARTS,
        run: 3 * part,
        rows: [0..part, 2 * part..3 * part, part..2 * part],
        turned: Some(config.turned),
        ..Fused::plain(sizes, false)
    };
    let [q, k, v] = fused.heads(x, &block.at("attn.qkv_proj"), sizes.head_dim);
    let attrs = nn::attention_attrs(sizes.head_dim as f64, None);
    let attended = block.attend([q.rotate(angles), k.rotate(angles), v], attrs);
    block.output(attended, "attn.out_proj", false)
}
