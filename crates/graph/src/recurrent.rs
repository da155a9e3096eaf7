//! What distinguishes one recurrent op from another.

use crate::op::Op;

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
    /// Multiplies the logistic that says how much of an error is written: 1, or 2 where a state
    /// may turn round.
    pub strength: f32,
}

impl Op {
    /// Which of its two results a recurrent op gives; `None` of all other ops.
    pub fn recurrent(&self) -> Option<RecurrentResult> {
        match self {
            Self::CausalConv(attrs) => Some(attrs.result),
            Self::SsmScan(attrs) => Some(attrs.result),
            Self::SelectiveScan(result) | Self::RgLru(result) => Some(*result),
            Self::DeltaRule(attrs) => Some(attrs.result),
            Self::DplrScan(result) => Some(*result),
            _ => None,
        }
    }

    /// The same recurrent op with this result; `None` of all other ops.
    pub fn recurrent_as(&self, result: RecurrentResult) -> Option<Self> {
        match *self {
            Self::CausalConv(attrs) => Some(Self::CausalConv(ConvAttrs { result, ..attrs })),
            Self::SsmScan(attrs) => Some(Self::SsmScan(SsmAttrs { result, ..attrs })),
            Self::SelectiveScan(_) => Some(Self::SelectiveScan(result)),
            Self::RgLru(_) => Some(Self::RgLru(result)),
            Self::DplrScan(_) => Some(Self::DplrScan(result)),
            Self::DeltaRule(attrs) => Some(Self::DeltaRule(DeltaAttrs { result, ..attrs })),
            _ => None,
        }
    }
}
