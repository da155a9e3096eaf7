//! Every labelled constraint of `Op` is refused by a test of its name, beside an example of
//! each op that is accepted.

use crate::common::{one_op, ty};
use tyto_graph::{
    AttentionAttrs, Binary, BlockCode, BlockForm, BlockLayout, BlockScale, Comparison, ConvAttrs,
    DType, DeltaAttrs, Groups, KvCode, Layout, Literal, Op, RecurrentResult, Reduction,
    RopeScaling, RopeTable, SsmAttrs, TensorType, Unary,
};

/// Operand types from `"f32[2], i32[2, 2]"`.
fn types(operands: &str) -> Vec<TensorType> {
    let separated = operands.replace("], ", "]; ");
    separated.split("; ").filter(|operand| !operand.is_empty()).map(ty).collect()
}

#[track_caller]
fn refused(label: &str, op: Op, operands: &str) {
    let error = one_op(op.clone(), &types(operands)).expect_err(&format!("{op:?} on {operands}"));
    assert_eq!(error.label, label, "{error}");
    assert_eq!(error.op, op.name());
    assert!(error.to_string().contains(operands), "{error}");
}

#[track_caller]
fn accepted(op: Op, operands: &str, result: &str) {
    let graph = one_op(op, &types(operands)).unwrap_or_else(|error| panic!("{error}"));
    graph.verify().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(graph.nodes.last().map(|node| node.ty.to_string()).as_deref(), Some(result));
}

fn in_groups(k: usize, count: usize, kept: usize, best: usize) -> Op {
    Op::TopK { k, groups: Some(Groups { count, kept, best }) }
}

