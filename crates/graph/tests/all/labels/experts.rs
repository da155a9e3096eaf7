//! Choices of experts, and products with the matrices of each expert or head.

use super::{TILES, accepted, blocks};
use tyto_graph::{Groups, Layout, Op};

labels! {
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
}

#[test]
fn accepted_ops_have_their_types() {
    accepted(Op::TopK { k: 3, groups: None }, "f32[2, 4]", "i32[2, 3]");
    accepted(in_groups(8, 3, 2, 4), "f32[2, 12]", "i32[2, 8]");
    accepted(Op::TakeAlong, "f32[2, 4], i32[2, 3]", "f32[2, 3]");
    accepted(experts(Layout::RowMajor), "f32[2, 4], f16[15, 4], i32[2, 1]", "f32[2, 1, 5]");
    accepted(experts(TILES), "f32[2, 3, 4], bf16[6, 2, 4, 2], i32[2, 3]", "f32[2, 3, 5]");
    accepted(heads(TILES), "f32[2, 3, 4], bf16[6, 2, 4, 2]", "f32[2, 3, 5]");
    accepted(Op::WeightedSum, "f32[2, 3, 4], f32[2, 3]", "f32[2, 4]");
}

fn in_groups(k: usize, count: usize, kept: usize, best: usize) -> Op {
    Op::TopK { k, groups: Some(Groups { count, kept, best }) }
}

/// Three experts of five rows.
fn experts(layout: Layout) -> Op {
    Op::ExpertLinear { layout, experts: 3, rows: 5 }
}

/// Heads of five rows.
fn heads(layout: Layout) -> Op {
    Op::HeadLinear { layout, rows: 5 }
}
