//! Compiling: what is taken over, refused and stopped.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::common::{artifact, checkpoint, ok, run, text, tyto};
use crate::served::signal;

#[test]
fn a_second_compile_takes_everything_over() {
    let mut command = tyto();
    command.arg("compile").arg(checkpoint()).arg("-o").arg(artifact()).arg("--json");
    let report: Value = serde_json::from_str(&ok(run(&mut command))).expect("JSON");
    assert_eq!(report["modules_compiled"], 0);
    assert_eq!(report["weights_reused"], true);
    let mut command = tyto();
    let verified = ok(run(command.arg("inspect").arg(artifact()).arg("--verify")));
    assert!(verified.contains("every hash is right"), "{verified}");
}

/// The fixture's 40 and 72 columns divide into no groups.
#[test]
fn a_model_that_cannot_be_quantized_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint()).arg("-o").arg(folder.path().join("out.tyto"));
    let output = run(command.args(["--quantize", "affine-4"]));
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in ["no matrix can be quantized", "40 columns", "groups of 64"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn ctrl_c_ends_a_compile_with_130_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint()).arg("-o").arg(folder.path().join("out.tyto"));
    // Slow enough to be stopped.
    command.args(["--kernels", "never"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let begun = lines.any(|line| line.expect("text").starts_with("compiling"));
    assert!(begun, "the compile ended before it began");
    signal("INT", &child);
    lines.for_each(|line| drop(line.expect("text")));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 0);
}
