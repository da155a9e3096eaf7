//! Every entry point computes the same: chunks of any length and batches of any size, on both
//! sides of a context bucket, of the real model with kernels and of a tiny one as decomposed
//! ops, which take the compiler many seconds a size.

use std::path::Path;

use crate::common::fixtures;
use crate::common::step::{assert_close, row, run};
use crate::smollm2::{blocks, load, model};
use tyto_compile::{DType, Kernels};
use tyto_engine::{Executor, StepRow};

/// Largest difference between two entry points' logits, relative to the largest logit: bf16
/// sums in another order. A wrong entry point is off by a quarter and more.
const BF16_TOLERANCE: f32 = 0.05;

/// The same, of sums in f32.
const F32_TOLERANCE: f32 = 1e-4;

/// Batches and chunks with kernels.
const SIZES: (&[usize], &[usize]) = (&[1, 2, 4, 8], &[32, 128, 512]);

/// As decomposed ops: the ends; what is between them is padded.
const ENDS: (&[usize], &[usize]) = (&[1, 8], &[32, 512]);

#[test]
fn of_bf16_weights() {
    let Some(model) = model() else { return };
    check(&model, (Some(DType::BF16), Kernels::Require), SIZES, BF16_TOLERANCE);
}

#[test]
fn of_weights_in_blocks() {
    let Some(model) = model() else { return };
    check(&model, (None, Kernels::Require), SIZES, BF16_TOLERANCE);
}

#[test]
fn of_decomposed_ops() {
    let folder = tempfile::tempdir().expect("a directory");
    write_llama(folder.path(), 512);
    check(folder.path(), (None, Kernels::Never), ENDS, F32_TOLERANCE);
}

/// The llama of the fixtures with a longer context: two buckets.
fn write_llama(folder: &Path, context: usize) {
    let source = fixtures().join("llama");
    let text = std::fs::read_to_string(source.join("config.json")).expect("a fixture");
    let mut config: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    config["max_position_embeddings"] = context.into();
    std::fs::write(folder.join("config.json"), config.to_string()).expect("writes");
    for entry in source.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if name != "config.json" {
            std::fs::copy(&path, folder.join(name)).expect("copies");
        }
    }
}

fn check(
    model: &Path,
    (dtype, kernels): (Option<DType>, Kernels),
    sizes: (&[usize], &[usize]),
    tolerance: f32,
) {
    let (_artifact, mut executor) = load(model, dtype, 512, sizes, kernels);
    let executor = executor.as_mut();
    // Positions on both sides of the smaller context bucket.
    let text: Vec<u32> = (0..300).map(|at| 3 + at * 7 % 120).collect();
    for end in [40, 300] {
        let text = &text[..end];
        let reference = run_in_chunks(executor, text, 32);
        for chunk in [128, 512] {
            let logits = run_in_chunks(executor, text, chunk);
            let what = format!("{end} tokens in chunks of {chunk}");
            assert_close(&what, &logits, &reference, tolerance);
        }
        for batch in [1, 2, 4, 8] {
            for (index, logits) in run_decode(executor, text, batch).iter().enumerate() {
                let what = format!("{end} tokens, row {index} of {batch}");
                assert_close(&what, logits, &reference, tolerance);
            }
        }
    }
}

/// The logits after the last token, fed in chunks.
fn run_in_chunks(executor: &mut dyn Executor, text: &[u32], chunk: usize) -> Vec<f32> {
    let blocks = blocks(0);
    let mut logits = Vec::new();
    for (index, part) in text.chunks(chunk).enumerate() {
        logits = run(executor, &[row(part, index * chunk, &blocks)]).remove(0);
    }
    logits
}

/// The logits of every row after the last token, where the last tokens are fed one by one in a
/// batch of equal texts.
fn run_decode(executor: &mut dyn Executor, text: &[u32], batch: usize) -> Vec<Vec<f32>> {
    let tables: Vec<Vec<u32>> = (0..batch).map(blocks).collect();
    let prompt = text.len() - 5;
    for table in &tables {
        run(executor, &[row(&text[..prompt], 0, table)]);
    }
    let mut logits = Vec::new();
    for position in prompt..text.len() {
        let token = &text[position..=position];
        let rows: Vec<StepRow<'_>> =
            tables.iter().map(|table| row(token, position, table)).collect();
        logits = run(executor, &rows);
    }
    logits
}
