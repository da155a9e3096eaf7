//! Guesses on a GPU: a token and its guesses are rows of one call of several rows; alone it is a call of one,
//! whose launches differ.

use tyto_engine::testing::byte_text_model;
use tyto_engine::{Engine, EngineConfig, Executor, Speculate};

use super::{
    AQL, Artifact, CASE, DType, GpuArch, GpuDriver, GpuPhasesExecutor, Kernels, LoadOptions,
    Target, artifact, compiled_as, open, reference,
};
use crate::common::served::ask_for;
use crate::common::{check_drafts, fixtures, read_reference};

/// Plain weights, blocks, a mixture, wide heads.
#[test]
fn guesses_leave_every_bit_as_it_is_on_a_gpu() {
    let ids = &reference().ids;
    for dtype in [DType::F32, DType::F16] {
        check(CASE, artifact(dtype), ids);
    }
    for case in ["llama_mlx_4bit", "qwen3_moe", "deepseek_v3"] {
        check_fixture(case);
    }
}

/// Every kind of state that has a kernel, and hybrids: the state after each guess is in a slot of its own.
#[test]
fn guesses_leave_every_bit_of_recurrent_models_as_it_is_on_a_gpu() {
    for case in [
        "mamba",
        "mamba2",
        "qwen3_next",
        "kimi_linear",
        "falcon_h1",
        "lfm2",
        "recurrent_gemma",
        "rwkv7",
    ] {
        check_fixture(case);
    }
}

/// All that an answer is made of, so that it repeats itself.
const FEW: [u32; 3] = [20, 21, 22];

/// Some guesses are right and some are not: answers are those of an engine that guesses nothing, which goes on
/// in one slot.
#[test]
fn answers_of_recurrent_models_with_guesses_are_those_without_on_a_gpu() {
    let mut wrong = 0;
    for case in ["mamba2", "qwen3_next"] {
        let artifact = compiled_for_amdgpu(case);
        let engine = |speculate| {
            let (artifact, config) = (artifact.clone(), EngineConfig::new("test"));
            let load = move || Ok(Box::new(load(&artifact)) as Box<dyn Executor>);
            let engine =
                Engine::start(EngineConfig { speculate, ..config }, byte_text_model(), load);
            engine.expect("it starts")
        };
        let (guessing, alone) = (engine(Speculate::Always), engine(Speculate::Never));
        let prompt: Vec<u32> = (0..9).map(|at| at * 37 % 125 + 3).collect();
        let (expected, _) = ask_for(&alone, &prompt, 48, &FEW);
        let (answer, _) = ask_for(&guessing, &prompt, 48, &FEW);
        assert_eq!(answer, expected, "{case}");
        let (stats, plain) = (guessing.stats(), alone.stats());
        assert!(stats.accepted_tokens > 8, "{case}: {stats:?}");
        wrong += stats.drafted_tokens - stats.accepted_tokens;
        assert_eq!(plain.drafted_tokens, 0, "{case}: {plain:?}");
    }
    assert!(wrong > 0, "every guess was right");
}

fn check_fixture(case: &str) {
    let ids = read_reference(&fixtures().join(case).join("reference.safetensors")).ids;
    check(case, &compiled_for_amdgpu(case), &ids);
}

fn check(case: &str, artifact: &Artifact, ids: &[u32]) {
    let mut gpu = load(artifact);
    assert_eq!(gpu.limits().max_drafts, 3, "{case}: calls of four rows");
    let guessed = check_drafts(case, &mut gpu, ids);
    assert!(guessed >= 5, "{case}: {guessed} guesses of {} tokens", ids.len());
}

fn compiled_for_amdgpu(case: &str) -> Artifact {
    let target = Target::Gpu(GpuArch::Gfx1151, GpuDriver::Amdgpu);
    compiled_as(Kernels::Require, case, DType::F32, vec![target])
}

fn load(artifact: &Artifact) -> GpuPhasesExecutor {
    let mut targets = artifact.manifest().targets.iter();
    let target = targets.find(|target| target.driver == AQL.0).expect("compiled for it");
    let (phases, load) = (target.phases.as_ref().expect("it is native"), LoadOptions::default());
    GpuPhasesExecutor::load_on(open(AQL), artifact, target, phases, &load).expect("loads")
}
