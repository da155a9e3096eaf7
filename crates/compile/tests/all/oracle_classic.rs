//! Decoders with layer norms, compiled for this CPU, against transformers: one fixture for each kind of
//! new thing. `crates/native-cpu/tests/models.rs` runs more of them through the kernels.

use crate::common::check;
use tyto_compile::Kernels;

/// Layer norms with biases, the error function, rows that take turns, halves side by side.
#[test]
fn gpt_neox() {
    check("gpt_neox", "config.json", "reference.safetensors", Kernels::Require);
}

/// A table of positions, and matrices that stand transposed.
#[test]
fn gpt2() {
    check("gpt2", "config.json", "reference.safetensors", Kernels::Require);
}

/// Norms of heads with weights of their own, turned in neighbouring pairs.
#[test]
fn cohere_norm() {
    check("cohere_norm", "config.json", "reference.safetensors", Kernels::Require);
}

/// Linear biases of scores have no kernel: the steps are decomposed.
#[test]
fn bloom() {
    check("bloom", "config.json", "reference.safetensors", Kernels::Prefer);
}
