//! A step on the emulator, launch by launch.
//!
//! Memory is filled with random numbers that are finite in every format: bytes are masked so that a
//! float of any of them, read at any place, is small and positive.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tyto_native_rocm as native;
use tyto_phase_program::Launch;
use tyto_phase_program::abi::PhaseKind;
use tyto_rdna_emu::{Code, Counts, Grid, Memory, Options, Value, launch};

use crate::step::{PAGE, Step};

/// The GPU whose kernels are run.
pub const ARCH: &str = "gfx1151";

/// Which bits of random bytes stay: as f16, bf16, f32 or the exponent E8M0 they are then below 1.
const WEIGHTS: u32 = 0x3b3b_3b3b;

/// The same of scratch, which is f32 of both signs.
const SCRATCH: u32 = 0xbbff_ffff;

/// Random bytes before they repeat.
const REPEAT: usize = 1 << 20;

/// Workgroups along the divided axis that a sampled launch runs: without prologues, which decode
/// alone has, all do the same.
const SAMPLED: u32 = 1;

/// Launches with no more along it run whole.
const FEW: u32 = 16;

/// What one launch did.
pub struct Done {
    /// The kernel.
    pub kernel: String,
    /// What it did; where only a part of the grid ran, that part's counts.
    pub counts: Counts,
    /// Workgroups of the grid for each one that ran.
    pub scale: f64,
}

/// How much of a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it, and unique bytes are counted.
    Whole,
    /// Of long launches a few workgroups, which are all alike along one axis.
    Sampled,
}

/// Runs all launches of a step in order. Errors name the kernel and phase.
pub fn run(step: &Step, extent: Extent, threads: usize) -> Result<Vec<Done>> {
    let memory = Memory::new();
    let bindings = bindings(&memory, step)?;
    let options = Options { details: extent == Extent::Whole, threads, ..Options::default() };
    let mut codes: HashMap<&str, Code> = HashMap::new();
    let mut done = Vec::new();
    for launched in &step.program.launches {
        let file = native::file_of(&launched.kernel)
            .ok_or_else(|| anyhow!("no file of kernels-hip has {}", launched.kernel))?;
        let object =
            native::object(ARCH, file).ok_or_else(|| anyhow!("{file} has no object for {ARCH}"))?;
        if !codes.contains_key(file) {
            codes.insert(file, Code::load(object, &memory)?);
        }
        let kind = step.program.kind(launched.phase as usize);
        let (groups, scale) = part(launched, kind, extent);
        let grid = Grid {
            work_items: [groups[0] * launched.threads, groups[1], groups[2]],
            workgroup: [launched.threads, 1, 1],
            dynamic_lds: 0,
        };
        let mut values = bindings.clone();
        values.push(Value::from(launched.phase));
        let report = launch(&memory, &codes[file], &launched.kernel, grid, &values, &options)
            .with_context(|| format!("{} of phase {}", launched.kernel, launched.phase))?;
        done.push(Done { kernel: launched.kernel.clone(), counts: report.counts, scale });
    }
    Ok(done)
}

/// The workgroups of a launch that run, and for how many each stands. Products have like
/// workgroups along x; of attention, heads are alike, along y.
fn part(launch: &Launch, kind: PhaseKind, extent: Extent) -> ([u32; 3], f64) {
    let axis = match kind {
        PhaseKind::Linear
        | PhaseKind::Experts
        | PhaseKind::Conv
        | PhaseKind::Scan
        | PhaseKind::Digest
        | PhaseKind::Weigh => 0,
        PhaseKind::Prefill => 1,
        PhaseKind::Rows | PhaseKind::Route | PhaseKind::Decode => {
            return (launch.grid, 1.0);
        }
    };
    let all = launch.grid[axis];
    if extent == Extent::Whole || all <= FEW {
        return (launch.grid, 1.0);
    }
    let mut groups = launch.grid;
    groups[axis] = SAMPLED;
    (groups, f64::from(all) / f64::from(SAMPLED))
}

/// The kernels' arguments but for the phase.
fn bindings(memory: &Memory, step: &Step) -> Result<Vec<Value>> {
    let program = &step.program;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut values = vec![
        filled(memory, "weights", step.file_bytes as usize, WEIGHTS, &mut random)?,
        memory.allocate_from("program", &program.bytes),
    ];
    let inputs = inputs(step);
    for (name, integers) in
        ["tokens", "positions", "lengths", "slots", "tables", "sampled"].into_iter().zip(&inputs)
    {
        let bytes: Vec<u8> = integers.iter().flat_map(|value| value.to_le_bytes()).collect();
        values.push(memory.allocate_from(name, &bytes));
    }
    let shared = program.shared_bytes as usize;
    values.push(filled(memory, "shared", shared, SCRATCH, &mut random)?);
    let cache = (slot_blocks(step) + step.context / PAGE) * program.block_bytes as usize;
    values.push(filled(memory, "cache", cache, WEIGHTS, &mut random)?);
    values.push(memory.allocate("logits", 4 * step.vocabulary));
    Ok(values.into_iter().map(Value::from).collect())
}

/// Blocks at the cache's begin that the one sequence's states take.
fn slot_blocks(step: &Step) -> usize {
    step.program.slot_bytes.div_ceil(step.program.block_bytes.max(1)) as usize
}

/// Tokens, positions, lengths, slots, tables and sampled rows of the last tokens of the context.
fn inputs(step: &Step) -> [Vec<i32>; 6] {
    let (tokens, context) = (step.tokens as i32, step.context as i32);
    let positions: Vec<i32> = (context - tokens..context).collect();
    let (first, page) = (slot_blocks(step) as i32, PAGE as i32);
    let slots = positions.iter().flat_map(|at| [first + at / page, at % page]).collect();
    let mut tables: Vec<i32> = (first..first + context / page).collect();
    if step.program.slot_bytes > 0 {
        tables.push(0);
    }
    let ids = (0..tokens).map(|token| (token * 7919 + 13) % step.vocabulary as i32).collect();
    [ids, positions, vec![context; step.tokens], slots, tables, vec![tokens - 1]]
}

/// Memory of random numbers whose words are masked.
fn filled(
    memory: &Memory,
    name: &str,
    bytes: usize,
    mask: u32,
    random: &mut ChaCha8Rng,
) -> Result<u64> {
    let word = |_| (random.next_u32() & mask).to_le_bytes();
    let pattern: Vec<u8> = (0..REPEAT.min(bytes).div_ceil(4)).flat_map(word).collect();
    let address = memory.allocate(name, bytes);
    for begin in (0..bytes).step_by(REPEAT) {
        let count = pattern.len().min(bytes - begin);
        memory.write(address + begin as u64, &pattern[..count])?;
    }
    Ok(address)
}
