//! Compiled code against transformers, for what dense architectures have beside those of
//! `oracle.rs`: other places of norms, pairs of neighbours, layers that turn nothing, constants that
//! multiply, and MLPs without a gate.

use crate::common::check;
use tyto_compile::Kernels;

#[test]
fn olmo2() {
    check("olmo2", "config.json", "reference.safetensors", Kernels::Require);
}

/// Its rows are read in another order, in tiles too.
#[test]
fn glm4() {
    check("glm4", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn smollm3() {
    check("smollm3", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn granite() {
    check("granite", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn nanochat() {
    check("nanochat", "config.json", "reference.safetensors", Kernels::Require);
}

/// Its activation takes logarithms, which no kernel does: the whole step is decomposed.
#[test]
fn apertus() {
    check("apertus", "config.json", "reference.safetensors", Kernels::Prefer);
}

/// Inputs for each layer, caches that layers share, keys that are values.
#[test]
fn gemma4() {
    check("gemma4", "config.json", "reference.safetensors", Kernels::Require);
}
