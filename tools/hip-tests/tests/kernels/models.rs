//! Phase programs of whole models against the interpreter: a prompt, then token by token, alone and
//! in a batch.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool, Work};
use tyto_frontend::{LoadedModel, StepShape, TraceOptions};
use tyto_graph::{DType, Layout};
use tyto_kernel_cases::models::{self, difference};
use tyto_phase_program::{GpuOptions, StepSizes, plan_for_gpu};
use tyto_rdna_emu::{Options, Races};

use crate::machine;
use crate::runner::GARBAGE;

const CONTEXT: usize = 64;

fn options(dtype: DType) -> TraceOptions {
    TraceOptions {
        weight_dtype: dtype,
        kv_type: dtype.into(),
        block_size: 16,
        max_blocks: 32,
        layout: |_, _, dtype| Layout::Tiled { n: 16, k: if dtype == DType::F32 { 1 } else { 8 } },
        fuse_siblings: true,
        keep_blocks: true,
    }
}

/// The bytes of a weight file, and where each weight is.
type WeightFile = (Vec<u8>, HashMap<Arc<str>, u64>);

/// A model, its weights and its cache for the kernels.
struct Native<'m> {
    model: &'m LoadedModel,
    checkpoint: &'m Checkpoint,
    options: TraceOptions,
    weights: Option<WeightFile>,
    cache: Vec<u8>,
}

impl<'m> Native<'m> {
    fn new(model: &'m LoadedModel, checkpoint: &'m Checkpoint, options: TraceOptions) -> Self {
        Self { model, checkpoint, options, weights: None, cache: Vec::new() }
    }

    /// Runs one step of `work` and gives the logits of each of its positions.
    fn run(&mut self, pool: &mut Pool, shape: &StepShape, work: &[Work]) -> Vec<Vec<f32>> {
        let traced = self.model.trace("step", shape, &self.options).expect("the model traces");
        let weights = || models::weight_file(self.checkpoint, &traced.weights);
        let (file, places) = self.weights.get_or_insert_with(weights);
        let sizes = StepSizes { batch: shape.batch, tokens: shape.tokens, rows: shape.rows };
        let program = plan_for_gpu(&traced.graph, sizes, places, GpuOptions::default())
            .expect("every op is native");
        if std::env::var_os("TYTO_SHOW_PROGRAMS").is_some() {
            println!("{program}");
        }
        let inputs = pool.inputs(shape, work);
        let wanted: usize = work.iter().map(|work| work.count).sum();
        let pages = shape.context / self.options.block_size;
        let arguments = models::arguments(&inputs, &program, pages, wanted);
        let blocks = self.options.max_blocks + models::slot_blocks(&program);
        self.cache.resize(blocks * program.block_bytes as usize, GARBAGE);
        let vocabulary = self.model.facts().vocab_size;
        let options =
            Options { races: Races::All, checks_written: false, threads: 1, ..Options::default() };
        let count = shape.rows * vocabulary;
        // Logits of rows that nobody asked for are not written.
        let logits = machine::run(&program, file, &arguments, &mut self.cache, count, &options);
        logits.chunks(vocabulary).take(wanted).map(<[f32]>::to_vec).collect()
    }
}

/// Compares one fixture of `tests/oracle` in `dtype`; `tolerance` is relative to the largest
/// logit of a position.
fn check(case: &str, dtype: DType, tolerance: f32) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle").join(case);
    let checkpoint = Checkpoint::open(&path).expect("a fixture");
    let model = tyto_frontend::open(&checkpoint).expect("a model");
    let vocabulary = model.facts().vocab_size as i64;
    let options = options(dtype);
    let mut plain = Interpreted::new(&model, &checkpoint, options);
    let mut native = Native::new(&model, &checkpoint, options);
    let mut pool = Pool::new(&options, CONTEXT, 5);
    let mut compare = |pool: &mut Pool, shape: &StepShape, work: &[Work], what: &str| {
        let expected = plain.run(pool, shape, work);
        let found = native.run(pool, shape, work);
        for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let difference = difference(found, expected);
            assert!(
                difference <= tolerance,
                "{case} {dtype}, {what}, row {row}: differs by {difference}"
            );
        }
    };
    let prompt: Vec<i64> = (0..37).map(|index| (index * 7919 + 13) % vocabulary).collect();
    let shape = StepShape { batch: 1, tokens: 48, context: CONTEXT, rows: 48 };
    let whole = pool.add(&prompt);
    compare(&mut pool, &shape, &[Work { sequence: whole, start: 0, count: 37 }], "prompt");
    let shape = StepShape { batch: 1, tokens: 8, context: CONTEXT, rows: 8 };
    let other = pool.add(&prompt[..7]);
    compare(&mut pool, &shape, &[Work { sequence: other, start: 0, count: 7 }], "short prompt");
    for (batch, steps) in [(1, 2), (4, 2)] {
        let shape = StepShape { batch, tokens: 1, context: CONTEXT, rows: batch };
        for step in 0..steps {
            let mut work = Vec::new();
            for (index, sequence) in [whole, other].into_iter().take(batch).enumerate() {
                pool.push(sequence, (step * 31 + index as i64 * 17) % vocabulary);
                let start = pool.length(sequence) - 1;
                work.push(Work { sequence, start, count: 1 });
            }
            compare(&mut pool, &shape, &work, &format!("decode {step} in a batch of {batch}"));
        }
    }
}

#[test]
fn llama() {
    check("llama", DType::F32, 2e-5);
    check("llama", DType::F16, 4e-3);
}

#[test]
fn gpt_oss() {
    check("gpt_oss", DType::F32, 2e-5);
}

#[test]
fn qwen3_moe() {
    check("qwen3_moe", DType::F32, 2e-5);
}

#[test]
fn llama_in_blocks() {
    // The activations of prompts are rounded to f16, also those that keys and values come from.
    check("llama_mlx_4bit", DType::F32, 4e-3);
    check("llama_gguf_k/model.gguf", DType::F32, 4e-3);
}

#[test]
fn mamba2() {
    check("mamba2", DType::F32, 2e-5);
}

#[test]
fn qwen3_next() {
    check("qwen3_next", DType::F32, 2e-5);
}

/// Latent attention: a matrix for each head before and behind it.
#[test]
fn deepseek_v3() {
    check("deepseek_v3", DType::F32, 2e-5);
}

/// A recurrence and attention beside each other in every layer.
#[test]
fn falcon_h1() {
    check("falcon_h1", DType::F32, 2e-5);
}

/// Mamba's selective scan: alone, with norms of what it reads, and beside attention and experts.
#[test]
fn selective_scans() {
    check("mamba", DType::F32, 2e-5);
    check("falcon_mamba", DType::F32, 2e-5);
    check("jamba", DType::F32, 2e-5);
}

/// The delta rule with a decay for each row of a state, and latent attention.
#[test]
fn kimi_linear() {
    check("kimi_linear", DType::F32, 2e-5);
}

/// The delta rule with signs of its own for a state.
#[test]
fn olmo_hybrid() {
    check("olmo_hybrid", DType::F32, 2e-5);
}

/// Convolutions alone, and layers of attention among them.
#[test]
fn lfm2() {
    check("lfm2", DType::F32, 2e-5);
}

/// An RG-LRU, and attention through a window.
#[test]
fn recurrent_gemma() {
    check("recurrent_gemma", DType::F32, 2e-5);
}

/// States that lose a matrix of rank one.
#[test]
fn rwkv7() {
    check("rwkv7", DType::F32, 2e-5);
}
