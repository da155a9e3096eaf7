//! Values, and the functions of them that models are written with.

use std::ops::{Add, Mul, Range};

use tyto_graph::{Binary, DType, Literal, Op, Reduction, TensorType, Unary, ValueId};

use super::Trace;

/// A value of the graph, or a poisoned one.
#[derive(Clone, Copy)]
pub struct Tensor<'t> {
    pub(super) trace: &'t Trace,
    pub(super) value: Option<ValueId>,
}

impl<'t> Tensor<'t> {
    /// A node of this and other operands.
    #[track_caller]
    pub fn with(self, op: Op, others: &[Tensor<'t>]) -> Tensor<'t> {
        let operands: Vec<_> = std::iter::once(self).chain(others.iter().copied()).collect();
        self.trace.add(op, &operands)
    }

    /// The size of an axis; 0 of a poisoned value, whose results nobody sees.
    pub fn size(self, axis: usize) -> usize {
        let sizes = self.value.map(|value| self.trace.sizes(value));
        sizes.and_then(|sizes| sizes.get(axis).copied()).unwrap_or(0)
    }

    /// An element-wise function.
    #[track_caller]
    pub fn unary(self, unary: Unary) -> Tensor<'t> {
        self.with(Op::Unary(unary), &[])
    }

    /// Another element type.
    #[track_caller]
    pub fn convert(self, dtype: DType) -> Tensor<'t> {
        let same = self
            .value
            .is_some_and(|value| self.trace.state.borrow().graph.ty(value).dtype == dtype);
        if same { self } else { self.with(Op::Convert(dtype), &[]) }
    }

