//! IREE's driver `amdgpu`, as it is, on the emulator of `tools/rdna-emu-runtime`: without a GPU and without /dev/kfd.
//!
//! `cargo test --release -p tyto-iree-rt --features amdgpu --test amdgpu`
#![cfg(feature = "amdgpu")]

mod support;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use support::{compile, compiler, emulator, load, runtime};
use tyto_iree_rt::{Buffer, Driver, Error, Fence, Function, Phase, Runtime, RuntimeOptions, Value};

/// The emulator reads its variables when the first device opens: tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// A device of the emulator with those variables, alone in the process.
struct Gpu {
    runtime: Runtime,
    report: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

const VARIABLES: [&str; 6] = [
    "TYTO_EMU_FAULT",
    "TYTO_EMU_SCHEDULE",
    "TYTO_EMU_BLITS",
    "TYTO_EMU_PM4_LDS",
    "TYTO_EMU_REPORT",
    "TYTO_EMU_WATCHDOG",
];

impl Gpu {
    fn new(pm4: bool, variables: &[(&str, &str)]) -> Gpu {
        let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("amdgpu-report.json");
        let _ = std::fs::remove_file(&report);
        for name in VARIABLES {
            let value = variables.iter().find(|pair| pair.0 == name).map_or("", |pair| pair.1);
            let value = if name == "TYTO_EMU_REPORT" { report.as_os_str() } else { value.as_ref() };
            // SAFETY: tests that use the environment hold the turn, and no device is open.
            unsafe { std::env::set_var(name, value) };
        }
        let library = Some(emulator().to_owned());
        let options = RuntimeOptions { driver: Driver::Amdgpu, pm4, library, ..Default::default() };
        let runtime = Runtime::new(&options).unwrap_or_else(|error| panic!("{error}"));
        Gpu { runtime, report, _turn: turn }
    }

    /// Closes the device, and reads what it counted of packets.
    fn packets(self, name: &str) -> u64 {
        drop(self.runtime);
        let text = std::fs::read_to_string(&self.report).expect("the emulator wrote its report");
        // A line like `"dispatch": 50,`: this crate has no other use for JSON.
        let after = text.split("\"packets\"").nth(1).expect("packets were counted");
        let line = after.lines().find(|line| line.trim().starts_with(&format!("\"{name}\":")));
        let digits = line.map_or("0", |line| line.split(':').nth(1).unwrap_or("0"));
        digits.trim().trim_end_matches(',').parse().expect("a count")
    }
}

/// A chain of 50 launches: products, each row divided by its largest value, and a hyperbolic tangent.
fn chain() -> String {
    const TYPE: &str = "tensor<16x16xf32>";
    let mut text = format!("module @m {{ func.func @chain(%x0: {TYPE}, %w: {TYPE}) -> {TYPE} {{\n");
    text += "%z = stablehlo.constant dense<0.0> : tensor<f32>\n";
    for step in 0..25 {
        let next = step + 1;
        text += &format!(
            "%m{step} = stablehlo.dot_general %x{step}, %w, contracting_dims = [1] x [0] : ({TYPE}, {TYPE}) -> {TYPE}\n\
             %s{step} = stablehlo.reduce(%m{step} init: %z) applies stablehlo.maximum across dimensions = [1] : ({TYPE}, tensor<f32>) -> tensor<16xf32>\n\
             %b{step} = stablehlo.broadcast_in_dim %s{step}, dims = [0] : (tensor<16xf32>) -> {TYPE}\n\
             %t{step} = stablehlo.divide %m{step}, %b{step} : {TYPE}\n\
             %x{next} = stablehlo.tanh %t{step} : {TYPE}\n"
        );
    }
    text + &format!("return %x25 : {TYPE} }} }}")
}

/// Compiles for gfx1151. With `kept`, what the program records is declared to hold launches only, so that the driver can
/// keep it as commands (PM4).
fn compile_gpu(source: &str, kept: bool, more: &[&str]) -> Vec<u8> {
    let flags: Vec<String> = ["--iree-hal-target-device=amdgpu", "--iree-rocm-target=gfx1151"]
        .iter()
        .chain(more)
        .map(|flag| flag.to_string())
        .collect();
    if !kept {
        return compiler()
            .compile(source.as_bytes(), &flags)
            .unwrap_or_else(|error| panic!("{error}"));
    }
    let recorded = compiler()
        .lower(source.as_bytes(), &flags, Phase::Hal)
        .unwrap_or_else(|error| panic!("{error}"));
    let declared = recorded.replace(
        "mode(\"None\") categories(\"Transfer|Dispatch\")",
        "mode(\"None\") categories(\"Dispatch\")",
    );
    assert_ne!(recorded, declared, "the program records nothing that could be kept");
    compiler()
        .compile_from(Phase::Hal, declared.as_bytes(), &flags)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn only_buffer(mut values: Vec<Value>) -> Buffer {
    assert_eq!(values.len(), 1);
    values.pop().and_then(Value::into_buffer).expect("a buffer")
}

/// Numbers between -1 and 1 that nothing repeats.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|index| ((index * 7919 % 2003) as f32 / 1001.0) - 1.0).collect()
}

/// What the chain gives on a device, `calls` times from the same input.
fn run_chain(runtime: &Runtime, code: Vec<u8>, calls: usize) -> Vec<Vec<f32>> {
    let chain = load(runtime, code, &[]).function("m.chain").expect("exported");
    let numbers = numbers(512);
    let (x, w) = numbers.split_at(256);
    let x = runtime.upload_slice(&[16, 16], x).expect("uploads");
    let w = runtime.upload_slice(&[16, 16], w).expect("uploads");
    (0..calls)
        .map(|_| {
            only_buffer(chain.call(vec![(&x).into(), (&w).into()]).expect("runs"))
                .read()
                .expect("reads")
        })
        .collect()
}

/// The chain on the CPU.
fn expected() -> Vec<f32> {
    run_chain(&runtime(), compile(&chain()), 1).remove(0)
}

fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-4, "{index}: {found}, not {expected}");
    }
}

