//! An artifact with code for NVIDIA GPUs, on machines that have none and on those that do.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{checkpoint, ends_with, ok, tyto};

/// A llama for this CPU and for NVIDIA GPUs.
fn compiled() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cuda.tyto");
    let mut command = tyto();
    command
        .arg("compile")
        .arg(checkpoint("llama"))
        .arg("-o")
        .arg(&path)
        .args(["--force", "--json"]);
    command.args(["--kernels", "require", "--target", "cpu", "--target", "sm_80"]);
    command.args(["--target", "sm_89"]);
    ok(command.args(["--ctx", "64", "--batches", "1", "--chunks", "32"]));
    path
}

fn answer(artifact: &Path, device: &str) -> std::process::Command {
    let mut command = tyto();
    command.arg("run").arg(artifact).args(["--prompt", "hello", "-n", "6", "--quiet"]);
    command.args(["--device", device]);
    command
}

/// Whether NVIDIA's driver and a GPU are here, as `tyto doctor` says.
fn has_gpu() -> bool {
    let report = ok(tyto().args(["doctor", "--json"]));
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let drivers = report["gpu_drivers"].as_array().expect("a list").clone();
    let cuda = drivers.into_iter().find(|driver| driver["name"] == "cuda").expect("it is listed");
    cuda["works"] == true
}

/// Never the CPU in silence: the GPU's answer is the CPU's, or there is none and the reason is said.
#[test]
fn an_nvidia_gpu_says_what_the_cpu_says_or_is_refused_by_name() {
    let artifact = compiled();
    let cpu = ok(&mut answer(&artifact, "cpu"));
    // It is experimental: what else there is code for goes first, with no word of it.
    assert_eq!(ok(&mut answer(&artifact, "auto")), cpu);
    if has_gpu() {
        assert_eq!(ok(&mut answer(&artifact, "cuda")), cpu);
    } else {
        let message = ends_with(2, &mut answer(&artifact, "cuda"));
        assert!(message.contains("cuda"), "{message}");
        for target in ["sm_80", "sm_89", "cuda"] {
            let mut command = answer(&artifact, "auto");
            let message = ends_with(2, command.args(["--target", target]));
            assert!(message.contains(target), "{message}");
        }
    }
    let shown = ok(tyto().arg("inspect").arg(&artifact));
    for target in
        ["sm_80: sm_80, driver cuda; experimental", "sm_89: sm_89, driver cuda; experimental"]
    {
        assert!(shown.contains(target), "{shown}");
    }
}

/// Code for AMD GPUs alone is refused with what would help.
#[test]
fn an_artifact_without_code_for_it_is_refused_with_the_target_to_compile_for() {
    let message = ends_with(2, &mut answer(super::artifact(), "cuda"));
    for part in ["nothing of it is for this driver", "--target sm_80"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}
