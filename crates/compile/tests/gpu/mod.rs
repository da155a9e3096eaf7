//! Code for gfx1151, compiled by this crate and run by IREE's own drivers on the emulator
//! (`tools/rdna-emu-runtime`): against transformers, and against the same model on the CPU. All are
//! phase programs of our kernels but for one test of the decomposed way.

mod digests;
mod dispatches;
mod guesses;
mod targets;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tyto_artifact::{Artifact, Choice, HostTarget, Target as TargetEntry};
use tyto_compile::{
    CompileOptions, DType, Error, GpuArch, GpuDriver, Kernels, KvCode, KvType, Target, compile,
};
use tyto_engine::iree::{Device, GpuPhasesExecutor, IreeExecutor, LoadOptions};
use tyto_engine::{Executor, OpenError, OpenOptions, StateMove, StepRow};
use tyto_iree_rt::{Driver, Runtime, RuntimeOptions};

use crate::common::{
    CONTEXT, Reference, check_executor, fixtures, greedy, model_directory, read_reference, step,
};

/// The fixture.
const CASE: &str = "llama";

/// One with an op that has no kernel: frequencies that change with every length.
const CASE_WITHOUT_KERNELS: &str = "llama_dynamic";

/// One whose heads are whole groups of a quantized cache.
const GROUPED_CASE: &str = "llama_mlx_8bit";

/// The driver `amdgpu`, and what it keeps on the device.
const AQL: (&str, bool) = ("amdgpu", false);
const PM4: (&str, bool) = ("amdgpu", true);
const HIP: (&str, bool) = ("hip", false);

/// Largest difference of an f16 logit between GPU and CPU, relative to the largest: both round
/// activations to f16 before each product, at sums of another order.
const F16_TOLERANCE: f32 = 5e-3;

/// The same over a quantized cache: sums of another order move a number now and then to the next code,
/// of 4 bits by a seventh of the largest.
const CODE_TOLERANCE: f32 = 3e-2;

/// Texts of the cache; its blocks are those that the tests of other targets use, and one more.
const SEQUENCES: usize = 8;

#[test]
fn f32_logits_are_the_references_through_amdgpu() {
    check_driver(AQL);
}

#[test]
fn f32_logits_are_the_references_with_steps_kept_on_the_device() {
    check_driver(PM4);
}

#[test]
fn f32_logits_are_the_references_through_hip() {
    check_driver(HIP);
}

#[test]
fn f16_tokens_are_the_cpus_through_every_driver() {
    let artifact = artifact(DType::F16);
    let prompt = &reference().ids;
    let count = CONTEXT - prompt.len();
    let load = LoadOptions { threads: Some(2), blocks: None, ..LoadOptions::default() };
    let mut cpu = step::load(artifact, &load).expect("it has code for this CPU");
    let (expected, tokens) = greedy(cpu.as_mut(), prompt, count);
    let mut packets = Vec::new();
    for how in [AQL, PM4, HIP] {
        let (logits, found) = greedy(&mut native_on(artifact, how), prompt, count);
        assert_eq!(found, tokens, "{how:?}");
        for (position, (found, expected)) in logits.iter().zip(&expected).enumerate() {
            let what = format!("{how:?}, token {position}");
            step::assert_close(&what, found, expected, F16_TOLERANCE);
        }
        match how {
            AQL => packets = logits,
            PM4 => assert_eq!(logits, packets, "the same kernels on the same numbers"),
            _ => {}
        }
    }
}

#[test]
fn steps_that_can_stay_on_the_device_are_recorded_in_the_manifest() {
    let [packets, hip] = gpu_targets(artifact(DType::F32));
    let entries: Vec<&str> = packets.entries.iter().map(|entry| entry.function.as_str()).collect();
    assert_eq!(packets.pm4_entries, entries, "launches of our kernels can all stay");
    assert_eq!(hip.pm4_entries, [""; 0], "only the driver amdgpu has this");
    assert_eq!(packets.cache_blocks, Some(1 + SEQUENCES * CONTEXT / 16));
    assert_eq!(packets.weights, hip.weights, "both drivers read one file");
    assert_eq!(packets.modules.len(), 1, "more modules have more copies of the weights");
}

#[test]
fn everything_is_native_and_steps_update_one_cache() {
    let artifact = artifact(DType::F32);
    for target in gpu_targets(artifact) {
        assert!(target.choices.iter().all(|choice| choice.body == Choice::Native));
        assert!(target.choices.iter().any(|choice| choice.reason.contains("launch")));
    }
    let mut gpu = native_on(artifact, AQL);
    let cache = gpu.cache_allocation();
    greedy(&mut gpu, &reference().ids, 2);
    assert_eq!(gpu.cache_allocation(), cache);
}

