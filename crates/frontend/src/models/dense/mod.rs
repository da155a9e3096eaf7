//! Decoders with attention and an MLP in every layer.

use crate::registry::{Row, row};

pub mod apertus;
pub mod arcee;
pub mod bitnet;
pub mod cwm;
pub mod ernie4_5;
pub mod exaone4;
pub mod gemma;
pub mod gemma2;
pub mod gemma3_text;
pub mod gemma3n_text;
pub mod gemma4_text;
pub mod glm;
pub mod glm4;
pub mod granite;
pub mod helium;
pub mod hunyuan_v1_dense;
pub mod hyperclovax;
pub mod internlm3;
pub mod llama;
pub mod mimo;
pub mod ministral;
pub mod ministral3;
pub mod nanochat;
pub mod olmo2;
pub mod olmo3;
pub mod phi3;
pub mod qwen2;
pub mod qwen3;
pub mod seed_oss;
pub mod smollm3;
pub mod solar;
pub mod vaultgemma;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<apertus::Apertus>(),
    row::<arcee::Arcee>(),
    row::<bitnet::BitNet>(),
    row::<cwm::Cwm>(),
    row::<ernie4_5::Ernie45>(),
    row::<exaone4::Exaone4>(),
    row::<gemma::Gemma>(),
    row::<gemma2::Gemma2>(),
    row::<gemma3_text::Gemma3Text>(),
    row::<gemma3n_text::Gemma3nText>(),
    row::<gemma4_text::Gemma4Text>(),
    row::<glm::Glm>(),
    row::<glm4::Glm4>(),
    row::<granite::Granite>(),
    row::<helium::Helium>(),
    row::<hunyuan_v1_dense::HunYuanDense>(),
    row::<hyperclovax::Hyperclovax>(),
    row::<internlm3::InternLm3>(),
    row::<llama::Llama>(),
    row::<llama::Mistral>(),
    row::<mimo::MiMo>(),
    row::<ministral::Ministral>(),
    row::<ministral3::Ministral3>(),
    row::<nanochat::NanoChat>(),
    row::<olmo2::Olmo2>(),
    row::<olmo3::Olmo3>(),
    row::<phi3::Phi3>(),
    row::<qwen2::Qwen2>(),
    row::<qwen3::Qwen3>(),
    row::<seed_oss::SeedOss>(),
    row::<smollm3::SmolLm3>(),
    row::<solar::Solar>(),
    row::<vaultgemma::VaultGemma>(),
];
