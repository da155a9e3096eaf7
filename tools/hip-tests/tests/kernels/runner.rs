//! One graph, planned for a GPU, interpreted, and run on the emulator.

use std::collections::HashMap;

use tyto_graph::Graph;
use tyto_graph::interpreter::Tensor;
use tyto_kernel_cases::sketch::Sketch;
pub use tyto_kernel_cases::sketch::{Arguments, GARBAGE, Named};
use tyto_phase_program::{GpuOptions, Program, StepSizes, plan_for_gpu};
use tyto_rdna_emu::{Numerics, Options, Races, Schedule};

use crate::machine;

/// A planned graph with its weights.
pub struct Case {
    sketch: Sketch,
    file: Vec<u8>,
    pub program: Program,
}

impl Case {
    /// Plans `graph`, which returns `logits`.
    pub fn new(graph: Graph, sizes: StepSizes, weights: HashMap<String, Tensor>) -> Self {
        Self::of(Sketch::new(graph, sizes, weights))
    }

    /// Plans a graph.
    pub fn of(sketch: Sketch) -> Self {
        let (file, places) = sketch.file();
        let program = plan_for_gpu(&sketch.graph, sketch.sizes, &places, GpuOptions::default());
        let program = program.unwrap_or_else(|why| panic!("{why}\n{}", sketch.graph));
        Self { sketch, file, program }
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

    /// Results by the kernels, in scratch that nobody has written; `cache` is updated.
    pub fn run(&self, options: &Options, arguments: &Arguments, cache: &mut [u8]) -> Vec<f32> {
        let count = self.sketch.count();
        machine::run(&self.program, &self.file, arguments, cache, count, options)
    }

    /// The same for a graph without a cache.
    pub fn run_plain(&self, options: &Options, arguments: &Arguments) -> Vec<f32> {
        self.run(options, arguments, &mut [])
    }
}

/// An order of waves and a way of rounding for each turn, with all checks on.
pub fn options(turn: usize) -> Options {
    let schedule = Schedule::SAMPLE[turn % Schedule::SAMPLE.len()];
    let numerics = if turn.is_multiple_of(2) { Numerics::Ieee } else { Numerics::Gfx11 };
    Options { schedule, numerics, races: Races::All, checks_written: true, ..Options::default() }
}
