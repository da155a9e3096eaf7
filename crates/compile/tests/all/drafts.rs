//! Guesses on compiled code: a token of an answer and its guesses are rows of one call, and every bit of
//! their logits is what it is without guesses. Plain weights of every type and weights in blocks;
//! windows, latent attention, mixtures, rotations that depend on the length.

use crate::common::{check_drafts, fixtures, load, read_reference};
use tyto_compile::{Kernels, Target};

#[test]
fn guesses_leave_every_bit_as_it_is() {
    for case in [
        "llama",
        "llama_bf16",
        "llama_mlx_4bit",
        "llama_fp8",
        "phi3_longrope",
        "gemma3_text",
        "gpt_oss",
        "qwen3_moe",
        "deepseek_v2_lite",
    ] {
        let ids = read_reference(&fixtures().join(case).join("reference.safetensors")).ids;
        let loaded = load(case, "config.json", Target::CpuHost, Kernels::Require);
        let (_source, mut executor) = loaded.expect("code for this machine runs on it");
        assert_eq!(executor.limits().max_drafts, 3, "{case}: calls of four rows");
        let guessed = check_drafts(case, executor.as_mut(), &ids);
        assert!(guessed >= 5, "{case}: {guessed} guesses of {} tokens", ids.len());
    }
}

/// A state that a wrong guess has changed cannot be taken back.
#[test]
fn recurrent_models_guess_nothing() {
    let loaded = load("mamba2", "config.json", Target::CpuHost, Kernels::Require);
    let (_source, executor) = loaded.expect("code for this machine runs on it");
    assert_eq!(executor.limits().max_drafts, 0);
}
