//! Compiled code against transformers: each kind of router, and latent attention.

use crate::common::check;
use tyto_compile::Kernels;

/// Logistic scores, a correction, groups, shared experts.
#[test]
fn glm4_moe() {
    check("glm4_moe", "config.json", "reference.safetensors", Kernels::Require);
}

/// Values narrower than keys, sinks, heads of other numbers in other layers.
#[test]
fn mimo_v2_flash() {
    check("mimo_v2_flash", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn deepseek_v3() {
    check("deepseek_v3", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn deepseek_v3_decomposed() {
    check("deepseek_v3", "config.json", "reference.safetensors", Kernels::Never);
}

/// Short convolutions, attention and experts chosen by logistic scores with a correction.
#[test]
fn lfm2_moe() {
    check("lfm2_moe", "config.json", "reference.safetensors", Kernels::Require);
}
