//! One file an architecture. A model file imports the tracing API and shared layers only.

pub mod gemma3_text;
pub mod llama;
pub mod phi3;
pub mod qwen2;
pub mod qwen3;