macro_rules! labels {
    ($($label:ident { $($op:expr => $operands:expr;)+ })+) => {
        $(
            #[test]
            fn $label() {
                $(refused(stringify!($label), $op, $operands);)+
            }
        )+

        const LABELS: &[&str] = &[$(stringify!($label)),+];
    };
}

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
    linear_c1 {
        linear(Layout::RowMajor, 4) => "f16[2, 3], f16[4, 3]";
        linear(Layout::RowMajor, 4) => "f32[3], f16[4, 3]";
    }
    linear_c2 {
        linear(Layout::RowMajor, 4) => "f32[2, 3], f16[4, 2]";
        linear(Layout::RowMajor, 4) => "f32[2, 3], i8[4, 3]";
        linear(Layout::RowMajor, 4) => "f32[2, 4], f16[1, 2, 4, 2]";
        linear(TILES, 4) => "f32[2, 4], f16[4, 4]";
        linear(TILES, 4) => "f32[2, 3], f16[1, 1, 4, 2]";
        linear(Layout::Tiled { n: 0, k: 2 }, 4) => "f32[2, 4], f16[1, 2, 0, 2]";
        linear(BLOCKS, 4) => "f32[2, 64], i8[1, 640]";
        linear(BLOCKS, 4) => "f32[2, 64], ui8[1, 320]";
        linear(BLOCKS, 4) => "f32[2, 64], ui8[1, 576]";
        linear(BLOCKS, 4) => "f32[2, 48], ui8[1, 320]";
        linear(Layout::RowMajor, 4) => "f32[2, 3], ui8[4, 3]";
    }
    linear_c3 {
        linear(Layout::RowMajor, 5) => "f32[2, 3], f16[4, 3]";
        linear(TILES, 5) => "f32[2, 4], f16[1, 2, 4, 2]";
        linear(TILES, 4) => "f32[2, 4], f16[2, 2, 4, 2]";
        linear(BLOCKS, 17) => "f32[2, 64], ui8[1, 640]";
    }
    linear_c4 {
        linear(blocks(|b| b.code = BlockCode::Unsigned(7)), 4) => "f32[2, 64], ui8[1, 1024]";
        linear(blocks(|b| b.group = 48), 4) => "f32[2, 96], ui8[1, 960]";
        linear(blocks(|b| b.scale = BlockScale::F32), 4) => "f32[2, 64], ui8[1, 640]";
    }
    embedding_c1 {
        embedding(Layout::RowMajor, 5) => "f16[4, 3], i32[2]";
        embedding(Layout::RowMajor, 4) => "i8[4, 3], i32[2]";
        embedding(TILES, 4) => "f16[4, 4], i32[2]";
        embedding(TILES, 4) => "f16[1, 2, 2, 4], i32[2]";
        embedding(BLOCKS, 4) => "f16[1, 640], i32[2]";
        embedding(BLOCKS, 4) => "ui8[1, 641], i32[2]";
        embedding(BLOCKS, 17) => "ui8[1, 640], i32[2]";
    }
    embedding_c2 {
        embedding(Layout::RowMajor, 4) => "f16[4, 3], i64[2]";
        embedding(Layout::RowMajor, 4) => "f16[4, 3], i32[2, 1]";
    }
    embedding_c3 {
        embedding(blocks(|b| b.code = BlockCode::E2M1), 4) => "ui8[1, 640], i32[2]";
        embedding(blocks(|b| b.group = 0), 4) => "ui8[1, 64], i32[2]";
    }
    rms_norm_c1 {
        RMS_NORM => "f16[2, 3], f16[3]";
        RMS_NORM => "f32[], f32[]";
        RMS_NORM => "f32[n<=2, 3], f32[3]";
    }
    rms_norm_c2 {
        RMS_NORM => "f32[2, 3], f16[2]";
        RMS_NORM => "f32[2, 3], i8[3]";
    }
    layer_norm_c1 {
        LAYER_NORM => "f16[2, 3], f16[3]";
        LAYER_NORM => "f32[], f32[]";
        LAYER_NORM => "f32[n<=2, 3], f32[3]";
    }
    layer_norm_c2 {
        LAYER_NORM => "f32[2, 3], f16[2]";
        LAYER_NORM => "f32[2, 3], i8[3]";
    }
    rope_angles_c1 {
        angles(RopeScaling::Fixed) => "i32[4], i32[4]";
        angles(RopeScaling::Fixed) => "";
        angles(ntk(8)) => "i32[4]";
    }
    rope_angles_c2 {
        angles(RopeScaling::Fixed) => "i64[4]";
        angles(RopeScaling::Fixed) => "i32[4, 1]";
        angles(ntk(8)) => "i32[4], i32[3]";
    }
    rope_angles_c3 {
        angles(ntk(0)) => "i32[4], i32[4]";
        angles(long(8, 2)) => "i32[4], i32[4]";
        angles(long(0, 3)) => "i32[4], i32[4]";
        one_pair(ntk(8)) => "i32[4], i32[4]";
    }
    rope_c1 {
        Op::Rope => "f16[4, 2, 6], f32[2, 4, 3]";
        Op::Rope => "f32[4, 2, 6], f32[2, 5, 3]";
        Op::Rope => "f32[4, 2, 6], f32[1, 4, 3]";
        Op::Rope => "f32[4, 6], f32[2, 4, 3]";
    }
    rope_c2 { Op::Rope => "f32[4, 2, 5], f32[2, 4, 3]"; }
    softmax_c1 {
        Op::MaskedSoftmax => "f16[2], i1[2]";
        Op::MaskedSoftmax => "f32[], i1[]";
        Op::MaskedSoftmax => "f32[n<=2], i1[n<=2]";
    }
    softmax_c2 {
        Op::MaskedSoftmax => "f32[2], f32[2]";
        Op::MaskedSoftmax => "f32[2], i1[3]";
    }
    attention_c1 {
        ATTENTION => "f16[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4]";
        ATTENTION => "f32[4, 6, 7], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4]";
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i64[2, 5], i32[4]";
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[3]";
        ATTENTION => "f32[4, 6, 8], f16[9, 3, 8], f16[9, 3, 8], i32[2, 5], i32[4]";
        ATTENTION => "f32[4, 6, 8], f16[9, s<=2, 3, 8], f16[9, s<=2, 3, 8], i32[2, 5], i32[4]";
    }
    attention_c2 {
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 4, 8], f16[9, 2, 4, 8], i32[2, 5], i32[4]";
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 0, 8], f16[9, 2, 0, 8], i32[2, 5], i32[4]";
    }
    attention_c3 {
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f32[9, 2, 3, 8], i32[2, 5], i32[4]";
        ATTENTION => "f32[4, 6, 8], i8[9, 2, 3, 8], i8[9, 2, 3, 8], i32[2, 5], i32[4]";
    }
    attention_c6 {
        Q8_ATTENTION => "f32[4, 6, 64], ui8[9, 2, 3, 67], ui8[9, 2, 3, 67], i32[2, 5], i32[4]";
        Q8_ATTENTION => "f32[4, 6, 64], i8[9, 2, 3, 68], i8[9, 2, 3, 68], i32[2, 5], i32[4]";
        Q8_ATTENTION => "f32[4, 6, 48], ui8[9, 2, 3, 51], ui8[9, 2, 3, 51], i32[2, 5], i32[4]";
    }
    quantize_kv_c1 {
        Op::QuantizeKv(KvCode::Q8_0) => "f16[4, 3, 64]";
        Op::QuantizeKv(KvCode::Q8_0) => "f32[4, 64]";
    }
    quantize_kv_c2 { Op::QuantizeKv(KvCode::Q4_0) => "f32[4, 3, 48]"; }
    attention_c5 {
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4], f32[3]";
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4], f16[6]";
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4], f32[6, 1]";
    }
    attention_c4 {
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[3, 5], i32[4]";
        ATTENTION => "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[0, 5], i32[4]";
    }
    top_k_c1 {
        Op::TopK { k: 1, groups: None } => "f16[2, 4]";
        Op::TopK { k: 1, groups: None } => "f32[4]";
        Op::TopK { k: 1, groups: None } => "f32[n<=2, 4]";
    }
    top_k_c2 {
        Op::TopK { k: 0, groups: None } => "f32[2, 4]";
        Op::TopK { k: 5, groups: None } => "f32[2, 4]";
    }
    top_k_c3 {
        in_groups(4, 0, 2, 1) => "f32[2, 12]";
        in_groups(4, 5, 2, 1) => "f32[2, 12]";
        in_groups(4, 3, 0, 1) => "f32[2, 12]";
        in_groups(4, 3, 4, 1) => "f32[2, 12]";
        in_groups(4, 3, 2, 0) => "f32[2, 12]";
        in_groups(4, 3, 2, 5) => "f32[2, 12]";
        in_groups(9, 3, 2, 1) => "f32[2, 12]";
    }
    take_along_c1 {
        Op::TakeAlong => "f16[2, 4], i32[2, 3]";
        Op::TakeAlong => "f32[2, 4, 1], i32[2, 3]";
    }
    take_along_c2 {
        Op::TakeAlong => "f32[2, 4], i64[2, 3]";
        Op::TakeAlong => "f32[2, 4], i32[3, 2]";
        Op::TakeAlong => "f32[2, 4], i32[2]";
    }
    expert_linear_c1 {
        experts(Layout::RowMajor) => "f16[2, 4], f32[15, 4], i32[2, 3]";
        experts(Layout::RowMajor) => "f32[2, 2, 4], f32[15, 4], i32[2, 3]";
        experts(Layout::RowMajor) => "f32[2, 3, 1, 4], f32[15, 4], i32[2, 3]";
    }
    expert_linear_c2 {
        experts(Layout::RowMajor) => "f32[2, 4], f32[15, 3], i32[2, 3]";
        experts(Layout::RowMajor) => "f32[2, 4], f32[3, 5, 4], i32[2, 3]";
        experts(Layout::RowMajor) => "f32[2, 4], i8[15, 4], i32[2, 3]";
        experts(TILES) => "f32[2, 5], f32[6, 2, 4, 2], i32[2, 3]";
    }
    expert_linear_c3 {
        experts(Layout::RowMajor) => "f32[2, 4], f32[16, 4], i32[2, 3]";
        // Padded once, not once an expert.
        experts(TILES) => "f32[2, 4], f32[4, 2, 4, 2], i32[2, 3]";
        Op::ExpertLinear { layout: Layout::RowMajor, experts: usize::MAX, rows: 2 } =>
            "f32[2, 4], f32[16, 4], i32[2, 3]";
    }
    expert_linear_c4 {
        experts(blocks(|layout| layout.group = 48)) => "f32[2, 48], ui8[3, 1, 320], i32[2, 3]";
    }
    expert_linear_c5 {
        experts(Layout::RowMajor) => "f32[2, 4], f32[15, 4], i64[2, 3]";
        experts(Layout::RowMajor) => "f32[2, 4], f32[15, 4], i32[3, 3]";
        experts(Layout::RowMajor) => "f32[2, 4], f32[15, 4], i32[2]";
    }
    head_linear_c1 {
        heads(Layout::RowMajor) => "f16[2, 3, 4], f32[15, 4]";
        heads(Layout::RowMajor) => "f32[6, 4], f32[15, 4]";
    }
    head_linear_c2 {
        heads(Layout::RowMajor) => "f32[2, 3, 4], f32[15, 3]";
        heads(Layout::RowMajor) => "f32[2, 3, 4], i8[15, 4]";
        heads(TILES) => "f32[2, 3, 5], f32[6, 2, 4, 2]";
    }
    head_linear_c3 {
        heads(Layout::RowMajor) => "f32[2, 3, 4], f32[16, 4]";
        // Padded once, not once a head.
        heads(TILES) => "f32[2, 3, 4], f32[4, 2, 4, 2]";
        Op::HeadLinear { layout: Layout::RowMajor, rows: usize::MAX } =>
            "f32[2, 3, 4], f32[16, 4]";
    }
    head_linear_c4 {
        heads(blocks(|layout| layout.group = 48)) => "f32[2, 3, 48], ui8[3, 1, 320]";
    }
    weighted_sum_c1 {
        Op::WeightedSum => "f16[2, 3, 4], f32[2, 3]";
        Op::WeightedSum => "f32[2, 3], f32[2, 3]";
    }
    weighted_sum_c2 {
        Op::WeightedSum => "f32[2, 3, 4], f32[3, 2]";
        Op::WeightedSum => "f32[2, 3, 4], f16[2, 3]";
    }
    causal_conv_c1 {
        CONV => "f16[4, 6], f32[6, 4], f32[9, 3, 6], i32[2], i32[4]";
        CONV => "f32[4, 2, 3], f32[6, 4], f32[9, 3, 6], i32[2], i32[4]";
    }
    causal_conv_c2 {
        CONV => "f32[4, 6], bf16[6, 4], f32[9, 3, 6], i32[2], i32[4]";
        CONV => "f32[4, 6], f32[4, 6], f32[9, 3, 6], i32[2], i32[4]";
        CONV => "f32[4, 6], f32[6, 1], f32[9, 0, 6], i32[2], i32[4]";
    }
    causal_conv_c3 {
        CONV => "f32[4, 6], f32[6, 4], f32[9, 4, 6], i32[2], i32[4]";
        CONV => "f32[4, 6], f32[6, 4], f16[9, 3, 6], i32[2], i32[4]";
        CONV => "f32[4, 6], f32[6, 4], f32[3, 6], i32[2], i32[4]";
    }
    causal_conv_c4 {
        CONV => "f32[4, 6], f32[6, 4], f32[9, 3, 6], i64[2], i32[4]";
        CONV => "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[2], i32[3]";
        CONV => "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[3], i32[4]";
        CONV => "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[0], i32[4]";
    }
    causal_conv_c5 {
        CONV => "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[2], i32[4], f32[4]";
        CONV => "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[2], i32[4], f16[6]";
    }
    ssm_scan_c1 {
        SSM => &ssm(0, "f16[4, 6, 8]");
        SSM => &ssm(0, "f32[4, 48]");
    }
    ssm_scan_c2 {
        SSM => &ssm(1, "f32[4, 3]");
        SSM => &ssm(4, "f32[3]");
        SSM => &ssm(5, "f16[6]");
        SSM => &ssm(6, "f32[6, 1]");
    }
    ssm_scan_c3 {
        SSM => &ssm(2, "f32[4, 3, 7]");
        SSM => &ssm(3, "f32[3, 3, 5]");
        SSM => "f32[4, 6, 8], f32[4, 6], f32[4, 4, 5], f32[4, 4, 5], f32[6], f32[6], f32[6], f32[9, 6, 5, 8], i32[2], i32[4]";
        SSM => "f32[4, 6, 8], f32[4, 6], f32[4, 3, 0], f32[4, 3, 0], f32[6], f32[6], f32[6], f32[9, 6, 0, 8], i32[2], i32[4]";
    }
    ssm_scan_c4 {
        SSM => &ssm(7, "f32[9, 6, 8, 5]");
        SSM => &ssm(7, "f16[9, 6, 5, 8]");
    }
    ssm_scan_c5 {
        SSM => &ssm(8, "i32[3]");
        SSM => &ssm(9, "i32[5]");
    }
    ssm_scan_c6 {
        limited(0.5, 0.25) => &ssm(0, "f32[4, 6, 8]");
        limited(-1.0, 1.0) => &ssm(0, "f32[4, 6, 8]");
        limited(0.0, f32::NAN) => &ssm(0, "f32[4, 6, 8]");
    }
    selective_scan_c1 {
        SELECTIVE => &selective(0, "f16[4, 6]");
        SELECTIVE => &selective(0, "f32[4, 6, 1]");
        SELECTIVE => &selective(1, "f32[4, 1]");
    }
    selective_scan_c2 {
        SELECTIVE => &selective(2, "f32[3, 5]");
        SELECTIVE => &selective(3, "f32[4, 4]");
        SELECTIVE => "f32[4, 6], f32[4, 6], f32[4, 0], f32[4, 0], f32[6, 0], f32[6], f32[6], f32[9, 1, 0, 6], i32[2], i32[4]";
    }
    selective_scan_c3 {
        SELECTIVE => &selective(4, "f32[5, 6]");
        SELECTIVE => &selective(5, "f32[5]");
        SELECTIVE => &selective(6, "f16[6]");
    }
    selective_scan_c4 { SELECTIVE => &selective(7, "f32[9, 1, 6, 5]"); }
    selective_scan_c5 {
        SELECTIVE => &selective(8, "i32[3]");
        SELECTIVE => &selective(9, "i64[4]");
    }
    rg_lru_c1 {
        LRU => &lru(0, "f16[4, 6]");
        LRU => &lru(1, "f32[4, 5]");
        LRU => &lru(2, "f32[3, 6]");
        LRU => &lru(0, "f32[4, 6, 1]");
    }
    rg_lru_c2 { LRU => &lru(3, "f32[5]"); }
    rg_lru_c3 {
        LRU => &lru(4, "f32[9, 1, 6, 1]");
        LRU => &lru(4, "f32[9, 6]");
    }
    rg_lru_c4 {
        LRU => &lru(5, "i32[3]");
        LRU => &lru(6, "i32[5]");
    }
    delta_rule_c1 {
        DELTA => &delta(0, "f16[4, 3, 5]");
        DELTA => &delta(1, "f32[4, 3, 6]");
    }
    delta_rule_c2 {
        DELTA => &delta(2, "f32[3, 6, 8]");
        DELTA => &delta(2, "f32[4, 4, 8]");
        DELTA => &delta(2, "f32[4, 6]");
    }
    delta_rule_c3 {
        DELTA => &delta(3, "f32[4, 3]");
        DELTA => &delta(3, "f32[4, 6, 5]");
        DELTA => &delta(4, "f16[4, 6]");
        DELTA => &delta(5, "f32[3]");
        DELTA => &delta(6, "f32[]");
    }
    delta_rule_c4 { DELTA => &delta(7, "f32[9, 6, 8, 5]"); }
    delta_rule_c5 {
        DELTA => &delta(8, "i32[3]");
        DELTA => &delta(9, "i64[4]");
    }
    dplr_scan_c1 {
        DPLR => &dplr(0, "f16[4, 6, 5]");
        DPLR => &dplr(1, "f32[4, 6]");
        DPLR => &dplr(2, "f32[4, 6, 8]");
        DPLR => "f32[4, 6, 0], f32[4, 6, 0], f32[4, 6, 0], f32[4, 2, 6, 0], f32[4, 6, 8], f32[6, 0], f32[9, 6, 0, 8], i32[2], i32[4]";
    }
    dplr_scan_c2 {
        DPLR => &dplr(3, "f32[4, 6, 5]");
        DPLR => &dplr(3, "f32[4, 2, 5, 6]");
    }
    dplr_scan_c3 {
        DPLR => &dplr(4, "f32[3, 6, 8]");
        DPLR => &dplr(4, "f32[4, 3, 8]");
    }
    dplr_scan_c4 { DPLR => &dplr(5, "f32[30]"); }
    dplr_scan_c5 { DPLR => &dplr(6, "f32[9, 6, 8, 5]"); }
    dplr_scan_c6 {
        DPLR => &dplr(7, "i32[3]");
        DPLR => &dplr(8, "i64[4]");
    }
}

