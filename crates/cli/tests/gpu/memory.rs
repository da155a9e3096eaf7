//! A GPU's memory: what a model takes, what is refused before anything is put there, and what
//! `doctor` shows.

use serde_json::Value;

use super::{DRIVERS, answering, artifact, counted, ends_with, ok, output, text, tyto};

/// A Strix Halo whose GTT has so many bytes, as the kernel's files show it.
fn machine(gtt: u64) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let device = "sys/class/drm/card1/device";
    let node = "sys/class/kfd/kfd/topology/nodes/1/properties";
    let node_text =
        "simd_count 80\nsimd_per_cu 2\ngfx_target_version 110501\ndrm_render_minor 128\n";
    for (file, text) in [
        (&*format!("{device}/vendor"), "0x1002"),
        (&*format!("{device}/device"), "0x1586"),
        (&*format!("{device}/mem_info_vram_total"), "4096"),
        (&*format!("{device}/mem_info_vram_used"), "0"),
        (&*format!("{device}/mem_info_gtt_total"), &gtt.to_string()),
        (&*format!("{device}/drm/renderD128/dev"), "226:128"),
        (node, node_text),
        ("proc/meminfo", "MemTotal: 131072000 kB\nMemAvailable: 1024 kB\n"),
        ("proc/sys/kernel/osrelease", "6.18.1"),
        ("dev/kfd", ""),
        ("dev/dri/renderD128", ""),
    ] {
        let path = root.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    root
}

/// What `inspect` says that a target takes, in bytes: weights, cache and workspace.
fn memory_of(target: &str) -> [u64; 3] {
    let facts = ok(tyto().arg("inspect").arg(artifact()).arg("--json"));
    let facts: Value = serde_json::from_str(&facts).expect("JSON");
    let memory = &facts["gpu_memory"][target];
    let of = |name: &str| memory[name].as_u64().unwrap_or_else(|| panic!("{memory}"));
    let parts = ["weights_bytes", "cache_bytes", "workspace_bytes"].map(of);
    assert_eq!(of("total_bytes"), parts.iter().sum::<u64>());
    parts
}

#[test]
fn a_model_that_does_not_fit_is_refused_with_the_sums_before_anything_is_put_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let launches = || counted(&report)["total"]["launches"].as_u64();
    for driver in DRIVERS {
        let [weights, cache, workspace] = memory_of(&format!("gfx1151:{driver}"));
        // 17 blocks of 16 positions, 2 layers, keys and values, 2 heads of 12 in f32.
        assert_eq!(cache, 17 * 16 * 2 * 2 * 2 * 12 * 4);
        assert!(weights > 100_000 && workspace > 0, "{weights} and {workspace}");
        for (room, said) in [
            (cache / 2, "--sequences 1"),
            (cache / 5, "--kv-dtype f16"),
            (cache / 8, "--ctx 16"),
            (0, "--quantize"),
        ] {
            let small = machine(weights + workspace + room);
            let mut command = answering(driver);
            command.arg("--system-root").arg(small.path()).env("TYTO_EMU_REPORT", &report);
            let message = ends_with(2, &mut command);
            for part in ["does not fit on this GPU", "weights", "cache", "needed", "GTT of", said] {
                assert!(message.contains(part), "{driver}: {part:?} is not in:\n{message}");
            }
            assert_eq!(launches(), Some(0), "{driver}: {message}");
        }
        let whole = machine(weights + workspace + cache);
        let mut command = answering(driver);
        ends_with(0, command.arg("--system-root").arg(whole.path()));
        let message = ends_with(2, answering(driver).args(["--memory-limit", "64KiB"]));
        assert!(message.contains("--memory-limit is 64.0 KiB"), "{message}");
    }
}

#[test]
fn options_of_a_cache_that_is_compiled_in_and_kinds_of_gpus_are_understood() {
    let message = ends_with(2, answering("hip").args(["--cache", "512KiB"]));
    assert!(message.contains("compiled for 17 blocks"), "{message}");
    let mut command = tyto();
    command.arg("run").arg(artifact()).args(["--prompt", "hello", "-n", "4", "--quiet"]);
    let by_kind = output(command.args(["--target", "gfx1151"]));
    assert_eq!(by_kind.status.code(), Some(0), "{}", text(&by_kind.stderr));
    let by_device = output(&mut answering("amdgpu"));
    assert_eq!(text(&by_kind.stdout), text(&by_device.stdout));
    let message = ends_with(2, answering("hip").env("TYTO_EMU_GFX", "gfx1100"));
    for part in ["gfx1151:amdgpu, gfx1151:hip", "this GPU is gfx1100", "--target gfx1100"] {
        assert!(message.contains(part), "{part:?} is not in:\n{message}");
    }
}

