//! Guesses on compiled code: a token of an answer and its guesses are rows of one call, and every bit of
//! their logits is what it is without guesses. Plain weights of every type and weights in blocks;
//! windows, latent attention, mixtures, rotations that depend on the length; every kind of state that
//! recurrent layers keep, and hybrids.

use crate::common::step::row;
use crate::common::{check_drafts, fixtures, load, read_reference};
use tyto_compile::{Kernels, Target};
use tyto_engine::{StepLogits, StepRow};

#[test]
fn guesses_leave_every_bit_as_it_is() {
    check(&[
        "llama",
        "llama_bf16",
        "llama_mlx_4bit",
        "llama_fp8",
        "phi3_longrope",
        "gemma3_text",
        "gpt_oss",
        "qwen3_moe",
        "deepseek_v2_lite",
    ]);
}

#[test]
fn guesses_leave_every_bit_of_recurrent_models_as_it_is() {
    check(&[
        "mamba",
        "mamba2",
        "falcon_h1",
        "qwen3_next",
        "lfm2",
        "kimi_linear",
        "recurrent_gemma",
        "rwkv7",
    ]);
}

fn check(cases: &[&str]) {
    for case in cases {
        let ids = read_reference(&fixtures().join(case).join("reference.safetensors")).ids;
        let loaded = load(case, "config.json", Target::CpuHost, Kernels::Require);
        let (_source, mut executor) = loaded.expect("code for this machine runs on it");
        assert_eq!(executor.limits().max_drafts, 3, "{case}: calls of four rows");
        let guessed = check_drafts(case, executor.as_mut(), &ids);
        assert!(guessed >= 5, "{case}: {guessed} guesses of {} tokens", ids.len());
    }
}

/// A guess without a slot for the state after it would stay in its text's own.
#[test]
fn states_after_guesses_need_slots_of_their_own() {
    let loaded = load("mamba2", "config.json", Target::CpuHost, Kernels::Require);
    let (_source, mut executor) = loaded.expect("code for this machine runs on it");
    let mut logits = StepLogits::new(executor.limits().vocab_size);
    logits.begin(1);
    let row = StepRow { by_itself: true, drafts: 1, ..row(&[3, 4], 5, &[1]) };
    let refused = executor.step(&[row], &mut logits).expect_err("there is no slot");
    assert!(refused.to_string().contains("expected a slot each"), "{refused}");
}