/// The table above holds exactly the labels that the documentation of `Op` has.
#[test]
fn labels_are_those_documented() {
    let documentation = include_str!("../../src/op.rs");
    let words = documentation.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut documented: Vec<&str> = words
        .filter(|word| {
            word.rsplit_once("_c").is_some_and(|(_, number)| number.parse::<u8>().is_ok())
        })
        .collect();
    documented.sort_unstable();
    documented.dedup();
    let mut tested = LABELS.to_vec();
    tested.sort_unstable();
    assert_eq!(tested, documented);
}

#[test]
fn arity() {
    refused("arity", Op::Rope, "f32[4, 2, 6]");
    refused("arity", Op::Binary(Binary::Add), "f32[2], f32[2], f32[2]");
    let six = "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4], f32[6], f32[6]";
    refused("arity", ATTENTION, six);
    refused("arity", splat("f32[2]"), "f32[2]");
    refused("arity", CONV, "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[2]");
    refused("arity", SSM, "f32[4, 6, 8]");
    refused("arity", DELTA, "f32[4, 3, 5], f32[4, 3, 5]");
    refused("arity", DPLR, "f32[4, 6, 5], f32[4, 6, 5]");
}

#[test]
fn inputs_are_not_added_as_ops() {
    refused("input", Op::Input { index: 0 }, "");
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
    accepted(linear(Layout::RowMajor, 4), "f32[2, 3], bf16[4, 3]", "f32[2, 4]");
    accepted(linear(TILES, 5), "f32[2, 4], bf16[2, 2, 4, 2]", "f32[2, 5]");
    accepted(embedding(TILES, 5), "bf16[2, 2, 4, 2], i32[3]", "f32[3, 4]");
    accepted(linear(BLOCKS, 17), "f32[2, 64], ui8[2, 640]", "f32[2, 17]");
    accepted(embedding(BLOCKS, 16), "ui8[1, 640], i32[3]", "f32[3, 64]");
    accepted(LAYER_NORM, "f32[2, 5, 3], bf16[3]", "f32[2, 5, 3]");
    accepted(RMS_NORM, "f32[2, 5, 3], bf16[3]", "f32[2, 5, 3]");
    accepted(angles(RopeScaling::Fixed), "i32[4]", "f32[2, 4, 3]");
    accepted(angles(long(8, 3)), "i32[4], i32[4]", "f32[2, 4, 3]");
    accepted(Op::Rope, "f32[4, 2, 7], f32[2, 4, 3]", "f32[4, 2, 7]");
    accepted(Op::MaskedSoftmax, "f32[2, 3], i1[2, 3]", "f32[2, 3]");
    accepted(
        Q8_ATTENTION,
        "f32[4, 6, 64], ui8[b<=9, 2, 3, 68], ui8[b<=9, 2, 3, 68], i32[2, 5], i32[4]",
        "f32[4, 6, 64]",
    );
    accepted(Op::QuantizeKv(KvCode::Q4_0), "f32[4, 3, 64]", "ui8[4, 3, 36]");
    accepted(
        ATTENTION,
        "f32[4, 6, 8], f16[b<=9, 2, 3, 8], f16[b<=9, 2, 3, 8], i32[2, 5], i32[4]",
        "f32[4, 6, 8]",
    );
    accepted(
        ATTENTION,
        "f32[4, 6, 8], f16[b<=9, 2, 3, 8], f16[b<=9, 2, 3, 8], i32[2, 5], i32[4], f32[6]",
        "f32[4, 6, 8]",
    );
    accepted(Op::TopK { k: 3, groups: None }, "f32[2, 4]", "i32[2, 3]");
    accepted(in_groups(8, 3, 2, 4), "f32[2, 12]", "i32[2, 8]");
    accepted(Op::TakeAlong, "f32[2, 4], i32[2, 3]", "f32[2, 3]");
    accepted(experts(Layout::RowMajor), "f32[2, 4], f16[15, 4], i32[2, 1]", "f32[2, 1, 5]");
    accepted(experts(TILES), "f32[2, 3, 4], bf16[6, 2, 4, 2], i32[2, 3]", "f32[2, 3, 5]");
    accepted(heads(TILES), "f32[2, 3, 4], bf16[6, 2, 4, 2]", "f32[2, 3, 5]");
    accepted(Op::WeightedSum, "f32[2, 3, 4], f32[2, 3]", "f32[2, 4]");
    let conv = "f32[4, 6], f32[6, 4], f32[s<=9, 3, 6], i32[2], i32[4]";
    accepted(CONV, conv, "f32[4, 6]");
    accepted(CONV, &format!("{conv}, f32[6]"), "f32[4, 6]");
    let state = RecurrentResult::State;
    accepted(Op::CausalConv(ConvAttrs { result: state, silu: true }), conv, "f32[s<=9, 3, 6]");
    let types = ssm(7, "f32[s<=9, 6, 5, 8]");
    accepted(limited(0.0, f32::INFINITY), &types, "f32[4, 6, 8]");
    let attrs = SsmAttrs { result: state, dt_limit: [0.0, 1.0] };
    accepted(Op::SsmScan(attrs), &types, "f32[s<=9, 6, 5, 8]");
    let types = selective(7, "f32[s<=9, 1, 5, 6]");
    accepted(SELECTIVE, &types, "f32[4, 6]");
    accepted(Op::SelectiveScan(state), &types, "f32[s<=9, 1, 5, 6]");
    let types = lru(4, "f32[s<=9, 1, 1, 6]");
    accepted(LRU, &types, "f32[4, 6]");
    accepted(Op::RgLru(state), &types, "f32[s<=9, 1, 1, 6]");
    let apart =
        delta(3, "f32[4, 6, 5]").replace("f32[6], f32[6], f32[9", "f32[6], f32[6, 5], f32[9");
    accepted(DELTA, &apart, "f32[4, 6, 8]");
    let types = delta(7, "f32[s<=9, 6, 5, 8]");
    accepted(DELTA, &types, "f32[4, 6, 8]");
    let attrs = DeltaAttrs { result: state, epsilon: 1e-6, scale: 0.5, strength: 1.0 };
    accepted(Op::DeltaRule(attrs), &types, "f32[s<=9, 6, 5, 8]");
    let types = dplr(6, "f32[s<=9, 6, 5, 8]");
    accepted(DPLR, &types, "f32[4, 2, 6, 8]");
    accepted(Op::DplrScan(state), &types, "f32[s<=9, 6, 5, 8]");
}

