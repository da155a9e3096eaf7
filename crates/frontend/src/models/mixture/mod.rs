//! Decoders with attention in every layer, and in some a choice of experts.

use crate::registry::{Row, row};

pub mod gpt_oss;
pub mod mixtral;
pub mod olmoe;
pub mod qwen2_moe;
pub mod qwen3_moe;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<gpt_oss::GptOss>(),
    row::<mixtral::Mixtral>(),
    row::<olmoe::Olmoe>(),
    row::<qwen2_moe::Qwen2Moe>(),
    row::<qwen3_moe::Qwen3Moe>(),
];
