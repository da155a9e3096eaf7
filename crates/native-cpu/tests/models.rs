//! Phase programs of whole models on every variant of the kernels that runs here, against the
//! interpreter: prompts at once and in parts, then token by token in a batch.

mod common;

use std::path::Path;

use common::{Native, difference};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool, Work};
use tyto_frontend::{StepShape, TraceOptions};
use tyto_graph::{DType, Layout};
use tyto_native_cpu::Variant;

const CONTEXT: usize = 64;

fn options(dtype: DType) -> TraceOptions {
    TraceOptions {
        weight_dtype: dtype,
        kv_dtype: dtype,
        block_size: 16,
        max_blocks: 32,
        layout: |_, _, dtype| Layout::Tiled { n: 16, k: if dtype == DType::BF16 { 2 } else { 1 } },
        fuse_siblings: true,
        keep_blocks: true,
    }
}

/// Compares one fixture of `tests/oracle` in `dtype`; `tolerance` is relative to the largest
/// logit of a position.
fn check(case: &str, dtype: DType, tolerance: f32) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle").join(case);
    let checkpoint = Checkpoint::open(&path).expect("a fixture");
    let model = tyto_frontend::open(&checkpoint).expect("a model");
    let vocabulary = model.facts().vocab_size as i64;
    let prompt: Vec<i64> = (0..37).map(|index| (index * 7919 + 13) % vocabulary).collect();
    for (variant, workers) in Variant::ALL.into_iter().zip([1, 2, 3, 4, 2]) {
        if variant.object().is_none() || !variant.runs_here() {
            println!("skipped: this machine has no {variant:?}");
            continue;
        }
        let options = options(dtype);
        let mut expected = Interpreted::new(&model, &checkpoint, options);
        let mut found = Native::new(&model, &checkpoint, options, variant, workers);
        let mut pool = Pool::new(&options, CONTEXT, 5);
        let mut compare = |pool: &mut Pool, shape: &StepShape, work: &[Work], what: &str| {
            let expected = expected.run(pool, shape, work);
            let found = found.run(pool, shape, work);
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let difference = difference(found, expected);
                assert!(
                    difference <= tolerance,
                    "{case} {dtype} {variant:?}, {what}, row {row}: differs by {difference}"
                );
            }
        };
        let prefill = |tokens| StepShape { batch: 1, tokens, context: CONTEXT, rows: tokens };
        let whole = pool.add(&prompt);
        let all = Work { sequence: whole, start: 0, count: prompt.len() };
        compare(&mut pool, &prefill(48), &[all], "prompt at once");
        let parts = pool.add(&prompt[..21]);
        for start in [0, 7, 14] {
            let work = Work { sequence: parts, start, count: 7 };
            compare(&mut pool, &prefill(8), &[work], "prompt in parts");
        }
        for (batch, steps) in [(1, 3), (4, 12), (12, 4)] {
            let shape = StepShape { batch, tokens: 1, context: CONTEXT, rows: batch };
            let sequences = [whole, parts];
            for step in 0..steps {
                let mut work = Vec::new();
                for (index, sequence) in sequences.into_iter().take(batch).enumerate() {
                    pool.push(sequence, (step * 31 + index as i64 * 17) % vocabulary);
                    let start = pool.length(sequence) - 1;
                    work.push(Work { sequence, start, count: 1 });
                }
                compare(&mut pool, &shape, &work, &format!("decode {step} in a batch of {batch}"));
            }
        }
    }
}

#[test]
fn llama() {
    check("llama", DType::F32, 2e-5);
    check("llama", DType::F16, 4e-3);
}

#[test]
fn mistral() {
    check("mistral", DType::F32, 2e-5);
}

#[test]
fn qwen2() {
    check("qwen2", DType::F32, 2e-5);
}

#[test]
fn qwen3() {
    check("qwen3", DType::F32, 2e-5);
}

#[test]
fn gemma3_text() {
    check("gemma3_text", DType::F32, 2e-5);
}

#[test]
fn phi3() {
    check("phi3", DType::F32, 2e-5);
}

#[test]
fn llama_bf16() {
    check("llama_bf16", DType::BF16, 3e-2);
}
