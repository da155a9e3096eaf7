//! What every kernel of ours keeps to, read from the code objects: nothing runs here.

use std::path::Path;
use std::process::Command;

use tyto_native_rocm::{
    ARCHS, CodeObject, arch_of, file_of, files, kernels, object, with_shared_sizes,
};

/// Shared memory that a workgroup can have on every chip.
const MOST_SHARED_BYTES: u32 = 64 << 10;

/// Eleven addresses and a number; more would be arguments that compilers add.
const ARGUMENT_BYTES: u32 = 11 * 8 + 4;

/// All that a kernel may ask for at its start: the address of its arguments, and waves of 32. IREE's
/// programs of the command processor (PM4) give no more.
const PROPERTIES: u16 = 1 << 3 | 1 << 10;

#[test]
fn no_kernel_spills_or_asks_for_what_steps_do_not_give() {
    assert!(files().count() > 0, "kernels-hip has files");
    for (arch, file) in ARCHS.iter().flat_map(|arch| files().map(move |file| (arch, file))) {
        for kernel in kernels(arch, file) {
            let what = format!("{file}.hip for {arch}: {kernel:?}");
            assert_eq!(kernel.scratch_bytes, 0, "{what}");
            assert_eq!(
                kernel.spills, 0,
                "neither to memory nor to lanes of vector registers: {what}"
            );
            assert!(kernel.shared_bytes <= MOST_SHARED_BYTES, "{what}");
            assert_eq!((kernel.wave, kernel.argument_bytes), (32, ARGUMENT_BYTES), "{what}");
            assert_eq!(kernel.properties & !PROPERTIES, 0, "{what}");
            assert_eq!(file_of(&kernel.name), Some(file), "no other file has it: {what}");
        }
    }
}

#[test]
fn chips_have_the_objects_of_their_family() {
    for (chip, arch) in
        [("gfx1151", "gfx1151"), ("gfx1103", "gfx11-generic"), ("gfx1201", "gfx12-generic")]
    {
        assert_eq!(arch_of(chip), Some(arch));
        assert!(ARCHS.contains(&arch));
    }
    assert_eq!((arch_of("gfx942"), object("gfx942", "rows")), (None, None));
}

#[test]
fn a_code_object_says_what_its_kernels_need() {
    let probe = probe();
    let kernels = CodeObject::read(&probe).expect("well-formed").kernels;
    let facts: Vec<_> = kernels
        .iter()
        .map(|kernel| (kernel.name.as_str(), kernel.most_threads, kernel.shared_bytes))
        .collect();
    assert_eq!(facts, [("ty_probe_sum", 32, 0), ("ty_probe_reverse", 64, 256)]);
    assert!(kernels.iter().all(|kernel| kernel.argument_bytes == ARGUMENT_BYTES));
    assert!(kernels.iter().all(|kernel| kernel.vgprs > 0 && kernel.wave == 32));
}

#[test]
fn sizes_of_shared_memory_are_written_into_descriptors_once() {
    let probe = probe();
    let patched = with_shared_sizes(&probe).expect("well-formed");
    let changed: Vec<(u8, u8)> =
        probe.iter().zip(&patched).filter(|(a, b)| a != b).map(|(a, b)| (*a, *b)).collect();
    // One kernel has some: 256 bytes are one unit, the lowest bit of the field, bit 15 of the register.
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].1, changed[0].0 | 0x80);
    assert_eq!(with_shared_sizes(&patched).expect("well-formed"), patched);
}

#[test]
fn what_is_no_code_object_is_refused() {
    let probe = probe();
    let cut =
        (0..probe.len()).step_by(61).filter(|length| CodeObject::read(&probe[..*length]).is_ok());
    assert_eq!(cut.count(), 0, "ELF's table of sections is at the end");
    let error = CodeObject::read(b"\x7fELF").expect_err("too short").to_string();
    assert!(error.contains("no 64-bit ELF file"), "{error}");
}

/// `probe.hip` for gfx1151, compiled with the build's options.
fn probe() -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probe.hip");
    let folder = tempfile::tempdir().expect("a folder");
    let object = folder.path().join("probe.hsaco");
    let clang = std::env::var_os("TYTO_HIP_CLANG").unwrap_or_else(|| "clang-22".into());
    let mut command = Command::new(clang);
    command.args([
        "-x",
        "hip",
        "--offload-arch=gfx1151",
        "--offload-device-only",
        "-O3",
        "-std=c++17",
    ]);
    command.args([
        "--no-gpu-bundle-output",
        "-nogpulib",
        "-nogpuinc",
        "-Wall",
        "-Wextra",
        "-Werror",
    ]);
    let output =
        command.arg(source).arg("-o").arg(&object).output().expect("tools/setup installs clang-22");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(object).expect("clang has written it")
}
