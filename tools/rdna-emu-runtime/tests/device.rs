//! A device without a face: code, memory and launches.

mod common;

use tyto_rdna_emu::{Dispatch, FaultKind, Grid, LaunchError, Pointers};
use tyto_rdna_emu_runtime::device::{Config, Device, Kind, Level, Loaded};

fn run(device: &Device, code: &Loaded, name: &str, arguments: &[u64]) -> Result<(), LaunchError> {
    let block: Vec<u8> = arguments.iter().flat_map(|value| value.to_le_bytes()).collect();
    let kernarg = device.allocate("arguments", 4096, Kind::Gtt).unwrap();
    device.memory.write(kernarg, &block).unwrap();
    let kernel = code.code.module.kernel(name).unwrap();
    let pointers = Pointers { kernarg, ..Pointers::default() };
    let grid = Grid::line(2, 64);
    let result =
        device.run(code, &Dispatch { kernel, grid, pointers, scratch_size: 0, user: None });
    device.heap.free(kernarg).unwrap();
    result.map(|_| ())
}

#[test]
fn kernels_of_loaded_code_run_on_the_hosts_memory() {
    let device = Device::new(Config { log: Level::Off, ..Config::default() });
    let code = device.load(&common::compile(common::KERNELS)).unwrap();
    let input: Vec<u8> = (0..128i32).flat_map(i32::to_le_bytes).collect();
    let (a, b) = (
        device.allocate("a", 512, Kind::Vram).unwrap(),
        device.allocate("b", 512, Kind::Vram).unwrap(),
    );
    device.memory.write(a, &input).unwrap();
    // A variable of the code object, as the host changes it.
    let (variable, size) = code.symbol("scale").unwrap();
    assert_eq!((size, device.memory.read_vec(variable, 4).unwrap()), (4, vec![3, 0, 0, 0]));
    device.memory.write(variable, &5i32.to_le_bytes()).unwrap();
    run(&device, &code, "scaled", &[a, b]).unwrap();
    let expected: Vec<u8> = (0..128i32).flat_map(|value| (5 * value).to_le_bytes()).collect();
    assert_eq!(device.memory.read_vec(b, 512).unwrap(), expected);
    assert_eq!(device.counters.total().launches, 1);
    let kernel = code.code.module.kernel("scaled").unwrap();
    let descriptor = code.symbol("scaled.kd").unwrap().0;
    assert_eq!(descriptor, code.descriptor(kernel));
    assert_eq!(device.codes.of_descriptor(descriptor).unwrap().address, code.address);
    let entry = code.address + kernel.entry as u64;
    assert_eq!(device.codes.of_entry(entry).unwrap().address, code.address);
    assert!(device.codes.of_entry(descriptor).is_none());
    device.codes.unload(&code, &device).unwrap();
    assert!(device.codes.find(entry).is_none() && device.codes.unload(&code, &device).is_err());
}

#[test]
fn a_wild_store_and_a_freed_buffer_are_faults_that_are_returned() {
    let device = Device::new(Config { log: Level::Off, ..Config::default() });
    let code = device.load(&common::compile(common::KERNELS)).unwrap();
    let data = device.allocate("data", 512, Kind::Vram).unwrap();
    let fault = |result| match result {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("{other:?}, not a fault"),
    };
    let wild = fault(run(&device, &code, "wild", &[data]));
    assert!(matches!(wild.kind, FaultKind::Access(_)) && wild.to_string().contains("`wild`"));
    device.heap.free(data).unwrap();
    fault(run(&device, &code, "add_one", &[data]));
}
