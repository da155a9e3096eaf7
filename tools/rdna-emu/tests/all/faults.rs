//! Planted faults are found, and named.

use crate::common;
use crate::common::bench::{Bench, floats};
use tyto_rdna_emu::{
    AccessError, Code, Fault, FaultKind, Grid, LaunchError, Options, Races, Schedule, Value,
};

/// The fault of a launch that must have one.
fn fault(bench: &mut Bench, kernel: &str, grid: Grid, values: &[Value], options: Options) -> Fault {
    match bench.run(kernel, grid, values, &options) {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("{kernel}: {other:?}, not a fault"),
    }
}

#[test]
fn a_store_behind_the_end_names_lane_and_buffer() {
    let mut bench = Bench::new("basic");
    let x = floats(1, 128);
    let input = bench.buffer("input", &x);
    let out = bench.memory.allocate("output", 4 * 100);
    let values = [input.into(), out.into(), 100i32.into()];
    for schedule in Schedule::SAMPLE {
        let options = Options { schedule, ..Options::default() };
        let fault = fault(&mut bench, "off_by_one", Grid::line(2, 64), &values, options);
        assert_eq!((fault.workgroup, fault.wave, fault.lane), ([1, 0, 0], 1, Some(4)));
        assert!(fault.text.starts_with("global_store_b32"), "{fault}");
        assert!(matches!(fault.kind, FaultKind::Access(AccessError::Outside { .. })), "{fault}");
        let text = fault.to_string();
        for part in ["`off_by_one`", "lane 4", "`output`", "400 bytes", "byte 400"] {
            assert!(text.contains(part), "no {part} in: {text}");
        }
    }
}

#[test]
fn a_missing_barrier_is_a_race_that_names_both_instructions() {
    let mut bench = Bench::new("lanes");
    let input = bench.buffer("in", &floats(2, 256));
    let out = bench.memory.allocate("out", 4);
    let values = [input.into(), out.into()];
    for schedule in Schedule::SAMPLE {
        let options = Options { schedule, races: Races::Shared, ..Options::default() };
        let fault = fault(&mut bench, "block_sum_race", Grid::line(1, 256), &values, options);
        let FaultKind::Race { text, .. } = &fault.kind else { panic!("{fault}") };
        let both = [&text[..], &fault.text].map(|text| text.split(' ').next().unwrap_or_default());
        let has = |end: &str| both.iter().any(|name| name.ends_with(end));
        assert!(has("load_b32") && has("store_b32"), "{fault}");
    }
}

#[test]
fn without_the_detector_the_order_of_waves_shows_the_race() {
    let mut bench = Bench::new("lanes");
    let input = bench.buffer("in", &[1f32; 256]);
    let sums: Vec<f32> = Schedule::SAMPLE
        .into_iter()
        .map(|schedule| {
            let out = bench.memory.allocate("out", 4);
            let options = Options { schedule, ..Options::default() };
            let values = [input.into(), out.into()];
            bench.run("block_sum_race", Grid::line(1, 256), &values, &options).unwrap();
            bench.read::<f32>(out, 1)[0]
        })
        .collect();
    // In order, the first wave reads before the others have written.
    assert_eq!(sums[0], 32.0);
    assert_eq!(sums[1], 256.0);
}

#[test]
fn workgroups_that_write_one_place_race() {
    let mut bench = Bench::new("lanes");
    let out = bench.memory.allocate("out", 4);
    let options = Options { races: Races::All, ..Options::default() };
    let fault = fault(&mut bench, "global_race", Grid::line(3, 64), &[out.into()], options);
    let FaultKind::Race { workgroup, place, .. } = &fault.kind else { panic!("{fault}") };
    assert_eq!((fault.workgroup, *workgroup), ([1, 0, 0], [0, 0, 0]));
    assert!(place.contains(&format!("{out:#x}")), "{place}");
}

#[test]
fn reading_what_nobody_wrote_is_found_where_it_is_asked_for() {
    let mut bench = Bench::new("lanes");
    let out = bench.memory.allocate("out", 256);
    let values = [out.into()];
    let grid = Grid::line(1, 64);
    bench.run("reads_unwritten", grid, &values, &Options::default()).unwrap();
    let options = Options { checks_written: true, ..Options::default() };
    let fault = fault(&mut bench, "reads_unwritten", grid, &values, options);
    let unwritten = AccessError::Unwritten { name: "LDS".to_owned(), offset: 0 };
    assert_eq!(fault.kind, FaultKind::Access(unwritten), "{fault}");
    assert_eq!(fault.lane, Some(0));
}

#[test]
fn a_freed_buffer_is_no_longer_there() {
    let mut bench = Bench::new("basic");
    let a = bench.buffer("a", &floats(1, 64));
    let b = bench.buffer("b", &floats(1, 64));
    bench.memory.free(b).unwrap();
    let values = [a.into(), b.into(), a.into(), 64i32.into()];
    let fault = fault(&mut bench, "vector_add", Grid::line(1, 64), &values, Options::default());
    assert!(fault.text.starts_with("global_load_b32"), "{fault}");
}

#[test]
fn a_loop_without_end_is_a_fault() {
    let mut bench = Bench::new("floats");
    let input = bench.buffer("in", &floats(1, 512));
    let values = [input.into(), input.into(), i32::MAX.into()];
    let options = Options { instruction_limit: 10_000, ..Options::default() };
    let fault = fault(&mut bench, "chains", Grid::line(1, 64), &values, options);
    assert_eq!(fault.kind, FaultKind::Endless(10_000));
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let mut bench = Bench::new("basic");
    let mut refused = |kernel: &str, grid: Grid, values: &[Value]| {
        let error = bench.run(kernel, grid, values, &Options::default()).unwrap_err();
        assert!(!matches!(error, LaunchError::Fault(_)));
        error.to_string()
    };
    let address = || Value::from(0u64);
    let grid = Grid::line(1, 64);
    let error = refused("vector_add", grid, &[address()]);
    assert!(error.contains("`vector_add` takes 4 arguments, but was given 1"), "{error}");
    let error = refused("vector_add", grid, &[address(), address(), 1u32.into(), 64i32.into()]);
    assert!(error.contains("8 bytes as argument 2, but was given 4"), "{error}");
    let error = refused("vector_add", Grid::line(1, 128), &[]);
    assert!(error.contains("workgroups of 1 to 64 work-items"), "{error}");
    let error = refused("vector_sub", grid, &[]);
    assert!(error.contains("no kernel `vector_sub`") && error.contains("vector_add"), "{error}");
}

#[test]
fn an_instruction_that_is_not_known_is_a_fault_that_names_it() {
    let mut bench = Bench::new("basic");
    let out = bench.memory.allocate("out", 128);
    let fault = fault(&mut bench, "traps", Grid::line(1, 32), &[out.into()], Options::default());
    assert!(matches!(fault.kind, FaultKind::Unknown(_)), "{fault}");
    assert_eq!(fault.text, "s_trap 2");
    assert!(fault.offset > 0, "{fault}");
    assert!(bench.code.unknown().iter().any(|(_, text, _)| text == "s_trap 2"));
}

#[test]
fn code_for_waves_of_64_is_refused() {
    let bench = Bench::new("basic");
    let object = common::compile_with("basic", "gfx1151", &["-mwavefrontsize64"]);
    let error = Code::load(&object, &bench.memory).unwrap_err().to_string();
    assert!(error.contains("wave size is 64, but should be 32"), "{error}");
}
