//! Where the cache's layers are inside a block, and recurrent layers inside a slot.

use tyto_graph::{DType, Dim, Graph, Input, InputKind};

/// The cache of a model as the kernels keep it: one buffer of blocks, and in each block the
/// keys and values of every layer. Of models with recurrent layers the first blocks are the slots
/// of sequences, and in each slot are the states of every layer (`state.h`). The graph's state
/// inputs, in their order, are the parts of both: those of slots have the named first dimension
/// `slots`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheLayout {
    /// Bytes of one block: a multiple of 64, which is not 0 where there are slots.
    pub block_bytes: u64,
    /// Bytes of one slot: a multiple of 64.
    pub slot_bytes: u64,
    /// Where each state input's part of a block or of a slot begins: a multiple of 64.
    pub offsets: Vec<(usize, u64)>,
}

impl CacheLayout {
    /// The layout for the state inputs of `graph`, `[blocks, 16, heads, head_dim]` each, or
    /// `[blocks, 16, heads, bytes]` where they are quantized: the kernels order these bytes in
    /// another way (`attention.h`) but take as many.
    pub fn of(graph: &Graph) -> Self {
        let mut offsets = Vec::new();
        let (mut block_bytes, mut slot_bytes) = (0, 0);
        let states = graph.inputs.iter().enumerate();
        for (index, input) in states.filter(|(_, input)| input.kind == InputKind::State) {
            if is_slot(input) {
                offsets.push((index, slot_bytes));
                slot_bytes += slot_part(input).next_multiple_of(64);
                continue;
            }
            offsets.push((index, block_bytes));
            let elements: usize =
                input.ty.shape.dims().iter().skip(1).map(|dim| dim.bound()).product();
            let bytes = elements as u64 * element_bytes(input.ty.dtype);
            block_bytes += bytes.next_multiple_of(64);
        }
        if slot_bytes > 0 {
            block_bytes = block_bytes.max(64);
        }
        Self { block_bytes, slot_bytes, offsets }
    }

    /// Where the part of the state input `input` begins.
    pub(crate) fn offset(&self, input: usize) -> Option<u64> {
        self.offsets.iter().find(|(index, _)| *index == input).map(|(_, offset)| *offset)
    }
}

fn is_slot(input: &Input) -> bool {
    matches!(input.ty.shape.dims().first(), Some(Dim::Named { name, .. }) if &**name == "slots")
}

/// Bytes of a layer's state in a slot: rows are padded to 16 numbers.
fn slot_part(input: &Input) -> u64 {
    let sizes: Vec<usize> = input.ty.shape.dims().iter().skip(1).map(Dim::bound).collect();
    let [rows @ .., width] = &sizes[..] else { return 0 };
    let rows: usize = rows.iter().product();
    (rows * width.next_multiple_of(16)) as u64 * element_bytes(input.ty.dtype)
}

fn element_bytes(dtype: DType) -> u64 {
    dtype.bytes() as u64
}
