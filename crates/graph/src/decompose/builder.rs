//! A graph under construction that never holds one computation twice.

use std::collections::HashMap;

use crate::dtype::DType;
use crate::graph::{Graph, InputKind, TensorType, ValueId};
use crate::infer::InferError;
use crate::op::{Binary, Comparison, Literal, Op, Reduction, Unary};

/// The result of adding a node.
pub(super) type Added = Result<ValueId, InferError>;

/// Adds nodes; gives the earlier value where an equal node is already there.
pub(super) struct Builder {
    graph: Graph,
    /// Nodes by op name and operands; those under one key differ in their attributes.
    known: HashMap<(&'static str, Vec<ValueId>), Vec<ValueId>>,
}

impl Builder {
    pub(super) fn new(name: &str) -> Self {
        Self { graph: Graph::new(name), known: HashMap::new() }
    }

    pub(super) fn finish(self) -> Graph {
        self.graph
    }

    pub(super) fn input(&mut self, name: &str, ty: TensorType, kind: InputKind) -> ValueId {
        self.graph.add_input(name, ty, kind)
    }

    pub(super) fn add(&mut self, op: Op, operands: &[ValueId]) -> Added {
        if let [operand] = operands
            && changes_nothing(&op, self.graph.ty(*operand))
        {
            return Ok(*operand);
        }
        let key = (op.name(), operands.to_vec());
        let candidates = self.known.entry(key).or_default();
        if let Some(found) = candidates.iter().find(|value| same(&self.graph.node(**value).op, &op))
        {
            return Ok(*found);
        }
        let value = self.graph.add(op, operands)?;
        candidates.push(value);
        Ok(value)
    }

    pub(super) fn dtype(&self, value: ValueId) -> DType {
        self.graph.ty(value).dtype
    }

    /// The extents of a value that the shape rules require to be fixed.
    pub(super) fn sizes(&self, value: ValueId) -> Vec<usize> {
        self.graph.ty(value).shape.fixed().expect("operands of composite ops have fixed sizes")
    }

    /// The extents of a value that the shape rules require to be fixed and of rank `N`.
    pub(super) fn extents<const N: usize>(&self, value: ValueId) -> [usize; N] {
        self.sizes(value).try_into().expect("operands of composite ops have their rank")
    }

    /// `value` everywhere, of the type of `like`.
    pub(super) fn splat_like(&mut self, value: f64, like: ValueId) -> Added {
        let ty = self.graph.ty(like).clone();
        self.add(Op::Constant(Literal::Splat { value, ty }), &[])
    }

    pub(super) fn vector(&mut self, values: Vec<f32>) -> Added {
        self.add(Op::Constant(Literal::Vector(values)), &[])
    }

    pub(super) fn unary(&mut self, unary: Unary, x: ValueId) -> Added {
        self.add(Op::Unary(unary), &[x])
    }

    pub(super) fn binary(&mut self, binary: Binary, lhs: ValueId, rhs: ValueId) -> Added {
        self.add(Op::Binary(binary), &[lhs, rhs])
    }

    /// `binary` with `value` in every element on the right.
    pub(super) fn binary_with(&mut self, binary: Binary, lhs: ValueId, value: f64) -> Added {
        let rhs = self.splat_like(value, lhs)?;
        self.binary(binary, lhs, rhs)
    }

    pub(super) fn compare(&mut self, comparison: Comparison, lhs: ValueId, rhs: ValueId) -> Added {
        self.add(Op::Compare(comparison), &[lhs, rhs])
    }

    /// `comparison` with `value` in every element on the right.
    pub(super) fn compare_with(
        &mut self,
        comparison: Comparison,
        lhs: ValueId,
        value: f64,
    ) -> Added {
        let rhs = self.splat_like(value, lhs)?;
        self.compare(comparison, lhs, rhs)
    }

    pub(super) fn select(&mut self, condition: ValueId, then: ValueId, other: ValueId) -> Added {
        self.add(Op::Select, &[condition, then, other])
    }

    pub(super) fn convert(&mut self, dtype: DType, x: ValueId) -> Added {
        self.add(Op::Convert(dtype), &[x])
    }

    pub(super) fn bitcast(&mut self, dtype: DType, x: ValueId) -> Added {
        self.add(Op::Bitcast(dtype), &[x])
    }

