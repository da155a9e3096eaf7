//! Phase programs on a GPU from their module's text to what their kernels write, with kernels that
//! only move numbers (`crates/native-rocm/tests/probe.hip`).

use std::io::Write;
use std::path::Path;
use std::process::Command;

use tyto_hlo_emit::{
    GpuForm, GpuLaunch, GpuPhaseFunction, GpuPhaseModule, KernelFile, WEIGHT_FILE, emit_gpu_phases,
};
use tyto_iree_rt::{
    Argument, Buffer, Code, Compiler, ElementType, Function, MappedFile, ParameterEntry,
    Parameters, Phase, Program, Runtime,
};

use super::{AQL, HIP, PM4, open};

/// The launches: one sum, then the second kernel twice.
const PHASES: [(&str, [u32; 3]); 3] =
    [("ty_probe_sum", [1, 1, 1]), ("ty_probe_reverse", [2, 1, 1]), ("ty_probe_reverse", [2, 1, 1])];

/// Numbers in a row: those that the first kernel adds, and those of logits and cache.
const SUMS: usize = 32;
const COUNTS: usize = 128;

/// What IREE's compiler declares of a recorded step, and what is true.
const DECLARED: &str = "mode(\"None\") categories(\"Transfer|Dispatch\")";
const TRUE: &str = "mode(\"None\") categories(\"Dispatch\")";

#[test]
fn launches_see_what_those_before_have_written_through_every_driver() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = compile_probe(folder.path());
    let weights: Vec<i32> = (0..SUMS as i32).map(|index| 1000 * index).collect();
    let (step, mut results) = ([70, 7, 3], Vec::new());
    for how in [AQL, PM4, HIP] {
        let (runtime, function) = load(folder.path(), &object, &weights, step, how);
        results.push(run_twice(how, &runtime, &function));
    }
    let line = |index: usize, call: i32| {
        // The lines of the second launch, whose phase is 1, and of the third, which counts to 1.
        let source = (SUMS - 1 - index % SUMS) as i32;
        let sum = 10 * call + source + step[0] + weights[source as usize];
        (sum + 2 + 2 * call + 1) as f32
    };
    for (found, how) in results.iter().zip([AQL, PM4, HIP]) {
        for (call, logits) in found.iter().enumerate() {
            let expected: Vec<f32> = (0..COUNTS).map(|index| line(index, call as i32)).collect();
            assert_eq!(*logits, expected, "{how:?}, call {call}");
        }
    }
}

/// Both calls' logits; the second is written into the buffers of the first, and both go on in one
/// cache.
fn run_twice(how: (&str, bool), runtime: &Runtime, function: &Function) -> [Vec<f32>; 2] {
    let integers = |shape: &[usize]| runtime.shared_zeros(shape, ElementType::I32).expect("memory");
    let plain: Vec<Buffer> =
        [&[SUMS][..], &[SUMS], &[SUMS], &[SUMS, 2], &[1, 4], &[1]].map(integers).into();
    let bytes = |shape: &[usize]| runtime.zeros(shape, ElementType::I8).expect("memory");
    let (shared, cache) = (bytes(&[4 * SUMS]), bytes(&[2, 2 * COUNTS]));
    let logits = runtime.shared_zeros(&[1, COUNTS], ElementType::F32).expect("memory");
    [0, 1].map(|call| {
        let tokens: Vec<i32> = (0..SUMS as i32).map(|token| token + 10 * call).collect();
        plain[0].write(0, &tokens).expect("it is mapped");
        let mut passed: Vec<Argument<'_>> = plain.iter().map(Argument::Lend).collect();
        let updated = [&shared, &cache, &logits];
        passed.extend(updated.map(Argument::Lend));
        let results = function.call(passed).unwrap_or_else(|error| panic!("{how:?}: {error}"));
        for (result, buffer) in results.into_iter().zip(updated) {
            let result = result.into_buffer().expect("a buffer");
            assert_eq!(result.allocation_id(), buffer.allocation_id(), "{how:?}: not in place");
        }
        let counts = cache.read::<u8>().expect("it is there");
        let counts: Vec<u8> = counts.chunks(4).map(|number| number[0]).collect();
        assert_eq!(counts, [2 * (call as u8 + 1); COUNTS], "{how:?}");
        logits.read().expect("it is mapped")
    })
}

