//! Where the cache's layers are inside a block.

use tyto_graph::{DType, Graph, InputKind};

/// The cache of a model as the kernels keep it: one buffer of blocks, and in each block the
/// keys and values of every layer. The graph's state inputs, in their order, are its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheLayout {
    /// Bytes of one block: a multiple of 64.
    pub block_bytes: u64,
    /// Where each state input's part begins: a multiple of 64.
    pub offsets: Vec<(usize, u64)>,
}

impl CacheLayout {
    /// The layout for the state inputs of `graph`, `[blocks, 16, heads, head_dim]` each, or
    /// `[blocks, 16, heads, bytes]` where they are quantized: the kernels order these bytes in
    /// another way (`attention.h`) but take as many.
    pub fn of(graph: &Graph) -> Self {
        let mut offsets = Vec::new();
        let mut block_bytes = 0;
        let states = graph.inputs.iter().enumerate();
        for (index, input) in states.filter(|(_, input)| input.kind == InputKind::State) {
            offsets.push((index, block_bytes));
            let elements: usize =
                input.ty.shape.dims().iter().skip(1).map(|dim| dim.bound()).product();
            let bytes = elements as u64 * element_bytes(input.ty.dtype);
            block_bytes += bytes.next_multiple_of(64);
        }
        Self { block_bytes, offsets }
    }

    /// Where the part of the state input `input` begins.
    pub(crate) fn offset(&self, input: usize) -> Option<u64> {
        self.offsets.iter().find(|(index, _)| *index == input).map(|(_, offset)| *offset)
    }
}

fn element_bytes(dtype: DType) -> u64 {
    dtype.bytes() as u64
}
