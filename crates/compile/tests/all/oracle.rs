//! Compiled code against transformers: one fixture of `tests/oracle` for each architecture and
//! for each rotary form that depends on the length is compiled for this CPU and run in prefill,
//! in chunks, token by token and in a batch of different sequences, as phase programs of our
//! kernels. Decomposed ops take the compiler many seconds a model: one of each kind runs so
//! (attention, windows and soft caps, long rotary forms, experts, latent attention, linear
//! biases), and `tyto-hlo-emit` compares each op with the interpreter. (`tyto-frontend` runs
//! every fixture through the interpreter.)

use crate::common::{check, check_bf16};
use tyto_compile::{Kernels, Target};

/// Below this lead, bf16 arithmetic of either side may pick another token: transformers' own
/// bf16 logits drift by as much from its f32 ones on these fixtures.
const DECIDED: f32 = 0.4;

#[test]
fn llama() {
    check("llama", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn llama_decomposed() {
    check("llama", "config.json", "reference.safetensors", Kernels::Never);
}

#[test]
fn llama_tied() {
    check("llama_tied", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn mistral() {
    check("mistral", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn qwen2() {
    check("qwen2", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn qwen3() {
    check("qwen3", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn gemma3_text() {
    check(
        "gemma3_text",
        "config.attn_softcap.json",
        "reference.attn_softcap.safetensors",
        Kernels::Require,
    );
}

#[test]
fn gemma3_text_decomposed() {
    check(
        "gemma3_text",
        "config.attn_softcap.json",
        "reference.attn_softcap.safetensors",
        Kernels::Never,
    );
}

#[test]
fn phi3_longrope() {
    check("phi3_longrope", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn phi3_longrope_decomposed() {
    check("phi3_longrope", "config.json", "reference.safetensors", Kernels::Never);
}

#[test]
fn qwen3_moe() {
    check("qwen3_moe", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn mixtral() {
    check("mixtral", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn gpt_oss() {
    check("gpt_oss", "config.json", "reference.safetensors", Kernels::Require);
}

/// Recurrent layers have kernels only.
#[test]
fn mamba2() {
    check("mamba2", "config.limit.json", "reference.limit.safetensors", Kernels::Require);
}

#[test]
fn qwen3_next() {
    check("qwen3_next", "config.json", "reference.safetensors", Kernels::Require);
}

#[test]
fn gpt_oss_decomposed() {
    check("gpt_oss", "config.json", "reference.safetensors", Kernels::Never);
}

/// Frequencies that change with every length have no kernel: the whole step is decomposed.
#[test]
fn llama_dynamic() {
    check("llama_dynamic", "config.json", "reference.safetensors", Kernels::Prefer);
}

#[test]
fn llama_bf16() {
    check_bf16("llama_bf16", DECIDED, Target::CpuHost, Kernels::Require);
}

#[test]
fn qwen3_bf16() {
    check_bf16("qwen3_bf16", DECIDED, Target::CpuHost, Kernels::Require);
}

#[test]
fn llama_bf16_without_avx512() {
    check_bf16("llama_bf16", DECIDED, Target::CpuX86V3, Kernels::Require);
}

#[test]
fn llama_bf16_with_avx512_and_no_bf16_instruction() {
    check_bf16("llama_bf16", DECIDED, Target::CpuX86V4, Kernels::Require);
}

#[test]
fn qwen3_bf16_decomposed() {
    check_bf16("qwen3_bf16", DECIDED, Target::CpuHost, Kernels::Never);
}

#[test]
fn llama_bf16_without_avx512_decomposed() {
    check_bf16("llama_bf16", DECIDED, Target::CpuX86V3, Kernels::Never);
}

#[test]
fn llama_bf16_with_avx512_and_no_bf16_instruction_decomposed() {
    check_bf16("llama_bf16", DECIDED, Target::CpuX86V4, Kernels::Never);
}
