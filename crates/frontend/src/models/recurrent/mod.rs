//! Models with layers that keep a state of a fixed size, alone or beside attention.

use crate::registry::{Row, row};

pub mod bamba;
pub mod falcon_h1;
pub mod granite_hybrid;
pub mod jamba;
pub mod kimi_linear;
pub mod lfm2;
pub mod lfm2_moe;
pub mod mamba;
pub mod mamba2;
pub mod minimax;
pub mod nemotron_h;
pub mod olmo_hybrid;
pub mod qwen3_5;
pub mod qwen3_next;
pub mod recurrent_gemma;
pub mod rwkv7;
pub mod zamba2;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<bamba::Bamba>(),
    row::<falcon_h1::FalconH1>(),
    row::<granite_hybrid::GraniteHybrid>(),
    row::<jamba::Jamba>(),
    row::<kimi_linear::KimiLinear>(),
    row::<lfm2::Lfm2>(),
    row::<lfm2_moe::Lfm2Moe>(),
    row::<mamba::FalconMamba>(),
    row::<mamba::Mamba>(),
    row::<mamba2::Mamba2>(),
    row::<minimax::MiniMax>(),
    row::<nemotron_h::NemotronH>(),
    row::<olmo_hybrid::OlmoHybrid>(),
    row::<qwen3_5::Qwen35>(),
    row::<qwen3_next::Qwen3Next>(),
    row::<recurrent_gemma::RecurrentGemma>(),
    row::<rwkv7::Rwkv7>(),
    row::<zamba2::Zamba2>(),
];
