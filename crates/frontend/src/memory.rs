//! What a layer keeps of the tokens before: keys and values of each, or a state of one size
//! however many there were, or both.

/// The keys and values that a layer caches for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KvLayer {
    /// Heads.
    pub heads: usize,
    /// Width of each.
    pub head_dim: usize,
}

/// The state that a recurrent layer has for a sequence, in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecurrentLayer {
    /// Rows and channels of each convolution's, of the first ones that it has: its last inputs.
    pub conv: [Option<[usize; 2]>; 3],
    /// Heads, depth and width of the recurrence's (N and P of `tyto_graph::Op::SsmScan`), where it
    /// has one.
    pub state: Option<[usize; 3]>,
}

impl RecurrentLayer {
    /// One with a convolution of this state.
    pub fn of_conv(conv: [usize; 2]) -> Self {
        Self { conv: [Some(conv), None, None], state: None }
    }
}

/// What a layer keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerMemory {
    /// Of every token, where it has attention.
    pub kv: Option<KvLayer>,
    /// Of all tokens together, where it is recurrent.
    pub recurrent: Option<RecurrentLayer>,
}

impl From<KvLayer> for LayerMemory {
    fn from(kv: KvLayer) -> Self {
        Self { kv: Some(kv), recurrent: None }
    }
}

impl From<RecurrentLayer> for LayerMemory {
    fn from(recurrent: RecurrentLayer) -> Self {
        Self { kv: None, recurrent: Some(recurrent) }
    }
}
