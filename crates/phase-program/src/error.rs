//! Why a graph has no phase program.

use tyto_graph::{Node, ValueId};

/// The first op for which the kernels have no form; the graph is then served by its
/// decomposition, and this is the recorded reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no native kernel for {op} ({value} of type {ty}): {reason}")]
pub struct Unsupported {
    /// The op's name.
    pub op: &'static str,
    /// Its place in the graph.
    pub value: String,
    /// The type of its result.
    pub ty: String,
    /// What is missing.
    pub reason: String,
}

impl Unsupported {
    pub(crate) fn new(value: ValueId, node: &Node, reason: impl Into<String>) -> Self {
        Self {
            op: node.op.name(),
            value: value.to_string(),
            ty: node.ty.to_string(),
            reason: reason.into(),
        }
    }
}
