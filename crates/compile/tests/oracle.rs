//! Compiled code against transformers: fixtures of `tests/oracle` are compiled for this CPU
//! and run in prefill, in chunks, token by token and in a batch of different sequences.

mod common;

use common::{check, check_bf16};

/// Below this lead, bf16 arithmetic of either side may pick another token: transformers' own
/// bf16 logits drift by as much from its f32 ones on these fixtures.
const DECIDED: f32 = 0.4;

#[test]
fn llama() {
    check("llama", "config.json", "reference.safetensors");
}

#[test]
fn llama_bf16() {
    check_bf16("llama_bf16", DECIDED);
}

#[test]
fn qwen3_bf16() {
    check_bf16("qwen3_bf16", DECIDED);
}
