//! SmolLM2-135M-Instruct, the real model: what transformers answers. `tools/fetch-model` brings
//! the file; without it the tests say so and do nothing.

use std::path::{Path, PathBuf};

use crate::common::step;
use crate::common::step::{best, row, run};
use tyto_artifact::Artifact;
use tyto_compile::{CompileOptions, DType, Kernels, compile};
use tyto_engine::Executor;
use tyto_engine::iree::LoadOptions;

/// "What is the capital of France?" in the model's chat template.
const PROMPT: [u32; 37] = [
    1, 9690, 198, 2683, 359, 253, 5356, 5646, 11173, 3365, 3511, 308, 34519, 28, 7018, 411, 407,
    19712, 8182, 2, 198, 1, 4093, 198, 1780, 314, 260, 3575, 282, 4649, 47, 2, 198, 1, 520, 9531,
    198,
];

/// What transformers 5.24 generates greedily from the f16 weights.
const ANSWER: [u32; 8] = [504, 3575, 282, 4649, 314, 7042, 30, 2];

pub fn model() -> Option<PathBuf> {
    let own =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/SmolLM2-135M-Instruct.Q4_1.gguf");
    let path = std::env::var_os("TYTO_SMOLLM2_GGUF").map_or(own, PathBuf::from);
    if path.is_file() {
        return Some(path);
    }
    println!("skipped: {} is not there; tools/fetch-model brings it", path.display());
    None
}

pub fn load(
    model: &Path,
    dtype: Option<DType>,
    context: usize,
    sizes: (&[usize], &[usize]),
    kernels: Kernels,
) -> (tempfile::TempDir, Box<dyn Executor>) {
    let directory = tempfile::tempdir().expect("a directory");
    let mut options = CompileOptions::new(model, directory.path().join("model.tyto"));
    options.weight_dtype = dtype;
    options.kernels = kernels;
    options.context = Some(context);
    options.sizes = Some((sizes.0.to_vec(), sizes.1.to_vec()));
    let report = compile(&options, &mut |_| {}).expect("compiles");
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let load = LoadOptions { threads: Some(2), blocks: Some(256), ..LoadOptions::default() };
    let executor = step::load(&artifact, &load).expect("code for this machine");
    (directory, executor)
}

/// Blocks of sequence `index`, enough for 400 positions.
pub fn blocks(index: usize) -> Vec<u32> {
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
