//! Rotary positions, softmax and attention over the cache.

use super::accepted;
use tyto_graph::{AttentionAttrs, KvCode, Op, RopeScaling, RopeTable};

labels! {
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
}

#[test]
fn accepted_ops_have_their_types() {
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

const Q8_ATTENTION: Op = Op::PagedAttention(AttentionAttrs {
    scale: 1.0,
    window: None,
    soft_cap: None,
    alibi: None,
    chunk: None,
    kv: Some(KvCode::Q8_0),
});
pub(super) const ATTENTION: Op = Op::PagedAttention(AttentionAttrs {
    scale: 1.0,
    window: None,
    soft_cap: None,
    alibi: None,
    chunk: None,
    kv: None,
});
