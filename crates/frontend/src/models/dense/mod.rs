//! Decoders with attention and an MLP in every layer.

use crate::registry::{Row, row};

pub mod gemma3_text;
pub mod llama;
pub mod phi3;
pub mod qwen2;
pub mod qwen3;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<gemma3_text::Gemma3Text>(),
    row::<llama::Llama>(),
    row::<llama::Mistral>(),
    row::<phi3::Phi3>(),
    row::<qwen2::Qwen2>(),
    row::<qwen3::Qwen3>(),
];
