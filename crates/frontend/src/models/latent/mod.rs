//! Decoders with latent attention: a narrow row a token in place of keys and values.

use crate::registry::{Row, row};

pub mod deepseek_v2;
pub mod deepseek_v3;
pub mod minicpm3;
pub mod youtu;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<deepseek_v2::DeepseekV2>(),
    row::<deepseek_v3::DeepseekV3>(),
    row::<minicpm3::MiniCpm3>(),
    row::<youtu::Youtu>(),
];
