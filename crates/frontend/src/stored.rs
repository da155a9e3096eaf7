//! How the checkpoint stores each tensor.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_checkpoint::Checkpoint;
use tyto_graph::BlockLayout;

use crate::weights::block_layout;

/// The stored formats of a checkpoint's tensors, by name.
pub(crate) struct Stored {
    formats: HashMap<String, String>,
    blocks: Arc<HashMap<String, BlockLayout>>,
}

impl Stored {
    pub(crate) fn of(checkpoint: &Checkpoint) -> Self {
        let format = |tensor: tyto_checkpoint::Tensor<'_>| {
            (tensor.name.to_owned(), tensor.dtype.to_string())
        };
        let blocks = checkpoint.tensors().filter_map(|tensor| {
            let format = tensor.block_format()?;
            Some((tensor.name.to_owned(), block_layout(format)))
        });
        Self {
            formats: checkpoint.tensors().map(format).collect(),
            blocks: Arc::new(blocks.collect()),
        }
    }

    /// The whole name of a tensor's format.
    pub(crate) fn format(&self, tensor: &str) -> Option<&str> {
        self.formats.get(tensor).map(String::as_str)
    }

    /// The tensors that stand in blocks which a graph can keep.
    pub(crate) fn blocks(&self) -> Arc<HashMap<String, BlockLayout>> {
        Arc::clone(&self.blocks)
    }
}
