//! Damaged code objects are errors or faults, never panics.

use crate::common;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tyto_rdna_emu::{Code, Grid, Memory, Options, Races, Value, launch};

/// Loads a file and runs its kernels for a while. Returns whether it loaded, and how many kernels ended.
fn try_all(file: &[u8]) -> (bool, usize) {
    let memory = Memory::new();
    let Ok(code) = Code::load(file, &memory) else { return (false, 0) };
    let buffer = memory.allocate("buffer", 1 << 16);
    let options = Options {
        instruction_limit: 300,
        races: Races::Shared,
        checks_written: false,
        ..Options::default()
    };
    let names: Vec<_> = code.module.kernels.iter().map(|kernel| kernel.metadata.clone()).collect();
    let ended = names.into_iter().filter(|metadata| {
        let visible = metadata.arguments.iter().filter(|argument| !argument.is_hidden());
        let value = |size: usize| match size {
            8 => Value::from(buffer),
            size => Value(vec![1; size.min(64)]),
        };
        let values: Vec<Value> = visible.map(|argument| value(argument.size)).collect();
        let workgroup = (metadata.max_flat_workgroup_size as u32).clamp(1, 64);
        let grid = Grid::line(2, workgroup);
        launch(&memory, &code, &metadata.name, grid, &values, &options).is_ok()
    });
    let ended = ended.count();
    (true, ended)
}

#[test]
fn damaged_files_do_not_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut loaded, mut ended, mut refused) = (0, 0, 0);
    for file in common::KERNEL_FILES {
        let object = common::compile(file, "gfx1151");
        for end in (0..object.len()).step_by(object.len() / 20) {
            assert!(!try_all(&object[..end]).0, "{file} loads although it ends at {end}");
        }
        for _ in 0..60 {
            let mut object = object.clone();
            // One byte anywhere, or several in the code behind the headers.
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..object.len());
                object[at] = random.random();
            }
            let (is_loaded, kernels) = try_all(&object);
            loaded += usize::from(is_loaded);
            refused += usize::from(!is_loaded);
            ended += kernels;
        }
    }
    // Neither all nor none: the test would show nothing.
    assert!(
        loaded > 50 && refused > 5 && ended > 50,
        "{loaded} loaded, {refused} refused, {ended} ended"
    );
}
