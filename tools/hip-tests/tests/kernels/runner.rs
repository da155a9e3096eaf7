//! One graph, planned for a GPU, interpreted, and run on the emulator.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, Output, TensorType, ValueId};
use tyto_phase_program::{Program, StepSizes, plan_for_gpu};
use tyto_rdna_emu::Options;

use crate::machine;

/// What scratch and unwritten cache hold: a NaN in every format.
pub const GARBAGE: u8 = 0xff;

/// The arguments of a step: `kernels-cpu/program.h` has the shapes.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    pub tokens: Vec<i32>,
    pub positions: Vec<i32>,
    pub lengths: Vec<i32>,
    pub slots: Vec<i32>,
    pub tables: Vec<i32>,
    pub sampled: Vec<i32>,
}

impl Arguments {
    /// For a graph without attention: tokens 0, 1, 2, … at positions 0, 1, 2, …, all sampled.
    pub fn counted(cells: usize) -> Self {
        let counted: Vec<i32> = (0..cells as i32).collect();
        Self {
            tokens: counted.clone(),
            positions: counted.clone(),
            lengths: vec![cells as i32; cells],
            slots: vec![0; 2 * cells],
            tables: vec![0; cells],
            sampled: counted,
        }
    }

    pub fn of(&self, name: &str) -> &[i32] {
        match name {
            "tokens" => &self.tokens,
            "positions" => &self.positions,
            "lengths" => &self.lengths,
            "slots" => &self.slots,
            "tables" => &self.tables,
            _ => &self.sampled,
        }
    }
}

/// The values that stand for a step's arguments in a graph.
pub struct Named {
    pub tokens: ValueId,
    pub positions: ValueId,
    pub lengths: ValueId,
    pub slots: ValueId,
    pub tables: ValueId,
    pub sampled: ValueId,
}

impl Named {
    /// Adds the arguments to an empty graph.
    pub fn new(graph: &mut Graph, sizes: StepSizes, pages: usize) -> Self {
        let cells = sizes.batch * sizes.tokens;
        let mut add = |name, shape: Vec<usize>| {
            graph.add_input(name, TensorType::new(DType::I32, shape), InputKind::Plain)
        };
        Self {
            tokens: add("tokens", vec![cells]),
            positions: add("positions", vec![cells]),
            lengths: add("lengths", vec![cells]),
            slots: add("slots", vec![cells, 2]),
            tables: add("tables", vec![sizes.batch, pages]),
            sampled: add("sampled", vec![sizes.rows]),
        }
    }
}

/// A planned graph with its weights.
pub struct Case {
    graph: Graph,
    weights: HashMap<String, Tensor>,
    file: Vec<u8>,
    pub program: Program,
    rows: usize,
    width: usize,
}

impl Case {
    /// Plans `graph`, which returns `logits`.
    pub fn new(graph: Graph, sizes: StepSizes, weights: HashMap<String, Tensor>) -> Self {
        graph.verify().expect("the test's graph is sound");
        let (mut file, mut places): (Vec<u8>, HashMap<Arc<str>, u64>) = Default::default();
        let mut names: Vec<&String> = weights.keys().collect();
        names.sort();
        for name in names {
            file.resize(file.len().next_multiple_of(64), GARBAGE);
            places.insert(name.as_str().into(), file.len() as u64);
            file.extend(weights[name].to_bytes());
        }
        let program = plan_for_gpu(&graph, sizes, &places);
        let program = program.unwrap_or_else(|why| panic!("{why}\n{graph}"));
        let output = graph
            .outputs
            .iter()
            .find(|output| matches!(output, Output::Plain { name, .. } if &**name == "logits"));
        let dims = graph.ty(output.expect("logits").value()).shape.fixed().expect("fixed");
        let (rows, width) = (dims[0], dims[1..].iter().product());
        Self { graph, weights, file, program, rows, width }
    }

    /// The width of a row of results.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Results and states by the interpreter; `states` by name.
    pub fn interpreted(
        &self,
        arguments: &Arguments,
        states: HashMap<String, Tensor>,
    ) -> (Vec<f32>, HashMap<String, Tensor>) {
        let mut inputs = states;
        for input in self.graph.inputs.iter().filter(|input| input.kind == InputKind::Plain) {
            let shape = input.ty.shape.fixed().expect("fixed");
            let count = shape.iter().product();
            let values =
                arguments.of(&input.name).iter().take(count).map(|value| i64::from(*value));
            let tensor = Tensor::integers(DType::I32, shape, values).expect("sizes fit");
            inputs.insert(input.name.to_string(), tensor);
        }
        let weights = |name: &str| self.weights.get(name).cloned();
        let mut outputs = evaluate(&self.graph, inputs, &weights).expect("the graph runs");
        let logits = outputs.remove("logits").expect("logits");
        (logits.as_floats().expect("floats").to_vec(), outputs)
    }

    /// Results by the kernels, in scratch that nobody has written; `cache` is updated.
    pub fn run(&self, options: &Options, arguments: &Arguments, cache: &mut [u8]) -> Vec<f32> {
        let count = self.rows * self.width;
        machine::run(&self.program, &self.file, arguments, cache, count, options)
    }

    /// The same for a graph without a cache.
    pub fn run_plain(&self, options: &Options, arguments: &Arguments) -> Vec<f32> {
        self.run(options, arguments, &mut [])
    }
}
