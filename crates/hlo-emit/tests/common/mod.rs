//! The oracle's fixtures, traced and emitted.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::Path;

use tyto_checkpoint::Checkpoint;
use tyto_frontend::{StepShape, TraceOptions};
use tyto_graph::{DType, Graph, KvType, Layout};

/// Every architecture; the oracle has a case of the same name for each.
pub const ARCHITECTURES: [&str; 11] = [
    "llama",
    "mistral",
    "qwen2",
    "qwen3",
    "gemma3_text",
    "phi3",
    "qwen3_moe",
    "qwen2_moe",
    "mixtral",
    "olmoe",
    "gpt_oss",
];

/// A chunk of eight tokens of one sequence.
pub const PREFILL: StepShape = StepShape { batch: 1, tokens: 8, context: 16, rows: 1 };

/// One token of each of two sequences.
pub const DECODE: StepShape = StepShape { batch: 2, tokens: 1, context: 16, rows: 2 };

/// Rows of f32, an f32 cache in blocks of eight.
pub const PLAIN: TraceOptions = TraceOptions {
    weight_dtype: DType::F32,
    kv_type: KvType::Float(DType::F32),
    block_size: 8,
    max_blocks: 64,
    layout: |_, _, _| Layout::RowMajor,
    fuse_siblings: true,
    keep_blocks: false,
};

/// The tiles of x86 and a bf16 cache.
pub const TILED: TraceOptions = TraceOptions {
    weight_dtype: DType::BF16,
    kv_type: KvType::Float(DType::BF16),
    layout: |_, _, _| Layout::Tiled { n: 16, k: 2 },
    ..PLAIN
};

/// The graph of one step of an architecture's fixture.
pub fn trace_step(case: &str, name: &str, shape: &StepShape, options: &TraceOptions) -> Graph {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle").join(case);
    let checkpoint = Checkpoint::open(&directory).expect("a fixture opens");
    let model = tyto_frontend::open(&checkpoint).expect("a fixture is a model");
    model.trace(name, shape, options).expect("a fixture traces").graph
}

/// The module of one step of an architecture's fixture.
pub fn emit_step(case: &str, name: &str, shape: &StepShape, options: &TraceOptions) -> String {
    let graph = trace_step(case, name, shape, options);
    tyto_hlo_emit::emit(case, &[graph]).expect("a fixture emits").text
}