#[test]
fn doctor_shows_the_gpu_its_budget_and_what_is_known_to_go_wrong() {
    let root = machine(120 << 30);
    let mut command = tyto();
    command.arg("doctor").arg("--system-root").arg(root.path());
    command.env("HSA_OVERRIDE_GFX_VERSION", "11.0.0");
    let shown = text(&output(&mut command).stdout);
    for part in [
        "card1: gfx1151, 40 CUs, an APU, KFD node 1, renderD128",
        "a model may take 120 GiB of GTT",
        "/dev/kfd opens",
        "HSA_OVERRIDE_GFX_VERSION=11.0.0",
        "PROBLEM: ",
        "ROCm/legacy-rocm-build#5824",
        // The emulator's driver has less than the kernel's files promise.
        "hip: a model may take 16.0 GiB",
        "the driver says that it has 16.0 GiB",
    ] {
        assert!(shown.contains(part), "{part:?} is not in:\n{shown}");
    }
    let report = output(command.arg("--json"));
    let report: Value = serde_json::from_slice(&report.stdout).expect("JSON");
    assert_eq!(report["amd"]["pools"][0]["pool"]["budget"], 120u64 << 30);
    assert_eq!(report["gpu_drivers"][1]["memory_bytes"], 16u64 << 30);
}

/// The bytes that copies through `amdgpu` have read, and how many copies `hip` was asked for.
fn copied(report: &Value) -> [u64; 2] {
    let kernels = report["kernels"].as_object().expect("kernels by name");
    let copies = kernels.iter().filter(|(name, _)| name.contains("_buffer_copy_"));
    let bytes = copies.map(|(_, sums)| sums["read_bytes"].as_u64().expect("a count")).sum();
    [bytes, report["calls"]["hip"]["hipMemcpyAsync"].as_u64().unwrap_or(0)]
}

/// Weights that are read where they are mapped: the same answer, and nobody has copied them.
#[test]
fn mapped_weights_are_read_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    for driver in DRIVERS {
        let run = |place: &str| {
            let report = folder.path().join(format!("{driver}-{place}.json"));
            let mut command = answering(driver);
            let answer = ok(command.args(["--weights", place]).env("TYTO_EMU_REPORT", &report));
            (answer, copied(&counted(&report)))
        };
        let (expected, [bytes, copies]) = run("copied");
        let (answer, [bytes_left, copies_left]) = run("mapped");
        assert_eq!(answer, expected, "{driver}");
        let [weights, ..] = memory_of(&format!("gfx1151:{driver}"));
        // What is left are programs, which stand in the code.
        let spared = if driver == "hip" { (0, 1) } else { (weights, 0) };
        assert_eq!((bytes - bytes_left, copies - copies_left), spared, "{driver}");
    }
}

/// A driver that does not take the host's pages: weights are copied, and a warning says why. (The first
/// pages that it takes are the programs', without which nothing is loaded.)
#[test]
fn mapped_weights_that_a_driver_refuses_are_copied_and_said_so() {
    for driver in DRIVERS {
        let expected = ok(&mut answering(driver));
        let mut command = answering(driver);
        command.args(["--weights", "mapped"]).env("TYTO_EMU_FAULT", "lock:2:refuse");
        let refused = output(&mut command);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(0), "{driver}: {message}");
        assert_eq!(text(&refused.stdout), expected, "{driver}");
        assert!(message.contains("weights are copied"), "{driver}: {message}");
    }
}

/// Where IREE's hip driver puts what is on its way to the device: written past the caches, and never read.
const UPLOADS: u64 = 128 << 20;

/// What the device works on is memory of the device, and nothing that the host reads is written past its
/// caches: IREE's hip driver takes memory that might be mapped for the host's, and calls it so.
#[test]
fn the_cache_is_memory_of_the_device() {
    let folder = tempfile::tempdir().expect("a folder");
    for driver in DRIVERS {
        let report = folder.path().join(format!("{driver}.json"));
        ok(answering(driver).env("TYTO_EMU_REPORT", &report));
        let memory = counted(&report)["calls"]["memory"].clone();
        let [device, host, past] = ["device_bytes", "host_bytes", "write_combined_bytes"]
            .map(|name| memory[name].as_u64().unwrap_or(0));
        let [weights, cache, workspace] = memory_of(&format!("gfx1151:{driver}"));
        assert!(device >= weights + cache + workspace, "{driver}: {memory}");
        if driver == "hip" {
            assert_eq!(past, UPLOADS, "{driver}: {memory}");
            assert!(host - past < cache, "{driver}: {memory}");
        }
    }
}