/// Through each driver: a state that was copied away and back is the one that was computed.
#[test]
fn a_copied_state_is_gone_on_from_bit_for_bit() {
    let targets = Target::parse("gfx1151").expect("known");
    let artifact = compiled_as(Kernels::Require, "mamba2", DType::F32, targets);
    let ids: Vec<u32> = (0..12).map(|at| at * 37 % 125 + 3).collect();
    for how in [AQL, HIP] {
        let mut gpu = native_on(&artifact, how);
        let step = |gpu: &mut GpuPhasesExecutor, tokens: &[u32], first, slot| {
            step::run(gpu, &[StepRow { slot, ..step::row(tokens, first, &[1]) }]).remove(0)
        };
        step(&mut gpu, &ids[..8], 0, 0);
        gpu.move_states(&[StateMove::Save { slot: 0, snapshot: 5 }]).expect("it copies");
        let expected = step(&mut gpu, &ids[8..], 8, 0);
        let restore = StateMove::Restore { snapshot: 5, slot: 2 };
        gpu.move_states(&[restore]).expect("it copies");
        assert_eq!(step(&mut gpu, &ids[8..], 8, 2), expected, "{how:?}");
    }
}

/// The other way, which serves what has no kernel.
#[test]
fn what_has_no_kernel_is_decomposed_with_the_reason_and_gives_the_references_tokens() {
    let target = Target::Gpu(GpuArch::Gfx1151, GpuDriver::Amdgpu);
    let artifact = compiled_as(Kernels::Prefer, CASE_WITHOUT_KERNELS, DType::F32, vec![target]);
    let target = &artifact.manifest().targets[0];
    assert!(target.phases.is_none() && target.cache_blocks.is_some());
    for choice in &target.choices {
        assert_eq!(choice.body, Choice::Decomposed);
        assert!(choice.reason.contains("no native kernel for"), "{choice:?}");
    }
    let load = LoadOptions::default();
    let mut gpu = IreeExecutor::load_on(open(PM4), &artifact, target, &load).expect("loads");
    let reference = fixtures().join(CASE_WITHOUT_KERNELS).join("reference.safetensors");
    let reference = read_reference(&reference);
    let count = reference.greedy.len() - reference.ids.len();
    assert_eq!(greedy(&mut gpu, &reference.ids, count).1, reference.greedy);
}

/// Bytes that IREE's code makes and reads on a GPU: the tokens are those of the same on the CPU.
#[test]
fn quantized_caches_are_decomposed_for_a_gpu() {
    let target = Target::Gpu(GpuArch::Gfx1151, GpuDriver::Amdgpu);
    let prompt: Vec<u32> = (0..9).map(|at| (at * 37 + 11) % 60).collect();
    for code in [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3] {
        let targets = vec![Target::CpuHost, target];
        let artifact =
            compiled_over(code.into(), Kernels::Never, GROUPED_CASE, DType::F32, targets);
        let load = LoadOptions { threads: Some(2), ..LoadOptions::default() };
        let mut cpu = step::load(&artifact, &load).expect("it has code for this CPU");
        let (expected, tokens) = greedy(cpu.as_mut(), &prompt, 3);
        let entry = artifact.manifest().targets.iter().find(|target| target.driver == AQL.0);
        let entry = entry.expect("compiled for it");
        let gpu = IreeExecutor::load_on(open(PM4), &artifact, entry, &LoadOptions::default());
        let (logits, found) = greedy(&mut gpu.expect("loads"), &prompt, 3);
        assert_eq!(found, tokens, "{code}");
        for (position, (found, expected)) in logits.iter().zip(&expected).enumerate() {
            let what = format!("{code}, token {position}");
            step::assert_close(&what, found, expected, CODE_TOLERANCE);
        }
    }
}

