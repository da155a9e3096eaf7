//! A program on the emulator, launch by launch.

use std::collections::HashMap;

use tyto_kernel_cases::sketch::same_bits;
use tyto_phase_program::Program;
use tyto_rdna_emu::{Code, Grid, Memory, Options, Value, launch};

use crate::export;
use crate::objects::object_of;
use crate::runner::Arguments;
use crate::sweep;

/// Runs one step and gives its `count` logits; `cache` is updated. Scratch and logits are memory
/// that nobody has written. A [sweep](crate::sweep) runs it in every order of waves.
pub fn run(
    program: &Program,
    weights: &[u8],
    arguments: &Arguments,
    cache: &mut [u8],
    count: usize,
    options: &Options,
) -> Vec<f32> {
    let before = cache.to_vec();
    let options = &sweep::numerics().map_or(*options, |n| Options { numerics: n, ..*options });
    let logits = run_here(program, weights, arguments, cache, count, options);
    for schedule in sweep::schedules() {
        let mut swept = before.clone();
        let options = &Options { schedule, ..*options };
        let found = run_here(program, weights, arguments, &mut swept, count, options);
        let same = same_bits(&found, &logits) && swept == cache;
        assert!(same, "{schedule:?} gives other bits\n{program}");
    }
    export::case(program, weights, arguments, [&before, cache], &logits);
    logits
}

fn run_here(
    program: &Program,
    weights: &[u8],
    arguments: &Arguments,
    cache: &mut [u8],
    count: usize,
    options: &Options,
) -> Vec<f32> {
    let memory = Memory::new();
    let mut values = vec![
        memory.allocate_from("weights", weights),
        memory.allocate_from("program", &program.bytes),
    ];
    for name in ["tokens", "positions", "lengths", "slots", "tables", "sampled"] {
        let integers = arguments.of(name).iter().flat_map(|value| value.to_le_bytes());
        values.push(memory.allocate_from(name, &integers.collect::<Vec<u8>>()));
    }
    let cache_at = memory.allocate_from("cache", cache);
    let logits = memory.allocate("logits", 4 * count);
    values.push(memory.allocate("shared", program.shared_bytes as usize));
    values.extend([cache_at, logits]);
    let bindings: Vec<Value> = values.into_iter().map(Value::from).collect();
    let mut codes: HashMap<*const u8, Code> = HashMap::new();
    for step in &program.launches {
        let object = object_of(&step.kernel);
        let code = codes
            .entry(object.as_ptr())
            .or_insert_with(|| Code::load(object, &memory).expect("clang writes code objects"));
        let grid = Grid {
            work_items: [step.grid[0] * step.threads, step.grid[1], step.grid[2]],
            workgroup: [step.threads, 1, 1],
            dynamic_lds: 0,
        };
        let mut all = bindings.clone();
        all.push(Value::from(step.phase));
        launch(&memory, code, &step.kernel, grid, &all, options).unwrap_or_else(|fault| {
            panic!("{} of phase {}: {fault}\n{program}", step.kernel, step.phase)
        });
    }
    memory.read(cache_at, cache).expect("as long as it was");
    let mut found = vec![0; 4 * count];
    memory.read(logits, &mut found).expect("as long as it was");
    found.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four"))).collect()
}