const CONV: Op = Op::CausalConv(ConvAttrs { result: RecurrentResult::Output, silu: false });
const SSM: Op =
    Op::SsmScan(SsmAttrs { result: RecurrentResult::Output, dt_limit: [0.0, f32::INFINITY] });
const DELTA: Op = Op::DeltaRule(DeltaAttrs {
    result: RecurrentResult::Output,
    epsilon: 1e-6,
    scale: 0.5,
    strength: 1.0,
});
const SELECTIVE: Op = Op::SelectiveScan(RecurrentResult::Output);
const LRU: Op = Op::RgLru(RecurrentResult::Output);
const DPLR: Op = Op::DplrScan(RecurrentResult::Output);

fn limited(least: f32, most: f32) -> Op {
    Op::SsmScan(SsmAttrs { result: RecurrentResult::Output, dt_limit: [least, most] })
}

/// Operands of a scan of two rows of two tokens, six heads of 8 on three groups of 5, with one of
/// them replaced.
fn ssm(replaced: usize, by: &str) -> String {
    let types = [
        "f32[4, 6, 8]",
        "f32[4, 6]",
        "f32[4, 3, 5]",
        "f32[4, 3, 5]",
        "f32[6]",
        "f32[6]",
        "f32[6]",
        "f32[9, 6, 5, 8]",
        "i32[2]",
        "i32[4]",
    ];
    with(types, replaced, by)
}

