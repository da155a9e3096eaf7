//! SmolLM2-135M-Instruct, the real model: what transformers answers, and every entry point
//! against every other. `tools/fetch-model` brings the file; without it the tests say so and
//! do nothing.

use std::path::{Path, PathBuf};

use crate::common::step;
use crate::common::step::{best, row, run};
use tyto_artifact::Artifact;
use tyto_compile::{CompileOptions, DType, Kernels, compile};
use tyto_engine::iree::LoadOptions;
use tyto_engine::{Executor, StepRow};

/// "What is the capital of France?" in the model's chat template.
const PROMPT: [u32; 37] = [
    1, 9690, 198, 2683, 359, 253, 5356, 5646, 11173, 3365, 3511, 308, 34519, 28, 7018, 411, 407,
    19712, 8182, 2, 198, 1, 4093, 198, 1780, 314, 260, 3575, 282, 4649, 47, 2, 198, 1, 520, 9531,
    198,
];

/// What transformers 5.24 generates greedily from the f16 weights.
const ANSWER: [u32; 8] = [504, 3575, 282, 4649, 314, 7042, 30, 2];

/// Largest difference between two entry points' logits, relative to the largest logit: bf16
/// sums in another order. A wrong entry point is off by a quarter and more.
const BF16_TOLERANCE: f32 = 0.05;

fn model() -> Option<PathBuf> {
    let own =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/SmolLM2-135M-Instruct.Q4_1.gguf");
    let path = std::env::var_os("TYTO_SMOLLM2_GGUF").map_or(own, PathBuf::from);
    if path.is_file() {
        return Some(path);
    }
    println!("skipped: {} is not there; tools/fetch-model brings it", path.display());
    None
}

fn load(
    model: &Path,
    dtype: Option<DType>,
    context: usize,
    sizes: (&[usize], &[usize]),
    kernels: Kernels,
) -> (tempfile::TempDir, Box<dyn Executor>) {
    let directory = tempfile::tempdir().expect("a directory");
    let mut options = CompileOptions::new(model, directory.path().join("smollm2.tyto"));
    options.weight_dtype = dtype;
    options.kernels = kernels;
    options.context = Some(context);
    options.sizes = Some((sizes.0.to_vec(), sizes.1.to_vec()));
    let report = compile(&options, &mut |_| {}).expect("compiles");
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let load = LoadOptions { threads: Some(2), blocks: Some(256) };
    let executor = step::load(&artifact, &load).expect("code for this machine");
    (directory, executor)
}

/// Blocks of sequence `index`, enough for 400 positions.
fn blocks(index: usize) -> Vec<u32> {
    (0..25).map(|page| (1 + 25 * index + page) as u32).collect()
}

#[test]
fn the_answer_from_f16_is_that_of_transformers() {
    check_answer(Kernels::Require);
}

#[test]
fn the_answer_from_f16_decomposed_is_that_of_transformers() {
    check_answer(Kernels::Never);
}

fn check_answer(kernels: Kernels) {
    let Some(model) = model() else { return };
    let sizes: (&[usize], &[usize]) = match kernels {
        Kernels::Never => (&[2], &[32]),
        _ => (&[1, 2], &[32]),
    };
    let (_artifact, mut executor) = load(&model, Some(DType::F16), 256, sizes, kernels);
    let executor = executor.as_mut();
    // Alone, then beside another text.
    for beside in [false, true] {
        let tables = [blocks(0), blocks(1)];
        let mut next = best(&run(executor, &[row(&PROMPT, 0, &tables[0])])[0]);
        if beside {
            run(executor, &[row(&PROMPT[3..20], 0, &tables[1])]);
        }
        let mut answer = vec![next];
        while answer.len() < ANSWER.len() {
            let (token, done) = ([next], answer.len() - 1);
            let mut rows = vec![row(&token, PROMPT.len() + done, &tables[0])];
            if beside {
                rows.insert(0, row(&PROMPT[20 + done..=20 + done], 17 + done, &tables[1]));
            }
            next = best(run(executor, &rows).last().expect("a row"));
            answer.push(next);
        }
        assert_eq!(answer, ANSWER, "beside another text: {beside}");
    }
}

#[test]
fn every_entry_point_computes_the_same() {
    check_entry_points(Some(DType::BF16), Kernels::Require);
}

#[test]
fn every_entry_point_over_blocks_computes_the_same() {
    check_entry_points(None, Kernels::Require);
}

#[test]
fn every_decomposed_entry_point_computes_the_same() {
    check_entry_points(Some(DType::BF16), Kernels::Never);
}

fn check_entry_points(dtype: Option<DType>, kernels: Kernels) {
    let Some(model) = model() else { return };
    // Decomposed code takes IREE many seconds a size: the ends are compiled, and what is between
    // them is padded.
    let sizes: (&[usize], &[usize]) = match kernels {
        Kernels::Never => (&[1, 8], &[32, 512]),
        _ => (&[1, 2, 4, 8], &[32, 128, 512]),
    };
    let (_artifact, mut executor) = load(&model, dtype, 512, sizes, kernels);
    let executor = executor.as_mut();
    // Positions on both sides of the smaller context bucket.
    let text: Vec<u32> = PROMPT.iter().copied().cycle().take(300).collect();
    for end in [40, 300] {
        let text = &text[..end];
        let reference = run_in_chunks(executor, text, 32);
        for chunk in [128, 512] {
            let logits = run_in_chunks(executor, text, chunk);
            assert_close(&format!("{end} tokens in chunks of {chunk}"), &logits, &reference);
        }
        for batch in [1, 2, 4, 8] {
            for (index, logits) in run_decode(executor, text, batch).iter().enumerate() {
                let what = format!("{end} tokens, row {index} of {batch}");
                assert_close(&what, logits, &reference);
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

fn assert_close(what: &str, logits: &[f32], reference: &[f32]) {
    step::assert_close(what, logits, reference, BF16_TOLERANCE);
}
