//! Ops on elements, shapes and indices, and the plain product.

use super::{accepted, splat};
use crate::common::ty;
use tyto_graph::{Binary, Comparison, DType, Literal, Op, Reduction, Unary};

labels! {
    weight_c1 { weight("f32[rows<=4, 2]") => ""; }
    constant_c1 { splat("f32[tokens<=4]") => ""; }
    iota_c1 {
        iota("i32[4]", 1) => "";
        iota("i32[n<=4]", 0) => "";
        iota("i1[4]", 0) => "";
    }
    unary_c1 {
        Op::Unary(Unary::Tanh) => "i32[2]";
        Op::Unary(Unary::Not) => "f32[2]";
    }
    binary_c1 {
        Op::Binary(Binary::Add) => "f32[2], f32[3]";
        Op::Binary(Binary::Add) => "f32[2], f16[2]";
        Op::Binary(Binary::Add) => "f32[a<=2], f32[b<=2]";
    }
    binary_c2 {
        Op::Binary(Binary::And) => "i32[2], i32[2]";
        Op::Binary(Binary::Add) => "i1[2], i1[2]";
    }
    compare_c1 { Op::Compare(Comparison::Lt) => "i32[2], i64[2]"; }
    select_c1 {
        Op::Select => "i32[2], f32[2], f32[2]";
        Op::Select => "i1[1], f32[2], f32[2]";
    }
    select_c2 { Op::Select => "i1[2], f32[2], f16[2]"; }
    bitcast_c1 {
        Op::Bitcast(DType::Bool) => "ui8[2]";
        Op::Bitcast(DType::U8) => "i1[2]";
    }
    bitcast_c2 {
        Op::Bitcast(DType::F16) => "ui8[2, 3]";
        Op::Bitcast(DType::F16) => "ui8[2, n<=2]";
        Op::Bitcast(DType::F16) => "ui8[]";
    }
    reshape_c1 {
        Op::Reshape(vec![3]) => "f32[2, 2]";
        Op::Reshape(vec![4]) => "f32[n<=4]";
        Op::Reshape(vec![1 << 32, 1 << 32]) => "f32[0]";
    }
    transpose_c1 {
        Op::Transpose(vec![0, 0]) => "f32[2, 2]";
        Op::Transpose(vec![0]) => "f32[2, 2]";
        Op::Transpose(vec![0, 2]) => "f32[2, 2]";
    }
    flatten_rows_c1 {
        Op::FlattenRows => "f32[2]";
        Op::FlattenRows => "f32[2, n<=4]";
        Op::FlattenRows => "f32[]";
    }
    reverse_c1 { Op::Reverse { axis: 2 } => "f32[2, 2]"; }
    broadcast_c1 {
        broadcast(&[2, 3], &[]) => "f32[3]";
        broadcast(&[2, 3], &[2]) => "f32[3]";
        broadcast(&[2, 2], &[1, 0]) => "f32[2, 2]";
        broadcast(&[2, 2], &[0, 0]) => "f32[2, 2]";
    }
    broadcast_c2 {
        broadcast(&[2, 3], &[1]) => "f32[2]";
        broadcast(&[4], &[0]) => "f32[n<=4]";
    }
    slice_c1 {
        slice(&[0], &[4]) => "f32[3]";
        slice(&[2], &[1]) => "f32[3]";
        slice(&[0], &[1]) => "f32[3, 3]";
    }
    concat_c1 {
        Op::Concat { axis: 0 } => "";
        Op::Concat { axis: 1 } => "f32[2]";
        Op::Concat { axis: 0 } => "f32[2, 3], f32[2, 4]";
        Op::Concat { axis: 0 } => "f32[2], f16[2]";
        Op::Concat { axis: 0 } => "f32[2], f32[2, 2]";
    }
    take_c1 { Op::Take => "f32[4], i64[2]"; }
    take_c2 { Op::Take => "f32[], i32[2]"; }
    put_c1 {
        Op::Put => "f32[4, 2, 3], i32[5], f32[5, 3]";
        Op::Put => "f32[4, 2, 3], i32[5, 3], f32[5, 3]";
        Op::Put => "f32[4, 2, 3], i64[5, 2], f32[5, 3]";
    }
    put_c2 {
        Op::Put => "f32[4], i32[5, 2], f32[5]";
        Op::Put => "f32[4, 2, 3], i32[5, 2], f32[4, 3]";
        Op::Put => "f32[4, 2, 3], i32[5, 2], f16[5, 3]";
    }
    reduce_c1 { reduce(0) => "i32[2]"; }
    reduce_c2 { reduce(1) => "f32[2]"; }
    dot_c1 {
        dot(&[], &[1], &[], &[1]) => "f32[2, 3], f16[4, 3]";
        dot(&[], &[1], &[], &[1]) => "i32[2, 3], i32[4, 3]";
    }
    dot_c2 {
        dot(&[], &[1], &[], &[1]) => "f32[2, 3], f32[4, 5]";
        dot(&[], &[1], &[], &[]) => "f32[2, 3], f32[4, 3]";
        dot(&[0], &[1], &[0], &[1]) => "f32[2, 3], f32[4, 3]";
        dot(&[], &[2], &[], &[1]) => "f32[2, 3], f32[4, 3]";
    }
    dot_c3 {
        dot(&[1], &[1], &[1], &[1]) => "f32[2, 3], f32[4, 3]";
        dot(&[], &[1, 1], &[], &[1, 0]) => "f32[2, 3], f32[3, 3]";
    }
}