/// The same of a selective scan.
fn selective(replaced: usize, by: &str) -> String {
    let types = [
        "f32[4, 6]",
        "f32[4, 6]",
        "f32[4, 5]",
        "f32[4, 5]",
        "f32[6, 5]",
        "f32[6]",
        "f32[6]",
        "f32[9, 1, 5, 6]",
        "i32[2]",
        "i32[4]",
    ];
    with(types, replaced, by)
}

/// The same of an RG-LRU.
fn lru(replaced: usize, by: &str) -> String {
    let types =
        ["f32[4, 6]", "f32[4, 6]", "f32[4, 6]", "f32[6]", "f32[9, 1, 1, 6]", "i32[2]", "i32[4]"];
    with(types, replaced, by)
}

/// The same of a delta rule.
fn delta(replaced: usize, by: &str) -> String {
    let types = [
        "f32[4, 3, 5]",
        "f32[4, 3, 5]",
        "f32[4, 6, 8]",
        "f32[4, 6]",
        "f32[4, 6]",
        "f32[6]",
        "f32[6]",
        "f32[9, 6, 5, 8]",
        "i32[2]",
        "i32[4]",
    ];
    with(types, replaced, by)
}

/// The same of a scan whose state loses a matrix of rank one.
fn dplr(replaced: usize, by: &str) -> String {
    let types = [
        "f32[4, 6, 5]",
        "f32[4, 6, 5]",
        "f32[4, 6, 5]",
        "f32[4, 2, 6, 5]",
        "f32[4, 6, 8]",
        "f32[6, 5]",
        "f32[9, 6, 5, 8]",
        "i32[2]",
        "i32[4]",
    ];
    with(types, replaced, by)
}

