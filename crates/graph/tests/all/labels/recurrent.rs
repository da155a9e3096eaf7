//! Convolutions and scans, which update the states of sequences.

use super::accepted;
use tyto_graph::{ConvAttrs, DeltaAttrs, Op, RecurrentResult, SsmAttrs};

labels! {
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

#[test]
fn accepted_ops_have_their_types() {
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

pub(super) const CONV: Op =
    Op::CausalConv(ConvAttrs { result: RecurrentResult::Output, silu: false });
pub(super) const SSM: Op =
    Op::SsmScan(SsmAttrs { result: RecurrentResult::Output, dt_limit: [0.0, f32::INFINITY] });
const SELECTIVE: Op = Op::SelectiveScan(RecurrentResult::Output);
const LRU: Op = Op::RgLru(RecurrentResult::Output);
pub(super) const DELTA: Op = Op::DeltaRule(DeltaAttrs {
    result: RecurrentResult::Output,
    epsilon: 1e-6,
    scale: 0.5,
    strength: 1.0,
});
pub(super) const DPLR: Op = Op::DplrScan(RecurrentResult::Output);

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
