//! Ops that find elements by index, and sums.

use super::elementwise::maximum;
use super::error::{Failure, in_range};
use super::shape::transpose;
use super::tensor::Tensor;
use crate::dtype::DType;
use crate::op::Reduction;

pub(super) fn take(x: &Tensor, indices: &Tensor) -> Result<Tensor, Failure> {
    let row: usize = x.shape()[1..].iter().product();
    let rows: Result<Vec<usize>, Failure> =
        indices.i().iter().map(|index| in_range(*index, x.shape()[0])).collect();
    let shape: Vec<usize> = indices.shape().iter().chain(&x.shape()[1..]).copied().collect();
    Ok(x.picked(&shape, rows?.into_iter().flat_map(|found| found * row..(found + 1) * row)))
}

/// Takes the operands by value, so that the first can be updated in place.
pub(super) fn put(operands: Vec<Tensor>) -> Result<Tensor, Failure> {
    let [mut x, indices, updates]: [Tensor; 3] =
        operands.try_into().expect("the verifier has counted the operands");
    let row: usize = x.shape()[2..].iter().product();
    let (outer, inner) = (x.shape()[0], x.shape()[1]);
    for (update, pair) in indices.i().chunks_exact(2).enumerate() {
        let place = in_range(pair[0], outer)? * inner + in_range(pair[1], inner)?;
        x.overwrite(place * row, &updates, update * row..(update + 1) * row);
    }
    Ok(x)
}

pub(super) fn reduce(reduction: Reduction, axis: usize, x: &Tensor) -> Tensor {
    let mut shape = x.shape().to_vec();
    let size = shape.remove(axis);
    let inner: usize = shape[axis..].iter().product();
    let values = x.f();
    let line = |result: usize| {
        let first = result / inner * size * inner + result % inner;
        (0..size).map(move |index| values[first + index * inner])
    };
    let results = 0..shape.iter().product();
    match reduction {
        Reduction::Sum => {
            let sums = results.map(|result| line(result).map(f64::from).sum());
            Tensor::rounded(DType::F32, &shape, sums)
        }
        Reduction::Max => {
            let largest = results.map(|result| line(result).fold(f32::NEG_INFINITY, maximum));
            Tensor::rounded(x.dtype(), &shape, largest.map(f64::from))
        }
    }
}

pub(super) fn dot(
    batch: &(Vec<usize>, Vec<usize>),
    contract: &(Vec<usize>, Vec<usize>),
    lhs: &Tensor,
    rhs: &Tensor,
) -> Tensor {
    let (left, left_free) = contracted_last(&batch.0, &contract.0, lhs);
    let (right, right_free) = contracted_last(&batch.1, &contract.1, rhs);
    let batch_sizes = batch.0.iter().map(|axis| lhs.shape()[*axis]);
    let shape: Vec<usize> =
        batch_sizes.clone().chain(left_free.clone()).chain(right_free.clone()).collect();
    let batches: usize = batch_sizes.product();
    let (rows, columns): (usize, usize) = (left_free.iter().product(), right_free.iter().product());
    let depth: usize = contract.0.iter().map(|axis| lhs.shape()[*axis]).product();

    let mut sums = Vec::with_capacity(batches * rows * columns);
    for index in 0..batches {
        for row in 0..rows {
            let a = &left.f()[(index * rows + row) * depth..][..depth];
            for column in 0..columns {
                let b = &right.f()[(index * columns + column) * depth..][..depth];
                sums.push(inner_product(a, b));
            }
        }
    }
    Tensor::rounded(DType::F32, &shape, sums)
}

/// The sum of products in index order, in f64, where each product is exact.
pub(super) fn inner_product(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// The operand as `[batch…, free…, contracted…]`, with the free sizes.
fn contracted_last(batch: &[usize], contract: &[usize], x: &Tensor) -> (Tensor, Vec<usize>) {
    let free: Vec<usize> = (0..x.shape().len())
        .filter(|axis| !batch.contains(axis) && !contract.contains(axis))
        .collect();
    let order: Vec<usize> = batch.iter().chain(&free).chain(contract).copied().collect();
    let sizes = free.iter().map(|axis| x.shape()[*axis]).collect();
    let ordered = order.iter().copied().eq(0..order.len());
    (if ordered { x.clone() } else { transpose(&order, x) }, sizes)
}
