//! Compiled code of models with recurrent layers against transformers: one for each kind of state
//! and of what stands beside it. Recurrences have kernels only, so kernels are required.

use crate::common::check;
use tyto_compile::Kernels;

/// A scan whose channels have time steps of their own.
#[test]
fn mamba() {
    check("mamba", "config.json", "reference.safetensors", Kernels::Require);
}

/// A convolution without a recurrence.
#[test]
fn lfm2() {
    check("lfm2", "config.json", "reference.safetensors", Kernels::Require);
}

/// A layer with both a state and a cache.
#[test]
fn falcon_h1() {
    check("falcon_h1", "config.json", "reference.safetensors", Kernels::Require);
}

/// Three convolutions in a layer, and states that may turn round.
#[test]
fn olmo_hybrid() {
    check("olmo_hybrid", "config.json", "reference.safetensors", Kernels::Require);
}

/// Mamba 2, attention and experts of squared rectifiers, one of each a layer.
#[test]
fn nemotron_h_moe() {
    check("nemotron_h_moe", "config.json", "reference.safetensors", Kernels::Require);
}

/// Lightning attention: a scan whose rates are constants of the program.
#[test]
fn minimax() {
    check("minimax", "config.json", "reference.safetensors", Kernels::Require);
}

/// Decays of their own for a state's rows, and a latent attention.
#[test]
fn kimi_linear() {
    check("kimi_linear", "config.json", "reference.safetensors", Kernels::Require);
}

/// An RG-LRU, and attention through a window.
#[test]
fn recurrent_gemma() {
    check("recurrent_gemma", "config.json", "reference.safetensors", Kernels::Require);
}

/// Blocks of attention that several layers share, each with what it adds to their matrices.
#[test]
fn zamba2() {
    check("zamba2", "config.json", "reference.safetensors", Kernels::Require);
}

/// No attention: what a state loses is a matrix, and layers see the token before.
#[test]
fn rwkv7() {
    check("rwkv7", "config.json", "reference.safetensors", Kernels::Require);
}