fn with<'a, const N: usize>(mut types: [&'a str; N], replaced: usize, by: &'a str) -> String {
    types[replaced] = by;
    types.join(", ")
}

/// Three experts of five rows.
fn heads(layout: Layout) -> Op {
    Op::HeadLinear { layout, rows: 5 }
}

fn experts(layout: Layout) -> Op {
    Op::ExpertLinear { layout, experts: 3, rows: 5 }
}

const TILES: Layout = Layout::Tiled { n: 4, k: 2 };
const BLOCKS: Layout = Layout::Blocks(BlockLayout {
    code: BlockCode::Unsigned(4),
    group: 32,
    scale: BlockScale::F16,
    form: BlockForm::Bias,
    row_scale: false,
});
const LAYER_NORM: Op = Op::LayerNorm { epsilon: 1e-5, offset: 0.0 };
const RMS_NORM: Op = Op::RmsNorm { epsilon: 1e-5, offset: 0.0 };
const Q8_ATTENTION: Op = Op::PagedAttention(AttentionAttrs {
    scale: 1.0,
    window: None,
    soft_cap: None,
    alibi: None,
    chunk: None,
    kv: Some(KvCode::Q8_0),
});
const ATTENTION: Op = Op::PagedAttention(AttentionAttrs {
    scale: 1.0,
    window: None,
    soft_cap: None,
    alibi: None,
    chunk: None,
    kv: None,
});

