//! Kinds of GPUs without kernels of ours: no test runs their code, so it is looked at.

use tyto_artifact::{Artifact, Choice};
use tyto_compile::{DType, GpuArch, GpuDriver, Kernels, KvCode, Target};
use tyto_native_rocm::{CodeObject, Kernel};

/// How a code object for these GPUs begins: ELF of 64 bits, little end first, for HSA.
const CODE_OBJECT: &[u8] = b"\x7fELF\x02\x01\x01\x40";

/// Where ELF's header has the chip, as LLVM numbers it (`EF_AMDGPU_MACH`).
const CHIP_AT: usize = 48;

/// Shared memory that a workgroup can have on every chip.
const MOST_SHARED_BYTES: u32 = 64 << 10;

/// gfx942 and gfx950 have waves of 64 and other matrix instructions than kernels of ours: everything
/// is decomposed, which the manifest says, and keeps to what kernels of ours keep to.
#[test]
fn kinds_without_kernels_are_decomposed_and_need_no_scratch() {
    let targets = [
        Target::Gpu(GpuArch::Gfx942, GpuDriver::Amdgpu),
        Target::Gpu(GpuArch::Gfx950, GpuDriver::Hip),
    ];
    let artifact = super::compiled_as(Kernels::Prefer, super::CASE, DType::F16, targets.to_vec());
    check(&artifact);
}

/// Nor do their steps over quantized caches, whose bytes are made and read by plain operations: neither
/// kind converts OCP's 8-bit floats, or not as we do.
#[test]
fn kinds_without_kernels_have_quantized_caches() {
    let target = Target::Gpu(GpuArch::Gfx942, GpuDriver::Amdgpu);
    for code in [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3] {
        let (kernels, case) = (Kernels::Prefer, super::GROUPED_CASE);
        let artifact = super::compiled_over(code.into(), kernels, case, DType::F16, vec![target]);
        assert_eq!(artifact.manifest().model.kv_dtype, code.name());
        check(&artifact);
    }
}

/// What the manifest says, and what its code objects need.
fn check(artifact: &Artifact) {
    for (target, chip) in artifact.manifest().targets.iter().zip([0x4c, 0x4f]) {
        assert!(target.phases.is_none() && target.pm4_entries.is_empty(), "{}", target.name);
        let ops = target.choices.iter().filter(|choice| choice.body != Choice::Converted);
        for choice in ops {
            assert_eq!(choice.body, Choice::Decomposed);
            let reason = format!("there are no kernels of ours for {}", target.arch);
            assert!(choice.reason.contains(&reason), "{choice:?}");
        }
        let (chips, kernels) = kernels_of(artifact, &target.modules);
        assert!(chips.iter().all(|found| *found == chip), "{}: {chips:x?}", target.name);
        assert!(kernels.len() > target.entries.len(), "{}: {kernels:?}", target.name);
        for kernel in kernels {
            assert_eq!(
                (kernel.scratch_bytes, kernel.spills),
                (0, 0),
                "{}: {kernel:?}",
                target.name
            );
            assert!(kernel.shared_bytes <= MOST_SHARED_BYTES, "{}: {kernel:?}", target.name);
            assert_eq!(kernel.wave, 64, "{}: {kernel:?}", target.name);
        }
    }
}

/// The chips of the code objects in modules, and all of their kernels.
fn kernels_of(artifact: &Artifact, modules: &[String]) -> (Vec<u8>, Vec<Kernel>) {
    let (mut chips, mut kernels) = (Vec::new(), Vec::new());
    for module in modules {
        let bytes = std::fs::read(artifact.path().join(module)).expect("it was compiled");
        let starts = bytes.windows(CODE_OBJECT.len()).enumerate();
        for (at, _) in starts.filter(|(_, window)| *window == CODE_OBJECT) {
            let object = CodeObject::read(&bytes[at..]).expect("LLVM writes well-formed objects");
            chips.push(bytes[at + CHIP_AT]);
            kernels.extend(object.kernels);
        }
    }
    (chips, kernels)
}
