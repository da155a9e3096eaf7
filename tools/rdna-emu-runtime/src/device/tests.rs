//! A device as its faces use it.

use super::*;

#[test]
fn an_injected_fault_and_a_lost_device_have_no_memory() {
    let faults = vec![faults::Fault::parse("alloc:2:oom").unwrap()];
    let device = Device::new(Config { faults, log: Level::Off, ..Config::default() });
    assert!(device.allocate("a", 64, Kind::Vram).is_ok());
    assert_eq!(device.allocate("b", 64, Kind::Vram), Err(HeapError::Injected));
    assert!(device.allocate("c", 64, Kind::Gtt).is_ok());
    device.lose();
    assert_eq!(device.allocate("d", 64, Kind::Gtt), Err(HeapError::Lost));
}

#[test]
fn what_is_no_code_object_is_refused_and_takes_no_memory() {
    let device = Device::new(Config { log: Level::Off, ..Config::default() });
    assert!(matches!(device.load(b"\x7fELF"), Err(LoadError::Object(_))));
    assert_eq!(device.heap.budget().used(), 0);
    assert!(device.codes.find(0).is_none());
}

#[test]
fn the_report_is_json_with_calls_and_kernels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let device = Device::new(Config { report: Some(path.clone()), ..Config::default() });
    device.calls.count("hsa", "hsa_init");
    device.calls.add("packets", "dispatch", 3);
    let counts = tyto_rdna_emu::Counts { launches: 2, instructions: [1; 7], ..Default::default() };
    device.counters.add("kernel", counts);
    device.write_report();
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(report["calls"]["packets"]["dispatch"], 3);
    assert_eq!(report["kernels"]["kernel"]["instructions"], 7);
    assert_eq!(report["kernels"]["kernel"]["by_class"]["matrix"], 1);
    assert_eq!(report["device"]["gfx"], "gfx1151");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}