    /// A constant of this tensor's type.
    #[track_caller]
    pub fn splat(self, value: f64) -> Tensor<'t> {
        let ty = self.value.map(|value| self.trace.state.borrow().graph.ty(value).clone());
        match ty {
            Some(ty) => self.trace.add(Op::Constant(Literal::Splat { value, ty }), &[]),
            None => self.trace.poison(),
        }
    }

    /// Every element times a constant.
    #[track_caller]
    pub fn scale(self, factor: f64) -> Tensor<'t> {
        self * self.splat(factor)
    }

    /// A vector added to every row of a matrix.
    #[track_caller]
    pub fn add_row(self, row: Tensor<'t>) -> Tensor<'t> {
        let shape = vec![self.size(0), self.size(1)];
        self + row.with(Op::Broadcast { shape, axes: vec![1] }, &[])
    }

    /// Every element divided by a constant; integers lose what is left over.
    #[track_caller]
    pub fn divide(self, by: f64) -> Tensor<'t> {
        self.binary(Binary::Divide, self.splat(by))
    }

    /// Every token, `[tokens, …]`, times its own number of `numbers`, `[tokens]`.
    #[track_caller]
    pub fn scale_tokens(self, numbers: Tensor<'t>) -> Tensor<'t> {
        let shape = self.sizes();
        self * numbers.with(Op::Broadcast { shape, axes: vec![0] }, &[])
    }

    /// Every token of a matrix plus its own number of `numbers`, `[tokens]`.
    #[track_caller]
    pub fn add_tokens(self, numbers: Tensor<'t>) -> Tensor<'t> {
        let shape = self.sizes();
        self + numbers.with(Op::Broadcast { shape, axes: vec![0] }, &[])
    }

    /// The mean of each row of a matrix, `[tokens]`.
    #[track_caller]
    pub fn mean(self) -> Tensor<'t> {
        let sum = self.with(Op::Reduce { reduction: Reduction::Sum, axis: 1 }, &[]);
        sum.scale(1.0 / self.size(1).max(1) as f64)
    }

    /// Every row of a matrix times a vector.
    #[track_caller]
    pub fn scale_row(self, row: Tensor<'t>) -> Tensor<'t> {
        let shape = vec![self.size(0), self.size(1)];
        self * row.with(Op::Broadcast { shape, axes: vec![1] }, &[])
    }

    /// A vector of ones.
    #[track_caller]
    pub fn ones(self, size: usize) -> Tensor<'t> {
        self.vector(vec![1.0; size])
    }

    /// A constant vector.
    #[track_caller]
    pub fn vector(self, values: Vec<f32>) -> Tensor<'t> {
        self.trace.add(Op::Constant(Literal::Vector(values)), &[])
    }

    /// `[tokens, heads × width]` as `[tokens, heads, width]`.
    #[track_caller]
    pub fn split_heads(self, heads: usize) -> Tensor<'t> {
        let width = self.size(1) / heads.max(1);
        self.with(Op::Reshape(vec![self.size(0), heads, width]), &[])
    }

    /// `[tokens, heads, width]` as `[tokens, heads × width]`.
    #[track_caller]
    pub fn merge_heads(self) -> Tensor<'t> {
        self.with(Op::Reshape(vec![self.size(0), self.size(1) * self.size(2)]), &[])
    }

    /// `[tokens, heads, width]` with zeros behind each head, up to `width`.
    #[track_caller]
    pub fn widened(self, width: usize) -> Tensor<'t> {
        let more = width.saturating_sub(self.size(2));
        if more == 0 {
            return self;
        }
        let ty = TensorType::new(DType::F32, [self.size(0), self.size(1), more]);
        let zeros = self.trace.add(Op::Constant(Literal::Splat { value: 0.0, ty }), &[]);
        self.with(Op::Concat { axis: 2 }, &[zeros])
    }

    /// Each row of a matrix, and behind it that of another.
    #[track_caller]
    pub fn beside(self, other: Tensor<'t>) -> Tensor<'t> {
        let other = other.split_heads(1);
        self.split_heads(1).with(Op::Concat { axis: 2 }, &[other]).merge_heads()
    }

    /// The rows that `indices` name.
    #[track_caller]
    pub fn take_rows(self, indices: Tensor<'t>) -> Tensor<'t> {
        self.with(Op::Take, &[indices])
    }

    /// Some columns of a matrix.
    #[track_caller]
    pub fn columns(self, columns: Range<usize>) -> Tensor<'t> {
        let limit = vec![self.size(0), columns.end];
        self.with(Op::Slice { start: vec![0, columns.start], limit }, &[])
    }

    /// Some elements of the last axis.
    #[track_caller]
    pub fn last(self, elements: Range<usize>) -> Tensor<'t> {
        let mut limit = self.sizes();
        let mut start = vec![0; limit.len()];
        if let (Some(start), Some(limit)) = (start.last_mut(), limit.last_mut()) {
            (*start, *limit) = (elements.start, elements.end);
        }
        self.with(Op::Slice { start, limit }, &[])
    }

    /// Softmax over the last axis.
    #[track_caller]
    pub fn softmax(self) -> Tensor<'t> {
        let ty = TensorType::new(DType::Bool, self.sizes());
        let all = Op::Constant(Literal::Splat { value: 1.0, ty });
        self.with(Op::MaskedSoftmax, &[self.trace.add(all, &[])])
    }

    /// Every element, but none above `most`.
    #[track_caller]
    pub fn at_most(self, most: f64) -> Tensor<'t> {
        self.binary(Binary::Minimum, self.splat(most))
    }

    /// Every element, but none below `least`.
    #[track_caller]
    pub fn at_least(self, least: f64) -> Tensor<'t> {
        self.binary(Binary::Maximum, self.splat(least))
    }

    /// Every element divided by the other's.
    #[track_caller]
    pub fn over(self, other: Tensor<'t>) -> Tensor<'t> {
        self.binary(Binary::Divide, other)
    }

    /// All sizes; none of a poisoned value.
    fn sizes(self) -> Vec<usize> {
        self.value.map(|value| self.trace.sizes(value)).unwrap_or_default()
    }

    /// Pairs of each head turned by `angles`.
    #[track_caller]
    pub fn rotate(self, angles: Tensor<'t>) -> Tensor<'t> {
        self.with(Op::Rope, &[angles])
    }

    /// As [`rotate`](Self::rotate), where there are angles.
    #[track_caller]
    pub fn rotate_by(self, angles: Option<Tensor<'t>>) -> Tensor<'t> {
        angles.map_or(self, |angles| self.rotate(angles))
    }

    #[track_caller]
    fn binary(self, binary: Binary, other: Tensor<'t>) -> Tensor<'t> {
        self.with(Op::Binary(binary), &[other])
    }
}

impl<'t> Add for Tensor<'t> {
    type Output = Tensor<'t>;

    #[track_caller]
    fn add(self, other: Tensor<'t>) -> Tensor<'t> {
        self.binary(Binary::Add, other)
    }
}

impl<'t> Mul for Tensor<'t> {
    type Output = Tensor<'t>;

    #[track_caller]
    fn mul(self, other: Tensor<'t>) -> Tensor<'t> {
        self.binary(Binary::Multiply, other)
    }
}
