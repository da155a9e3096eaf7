//! One answer at a time: the CPU's, by every driver; what stays on the device; and what is said of
//! GPUs that are there, missing, or of another kind.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{artifact, checkpoint, emulator, ok, output, text, tyto, tyto_with};

fn answer(libraries: &Path, more: &[&str]) -> Output {
    let mut command = tyto_with(libraries);
    command.arg("run").arg(artifact()).args(["--prompt", "hello", "-n", "6", "--quiet"]);
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
    let mut command = tyto();
    command.arg("bench").arg(artifact()).args(["--device", "hip", "--repetitions", "1"]);
    let table = ok(command.args(["--prompt-tokens", "8", "--generate-tokens", "4"]));
    assert!(table.contains("pp8") && table.contains("tg4"), "{table}");
    let report = |libraries: &Path| -> Value {
        let report = ok(tyto_with(libraries).args(["doctor", "--json"]));
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
    let shown = ok(tyto().arg("inspect").arg(artifact()));
    for part in [
        "gfx1151:amdgpu: gfx1151, driver amdgpu; run by our tests on an emulator",
        "--pm4 keeps recorded steps of 2 of its 2 entry points on the GPU",
        "its cache has exactly 17 blocks",
        "linear f32: native, a kernel of ours",
    ] {
        assert!(shown.contains(part), "{part:?} is not in:\n{shown}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint("llama")).arg("-o").arg(folder.path().join("out.tyto"));
    let refused = output(command.args(["--target", "gfx942", "--kernels", "require"]));
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("no kernels of ours for gfx942"), "{message}");
}

/// Every kind of GPU that kernels of ours are compiled for. What each of these needs is looked at by
/// the gate of `crates/native-rocm/tests`.
const WITH_KERNELS: [&str; 9] = [
    "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1200",
    "gfx1201",
];

/// Cards of one machine, or of several: the artifact's weights are one file for all of them.
#[test]
fn one_artifact_has_code_for_several_kinds_of_gpus_and_each_takes_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kinds.tyto");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint("llama")).arg("-o").arg(&path);
    command.args(["--kernels", "require", "--ctx", "64", "--batches", "1", "--chunks", "32"]);
    for kind in WITH_KERNELS {
        command.args(["--target", &format!("{kind}:amdgpu")]);
    }
    ok(&mut command);
    let shown = ok(tyto().arg("inspect").arg(&path));
    for kind in WITH_KERNELS {
        let proof = if kind == "gfx1151" { "run by our tests on an emulator" } else { "unproven" };
        let part = format!("{kind}:amdgpu: {kind}, driver amdgpu; {proof}");
        assert!(shown.contains(&part), "{part:?} is not in:\n{shown}");
    }
    let asked = |kind: &str, device: &str| {
        let mut command = tyto();
        command.arg("run").arg(&path).args(["--prompt", "hello", "-n", "6", "--quiet"]);
        output(command.args(["--device", device]).env("TYTO_EMU_GFX", kind))
    };
    // The same model, with code for the processor.
    let cpu = said(answer(emulator(), &["--device", "cpu"]));
    for kind in ["gfx1151", "gfx1100", "gfx1102", "gfx1152"] {
        assert_eq!(said(asked(kind, "amdgpu")), cpu, "{kind}");
    }
}
