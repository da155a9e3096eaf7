//! How the checkpoint stores each tensor, and what becomes of its blocks.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_checkpoint::{Checkpoint, StoredType};
use tyto_graph::BlockLayout;

use crate::quantize::Quantization;
use crate::weights::block_layout;

/// The blocks that a tensor stands in, where they are to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TensorBlocks {
    /// Their layout.
    pub(crate) layout: BlockLayout,
    /// What puts the tensor into them; `None` where the checkpoint has them.
    pub(crate) quantize: Option<Quantization>,
}

/// The stored formats of a checkpoint's tensors, by name.
pub(crate) struct Stored {
    formats: HashMap<String, String>,
    plain: Arc<HashMap<String, bool>>,
    blocks: Arc<HashMap<String, TensorBlocks>>,
}

impl Stored {
    pub(crate) fn of(checkpoint: &Checkpoint) -> Self {
        let format = |tensor: tyto_checkpoint::Tensor<'_>| {
            (tensor.name.to_owned(), tensor.dtype.to_string())
        };
        let plain = |tensor: tyto_checkpoint::Tensor<'_>| {
            let floats = [StoredType::F64, StoredType::F32, StoredType::F16, StoredType::Bf16];
            (tensor.name.to_owned(), floats.contains(&tensor.dtype))
        };
        let blocks = checkpoint.tensors().filter_map(|tensor| {
            let &[.., _, columns] = tensor.shape else { return None };
            let layout = block_layout(tensor.block_format()?)?;
            let blocks = TensorBlocks { layout, quantize: None };
            columns.is_multiple_of(layout.unit()).then(|| (tensor.name.to_owned(), blocks))
        });
        Self {
            formats: checkpoint.tensors().map(format).collect(),
            plain: Arc::new(checkpoint.tensors().map(plain).collect()),
            blocks: Arc::new(blocks.collect()),
        }
    }

    /// The whole name of a tensor's format.
    pub(crate) fn format(&self, tensor: &str) -> Option<&str> {
        self.formats.get(tensor).map(String::as_str)
    }

    /// The checkpoint's names, and whether each tensor is of plain numbers.
    pub(crate) fn names(&self) -> Arc<HashMap<String, bool>> {
        Arc::clone(&self.plain)
    }

    /// The tensors that stand in blocks which a graph can keep.
    pub(crate) fn blocks(&self) -> Arc<HashMap<String, TensorBlocks>> {
        Arc::clone(&self.blocks)
    }

    /// From now on, these tensors stand in blocks as well.
    pub(crate) fn quantize(&mut self, tensors: Vec<(String, Quantization)>) {
        let blocks = Arc::make_mut(&mut self.blocks);
        blocks.extend(tensors.into_iter().map(|(tensor, format)| {
            (tensor, TensorBlocks { layout: format.layout(), quantize: Some(format) })
        }));
    }
}
