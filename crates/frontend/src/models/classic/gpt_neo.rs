//! GPT-Neo, and TinyStories with it: GPT-2 with plain matrices, scores that nothing divides, and a window
//! in some layers.
//!
//! Reference: `transformers/models/gpt_neo/modeling_gpt_neo.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/gpt_neo/`.

use serde_json::Value;

use crate::classic::{Block, Classic, SizeNames, gpt_mlp};
use crate::config::Fields;
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GptNeoConfig {
    model: Classic,
    /// Of each layer, where it has one.
    windows: Vec<Option<usize>>,
}

/// The architecture.
pub struct GptNeo;

const SIZES: SizeNames = SizeNames {
    hidden: "hidden_size",
    layers: "num_layers",
    heads: "num_heads",
    positions: "max_position_embeddings",
    intermediate: Some("intermediate_size"),
    default_positions: None,
};

impl Model for GptNeo {
    type Config = GptNeoConfig;

    const NAME: &'static str = "gpt_neo";
    const ARCHITECTURES: &'static [&'static str] = &["GPTNeoForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gpt_neo"];
    const WEIGHTS: &'static [WeightRule] = &[
        WeightRule::tied("lm_head.weight", "transformer.wte.weight"),
        // Masks of old exports.
        WeightRule::ignore("transformer.h.*.attn.attention.bias"),
        WeightRule::ignore("transformer.h.*.attn.attention.masked_bias"),
    ];
    const POSITION_TABLE: bool = true;

    fn config(fields: &Fields<'_>) -> Result<GptNeoConfig, Error> {
        let sizes = SIZES.read(fields)?;
        // Dropped in training alone.
        for dropout in ["embed_dropout", "resid_dropout", "classifier_dropout"] {
            fields.optional_number(dropout)?;
        }
        Ok(GptNeoConfig {
            windows: windows(fields, sizes.layers)?,
            model: Classic::gpt(fields, sizes, true)?,
        })
    }

    fn outline(config: &GptNeoConfig) -> Outline {
        config.model.outline(&[])
    }

    fn forward<'t>(config: &GptNeoConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let places = [w.at("transformer"), w.at("lm_head")];
        config.model.gpt_logits(step, places, |block, x| attention(config, block, x), gpt_mlp)
    }
}

/// Attention with a key head for each query head.
fn attention<'t>(config: &GptNeoConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let names = ["attn.attention.q_proj", "attn.attention.k_proj", "attn.attention.v_proj"];
    let qkv = names.map(|name| block.project(x, name, config.model.sizes.heads, false));
    let attended = block.attend(qkv, nn::attention_attrs(1.0, config.windows[block.index]));
    block.output(attended, "attn.attention.out_proj", true)
}

/// The window of each layer, from pairs of a list of kinds and how often it is repeated.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let name = "attention_types";
    let expected = "lists of global and local, each with a number, that make num_layers";
    let kinds = match fields.get(name) {
        Some(value) => repeated(value, layers).ok_or_else(|| fields.wrong(name, expected))?,
        None => ["global", "local"].repeat(12),
    };
    if kinds.len() != layers || kinds.iter().any(|kind| !["global", "local"].contains(kind)) {
        return Err(fields.wrong(name, expected));
    }
    // The same, written out.
    if fields.texts("attention_layers")?.is_some_and(|listed| listed != kinds) {
        return Err(fields.wrong("attention_layers", "what attention_types says"));
    }
    let window = fields.optional_size("window_size", 1 << 30)?.unwrap_or(256);
    Ok(kinds.iter().map(|kind| (*kind == "local").then_some(window)).collect())
}

/// All kinds in order; `None` of what is no such list, or of more than `layers`.
fn repeated(value: &Value, layers: usize) -> Option<Vec<&str>> {
    let mut kinds = Vec::new();
    for pair in value.as_array()? {
        let [list, count] = pair.as_array()?.as_slice() else { return None };
        let list: Option<Vec<&str>> = list.as_array()?.iter().map(Value::as_str).collect();
        let (list, count) = (list?, usize::try_from(count.as_u64()?).ok()?);
        if list.len().checked_mul(count)? > layers - kinds.len() {
            return None;
        }
        kinds.extend(list.repeat(count));
    }
    Some(kinds)
}
