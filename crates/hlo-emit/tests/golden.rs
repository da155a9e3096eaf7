//! Golden StableHLO: what each architecture's tiny checkpoint is emitted as, in `graphs/`.
//!
//! After a change that is meant to show there, one command rewrites the files:
//!
//! ```text
//! TYTO_UPDATE_GOLDEN=1 cargo test --release -p tyto-hlo-emit --test golden
//! ```

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::{ARCHITECTURES, DECODE, PLAIN, PREFILL, TILED, emit_step};
use tyto_frontend::{StepShape, TraceOptions};

/// One golden file.
struct Golden {
    /// `llama/prefill.mlir`, under `graphs/`.
    file: String,
    architecture: &'static str,
    step: &'static str,
    shape: StepShape,
    options: TraceOptions,
}

fn all() -> Vec<Golden> {
    let mut all = Vec::new();
    for (step, shape) in [("prefill", PREFILL), ("decode", DECODE)] {
        for architecture in ARCHITECTURES {
            let file = format!("{architecture}/{step}.mlir");
            all.push(Golden { file, architecture, step, shape, options: PLAIN });
        }
        // As it is compiled for x86: bf16 in tiles, and a bf16 cache.
        let file = format!("llama/{step}.tiled.mlir");
        all.push(Golden { file, architecture: "llama", step, shape, options: TILED });
    }
    all
}

#[test]
fn emitted_modules_are_the_golden_ones() {
    let update = std::env::var_os("TYTO_UPDATE_GOLDEN").is_some();
    let mut differences = Vec::new();
    for golden in all() {
        let path = graphs().join(&golden.file);
        let found = emit_step(golden.architecture, golden.step, &golden.shape, &golden.options);
        let found = format!("{}\n", found.trim_end());
        if update {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, found).expect("a written file");
            continue;
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        differences.extend(first_difference(&golden.file, &expected, &found));
    }
    let command = "TYTO_UPDATE_GOLDEN=1 cargo test --release -p tyto-hlo-emit --test golden";
    assert!(differences.is_empty(), "{}\nIf this is meant: {command}", differences.join("\n"));
}

#[test]
fn no_golden_file_is_left_over() {
    let expected: BTreeSet<String> = all().into_iter().map(|golden| golden.file).collect();
    let mut found = BTreeSet::new();
    for folder in std::fs::read_dir(graphs()).expect("graphs/") {
        let folder = folder.expect("an entry");
        for file in std::fs::read_dir(folder.path()).expect("a folder for each architecture") {
            let (folder, file) = (folder.file_name(), file.expect("an entry").file_name());
            found.insert(format!("{}/{}", folder.to_string_lossy(), file.to_string_lossy()));
        }
    }
    let left: Vec<_> = found.difference(&expected).collect();
    assert!(left.is_empty(), "graphs/ has files that no test compares: {left:?}");
}

#[test]
fn a_difference_is_told_by_its_line() {
    assert_eq!(first_difference("f", "a\nb\n", "a\nb\n"), None);
    let message = first_difference("f", "a\nb\n", "a\nc\n").expect("differs");
    assert_eq!(message, "graphs/f:2 differs\n  golden: b\n  found:  c");
    let message = first_difference("f", "a\n", "a\nb\n").expect("differs");
    assert_eq!(message, "graphs/f:2 differs\n  golden: (ends)\n  found:  b");
}

/// The first line in which two texts differ, in words.
fn first_difference(file: &str, expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (mut expected, mut found) = (expected.lines(), found.lines());
    let mut number = 1;
    loop {
        let (golden, now) = (expected.next(), found.next());
        if golden != now || golden.is_none() {
            let or_end = |line: Option<&str>| line.unwrap_or("(ends)").to_owned();
            let (golden, now) = (or_end(golden), or_end(now));
            return Some(format!(
                "graphs/{file}:{number} differs\n  golden: {golden}\n  found:  {now}"
            ));
        }
        number += 1;
    }
}

fn graphs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs")
}
