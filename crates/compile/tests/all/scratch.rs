//! A manifest that promises less scratch than the compiled programs need: programs write nothing,
//! and the step is an error that names the manifest's fields.

use std::path::Path;

use crate::common::step::row;
use tyto_artifact::{Artifact, Phases};
use tyto_compile::{CompileOptions, compile};
use tyto_engine::iree::{LoadOptions, PhasesExecutor};
use tyto_engine::{Executor as _, StepLogits};

const CONTEXT: usize = 32;

fn executor(artifact: &Artifact, phases: &Phases) -> PhasesExecutor {
    let load = LoadOptions { threads: Some(2), blocks: Some(8), ..LoadOptions::default() };
    PhasesExecutor::load(artifact, &artifact.manifest().targets[0], phases, &load).expect("loads")
}

#[test]
fn a_manifest_with_too_little_scratch_is_an_error_that_names_its_fields() {
    let output = tempfile::tempdir().expect("a directory");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/llama_tied");
    let mut options = CompileOptions::new(&source, output.path().join("small.tyto"));
    options.context = Some(CONTEXT);
    options.sizes = Some((vec![1], vec![8]));
    let report = compile(&options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let whole = artifact.manifest().targets[0].phases.expect("phase programs");

    let rows = [row(&[5, 6, 7], 0, &[1, 2])];
    let mut logits = StepLogits::new(artifact.manifest().model.vocab_size);
    logits.begin(1);
    executor(&artifact, &whole).step(&rows, &mut logits).expect("what the manifest says is enough");

    for lowered in [Phases { shared_bytes: 64, ..whole }, Phases { private_bytes: 0, ..whole }] {
        let mut executor = executor(&artifact, &lowered);
        // Twice: it stays an error.
        for _ in 0..2 {
            logits.begin(1);
            let error = executor.step(&rows, &mut logits).expect_err("too little scratch");
            assert!(error.is_fatal(), "{error}");
            let text = error.to_string();
            for part in ["manifest.json: targets[", "phases.shared_bytes or private_bytes", "again"]
            {
                assert!(text.contains(part), "{part:?} is not in: {text}");
            }
        }
    }
}
