//! The binary, the fixture and what the tests compile of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use safetensors::SafeTensors;
use serde_json::Value;

/// A llama with random weights and transformers' answers to compare with.
pub fn checkpoint() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/llama")
}

pub fn tyto() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
    command.stdin(Stdio::null());
    command
}

pub fn run(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

pub fn ok(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The compiled checkpoint, made once for all tests.
pub fn artifact() -> &'static Path {
    static ARTIFACT: OnceLock<PathBuf> = OnceLock::new();
    ARTIFACT.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("end-to-end.tyto");
        let mut command = tyto();
        command.arg("compile").arg(checkpoint()).arg("-o").arg(&path).args(["--force", "--json"]);
        let report: Value = serde_json::from_str(&ok(run(&mut command))).expect("JSON");
        assert_eq!(report["architecture"], "llama");
        assert_eq!(report["modules_reused"], 0);
        path
    })
}

/// The prompt of the reference, and transformers' greedy continuation of it.
pub fn reference() -> (Vec<i64>, Vec<i64>) {
    let bytes = std::fs::read(checkpoint().join("reference.safetensors")).expect("the fixture");
    let tensors = SafeTensors::deserialize(&bytes).expect("the fixture is valid");
    let ids = |name: &str| -> Vec<i64> {
        let data = tensors.tensor(name).expect("the fixture has it").data().to_vec();
        data.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().expect("8 bytes"))).collect()
    };
    let (prompt, whole) = (ids("input_ids"), ids("greedy"));
    let continuation = whole[prompt.len()..].to_vec();
    (prompt, continuation)
}

/// An artifact of `source`.
pub fn compiled(source: &Path, output: &Path) {
    let mut command = tyto();
    command.arg("compile").arg(source).arg("-o").arg(output);
    ok(run(command.arg("--json")));
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, target).expect("a copy");
        }
    }
}
