//! One node: its op on the tensors of its operands.

use super::error::Failure;
use super::shape::count_up;
use super::tensor::Tensor;
use super::{attention, composite, elementwise, experts, indexed, kv, recurrent, shape};
use crate::dtype::DType;
use crate::graph::TensorType;
use crate::op::{Literal, Op};

/// The result of `op`, which is neither an input nor a weight.
pub(super) fn evaluate(op: &Op, operands: Vec<Tensor>) -> Result<Tensor, Failure> {
    Ok(match (op, &operands[..]) {
        (Op::Constant(literal), _) => constant(literal),
        (Op::Iota { ty, axis }, _) => iota(ty, *axis),
        (Op::Unary(unary), [x]) => elementwise::unary(*unary, x),
        (Op::Binary(binary), [lhs, rhs]) => elementwise::binary(*binary, lhs, rhs)?,
        (Op::Compare(comparison), [lhs, rhs]) => elementwise::compare(*comparison, lhs, rhs),
        (Op::Select, [condition, then, other]) => elementwise::select(condition, then, other),
        (Op::Convert(dtype), [x]) => elementwise::convert(*dtype, x),
        (Op::Bitcast(dtype), [x]) => x.bitcast(*dtype),
        (Op::Reshape(shape), [x]) => x.clone().reshaped(shape),
        (Op::OptimizationBarrier, [x]) => x.clone(),
        (Op::FlattenRows, [x]) => shape::flatten_rows(x),
        (Op::Reverse { axis }, [x]) => shape::reverse(*axis, x),
        (Op::Transpose(permutation), [x]) => shape::transpose(permutation, x),
        (Op::Broadcast { shape, axes }, [x]) => shape::broadcast(shape, axes, x),
        (Op::Slice { start, limit }, [x]) => shape::slice(start, limit, x),
        (Op::Concat { axis }, operands) => shape::concat(*axis, operands),
        (Op::Take, [x, indices]) => indexed::take(x, indices)?,
        (Op::Put, _) => return indexed::put(operands),
        (Op::Reduce { reduction, axis }, [x]) => indexed::reduce(*reduction, *axis, x),
        (Op::Dot { batch, contract }, [lhs, rhs]) => indexed::dot(batch, contract, lhs, rhs),
        (Op::Linear { layout, rows }, [x, w]) => composite::linear(*layout, *rows, x, w),
        (Op::Embedding { layout, rows }, [w, ids]) => composite::embedding(*layout, *rows, w, ids)?,
        (Op::RmsNorm { epsilon, offset }, [x, w]) => composite::rms_norm(*epsilon, *offset, x, w),
        (Op::LayerNorm { epsilon, offset }, [x, w]) => {
            composite::layer_norm(*epsilon, *offset, x, w)
        }
        (Op::RopeAngles(table), [positions, lengths @ ..]) => {
            composite::rope_angles(table, positions, lengths.first())
        }
        (Op::Rope, [x, angles]) => composite::rope(x, angles),
        (Op::MaskedSoftmax, [scores, mask]) => attention::masked_softmax(scores, mask),
        (Op::QuantizeKv(code), [x]) => kv::quantize(*code, x),
        (Op::PagedAttention(attrs), [q, keys, values, tables, positions, sinks @ ..]) => {
            let data = [keys, values];
            attention::paged_attention(attrs, q, data, tables, positions, sinks.first())?
        }
        (Op::TopK { k, groups }, [scores]) => experts::top_k(*k, *groups, scores),
        (Op::TakeAlong, [x, ids]) => experts::take_along(x, ids)?,
        (Op::HeadLinear { layout, rows }, [x, w]) => experts::head_linear(*layout, *rows, x, w),
        (Op::ExpertLinear { layout, experts, rows }, [x, w, ids]) => {
            experts::expert_linear(*layout, [*experts, *rows], x, w, ids)?
        }
        (Op::WeightedSum, [x, weights]) => experts::weighted_sum(x, weights),
        (Op::CausalConv(attrs), operands) => recurrent::causal_conv(attrs, operands)?,
        (Op::SsmScan(attrs), operands) => recurrent::ssm_scan(attrs, operands)?,
        (Op::SelectiveScan(result), operands) => recurrent::selective_scan(*result, operands)?,
        (Op::DeltaRule(attrs), operands) => recurrent::delta_rule(attrs, operands)?,
        (Op::RgLru(result), operands) => recurrent::rg_lru(*result, operands)?,
        (Op::DplrScan(result), operands) => recurrent::dplr_scan(*result, operands)?,
        _ => unreachable!("the verifier has counted the operands, and sources have none"),
    })
}

fn constant(literal: &Literal) -> Tensor {
    match literal {
        Literal::Splat { value, ty } => {
            let shape = fixed(ty);
            let values = std::iter::repeat_n(*value, shape.iter().product());
            from_f64(ty.dtype, &shape, values)
        }
        Literal::Vector(values) => {
            let values = values.iter().map(|value| f64::from(*value));
            Tensor::rounded(DType::F32, &[values.len()], values)
        }
    }
}

fn iota(ty: &TensorType, axis: usize) -> Tensor {
    let shape = fixed(ty);
    let mut strides = vec![0; shape.len()];
    strides[axis] = 1;
    from_f64(ty.dtype, &shape, count_up(&shape, &strides, 0).map(|index| index as f64))
}

fn from_f64(dtype: DType, shape: &[usize], values: impl Iterator<Item = f64>) -> Tensor {
    if dtype.is_float() {
        Tensor::rounded(dtype, shape, values)
    } else {
        Tensor::wrapped(dtype, shape, values.map(|value| value as i64))
    }
}

fn fixed(ty: &TensorType) -> Vec<usize> {
    ty.shape.fixed().expect("constant_c1, iota_c1: sizes are fixed")
}