#[test]
fn a_chain_of_launches_gives_the_cpus_numbers_by_packets_and_by_commands() {
    let expected = expected();
    let code = compile_gpu(&chain(), true, &[]);
    let gpu = Gpu::new(false, &[]);
    let by_packets = run_chain(&gpu.runtime, code.clone(), 2);
    assert_close(&by_packets[0], &expected);
    assert_eq!(by_packets[0], by_packets[1]);
    let dispatches = gpu.packets("dispatch");
    assert!(dispatches >= 100, "two calls of 50 launches, and copies: {dispatches}");
    // The chain's reductions keep to their lanes; a kernel with LDS would be refused here.
    let gpu = Gpu::new(true, &[]);
    let by_commands = run_chain(&gpu.runtime, code, 2);
    assert_eq!(by_commands, by_packets);
    assert_eq!(gpu.packets("pm4_launches"), 100);
}

#[test]
fn every_order_of_unordered_launches_and_copies_run_as_kernels_give_the_same() {
    let code = compile_gpu(&chain(), false, &[]);
    let results: Vec<_> = [
        &[][..],
        &[("TYTO_EMU_SCHEDULE", "reversed")],
        &[("TYTO_EMU_SCHEDULE", "random:1")],
        &[("TYTO_EMU_SCHEDULE", "interleaved")],
        &[("TYTO_EMU_BLITS", "run")],
    ]
    .into_iter()
    .map(|variables| run_chain(&Gpu::new(false, variables).runtime, code.clone(), 1))
    .collect();
    assert!(results.iter().all(|result| result == &results[0]));
}

const ADD_ONE: &str = r#"
module @m {
  func.func @step(%x: tensor<100xi32> {iree.abi.consume}) -> tensor<100xi32> {
    %one = stablehlo.constant dense<1> : tensor<100xi32>
    %y = stablehlo.add %x, %one : tensor<100xi32>
    return %y : tensor<100xi32>
  }
}
"#;

/// Starts calls that each take the one's result before, without waiting.
fn started(runtime: &Runtime, step: &Function, calls: usize) -> (Buffer, Fence) {
    let mut x = runtime.zeros(&[100], tyto_iree_rt::ElementType::I32).expect("allocates");
    let mut last = None;
    for _ in 0..calls {
        let (values, fence) = step.start(vec![x.into()]).expect("starts");
        x = only_buffer(values);
        last = Some(fence);
    }
    (x, last.expect("there are calls"))
}

#[test]
fn calls_that_wait_for_nothing_run_in_order() {
    let code = compile_gpu(ADD_ONE, false, &["--iree-execution-model=async-external"]);
    for pm4 in [false, true] {
        let gpu = Gpu::new(pm4, &[]);
        let step = load(&gpu.runtime, code.clone(), &[]).function("m.step").expect("exported");
        let (x, fence) = started(&gpu.runtime, &step, 300);
        fence.wait().expect("succeeds");
        assert_eq!(x.read::<i32>().expect("reads"), vec![300; 100]);
    }
}

/// The error of the first call that fails, or of what it left to do.
fn failure(runtime: &Runtime, step: &Function) -> Error {
    for _ in 0..10 {
        let x = match runtime.zeros(&[100], tyto_iree_rt::ElementType::I32) {
            Ok(x) => x,
            Err(error) => return error,
        };
        let result = step.start(vec![x.into()]).and_then(|(_, fence)| fence.wait());
        if let Err(error) = result {
            return error;
        }
    }
    panic!("no call failed");
}

#[test]
fn injected_faults_are_errors_of_the_calls_and_the_next_device_works() {
    let code = compile_gpu(ADD_ONE, false, &["--iree-execution-model=async-external"]);
    for fault in ["launch:3:async", "launch:3:reject", "launch:3:lost"] {
        let gpu = Gpu::new(false, &[("TYTO_EMU_FAULT", fault)]);
        let step = load(&gpu.runtime, code.clone(), &[]).function("m.step").expect("exported");
        let error = failure(&gpu.runtime, &step).to_string();
        assert!(error.contains("queue"), "{fault}: {error}");
        drop(step);
        assert_eq!(gpu.packets("errors"), 1, "{fault}");
    }
    let gpu = Gpu::new(false, &[]);
    let step = load(&gpu.runtime, code, &[]).function("m.step").expect("exported");
    let (x, _) = started(&gpu.runtime, &step, 3);
    assert_eq!(x.read::<i32>().expect("reads"), vec![3; 100]);
}

#[test]
fn a_launch_that_hangs_leaves_its_call_open_until_the_device_is_given_up() {
    let code = compile_gpu(ADD_ONE, false, &["--iree-execution-model=async-external"]);
    let gpu = Gpu::new(false, &[("TYTO_EMU_FAULT", "launch:2:hang"), ("TYTO_EMU_WATCHDOG", "400")]);
    let step = load(&gpu.runtime, code, &[]).function("m.step").expect("exported");
    let (x, fence) = started(&gpu.runtime, &step, 3);
    assert!(!fence.wait_for(std::time::Duration::from_millis(50)).expect("nothing has failed"));
    let error = fence.wait().expect_err("the device is given up").to_string();
    assert!(error.contains("queue"), "{error}");
    drop((x, fence, step));
    assert_eq!(gpu.packets("errors"), 1);
}
