//! One graph, planned and interpreted.

use std::collections::HashMap;
use std::mem::offset_of;

use tyto_graph::Graph;
use tyto_graph::interpreter::Tensor;
use tyto_kernel_cases::sketch::Sketch;
pub use tyto_kernel_cases::sketch::{Arguments, GARBAGE, Named, same_bits};
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::{Aligned, Step, fill_scratch, run};
use tyto_native_team::Team;
use tyto_phase_program::{Program, StepSizes, abi, plan};

/// A planned graph with its weights.
pub struct Case {
    sketch: Sketch,
    file: Aligned,
    pub program: Program,
    bytes: Aligned,
}

impl Case {
    /// Plans `graph`, which returns `logits`.
    pub fn new(graph: Graph, sizes: StepSizes, weights: HashMap<String, Tensor>) -> Self {
        Self::of(Sketch::new(graph, sizes, weights))
    }

    /// Plans a graph.
    pub fn of(sketch: Sketch) -> Self {
        let (file, places) = sketch.file();
        let program = plan(&sketch.graph, sketch.sizes, &places);
        let program = program.unwrap_or_else(|why| panic!("{why}\n{}", sketch.graph));
        let (file, bytes) = (Aligned::copy_of(&file), Aligned::copy_of(&program.bytes));
        Self { sketch, file, program, bytes }
    }

    /// The width of a row of results.
    pub fn width(&self) -> usize {
        self.sketch.width()
    }

    /// Results and states by the interpreter; `states` by name.
    pub fn interpreted(
        &self,
        arguments: &Arguments,
        states: HashMap<String, Tensor>,
    ) -> (Vec<f32>, HashMap<String, Tensor>) {
        self.sketch.interpreted(arguments, states)
    }

    /// Has all phases done one by one; how many of them would not have been.
    pub fn part(&mut self) -> usize {
        let number = |bytes: &[u8], at: usize| {
            u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
        };
        let bytes = self.bytes.bytes_mut();
        let first = number(bytes, offset_of!(abi::Header, phases));
        let count = number(bytes, offset_of!(abi::Header, n_phases));
        let mut joined = 0;
        for phase in 0..count {
            let at = first + phase * size_of::<abi::Phase>() + offset_of!(abi::Phase, joined);
            joined += usize::from(number(bytes, at) > 0);
            bytes[at..at + 4].fill(0);
        }
        joined
    }

    /// Results by the kernels, in scratch of NaN.
    pub fn run(
        &self,
        machine: (Variant, usize),
        arguments: &Arguments,
        cache: &mut Aligned,
    ) -> Vec<f32> {
        self.run_filled(machine, arguments, cache, GARBAGE)
    }

    /// The same for a graph without a cache.
    pub fn run_plain(&self, machine: (Variant, usize), arguments: &Arguments) -> Vec<f32> {
        self.run_in(machine, arguments, GARBAGE)
    }

    /// The same in scratch of these bytes.
    pub fn run_in(
        &self,
        machine: (Variant, usize),
        arguments: &Arguments,
        scratch: u8,
    ) -> Vec<f32> {
        self.run_filled(machine, arguments, &mut Aligned::zeros(64), scratch)
    }

    fn run_filled(
        &self,
        (variant, workers): (Variant, usize),
        arguments: &Arguments,
        cache: &mut Aligned,
        scratch: u8,
    ) -> Vec<f32> {
        let Program { shared_bytes, private_bytes, .. } = self.program;
        let team = Team::without_amx(workers, shared_bytes, private_bytes);
        self.run_by(&mut team.expect("memory and threads"), variant, arguments, cache, scratch)
    }

    /// The same by a team that may use matrix registers; `None` where this machine has none.
    pub fn run_with_amx(
        &self,
        (variant, workers): (Variant, usize),
        arguments: &Arguments,
        cache: &mut Aligned,
    ) -> Option<Vec<f32>> {
        let Program { shared_bytes, private_bytes, .. } = self.program;
        let team = Team::new(workers, shared_bytes, private_bytes);
        let mut team = team.expect("memory and threads");
        team.has_amx().then(|| self.run_by(&mut team, variant, arguments, cache, GARBAGE))
    }

    /// Results by a team's workers, in scratch of these bytes.
    pub fn run_by(
        &self,
        team: &mut Team,
        variant: Variant,
        arguments: &Arguments,
        cache: &mut Aligned,
        scratch: u8,
    ) -> Vec<f32> {
        fill_scratch(team, scratch);
        let mut logits = vec![f32::NAN; self.sketch.count()];
        let mut step = Step {
            weights: &self.file,
            program: &self.bytes,
            tokens: &arguments.tokens,
            positions: &arguments.positions,
            lengths: &arguments.lengths,
            slots: &arguments.slots,
            tables: &arguments.tables,
            sampled: &arguments.sampled,
            cache,
            logits: &mut logits,
        };
        // SAFETY: the program is the planner's, the team has what it asks for, and tests give
        // arguments of the graph's sizes, in range.
        unsafe { run(variant, team, &mut step) };
        logits
    }
}

/// Every variant that runs here, each with a number of workers that depends on `turn`.
pub fn machines(turn: usize) -> impl Iterator<Item = (Variant, usize)> {
    let known = Variant::ALL.into_iter().enumerate();
    known
        .filter(|(_, variant)| variant.object().is_some() && variant.runs_here())
        .map(move |(index, variant)| (variant, (turn + index) % 4 + 1))
}