/// The module for a driver, compiled and loaded: with the kernels' shared memory in their
/// descriptors, and the steps declared as they are, where they are to stay on the device.
fn load(
    folder: &Path,
    object: &[u8],
    weights: &[i32],
    program: [i32; 3],
    how: (&str, bool),
) -> (Runtime, Function) {
    let (driver, kept) = how;
    let path = folder.join(format!("probe-{kept}.hsaco"));
    let patched = tyto_native_rocm::with_shared_sizes(object).expect("clang's object is whole");
    std::fs::write(&path, if kept { &patched[..] } else { object }).expect("a file");
    let program: Vec<u8> = program.into_iter().flat_map(i32::to_le_bytes).collect();
    let launches = PHASES.iter().enumerate().map(|(phase, (kernel, grid))| GpuLaunch {
        kernel,
        grid: *grid,
        phase: phase as u32,
    });
    let object = path.display().to_string();
    let module = GpuPhaseModule {
        name: "step",
        form: if driver == "hip" { GpuForm::Hip } else { GpuForm::Amdgpu("gfx1151") },
        files: vec![KernelFile {
            name: "probe",
            path: &object,
            kernels: vec![("ty_probe_sum", 32), ("ty_probe_reverse", 64)],
        }],
        weight_bytes: 4 * SUMS as u64,
        shared_bytes: 4 * SUMS as u64,
        blocks: 2,
        block_bytes: 2 * COUNTS as u64,
        functions: vec![GpuPhaseFunction {
            name: "probe",
            program: &program,
            launches: launches.collect(),
            cells: SUMS,
            batch: 1,
            pages: 4,
            rows: 1,
            temperatures: false,
            vocabulary: COUNTS,
        }],
    };
    let text = emit_gpu_phases(&module).text;
    let flags = [
        format!("--iree-hal-target-device={driver}"),
        "--iree-rocm-target=gfx1151".to_owned(),
        "--iree-execution-model=async-external".to_owned(),
    ];
    let compiler = Compiler::find(None).expect("tools/setup installs it");
    let recorded = compiler.lower(text.as_bytes(), &flags, Phase::Hal).expect("it lowers");
    assert_recorded_once(&recorded);
    let declared = if kept { recorded.replace(DECLARED, TRUE) } else { recorded };
    let code = compiler.compile_from(Phase::Hal, declared.as_bytes(), &flags).expect("it compiles");

    let mut file = std::fs::File::create(folder.join("weights")).expect("a file");
    let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    file.write_all(&bytes).expect("room");
    let file = MappedFile::open(folder.join("weights")).expect("it is there");
    let length = file.len() as u64;
    let whole = ParameterEntry { name: WEIGHT_FILE.to_owned(), file, offset: 0, length };
    let parameters = Parameters::new("model", [whole]).expect("one name");
    let runtime = open(how);
    let program = Program::load(&runtime, vec![Code::Owned(code)], &[parameters]);
    let program = program.unwrap_or_else(|error| panic!("{how:?}: {error}"));
    let function = program.function("step.probe").expect("it is there");
    (runtime, function)
}

/// One recording for all calls, by nothing but dispatches, and one operation a call.
fn assert_recorded_once(program: &str) {
    let count = |part: &str| program.matches(part).count();
    assert_eq!(count("util.func private @__probe_memoize_apply() -> "), 1, "{program}");
    assert_eq!(count("hal.command_buffer.create"), 1, "{program}");
    assert_eq!(count("hal.command_buffer.dispatch<"), PHASES.len());
    for transfer in ["fill_buffer", "copy_buffer", "update_buffer"] {
        assert_eq!(count(&format!("hal.command_buffer.{transfer}")), 0, "{program}");
    }
    let step = program.split("util.func public @probe").nth(1).expect("it is public");
    let operations: Vec<&str> =
        step.lines().filter(|line| line.contains("hal.device.queue")).collect();
    assert_eq!(operations.len(), 1, "{operations:?}");
    assert!(operations[0].contains("queue.execute.indirect"), "{operations:?}");
}

fn compile_probe(folder: &Path) -> Vec<u8> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let object = folder.join("probe.hsaco");
    let clang = std::env::var_os("TYTO_HIP_CLANG").unwrap_or_else(|| "clang-22".into());
    let mut command = Command::new(clang);
    command.args(["-x", "hip", "--offload-arch=gfx1151", "--offload-device-only", "-O3"]);
    command.args(["-std=c++17", "--no-gpu-bundle-output", "-nogpulib", "-nogpuinc"]);
    command.arg(crates.join("native-rocm/tests/probe.hip")).arg("-o").arg(&object);
    let output = command.output().expect("tools/setup installs clang-22");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(object).expect("clang has written it")
}
