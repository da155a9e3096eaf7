//! What distinguishes one recurrent op from another.

/// Which of a recurrent op's two results a node is. Both nodes have the same operands; a target
/// with kernels computes them at once, and updates the state in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecurrentResult {
    /// A row for each token.
    Output,
    /// The state after the step's tokens, of the old one's type.
    State,
}

/// A causal convolution's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvAttrs {
    /// Which result.
    pub result: RecurrentResult,
    /// Whether results go through `y × logistic(y)`.
    pub silu: bool,
}

/// A state-space scan's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SsmAttrs {
    /// Which result.
    pub result: RecurrentResult,
    /// The least and the largest length of a time step; the latter may be infinite.
    pub dt_limit: [f32; 2],
}

/// A gated delta rule's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaAttrs {
    /// Which result.
    pub result: RecurrentResult,
    /// Added to the sum of squares of queries and keys.
    pub epsilon: f32,
    /// Multiplies queries once their length is 1.
    pub scale: f32,
}
