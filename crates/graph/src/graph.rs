//! The graph: nodes in topological order, named inputs, weights and outputs.

use std::fmt;
use std::sync::Arc;

use crate::dim::Shape;
use crate::dtype::DType;
use crate::infer::{InferError, infer};
use crate::op::Op;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// Element type.
    pub dtype: DType,
    /// Extents, outermost first.
    pub shape: Shape,
}

impl TensorType {
    /// A tensor of `dtype` and `shape`.
    pub fn new(dtype: DType, shape: impl Into<Shape>) -> Self {
        Self { dtype, shape: shape.into() }
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}

/// A value: the result of the node with this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// The index of the node that defines the value.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// What the caller passes and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Read only.
    Plain,
    /// Storage that the program updates in place; exactly one [`Output::Updated`] returns it.
    State,
}

/// A named argument of the program, in call order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name that callers bind, such as `tokens` or `key_cache.3`.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TensorType,
    /// Whether it is updated in place.
    pub kind: InputKind,
    /// The value that stands for it in the graph.
    pub value: ValueId,
}

/// A result of the program, in return order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A new tensor.
    Plain {
        /// The name that callers see.
        name: Arc<str>,
        /// The returned value.
        value: ValueId,
    },
    /// The last version of a [`InputKind::State`] input: the same storage.
    Updated {
        /// Index into [`Graph::inputs`].
        input: usize,
        /// The returned value.
        value: ValueId,
    },
}

impl Output {
    /// The returned value.
    pub fn value(&self) -> ValueId {
        match self {
            Self::Plain { value, .. } | Self::Updated { value, .. } => *value,
        }
    }
}

/// One operation and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What is computed.
    pub op: Op,
    /// From which values, all defined earlier.
    pub operands: Vec<ValueId>,
    /// The type of the result, as the shape rules give it.
    pub ty: TensorType,
}

/// A program: one step of a model.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Graph {
    /// The name of the function.
    pub name: String,
    /// Arguments in call order.
    pub inputs: Vec<Input>,
    /// Nodes in topological order.
    pub nodes: Vec<Node>,
    /// Results in return order.
    pub outputs: Vec<Output>,
}

impl Graph {
    /// An empty program.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds an argument and gives the value that stands for it.
    pub fn add_input(&mut self, name: &str, ty: TensorType, kind: InputKind) -> ValueId {
        let index = self.inputs.len();
        let value = self.push(Op::Input { index }, Vec::new(), ty.clone());
        self.inputs.push(Input { name: name.into(), ty, kind, value });
        value
    }

    /// Adds a node whose type the shape rules give.
    ///
    /// Errors: [`InferError`] names the op, the rule and the operand types.
    pub fn add(&mut self, op: Op, operands: &[ValueId]) -> Result<ValueId, InferError> {
        let types: Vec<&TensorType> = operands.iter().map(|value| self.ty(*value)).collect();
        let ty = infer(&op, &types)?;
        Ok(self.push(op, operands.to_vec(), ty))
    }

    /// Returns a value under a name.
    pub fn add_output(&mut self, name: &str, value: ValueId) {
        self.outputs.push(Output::Plain { name: name.into(), value });
    }

    /// Returns the last version of a state input.
    pub fn add_updated(&mut self, input: usize, value: ValueId) {
        self.outputs.push(Output::Updated { input, value });
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> &TensorType {
        &self.nodes[value.index()].ty
    }

    /// The node that defines a value.
    pub fn node(&self, value: ValueId) -> &Node {
        &self.nodes[value.index()]
    }

    /// The weights that the program reads, by first use: name and stored type.
    pub fn weights(&self) -> Vec<(Arc<str>, TensorType)> {
        let mut found: Vec<(Arc<str>, TensorType)> = Vec::new();
        for node in &self.nodes {
            if let Op::Weight { name, .. } = &node.op
                && !found.iter().any(|(known, _)| known == name)
            {
                found.push((name.clone(), node.ty.clone()));
            }
        }
        found
    }

    fn push(&mut self, op: Op, operands: Vec<ValueId>, ty: TensorType) -> ValueId {
        let value = ValueId(u32::try_from(self.nodes.len()).expect("a graph has under 2^32 nodes"));
        self.nodes.push(Node { op, operands, ty });
        value
    }
}