#[test]
fn a_device_that_is_not_there_or_of_another_kind_is_refused_with_both_names() {
    let other = compiled(DType::F32, vec![Target::Gpu(GpuArch::Gfx1100, GpuDriver::Amdgpu)]);
    let refusal = |device| {
        let library = Some(emulator().to_owned());
        let options = OpenOptions { device, library, ..Default::default() };
        match tyto_engine::open(other.path(), &options) {
            Err(error @ OpenError::Device { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let kind = refusal(Device::Amdgpu);
    for part in ["gfx1100:amdgpu", "this GPU is gfx1151", "--target gfx1151"] {
        assert!(kind.contains(part), "{part:?} is not in {kind}");
    }
    let driver = refusal(Device::Hip);
    assert!(driver.contains("hip") && driver.contains("gfx1100:amdgpu"), "{driver}");
}

#[test]
fn auto_takes_the_gpu_and_says_so() {
    let artifact = artifact(DType::F32);
    let opened = |options: OpenOptions| {
        let opened = tyto_engine::open(artifact.path(), &options).expect("opens");
        (opened.target, opened.why.unwrap_or_default())
    };
    let library = Some(emulator().to_owned());
    let (target, why) = opened(OpenOptions { library, ..Default::default() });
    assert_eq!(target, "gfx1151:amdgpu");
    assert!(why.contains("gfx1151:amdgpu"), "{why}");
    let (target, why) = opened(OpenOptions { device: Device::Cpu, ..Default::default() });
    assert_eq!((target.as_str(), why.as_str()), ("cpu", ""));
}

#[test]
fn options_that_need_kernels_of_ours_are_refused_where_there_are_none() {
    let source = model_directory(CASE, "config.json");
    let mut options = CompileOptions::new(source.path(), source.path().join("out.tyto"));
    options.targets = vec![Target::Gpu(GpuArch::Gfx942, GpuDriver::Hip)];
    options.kernels = Kernels::Require;
    let error = compile(&options, &mut |_| {}).expect_err("there are none");
    assert!(matches!(error, Error::NotNative { .. }), "{error}");
    assert!(error.is_users(), "{error}");
    for part in ["gfx942:hip", "no kernels of ours for gfx942"] {
        assert!(error.to_string().contains(part), "{part:?} is not in {error}");
    }
}

/// The whole check of the CPU's targets, and the reference's greedy text.
fn check_driver(how: (&str, bool)) {
    let mut executor = native_on(artifact(DType::F32), how);
    check_executor(&format!("{CASE}, {how:?}"), reference(), &mut executor);
    let reference = reference();
    let count = reference.greedy.len() - reference.ids.len();
    let (_, text) = greedy(&mut executor, &reference.ids, count);
    assert_eq!(text, reference.greedy);
}

fn reference() -> &'static Reference {
    static REFERENCE: OnceLock<Reference> = OnceLock::new();
    REFERENCE.get_or_init(|| read_reference(&fixtures().join(CASE).join("reference.safetensors")))
}

/// The fixture for the CPU and for gfx1151 through both drivers, compiled once.
fn artifact(dtype: DType) -> &'static Artifact {
    static F32: OnceLock<Artifact> = OnceLock::new();
    static F16: OnceLock<Artifact> = OnceLock::new();
    let made = if dtype == DType::F32 { &F32 } else { &F16 };
    made.get_or_init(|| {
        let mut targets = vec![Target::CpuHost];
        targets.extend(Target::parse("gfx1151").expect("known"));
        compiled(dtype, targets)
    })
}

fn compiled(dtype: DType, targets: Vec<Target>) -> Artifact {
    compiled_as(Kernels::Require, CASE, dtype, targets)
}

fn compiled_as(kernels: Kernels, case: &str, dtype: DType, targets: Vec<Target>) -> Artifact {
    compiled_over(dtype.into(), kernels, case, dtype, targets)
}

/// As [`compiled_as`], with a cache of another type.
fn compiled_over(
    kv: KvType,
    kernels: Kernels,
    case: &str,
    dtype: DType,
    targets: Vec<Target>,
) -> Artifact {
    let source = model_directory(case, "config.json");
    let names: Vec<&str> = targets.iter().map(|target| target.name()).collect();
    let name = format!("gpu-{case}-{dtype}-{kv}-{}.tyto", names.join("-").replace(':', "-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut options = CompileOptions::new(source.path(), path);
    options.targets = targets;
    options.context = Some(CONTEXT);
    options.weight_dtype = Some(dtype);
    options.kv_type = Some(kv);
    options.kernels = kernels;
    options.sizes = Some(match kernels {
        Kernels::Require => (vec![1, 4], vec![8, CONTEXT]),
        // IREE compiles each size for itself.
        _ => (vec![1], vec![CONTEXT]),
    });
    options.gpu_sequences = SEQUENCES;
    options.force = true;
    let report = compile(&options, &mut |_| {}).expect("compiles");
    Artifact::open(&report.artifact).expect("opens")
}

/// The targets of both drivers, amdgpu's first.
fn gpu_targets(artifact: &Artifact) -> [&TargetEntry; 2] {
    ["gfx1151:amdgpu", "gfx1151:hip"].map(|name| {
        let found = artifact.manifest().targets.iter().find(|target| target.name == name);
        let target = found.expect("it is compiled for it");
        assert!(!HostTarget::detect().missing_for(target).is_empty(), "no CPU runs it");
        target
    })
}

fn native_on(artifact: &Artifact, how: (&str, bool)) -> GpuPhasesExecutor {
    let targets = gpu_targets(artifact);
    let target = targets.into_iter().find(|target| target.driver == how.0).expect("listed");
    let phases = target.phases.as_ref().expect("it is native");
    let runtime = open(how);
    assert_eq!(runtime.gpu_kind().expect("it says").as_deref(), Some("gfx1151"));
    let load = LoadOptions::default();
    GpuPhasesExecutor::load_on(runtime, artifact, target, phases, &load).expect("loads")
}

fn open((driver, pm4): (&str, bool)) -> Runtime {
    let driver = Driver::named(driver).expect("this build has it");
    let library = Some(emulator().to_owned());
    let options = RuntimeOptions { driver, pm4, library, ..Default::default() };
    Runtime::new(&options).expect("the emulator opens")
}

/// A folder with the emulator under the names of ROCm's libraries. Cargo builds it with the
/// tests, whose dependency it is.
fn emulator() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emulator");
        std::fs::create_dir_all(&folder).expect("a folder");
        let test = std::env::current_exe().expect("Linux has it");
        let beside = test.parent().expect("a file has a folder");
        let built = beside.join("libtyto_rdna_emu_runtime.so");
        for name in ["libhsa-runtime64.so.1", "libamdhip64.so"] {
            std::fs::copy(&built, folder.join(name)).expect("cargo has built the emulator");
        }
        folder
    })
}
