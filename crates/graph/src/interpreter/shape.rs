//! Ops that only move elements.

use super::tensor::Tensor;

/// Steps between neighbours along each axis.
pub(super) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

/// `start + Σ index × stride` for each index of `shape`, in row-major order.
pub(super) fn count_up(
    shape: &[usize],
    strides: &[usize],
    start: usize,
) -> impl Iterator<Item = usize> + use<> {
    let (shape, strides) = (shape.to_vec(), strides.to_vec());
    let total: usize = shape.iter().product();
    let mut index = vec![0; shape.len()];
    let mut at = start;
    (0..total).map(move |_| {
        let current = at;
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
        current
    })
}

pub(super) fn transpose(permutation: &[usize], x: &Tensor) -> Tensor {
    let from = strides(x.shape());
    let shape: Vec<usize> = permutation.iter().map(|axis| x.shape()[*axis]).collect();
    let steps: Vec<usize> = permutation.iter().map(|axis| from[*axis]).collect();
    x.picked(&shape, count_up(&shape, &steps, 0))
}

pub(super) fn flatten_rows(x: &Tensor) -> Tensor {
    let shape = [x.shape()[0], x.shape()[1..].iter().product()];
    x.clone().reshaped(&shape)
}

pub(super) fn reverse(axis: usize, x: &Tensor) -> Tensor {
    let strides = strides(x.shape());
    let (size, stride) = (x.shape()[axis], strides[axis]);
    let mirrored =
        |at: usize| at - at / stride % size * stride + (size - 1 - at / stride % size) * stride;
    x.picked(x.shape(), count_up(x.shape(), &strides, 0).map(mirrored))
}

pub(super) fn broadcast(shape: &[usize], axes: &[usize], x: &Tensor) -> Tensor {
    let from = strides(x.shape());
    let mut steps = vec![0; shape.len()];
    for (operand_axis, axis) in axes.iter().enumerate() {
        if x.shape()[operand_axis] != 1 {
            steps[*axis] = from[operand_axis];
        }
    }
    x.picked(shape, count_up(shape, &steps, 0))
}

pub(super) fn slice(start: &[usize], limit: &[usize], x: &Tensor) -> Tensor {
    let steps = strides(x.shape());
    let first = start.iter().zip(&steps).map(|(index, step)| index * step).sum();
    let shape: Vec<usize> = start.iter().zip(limit).map(|(start, limit)| limit - start).collect();
    x.picked(&shape, count_up(&shape, &steps, first))
}

pub(super) fn concat(axis: usize, operands: &[Tensor]) -> Tensor {
    let mut shape = operands[0].shape().to_vec();
    shape[axis] = operands.iter().map(|operand| operand.shape()[axis]).sum();
    let mut result = Tensor::zeros(operands[0].dtype(), &shape[..]);
    let outer: usize = shape[..axis].iter().product();
    let inner: usize = shape[axis + 1..].iter().product();
    let mut offset = 0;
    for operand in operands {
        let run = operand.shape()[axis] * inner;
        for row in 0..outer {
            let to = row * shape[axis] * inner + offset;
            result.overwrite(to, operand, row * run..(row + 1) * run);
        }
        offset += run;
    }
    result
}