#[test]
fn accepted_ops_have_their_types() {
    accepted(weight("bf16[2, 3]"), "", "bf16[2, 3]");
    accepted(splat("i32[2]"), "", "i32[2]");
    accepted(Op::Constant(Literal::Vector(vec![1.0; 3])), "", "f32[3]");
    accepted(iota("i32[2, 3]", 1), "", "i32[2, 3]");
    accepted(Op::Unary(Unary::Not), "i1[n<=2]", "i1[n<=2]");
    accepted(Op::Binary(Binary::Add), "f32[n<=2], f32[n<=2]", "f32[n<=2]");
    accepted(Op::Compare(Comparison::Lt), "i32[2], i32[2]", "i1[2]");
    accepted(Op::Select, "i1[2], f16[2], f16[2]", "f16[2]");
    accepted(Op::Convert(DType::F8E4M3), "f32[n<=2, 3]", "f8E4M3FN[n<=2, 3]");
    accepted(Op::Bitcast(DType::I32), "f32[n<=2, 3]", "i32[n<=2, 3]");
    accepted(Op::Bitcast(DType::U8), "f16[n<=2]", "ui8[n<=2, 2]");
    accepted(Op::Bitcast(DType::F32), "ui8[3, 4]", "f32[3]");
    accepted(Op::Reshape(vec![3, 2]), "f32[2, 3]", "f32[3, 2]");
    accepted(Op::Transpose(vec![2, 0, 1]), "f32[2, 3, n<=4]", "f32[n<=4, 2, 3]");
    accepted(broadcast(&[2, 3, 4], &[0, 2]), "f32[1, 4]", "f32[2, 3, 4]");
    accepted(slice(&[1, 0], &[2, 3]), "f32[2, 3]", "f32[1, 3]");
    accepted(Op::Concat { axis: 1 }, "f32[2, 3], f32[2, 1]", "f32[2, 4]");
    accepted(Op::Take, "f16[blocks<=9, 2, 3], i32[4, 5]", "f16[4, 5, 2, 3]");
    accepted(Op::Put, "f16[b<=9, 2, 3], i32[5, 2], f16[5, 3]", "f16[b<=9, 2, 3]");
    accepted(reduce(0), "f16[2, 3]", "f32[3]");
    let max = Op::Reduce { reduction: Reduction::Max, axis: 1 };
    accepted(max, "f16[2, 3]", "f16[2]");
    accepted(
        dot(&[0, 2], &[4], &[0, 2], &[3]),
        "f16[1, 2, 3, 4, 5], f16[1, 6, 3, 5]",
        "f32[1, 3, 2, 4, 6]",
    );
}

fn weight(text: &str) -> Op {
    Op::Weight { name: "w".into(), ty: ty(text) }
}

fn iota(text: &str, axis: usize) -> Op {
    Op::Iota { ty: ty(text), axis }
}

fn broadcast(shape: &[usize], axes: &[usize]) -> Op {
    Op::Broadcast { shape: shape.to_vec(), axes: axes.to_vec() }
}

fn slice(start: &[usize], limit: &[usize]) -> Op {
    Op::Slice { start: start.to_vec(), limit: limit.to_vec() }
}

fn reduce(axis: usize) -> Op {
    Op::Reduce { reduction: Reduction::Sum, axis }
}

fn dot(
    lhs_batch: &[usize],
    lhs_contract: &[usize],
    rhs_batch: &[usize],
    rhs_contract: &[usize],
) -> Op {
    Op::Dot {
        batch: (lhs_batch.to_vec(), rhs_batch.to_vec()),
        contract: (lhs_contract.to_vec(), rhs_contract.to_vec()),
    }
}
