//! The models: sizes as their published `config.json` have them, and the tensors of the published
//! 4-bit form. A model is emulated with one and with two of its repeated runs of layers, and with a
//! small vocabulary; the rest is arithmetic.

mod attention;
mod recurrent;

use serde_json::Value;
use tyto_graph::DType;

use crate::synthetic::Tensors;

/// A published model.
pub struct Shape {
    /// What the command calls it.
    pub name: &'static str,
    /// Where its sizes are from, and its form.
    pub source: &'static str,
    /// Layers that repeat: all of one kind, or one of each.
    pub run: usize,
    /// How often.
    pub runs: usize,
    /// Rows of the head.
    pub vocabulary: usize,
    /// The most launches of a layer.
    pub launches: usize,
    /// MLxcel's published launches of a token for this kind of model.
    pub peer: &'static str,
    /// What matrices are that stand in no blocks.
    pub dtype: DType,
    /// Configuration and tensors for so many layers and so many rows of the head.
    pub checkpoint: fn(layers: usize, vocabulary: usize) -> (Value, Tensors),
}

/// All models, and a small one for tests.
pub fn all() -> Vec<Shape> {
    vec![
        attention::llama(),
        attention::qwen3_moe(),
        attention::gpt_oss(),
        recurrent::mamba2(),
        recurrent::qwen3_next(),
        attention::tiny(),
    ]
}

/// What `config.json` says of MLX's affine codes of 4 bits.
fn quantization() -> Value {
    serde_json::json!({"group_size": 64, "bits": 4, "mode": "affine"})
}

/// Settings of modules that mlx-lm keeps at 8 bits.
fn at_8_bits(settings: &mut Value, module: String) {
    settings[module] = serde_json::json!({"group_size": 64, "bits": 8});
}
