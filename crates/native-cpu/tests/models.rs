//! Phase programs of whole models on every variant of the kernels that runs here, against the
//! interpreter: prompts at once and in parts, then token by token in a batch.

mod common;

use std::path::{Path, PathBuf};

use common::Native;
use common::quantized::Quantized;
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool, Work};
use tyto_frontend::{StepShape, TraceOptions};
use tyto_graph::{DType, Layout};
use tyto_kernel_cases::models::difference;
use tyto_native_cpu::Variant;

const CONTEXT: usize = 64;

fn options(dtype: DType) -> TraceOptions {
    TraceOptions {
        weight_dtype: dtype,
        kv_type: dtype.into(),
        block_size: 16,
        max_blocks: 32,
        layout: |_, _, dtype| Layout::Tiled { n: 16, k: if dtype == DType::BF16 { 2 } else { 1 } },
        fuse_siblings: true,
        keep_blocks: true,
    }
}

fn fixture(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle").join(case)
}

/// Compares one fixture of `tests/oracle` in `dtype`; `tolerance` is relative to the largest
/// logit of a position.
fn check(case: &str, dtype: DType, tolerance: f32) {
    check_against(case, dtype, tolerance, false);
}

/// The same; `quantized`: against the interpreter with int8 activations. Then most rows are as
/// close as f32 is; in some, rounding moves an activation across a half, which is a whole step.
fn check_against(case: &str, dtype: DType, tolerance: f32, quantized: bool) {
    let checkpoint = Checkpoint::open(&fixture(case)).expect("a fixture");
    let model = tyto_frontend::open(&checkpoint).expect("a model");
    let vocabulary = model.facts().vocab_size as i64;
    let prompt: Vec<i64> = (0..37).map(|index| (index * 7919 + 13) % vocabulary).collect();
    for (variant, workers) in Variant::ALL.into_iter().zip([1, 2, 3, 4, 2]) {
        if variant.object().is_none() || !variant.runs_here() {
            println!("skipped: this machine has no {variant:?}");
            continue;
        }
        let options = options(dtype);
        let mut plain = Interpreted::new(&model, &checkpoint, options);
        let mut int8 = Quantized::new(&model, &checkpoint, options);
        let mut found = Native::new(&model, &checkpoint, options, variant, workers);
        let mut pool = Pool::new(&options, CONTEXT, 5);
        let (mut rows, mut close) = (0, 0);
        let mut compare = |pool: &mut Pool, shape: &StepShape, work: &[Work], what: &str| {
            let expected =
                if quantized { int8.run(pool, shape, work) } else { plain.run(pool, shape, work) };
            let found = found.run(pool, shape, work);
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let difference = difference(found, expected);
                rows += 1;
                close += usize::from(difference <= 2e-5);
                assert!(
                    difference <= tolerance,
                    "{case} {dtype} {variant:?}, {what}, row {row}: differs by {difference}"
                );
                check_best(found, expected, tolerance, what);
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
        assert!(!quantized || close * 4 >= rows * 3, "{case} {variant:?}: {close} of {rows}");
    }
}

/// The best token is the same where it leads by more than both logits may be off.
fn check_best(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
    let mut order: Vec<usize> = (0..expected.len()).collect();
    order.sort_by(|a, b| expected[*b].total_cmp(&expected[*a]));
    if expected[order[0]] - expected[order[1]] > 2.0 * tolerance * largest {
        let others = found.iter().enumerate().filter(|(token, _)| *token != order[0]);
        let second = others.fold(f32::MIN, |most, (_, value)| most.max(*value));
        assert!(found[order[0]] > second, "{what}: another best token");
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

/// Layer norms, the error function, MLPs without a gate, blocks whose halves run side by side, tables of
/// positions, and matrices whose rows take turns or whose heads are turned in pairs.
#[test]
fn classic() {
    for case in [
        "codegen",
        "cohere_norm",
        "cohere2",
        "falcon",
        "falcon_grouped",
        "gpt2",
        "gpt_bigcode",
        "gpt_neox",
        "nemotron",
        "olmo",
        "opt_narrow",
        "persimmon",
        "phi_norm",
        "stablelm_norm",
        "starcoder2",
    ] {
        check(case, DType::F32, 2e-5);
    }
}

/// Every state, and in bf16 every matrix but no convolution.
#[test]
fn mamba2() {
    check("mamba2", DType::F32, 2e-5);
    check("mamba2_tied", DType::F32, 2e-5);
    check("mamba2", DType::BF16, 2e-2);
}

#[test]
fn qwen3_next() {
    check("qwen3_next", DType::F32, 2e-5);
}

#[test]
fn phi3() {
    check("phi3", DType::F32, 2e-5);
}

#[test]
fn qwen3_moe() {
    check("qwen3_moe", DType::F32, 2e-5);
}

#[test]
fn qwen2_moe() {
    check("qwen2_moe", DType::F32, 2e-5);
}

#[test]
fn mixtral() {
    check("mixtral", DType::F32, 2e-5);
    check("mixtral_fused", DType::F32, 2e-5);
}

#[test]
fn gpt_oss() {
    check("gpt_oss", DType::F32, 2e-5);
}

#[test]
fn olmoe() {
    check("olmoe", DType::F32, 2e-5);
}

/// Block formats keep their published codes; activations are int8, so logits differ by what
/// those cost (much in a model of 64 columns), and the best token is the same wherever it is
/// best by more than that.
#[test]
fn llama_in_blocks() {
    for case in ["llama_mlx_4bit", "llama_mlx_8bit"] {
        check(case, DType::F32, 9e-2);
        check_against(case, DType::F32, 4e-2, true);
    }
}

/// The forms of other tools, and every block format of GGUF.
#[test]
fn models_in_published_forms() {
    for case in [
        "llama_fp8",
        "llama_ct_fp8",
        "llama_ct_int",
        "llama_ct_fp4",
        "phi3_ct_int",
        "llama_awq",
        "llama_gptq",
        "llama_gptq_act",
        "llama_nvfp4",
        "llama_modelopt_fp8",
        "llama_gguf_k/model.gguf",
        "llama_gguf_small/model.gguf",
    ] {
        check(case, DType::F32, 9e-2);
    }
}

/// The logits of one token behind a prompt, decoded in a batch of this size.
fn decoded(case: &str, variant: Variant, batch: usize) -> Vec<f32> {
    let checkpoint = Checkpoint::open(&fixture(case)).expect("a fixture");
    let model = tyto_frontend::open(&checkpoint).expect("a model");
    let options = options(DType::F32);
    let mut native = Native::new(&model, &checkpoint, options, variant, 2);
    let mut pool = Pool::new(&options, CONTEXT, 9);
    let mut work = Vec::new();
    for length in [21, 6, 40].into_iter().take(batch) {
        let prompt: Vec<i64> = (0..=length).map(|index| (index * 31 + length) % 100).collect();
        let sequence = pool.add(&prompt);
        let start = length as usize;
        let shape = StepShape { batch: 1, tokens: start, context: CONTEXT, rows: start };
        native.run(&mut pool, &shape, &[Work { sequence, start: 0, count: start }]);
        work.push(Work { sequence, start, count: 1 });
    }
    let shape = StepShape { batch, tokens: 1, context: CONTEXT, rows: batch };
    native.run(&mut pool, &shape, &work).swap_remove(0)
}

/// With weights in blocks, a sequence's bits do not depend on those it is computed with.
#[test]
fn a_sequence_in_blocks_is_the_same_alone_and_in_a_batch() {
    for variant in Variant::ALL.into_iter().filter(|v| v.object().is_some() && v.runs_here()) {
        let alone = decoded("llama_mlx_8bit", variant, 1);
        assert!(alone.iter().all(|logit| logit.is_finite()));
        for batch in [3, 4, 12] {
            assert_eq!(decoded("llama_mlx_8bit", variant, batch), alone, "{variant:?}, {batch}");
        }
    }
}

/// Matrix registers round weights and activations to bf16 once: closer than int8 activations are.
#[test]
fn a_prompt_in_matrix_registers() {
    for (case, dtype, tolerance) in [
        ("llama_mlx_4bit", DType::F32, 2e-2),
        ("llama_mlx_8bit", DType::F32, 2e-2),
        ("llama_bf16", DType::BF16, 3e-2),
    ] {
        let checkpoint = Checkpoint::open(&fixture(case)).expect("a fixture");
        let model = tyto_frontend::open(&checkpoint).expect("a model");
        let options = options(dtype);
        let mut pool = Pool::new(&options, CONTEXT, 5);
        let prompt: Vec<i64> = (0..37).map(|index| (index * 61 + 13) % 100).collect();
        let sequence = pool.add(&prompt);
        let shape = StepShape { batch: 1, tokens: 48, context: CONTEXT, rows: 48 };
        let work = [Work { sequence, start: 0, count: prompt.len() }];
        let expected = Interpreted::new(&model, &checkpoint, options).run(&mut pool, &shape, &work);
        for variant in Variant::ALL.into_iter().filter(|v| v.object().is_some() && v.runs_here()) {
            let native = Native::new(&model, &checkpoint, options, variant, 2);
            let found = native.with_amx().run(&mut pool, &shape, &work);
            let off = found.iter().zip(&expected).map(|(one, other)| difference(one, other));
            let most = off.fold(0.0, f32::max);
            // Portable kernels have int8 activations here as well.
            let registers = matches!(variant, Variant::V4Vnni | Variant::V4Extended);
            let tolerance = if registers && has_amx() { tolerance } else { 9e-2 };
            assert!(most <= tolerance, "{case} {variant:?}: differs by {most}");
        }
    }
}

fn has_amx() -> bool {
    tyto_native_team::Team::new(1, 64, 64).expect("a small team").has_amx()
}

#[test]
fn llama_bf16() {
    check("llama_bf16", DType::BF16, 3e-2);
}
