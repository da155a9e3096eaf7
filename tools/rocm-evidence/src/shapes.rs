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
    /// Of models whose runs are of two kinds, the other kind.
    pub other: Option<OtherRuns>,
    /// Rows of the head.
    pub vocabulary: usize,
    /// The most launches of a layer.
    pub launches: usize,
    /// MLxcel's published launches of a token for this kind of model.
    pub peer: &'static str,
    /// What matrices are that stand in no blocks.
    pub dtype: DType,
    /// Configuration and tensors for so many layers and so many rows of the head. Layers are runs;
    /// where those of the other kind are needed to come to so many, the last run is one.
    pub checkpoint: fn(layers: usize, vocabulary: usize) -> (Value, Tensors),
}

/// Runs of layers that only some of a model's are.
#[derive(Clone, Copy, Debug)]
pub struct OtherRuns {
    /// Layers of one.
    pub layers: usize,
    /// How many there are.
    pub count: usize,
}

impl Shape {
    /// Layers of the whole model.
    pub fn layers(&self) -> usize {
        self.run * self.runs + self.other.map_or(0, |other| other.layers * other.count)
    }
}

/// All models, and a small one for tests.
pub fn all() -> Vec<Shape> {
    vec![
        attention::llama(),
        attention::qwen3_moe(),
        attention::gpt_oss(),
        recurrent::mamba2(),
        recurrent::qwen3_next(),
        recurrent::nemotron_h(),
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
