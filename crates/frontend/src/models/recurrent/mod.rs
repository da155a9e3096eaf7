//! Models with layers that keep a state of a fixed size, alone or beside attention.

use crate::registry::{Row, row};

pub mod mamba2;
pub mod qwen3_next;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[row::<mamba2::Mamba2>(), row::<qwen3_next::Qwen3Next>()];
