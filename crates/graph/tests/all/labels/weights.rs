//! Products with weights, embeddings and norms.

use super::{BLOCKS, TILES, accepted, blocks};
use tyto_graph::{BlockCode, BlockScale, Layout, Op};

labels! {
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
}

#[test]
fn accepted_ops_have_their_types() {
    accepted(linear(Layout::RowMajor, 4), "f32[2, 3], bf16[4, 3]", "f32[2, 4]");
    accepted(linear(TILES, 5), "f32[2, 4], bf16[2, 2, 4, 2]", "f32[2, 5]");
    accepted(embedding(TILES, 5), "bf16[2, 2, 4, 2], i32[3]", "f32[3, 4]");
    accepted(linear(BLOCKS, 17), "f32[2, 64], ui8[2, 640]", "f32[2, 17]");
    accepted(embedding(BLOCKS, 16), "ui8[1, 640], i32[3]", "f32[3, 64]");
    accepted(LAYER_NORM, "f32[2, 5, 3], bf16[3]", "f32[2, 5, 3]");
    accepted(RMS_NORM, "f32[2, 5, 3], bf16[3]", "f32[2, 5, 3]");
}

fn linear(layout: Layout, rows: usize) -> Op {
    Op::Linear { layout, rows }
}

fn embedding(layout: Layout, rows: usize) -> Op {
    Op::Embedding { layout, rows }
}

const RMS_NORM: Op = Op::RmsNorm { epsilon: 1e-5, offset: 0.0 };
const LAYER_NORM: Op = Op::LayerNorm { epsilon: 1e-5, offset: 0.0 };
