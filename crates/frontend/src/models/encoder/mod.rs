//! Encoders: every token of a text sees all others, and nothing is written after it.

use crate::registry::{Row, row};

pub mod bert;
pub mod modernbert;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[row::<bert::Bert>(), row::<modernbert::ModernBert>()];
