//! Which layers of a model have experts.

use crate::config::Fields;
use crate::error::Error;

/// Which layers have experts; the others have a plain MLP.
pub struct SparseLayers {
    /// Every how many layers.
    step: usize,
    plain: Vec<usize>,
}

impl SparseLayers {
    /// Reads `decoder_sparse_step` and `mlp_only_layers`.
    pub fn read(fields: &Fields<'_>) -> Result<Self, Error> {
        Ok(Self {
            step: fields.optional_size("decoder_sparse_step", 1 << 12)?.unwrap_or(1),
            plain: fields.counts("mlp_only_layers", 1 << 12)?,
        })
    }

    /// Whether the layer has experts.
    pub fn holds(&self, layer: usize) -> bool {
        (layer + 1).is_multiple_of(self.step) && !self.plain.contains(&layer)
    }
}
