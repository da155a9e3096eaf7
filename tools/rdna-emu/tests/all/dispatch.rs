//! Launches as a queue's packet describes them, and what they are counted as.

use crate::common::bench::{Bench, floats};
use tyto_rdna_emu::{
    Class, Counters, Dispatch, Grid, LaunchError, Options, Pointers, Report, Schedule, dispatch,
};

/// Runs `vector_add` of four arguments over so many work-items, with the block of arguments that the test wrote.
fn add(
    bench: &Bench,
    work_items: u32,
    block: u64,
    user: Option<&[u32]>,
    counters: &Counters,
    options: &Options,
) -> Result<Report, LaunchError> {
    let grid = Grid { work_items: [work_items, 1, 1], workgroup: [64, 1, 1], dynamic_lds: 0 };
    let kernel = bench.code.module.kernel("vector_add").expect("the file has it");
    let pointers =
        Pointers { kernarg: if user.is_some() { 0 } else { block }, ..Pointers::default() };
    let launch = Dispatch { kernel, grid, pointers, scratch_size: 0, user };
    dispatch(&bench.memory, &bench.code, &launch, options, counters)
}

/// Buffers of 150 numbers, and the block of arguments with their addresses.
fn arguments(bench: &mut Bench) -> (Vec<f32>, u64, u64) {
    let x = floats(1, 150);
    let (a, b) = (bench.buffer("a", &x), bench.buffer("b", &x));
    let out = bench.buffer("out", &[0f32; 150]);
    let mut block = vec![0; 512];
    for (index, address) in [a, b, out].into_iter().enumerate() {
        block[8 * index..8 * index + 8].copy_from_slice(&address.to_le_bytes());
    }
    block[24..28].copy_from_slice(&150i32.to_le_bytes());
    (x, bench.memory.allocate_from("arguments", &block), out)
}

#[test]
fn a_packet_and_given_registers_run_the_same_with_a_partial_workgroup() {
    let mut bench = Bench::new("basic");
    let (x, block, out) = arguments(&mut bench);
    let expected: Vec<f32> = x.iter().map(|value| value + value).collect();
    let counters = Counters::default();
    add(&bench, 150, block, None, &counters, &Options::default()).unwrap();
    assert_eq!(bench.read::<f32>(out, 150), expected);
    bench.memory.write(out, &[0; 600]).unwrap();
    // The kernel's only user registers are the block's address.
    let kernel = bench.code.module.kernel("vector_add").unwrap();
    let data: Vec<_> = kernel.descriptor.user_data().collect();
    assert_eq!(data.last(), Some(&tyto_rdna_emu::object::UserData::Kernarg));
    let mut user = vec![0; kernel.descriptor.user_sgprs as usize];
    let before = 2 * (data.len() - 1);
    user[before] = block as u32;
    user[before + 1] = (block >> 32) as u32;
    add(&bench, 150, block, Some(&user), &counters, &Options::default()).unwrap();
    assert_eq!(bench.read::<f32>(out, 150), expected);
    // 150 work-items: two workgroups of two waves, and one with a whole wave less.
    let counts = counters.total();
    assert_eq!((counts.launches, counts.workgroups, counts.waves), (2, 2 * 3, 2 * 5));
}

#[test]
fn counts_are_those_of_the_kernel_in_every_schedule_and_on_threads() {
    let mut bench = Bench::new("basic");
    let (_, block, _) = arguments(&mut bench);
    let mut first = None;
    for schedule in Schedule::SAMPLE {
        for threads in [1, 3] {
            let counters = Counters::default();
            let options = Options { schedule, threads, details: true, ..Options::default() };
            let report = add(&bench, 150, block, None, &counters, &options).unwrap();
            let counts = counters.kernels()[0].1;
            assert_eq!(counts, report.counts);
            assert_eq!(counts.total(), report.instructions);
            assert_eq!(*first.get_or_insert(counts), counts, "{schedule:?}");
            assert_eq!(counts.written_bytes, 600);
            assert_eq!(counts.unique_written_bytes, 600);
            // Two operands of each work-item; each wave reads arguments too, which are the same words.
            assert!(counts.read_bytes > 1200 && counts.unique_read_bytes > 1200);
            assert!(counts.unique_read_bytes < 1200 + 64, "{counts:?}");
            assert_eq!(counts.of(Class::Memory), 3 * 5);
            assert!(counts.of(Class::ScalarMemory) >= 5 && counts.of(Class::Vector) >= 5);
            assert_eq!((counts.of(Class::Matrix), counts.of(Class::Shared)), (0, 0));
        }
    }
}

#[test]
fn accesses_of_lds_are_counted_apart() {
    let mut bench = Bench::new("lanes");
    let input = bench.buffer("in", &floats(2, 256));
    let out = bench.memory.allocate("out", 4);
    let values = [input.into(), out.into()];
    let options = Options { details: true, ..Options::default() };
    let report = bench.run("block_sum", Grid::line(1, 256), &values, &options).unwrap();
    assert!(report.counts.of(Class::Shared) > 0, "{report:?}");
    assert_eq!(report.counts.bank_conflicts, 0, "neighbours lie in different banks");
}

#[test]
fn a_launch_that_does_not_fit_is_refused() {
    let mut bench = Bench::new("basic");
    let (_, block, _) = arguments(&mut bench);
    let kernel = bench.code.module.kernel("vector_add").unwrap();
    let launch = Dispatch {
        kernel,
        grid: Grid::line(1, 64),
        pointers: Pointers { kernarg: block, ..Pointers::default() },
        scratch_size: 0,
        user: None,
    };
    let with_lds = Dispatch { grid: Grid { dynamic_lds: 1 << 17, ..launch.grid }, ..launch };
    let with_scratch = Dispatch { scratch_size: u32::MAX, ..launch };
    let empty = Dispatch { grid: Grid { workgroup: [0, 1, 1], ..launch.grid }, ..launch };
    let endless = Dispatch { grid: Grid { work_items: [u32::MAX; 3], ..launch.grid }, ..launch };
    let wide = Dispatch { grid: Grid { workgroup: [u32::MAX; 3], ..launch.grid }, ..launch };
    for launch in [with_lds, with_scratch, empty, endless, wide] {
        let counters = Counters::default();
        let result = dispatch(&bench.memory, &bench.code, &launch, &Options::default(), &counters);
        assert!(matches!(result, Err(LaunchError::Arguments { .. })), "{result:?}");
        assert_eq!(counters.total().launches, 0);
    }
}

#[test]
fn kernels_are_found_by_the_addresses_that_drivers_use() {
    let bench = Bench::new("basic");
    let module = &bench.code.module;
    for kernel in &module.kernels {
        let symbol = module.symbols.iter().find(|symbol| symbol.name == kernel.metadata.symbol);
        let address = module.base + symbol.unwrap().offset as u64;
        assert_eq!(bench.code.kernel_at(address).unwrap().metadata.name, kernel.metadata.name);
        let entry = module.base + kernel.entry as u64;
        assert_eq!(bench.code.kernel_of_entry(entry).unwrap().metadata.name, kernel.metadata.name);
        assert!(bench.code.kernel_at(address + 1).is_none());
    }
}
