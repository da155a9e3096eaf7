//! IREE's own hip driver runs all functions on the emulated GPU; results are those of IREE's CPU backend.
//!
//! The quick part runs each function in two orders of waves. `TYTO_EMU_SWEEP=all` runs each in every order, with the
//! detector of races too; global memory is watched where there is little of it, since that takes long.

mod functions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use functions::compare::compare;
use functions::iree::{Compiled, Target, iree};
use functions::{Family, Function};

/// Something that must go wrong.
struct Expected {
    name: &'static str,
    /// What each message has one of.
    signs: &'static [&'static str],
    /// Whether only the sweep finds it.
    only_in_sweep: bool,
    why: &'static str,
}

/// What must go wrong. The test fails when it does not.
const EXPECTED: &[Expected] = &[
    Expected {
        name: "top_k",
        signs: &["output 0", "races for"],
        only_in_sweep: false,
        why: "its two waves do the same in place, without a barrier: one after the other, twice",
    },
    Expected {
        name: "running_sum",
        signs: &["races for"],
        only_in_sweep: true,
        why: "its two waves store the same sums at the same places, which does no harm",
    },
];

/// How a function is run.
#[derive(Debug, Clone, Copy)]
struct Way {
    schedule: &'static str,
    races: &'static str,
}

const QUICK: &[Way] =
    &[Way { schedule: "random:1", races: "lds" }, Way { schedule: "in-order", races: "off" }];

const ALL: &[Way] = &[
    Way { schedule: "in-order", races: "off" },
    Way { schedule: "in-order", races: "all" },
    Way { schedule: "reversed", races: "lds" },
    Way { schedule: "interleaved", races: "lds" },
    Way { schedule: "random:1", races: "all" },
    Way { schedule: "random:2", races: "lds" },
];

/// The most bytes of inputs that are watched for races.
const MOST_WATCHED: usize = 256 << 10;

impl Way {
    /// Which memory is watched for races when a function runs this way.
    fn races_of(self, function: &Function) -> &'static str {
        let bytes: usize =
            function.inputs.iter().map(|input| input.count() * input.element.size()).sum();
        if self.races == "all" && bytes > MOST_WATCHED { "lds" } else { self.races }
    }
}

/// The library, beside this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a file");
    let path = test.with_file_name("libtyto_rdna_emu_runtime.so");
    assert!(path.is_file(), "{} is missing: cargo builds it with the tests", path.display());
    path
}

/// Runs a function on the emulated GPU.
fn on_gpu(module: &Path, function: &Function, way: Way) -> Result<Vec<Vec<u8>>, String> {
    let library = format!("file:{}", library().display());
    let environment = [
        ("IREE_HIP_DYLIB_PATH", library.as_str()),
        ("TYTO_EMU_SCHEDULE", way.schedule),
        ("TYTO_EMU_RACES", way.races_of(function)),
        ("TYTO_EMU_THREADS", "1"),
        // IREE's hip driver waits for ever when an event fails.
        ("TYTO_EMU_ON_FAULT", "abort"),
    ];
    iree().run(module, function, "hip", &environment, &[])
}

/// What goes wrong with a function: nothing, or a line for each way.
fn troubles(gpu: &Compiled, cpu: &Compiled, function: &Function, ways: &[Way]) -> Vec<String> {
    let on_cpu = || iree().run(&cpu.module, function, "local-sync", &[], &[]);
    let reference = function.by_definition().map_or_else(on_cpu, Ok);
    let reference = match reference {
        Ok(reference) => reference,
        Err(error) => return vec![format!("on the CPU: {error}")],
    };
    let trouble = |way: &Way| {
        let result = on_gpu(&gpu.module, function, *way);
        let error = result.and_then(|found| compare(function, &reference, &found)).err()?;
        Some(format!("{}, races {}: {error}", way.schedule, way.races))
    };
    ways.iter().filter_map(trouble).collect()
}

#[test]
fn functions_on_the_emulated_gpu_agree_with_the_cpu() {
    let is_sweep = std::env::var_os("TYTO_EMU_SWEEP").is_some_and(|value| value == "all");
    let ways = if is_sweep { ALL } else { QUICK };
    let families = functions::families();
    let compiled: Vec<_> = families.iter().map(compile_for_both).collect();
    let jobs: Vec<_> = families
        .iter()
        .zip(&compiled)
        .flat_map(|(family, compiled)| family.functions.iter().map(move |f| (f, compiled)))
        .collect();
    assert!(jobs.len() >= 220, "only {} functions", jobs.len());
    let found = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((function, (gpu, cpu))) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let troubles = troubles(gpu, cpu, function, ways);
            found.lock().unwrap().insert(function.name.as_str(), troubles);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    check_troubles(&found.into_inner().unwrap(), is_sweep);
}

#[test]
fn the_race_of_top_k_is_found_and_named() {
    let mut families = functions::families();
    let models = families.pop().expect("models come last");
    let top_k = models.functions.iter().find(|function| function.name == "top_k");
    let gpu = iree().compile(&models, Target::Gpu);
    for schedule in ["in-order", "interleaved", "random:1"] {
        let result =
            on_gpu(&gpu.module, top_k.expect("it is a model's"), Way { schedule, races: "all" });
        let error = result.expect_err("its waves race");
        let named = ["kernel `top_k_dispatch_0", "races for", "wave 1", "wave 0", "buffer_store"];
        for part in named {
            assert!(error.contains(part), "{schedule}: no `{part}` in: {error}");
        }
    }
}

fn compile_for_both(family: &Family) -> (Compiled, Compiled) {
    let compile = |target| iree().compile(family, target);
    std::thread::scope(|scope| {
        let gpu = scope.spawn(|| compile(Target::Gpu));
        let cpu = compile(Target::Cpu);
        (gpu.join().expect("the other thread's panic has told why"), cpu)
    })
}

/// Fails for troubles that are not expected, and for those that are and do not come.
fn check_troubles(found: &BTreeMap<&str, Vec<String>>, is_sweep: bool) {
    let mut wrong = Vec::new();
    for (name, troubles) in found {
        let expected =
            EXPECTED.iter().find(|row| row.name == *name && (is_sweep || !row.only_in_sweep));
        let is_expected = |trouble: &&String| {
            expected.is_some_and(|row| row.signs.iter().any(|sign| trouble.contains(sign)))
        };
        let others = troubles.iter().filter(|trouble| !is_expected(trouble));
        wrong.extend(others.map(|trouble| format!("{name}: {trouble}")));
        if let Some(row) = expected.filter(|_| troubles.is_empty()) {
            wrong.push(format!("{name}: {:?} was expected, since {}", row.signs, row.why));
        }
    }
    assert!(wrong.is_empty(), "{} troubles:\n{}", wrong.len(), wrong.join("\n"));
}
