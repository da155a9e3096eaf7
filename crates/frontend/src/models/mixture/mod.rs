//! Decoders with attention in every layer, and in some a choice of experts.

use crate::registry::{Row, row};

pub mod afmoe;
pub mod bailing_moe;
pub mod dots1;
pub mod ernie4_5_moe;
pub mod exaone_moe;
pub mod flex_olmo;
pub mod glm4_moe;
pub mod gpt_oss;
pub mod granitemoe;
pub mod hunyuan_v1_moe;
pub mod llama4_text;
pub mod mimo_v2_flash;
pub mod minimax_m2;
pub mod mixtral;
pub mod olmoe;
pub mod phimoe;
pub mod qwen2_moe;
pub mod qwen3_moe;
pub mod solar_open;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<afmoe::Afmoe>(),
    row::<dots1::Dots1>(),
    row::<ernie4_5_moe::Ernie45Moe>(),
    row::<exaone_moe::ExaoneMoe>(),
    row::<flex_olmo::FlexOlmo>(),
    row::<glm4_moe::Glm4Moe>(),
    // Behind the one whose class transformers computes it with.
    row::<bailing_moe::BailingMoe>(),
    row::<gpt_oss::GptOss>(),
    row::<granitemoe::GraniteMoe>(),
    row::<hunyuan_v1_moe::HunyuanMoe>(),
    row::<llama4_text::Llama4Text>(),
    row::<mimo_v2_flash::MimoV2>(),
    row::<minimax_m2::MiniMaxM2>(),
    row::<mixtral::Mixtral>(),
    row::<olmoe::Olmoe>(),
    row::<phimoe::Phimoe>(),
    row::<qwen2_moe::Qwen2Moe>(),
    row::<qwen3_moe::Qwen3Moe>(),
    row::<solar_open::SolarOpen>(),
];
