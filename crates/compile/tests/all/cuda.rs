//! Code for NVIDIA GPUs: no test has one to run it, so these look at what is compiled.

use tyto_artifact::{Artifact, Choice, EntryKind, Target as TargetEntry};
use tyto_compile::{CompileOptions, Kernels, Target, compile};

use crate::common::model_directory;

/// A model in blocks, so that kernels for codes are among those that are launched.
const CASE: &str = "llama_mlx_4bit";

/// The artifact's target, and its module's code.
fn compiled(case: &str, kernels: Kernels) -> (TargetEntry, String) {
    let source = model_directory(case, "config.json");
    let mut options = CompileOptions::new(source.path(), source.path().join("out.tyto"));
    options.targets = Target::parse("sm_80").expect("known");
    options.context = Some(32);
    options.kernels = kernels;
    options.sizes =
        Some((if kernels == Kernels::Require { vec![1, 2] } else { vec![1] }, vec![16]));
    let report = compile(&options, &mut |_| {}).expect("compiles");
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let target = artifact.manifest().targets[0].clone();
    let code = std::fs::read(artifact.path().join(&target.modules[0])).expect("reads");
    (target, String::from_utf8_lossy(&code).into_owned())
}

fn entries(code: &str) -> Vec<&str> {
    let names = code.match_indices(".visible .entry ").map(|(at, word)| &code[at + word.len()..]);
    names.map(|rest| rest.split('(').next().unwrap_or_default()).collect()
}

#[test]
fn a_phase_program_has_the_ptx_of_the_kernels_that_it_launches_and_no_other() {
    let (target, code) = compiled(CASE, Kernels::Require);
    assert_eq!((target.name.as_str(), target.driver.as_str()), ("sm_80", "cuda"));
    assert!(target.is_gpu() && target.phases.is_some() && target.cache_blocks.is_some());
    assert!(target.pm4_entries.is_empty());
    let kinds = [EntryKind::Decode, EntryKind::Prefill];
    assert!(kinds.iter().all(|kind| target.entries.iter().any(|entry| entry.kind == *kind)));
    let mut found = entries(&code);
    found.sort_unstable();
    // Sixteen rows of a prompt go through the kernels of few: there is no WMMA.
    let expected = [
        "ty_decode_f16",
        "ty_matvec8_bf16",
        "ty_matvec8_u4",
        "ty_matvec8_u8",
        "ty_matvec_bf16",
        "ty_matvec_u4",
        "ty_matvec_u8",
        "ty_prefill_f16",
        "ty_rows",
    ];
    assert_eq!(found, expected);
    assert_eq!(code.matches(".target sm_80").count(), 5, "a part for each file of kernels");
}

#[test]
fn without_kernels_of_ours_it_is_what_iree_makes_of_the_decomposition() {
    let (target, code) = compiled("llama", Kernels::Never);
    assert_eq!(target.driver, "cuda");
    assert!(target.phases.is_none() && target.cache_blocks.is_some());
    assert!(target.choices.iter().all(|choice| choice.body == Choice::Decomposed));
    assert!(!entries(&code).is_empty() && !code.contains(".entry ty_"));
    assert!(code.contains(".target sm_80"));
}
