//! One file an architecture. A model file imports the tracing API and shared layers only.

pub mod gemma3_text;
pub mod gpt_oss;
pub mod llama;
pub mod mamba2;
pub mod mixtral;
pub mod olmoe;
pub mod phi3;
pub mod qwen2;
pub mod qwen2_moe;
pub mod qwen3;
pub mod qwen3_moe;
pub mod qwen3_next;
