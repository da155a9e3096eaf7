//! What can go wrong in an evaluation.

use crate::graph::ValueId;
use crate::verify::VerifyError;

/// Why an evaluation stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("the graph is ill-formed: {0}")]
    Graph(#[from] VerifyError),
    #[error("input {name} is missing")]
    MissingInput { name: String },
    #[error("the graph has no input {name}")]
    UnknownInput { name: String },
    #[error("weight {name} is missing")]
    MissingWeight { name: String },
    #[error("{kind} {name} is {found}, expected {expected}")]
    Type { kind: &'static str, name: String, found: String, expected: String },
    #[error("{kind} {name} has {found} for dimension {dim}, which is {first} elsewhere")]
    NamedSize { dim: String, kind: &'static str, name: String, found: usize, first: usize },
    #[error("a tensor {ty} holds {expected} values, found {found}")]
    Length { ty: String, expected: usize, found: usize },
    #[error("{values} were given for a tensor of {dtype}")]
    Values { dtype: &'static str, values: &'static str },
    #[error("{value} = {op}: index {index} is outside 0..{size}")]
    Index { value: ValueId, op: &'static str, index: i64, size: usize },
    #[error("{value} = {op}: an integer is divided by zero")]
    Division { value: ValueId, op: &'static str },
}

/// Why one node has no result; [`Failure::at`] adds where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Failure {
    Index { index: i64, size: usize },
    Division,
}

impl Failure {
    pub(super) fn at(self, value: ValueId, op: &'static str) -> Error {
        match self {
            Self::Index { index, size } => Error::Index { value, op, index, size },
            Self::Division => Error::Division { value, op },
        }
    }
}

/// `index` as a position below `size`.
pub(super) fn in_range(index: i64, size: usize) -> Result<usize, Failure> {
    let found = usize::try_from(index).ok().filter(|found| *found < size);
    found.ok_or(Failure::Index { index, size })
}