fn weight(text: &str) -> Op {
    Op::Weight { name: "w".into(), ty: ty(text) }
}

fn splat(text: &str) -> Op {
    Op::Constant(Literal::Splat { value: 1.0, ty: ty(text) })
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

fn linear(layout: Layout, rows: usize) -> Op {
    Op::Linear { layout, rows }
}

/// [`BLOCKS`] with something changed.
fn blocks(change: impl Fn(&mut BlockLayout)) -> Layout {
    let Layout::Blocks(mut layout) = BLOCKS else { unreachable!("it is of blocks") };
    change(&mut layout);
    Layout::Blocks(layout)
}

fn embedding(layout: Layout, rows: usize) -> Op {
    Op::Embedding { layout, rows }
}

fn angles(scaling: RopeScaling) -> Op {
    let inverse_frequencies = vec![1.0, 0.1, 0.01];
    Op::RopeAngles(RopeTable { inverse_frequencies, amplitude: 1.0, scaling })
}

fn one_pair(scaling: RopeScaling) -> Op {
    Op::RopeAngles(RopeTable { inverse_frequencies: vec![1.0], amplitude: 1.0, scaling })
}

fn ntk(boundary: usize) -> RopeScaling {
    RopeScaling::DynamicNtk { base: 1e4, factor: 2.0, boundary }
}

fn long(boundary: usize, frequencies: usize) -> RopeScaling {
    RopeScaling::LongBeyond { boundary, long: vec![0.5; frequencies] }
}
