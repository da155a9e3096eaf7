//! What the binary does with a GPU, which is the emulator of `tools/rdna-emu-runtime` under IREE's
//! own drivers: answers and servers, what goes wrong, and memory that is too small.
#![cfg(all(feature = "compile", feature = "amd"))]

mod answers;
mod counts;
#[cfg(feature = "cuda")]
mod cuda;
mod faults;
mod gpt_oss;
mod memory;
mod models;
mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// Both drivers.
const DRIVERS: [&str; 2] = ["amdgpu", "hip"];

/// Variables that name the drivers' libraries.
const LIBRARIES: [&str; 2] = ["IREE_HAL_AMDGPU_LIBHSA_PATH", "IREE_HIP_DYLIB_PATH"];

/// The binary, with the libraries of `folder` and no others.
fn tyto_with(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
    command.stdin(Stdio::null()).envs(LIBRARIES.map(|name| (name, folder)));
    command.env("TYTO_EMU_LOG", "off");
    command
}

/// The binary, with the emulator as its GPU.
fn tyto() -> Command {
    tyto_with(emulator())
}

/// A folder with the emulator under the names of ROCm's libraries. Cargo builds it with the
/// tests, whose dependency it is.
fn emulator() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-emulator");
        std::fs::create_dir_all(&folder).expect("a folder");
        let test = std::env::current_exe().expect("Linux has it");
        let built = test.parent().expect("a folder").join("libtyto_rdna_emu_runtime.so");
        for name in ["libhsa-runtime64.so.1", "libamdhip64.so"] {
            std::fs::copy(&built, folder.join(name)).expect("cargo has built the emulator");
        }
        folder
    })
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Its standard output, if it ends well.
fn ok(command: &mut Command) -> String {
    let output = output(command);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Its standard error, if it ends with this code.
fn ends_with(code: i32, command: &mut Command) -> String {
    let output = output(command);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    message
}

/// A checkpoint with random weights and transformers' answers to compare with.
fn checkpoint(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle").join(name)
}

/// A llama with random weights, for this CPU and for gfx1151 through both drivers.
fn artifact() -> &'static Path {
    static ARTIFACT: OnceLock<PathBuf> = OnceLock::new();
    ARTIFACT.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gpu.tyto");
        let mut command = tyto_with(Path::new("/nowhere"));
        command.arg("compile").arg(checkpoint("llama")).arg("-o").arg(&path);
        command.args(["--force", "--json", "--target", "cpu", "--target", "gfx1151"]);
        command.args(["--ctx", "64", "--batches", "1", "--chunks", "32"]);
        let report: Value = serde_json::from_str(&ok(&mut command)).expect("JSON");
        for target in ["gfx1151:amdgpu", "gfx1151:hip"] {
            let choices = report["kernel_choices"][target].as_array().expect("a list");
            assert!(choices.len() > 4, "one for each op");
            assert!(choices.iter().all(|choice| choice["body"] == "native"), "{choices:?}");
        }
        path
    })
}

/// Four tokens of the llama by a driver.
fn answering(driver: &str) -> Command {
    let mut command = tyto();
    command.arg("run").arg(artifact()).args(["--prompt", "hello", "-n", "4", "--quiet"]);
    command.args(["--device", driver]);
    command
}

/// What the emulator has counted in a run that has ended.
fn counted(report: &Path) -> Value {
    let report = std::fs::read(report).expect("the emulator has written it");
    serde_json::from_slice(&report).expect("JSON")
}