    pub(super) fn reshape(&mut self, x: ValueId, shape: impl Into<Vec<usize>>) -> Added {
        self.add(Op::Reshape(shape.into()), &[x])
    }

    pub(super) fn transpose(&mut self, x: ValueId, axes: impl Into<Vec<usize>>) -> Added {
        self.add(Op::Transpose(axes.into()), &[x])
    }

    /// S, G and D of a cache `[blocks, S, G, D]`.
    pub(super) fn row_sizes(&self, cache: ValueId) -> [usize; 3] {
        let dims = self.graph.ty(cache).shape.dims();
        [1, 2, 3].map(|axis| dims[axis].bound())
    }

    pub(super) fn flatten_rows(&mut self, x: ValueId) -> Added {
        self.add(Op::FlattenRows, &[x])
    }

    pub(super) fn barrier(&mut self, x: ValueId) -> Added {
        self.add(Op::OptimizationBarrier, &[x])
    }

    pub(super) fn reverse(&mut self, x: ValueId, axis: usize) -> Added {
        self.add(Op::Reverse { axis }, &[x])
    }

    pub(super) fn broadcast(
        &mut self,
        x: ValueId,
        shape: impl Into<Vec<usize>>,
        axes: impl Into<Vec<usize>>,
    ) -> Added {
        self.add(Op::Broadcast { shape: shape.into(), axes: axes.into() }, &[x])
    }

    /// A value without its last axis, repeated along it to the sizes of `like`.
    pub(super) fn broadcast_rows(&mut self, x: ValueId, like: ValueId) -> Added {
        let shape = self.sizes(like);
        let axes: Vec<usize> = (0..shape.len() - 1).collect();
        self.broadcast(x, shape, axes)
    }

    /// `[from, to)` of one axis, all of the others.
    pub(super) fn slice(&mut self, x: ValueId, axis: usize, from: usize, to: usize) -> Added {
        let mut limit = self.sizes(x);
        let mut start = vec![0; limit.len()];
        (start[axis], limit[axis]) = (from, to);
        self.add(Op::Slice { start, limit }, &[x])
    }

    pub(super) fn concat(&mut self, axis: usize, operands: &[ValueId]) -> Added {
        match operands {
            [only] => Ok(*only),
            _ => self.add(Op::Concat { axis }, operands),
        }
    }

    /// Folds the last axis.
    pub(super) fn reduce_rows(&mut self, reduction: Reduction, x: ValueId) -> Added {
        let axis = self.sizes(x).len() - 1;
        self.add(Op::Reduce { reduction, axis }, &[x])
    }

    pub(super) fn take(&mut self, x: ValueId, indices: ValueId) -> Added {
        self.add(Op::Take, &[x, indices])
    }

    /// Contracts axis `contract.0` of `lhs` with `contract.1` of `rhs` for each index of the
    /// batch axes.
    pub(super) fn dot(
        &mut self,
        (lhs, rhs): (ValueId, ValueId),
        batch: (&[usize], &[usize]),
        contract: (usize, usize),
    ) -> Added {
        let batch = (batch.0.to_vec(), batch.1.to_vec());
        let contract = (vec![contract.0], vec![contract.1]);
        self.add(Op::Dot { batch, contract }, &[lhs, rhs])
    }
}

/// Whether the result is the operand itself.
fn changes_nothing(op: &Op, x: &TensorType) -> bool {
    match op {
        Op::Convert(dtype) => *dtype == x.dtype,
        Op::Reshape(shape) => x.shape.fixed().as_ref() == Some(shape),
        Op::Transpose(axes) => axes.iter().copied().eq(0..x.shape.rank()),
        Op::Broadcast { shape, .. } => x.shape.fixed().as_ref() == Some(shape),
        Op::Slice { start, limit } => {
            start.iter().all(|first| *first == 0) && x.shape.fixed().as_ref() == Some(limit)
        }
        _ => false,
    }
}

/// Whether two ops compute the same bits; `==` would take -0 for 0 in constants.
fn same(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (
            Op::Constant(Literal::Splat { value: a, ty: a_type }),
            Op::Constant(Literal::Splat { value: b, ty: b_type }),
        ) => a.to_bits() == b.to_bits() && a_type == b_type,
        (Op::Constant(Literal::Vector(a)), Op::Constant(Literal::Vector(b))) => {
            a.iter().map(|value| value.to_bits()).eq(b.iter().map(|value| value.to_bits()))
        }
        _ => a == b,
    }
}
