//! From a model directory to answers of a GPU: the emulator of `tools/rdna-emu-runtime`, under
//! IREE's own drivers, with the binary alone.
#![cfg(all(feature = "compile", feature = "amd"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// Variables that name the drivers' libraries.
const LIBRARIES: [&str; 2] = ["IREE_HAL_AMDGPU_LIBHSA_PATH", "IREE_HIP_DYLIB_PATH"];

/// The binary, with the libraries of `folder` and no others.
fn tyto(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
    command.stdin(Stdio::null()).envs(LIBRARIES.map(|name| (name, folder)));
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

fn ok(command: &mut Command) -> String {
    let output = output(command);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// A llama with random weights, for this CPU and for gfx1151 through both drivers.
fn artifact() -> &'static Path {
    static ARTIFACT: OnceLock<PathBuf> = OnceLock::new();
    ARTIFACT.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gpu.tyto");
        let mut command = tyto(Path::new("/nowhere"));
        command.arg("compile").arg(checkpoint()).arg("-o").arg(&path).args(["--force", "--json"]);
        command.args(["--target", "cpu", "--target", "gfx1151", "--ctx", "64"]);
        command.args(["--batches", "1", "--chunks", "32"]);
        let report: Value = serde_json::from_str(&ok(&mut command)).expect("JSON");
        for target in ["gfx1151:amdgpu", "gfx1151:hip"] {
            let choices = report["kernel_choices"][target].as_array().expect("a list");
            assert!(choices.len() > 4, "one for each op");
            assert!(choices.iter().all(|choice| choice["body"] == "native"), "{choices:?}");
        }
        path
    })
}

fn checkpoint() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/llama")
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

fn answer(libraries: &Path, more: &[&str]) -> Output {
    let mut command = tyto(libraries);
    command.arg("run").arg(artifact()).args(["--prompt", "hello", "-n", "12", "--quiet"]);
    output(command.args(more))
}

fn said(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_gpu_says_what_the_cpu_says_through_every_driver() {
    let cpu = said(answer(emulator(), &["--device", "cpu"]));
    let amdgpu = ["--device", "amdgpu"];
    let kept = ["--device", "amdgpu", "--pm4"];
    for device in [&amdgpu[..], &kept, &["--device", "hip"]] {
        assert_eq!(said(answer(emulator(), device)), cpu, "{device:?}");
    }
    let auto = answer(emulator(), &[]);
    let note = text(&auto.stderr);
    assert!(note.contains("device: gfx1151:amdgpu: its GPU is here"), "{note}");
    assert_eq!(said(auto), cpu);
}

#[test]
fn steps_stay_on_the_device_only_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let packets = |more: &[&str]| {
        let report = folder.path().join("report.json");
        let mut command = tyto(emulator());
        command.arg("run").arg(artifact()).args(["--prompt", "hello", "-n", "6", "--quiet"]);
        command.args(["--device", "amdgpu"]).args(more).env("TYTO_EMU_REPORT", &report);
        ok(&mut command);
        let report = std::fs::read(&report).expect("the emulator has written it");
        let report: Value = serde_json::from_slice(&report).expect("JSON");
        let count = |name: &str| report["calls"]["packets"][name].as_u64().unwrap_or(0);
        (count("pm4_ib"), count("dispatch"))
    };
    let (commands, dispatches) = packets(&[]);
    assert_eq!(commands, 0);
    let (kept_commands, kept_dispatches) = packets(&["--pm4"]);
    // The prompt gives the first of six tokens; each other one is one decode step. Each has one
    // launch, which writes addresses into the commands.
    assert_eq!(kept_commands, 6);
    assert!(kept_dispatches < dispatches, "{kept_dispatches} and {dispatches}");
}

#[test]
fn without_a_library_a_gpu_is_refused_and_auto_says_why_it_takes_the_cpu() {
    let empty = tempfile::tempdir().expect("a folder");
    for (device, library) in [("amdgpu", "libhsa-runtime64.so"), ("hip", "libamdhip64.so")] {
        let refused = answer(empty.path(), &["--device", device]);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(message.contains(device) && message.contains(library), "{message}");
    }
    let auto = answer(empty.path(), &[]);
    let note = text(&auto.stderr);
    assert!(note.contains("device: cpu: no GPU runs it: amdgpu") && note.contains("hip"), "{note}");
    assert_eq!(said(auto), said(answer(empty.path(), &["--device", "cpu"])));
}

#[test]
fn bench_and_doctor_know_the_gpu() {
    let mut command = tyto(emulator());
    command.arg("bench").arg(artifact()).args(["--device", "hip", "--repetitions", "1"]);
    let table = ok(command.args(["--prompt-tokens", "8", "--generate-tokens", "4"]));
    assert!(table.contains("pp8") && table.contains("tg4"), "{table}");
    let report = |libraries: &Path| -> Value {
        let report = ok(tyto(libraries).args(["doctor", "--json"]));
        serde_json::from_str::<Value>(&report).expect("JSON")["gpu_drivers"].take()
    };
    let found = report(emulator());
    let empty = tempfile::tempdir().expect("a folder");
    let missing = report(empty.path());
    for (index, name) in ["amdgpu", "hip"].into_iter().enumerate() {
        assert_eq!(found[index]["name"], name);
        assert_eq!(found[index]["works"], true, "{found}");
        let details = found[index]["details"].as_str().expect("text");
        assert!(details.ends_with("; gfx1151"), "{details}");
        assert_eq!(missing[index]["works"], false, "{missing}");
    }
}

#[test]
fn inspect_says_what_is_known_of_the_code_and_require_is_refused() {
    let shown = ok(tyto(emulator()).arg("inspect").arg(artifact()));
    for part in [
        "gfx1151:amdgpu: gfx1151, driver amdgpu; run by our tests on an emulator",
        "--pm4 keeps recorded steps of 2 of its 2 entry points on the GPU",
        "its cache has exactly 17 blocks",
        "linear f32: native, a kernel of ours",
    ] {
        assert!(shown.contains(part), "{part:?} is not in:\n{shown}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tyto(emulator());
    command.arg("compile").arg(checkpoint()).arg("-o").arg(folder.path().join("out.tyto"));
    let refused = output(command.args(["--target", "gfx942", "--kernels", "require"]));
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("no kernels of ours for gfx942"), "{message}");
}
