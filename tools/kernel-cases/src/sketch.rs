//! One graph with its weights and the arguments of a step.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, Output, TensorType, ValueId};
use tyto_phase_program::StepSizes;

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

    /// Of a step whose rows have one token: row `row` as the first, and no other.
    pub fn alone(&self, row: usize) -> Self {
        let pages = self.tables.len() / self.tokens.len();
        let mut alone = self.clone();
        alone.positions.fill(-1);
        alone.positions[0] = self.positions[row];
        alone.tokens[0] = self.tokens[row];
        alone.lengths[0] = self.lengths[row];
        alone.slots.copy_within(2 * row..2 * row + 2, 0);
        alone.tables.copy_within(row * pages..(row + 1) * pages, 0);
        alone
    }

    /// The argument of this name.
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

/// A graph that returns `logits`, and its weights.
pub struct Sketch {
    /// The graph.
    pub graph: Graph,
    /// What it was made for.
    pub sizes: StepSizes,
    weights: HashMap<String, Tensor>,
    rows: usize,
    width: usize,
}

impl Sketch {
    /// A sound graph with its weights by name.
    pub fn new(graph: Graph, sizes: StepSizes, weights: HashMap<String, Tensor>) -> Self {
        graph.verify().expect("the test's graph is sound");
        let logits =
            |output: &&Output| matches!(output, Output::Plain { name, .. } if &**name == "logits");
        let output = graph.outputs.iter().find(logits).expect("logits");
        let dims = graph.ty(output.value()).shape.fixed().expect("fixed");
        let (rows, width) = (dims[0], dims[1..].iter().product());
        Self { graph, sizes, weights, rows, width }
    }

    /// The width of a row of results.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many numbers the results are.
    pub fn count(&self) -> usize {
        self.rows * self.width
    }

    /// The bytes of a weight file, and where each weight is in it.
    pub fn file(&self) -> (Vec<u8>, HashMap<Arc<str>, u64>) {
        let (mut file, mut places): (Vec<u8>, HashMap<Arc<str>, u64>) = Default::default();
        let mut names: Vec<&String> = self.weights.keys().collect();
        names.sort();
        for name in names {
            file.resize(file.len().next_multiple_of(64), GARBAGE);
            places.insert(name.as_str().into(), file.len() as u64);
            file.extend(self.weights[name].to_bytes());
        }
        (file, places)
    }

    /// Results and states by the interpreter; `states` by name.
    pub fn interpreted(
        &self,
        arguments: &Arguments,
        states: HashMap<String, Tensor>,
    ) -> (Vec<f32>, HashMap<String, Tensor>) {
        let mut inputs = states;
        // With recurrent layers a row of the tables ends with the sequence's slot.
        let (mut tables, mut slots) = (arguments.tables.clone(), Vec::new());
        if let Some(input) = self.graph.inputs.iter().find(|input| &*input.name == "states") {
            let batch = input.ty.shape.fixed().expect("fixed")[0];
            let entries = tables.len() / batch;
            slots = tables.iter().skip(entries - 1).step_by(entries).copied().collect();
            let mut at = 0..;
            tables.retain(|_| at.next().is_some_and(|at| at % entries != entries - 1));
        }
        for input in self.graph.inputs.iter().filter(|input| input.kind == InputKind::Plain) {
            let values = match &*input.name {
                "tables" => &tables,
                "states" => &slots,
                name => arguments.of(name),
            };
            let shape = input.ty.shape.fixed().expect("fixed");
            let count = shape.iter().product();
            let values = values.iter().take(count).map(|value| i64::from(*value));
            let tensor = Tensor::integers(DType::I32, shape, values).expect("sizes fit");
            inputs.insert(input.name.to_string(), tensor);
        }
        let weights = |name: &str| self.weights.get(name).cloned();
        let mut outputs = evaluate(&self.graph, inputs, &weights).expect("the graph runs");
        let logits = outputs.remove("logits").expect("logits");
        (logits.as_floats().expect("floats").to_vec(), outputs)
    }
}

/// Whether two rows of numbers are the same bits, any NaN being the same as any other.
pub fn same_bits(one: &[f32], other: &[f32]) -> bool {
    let bits = |value: &f32| if value.is_nan() { u32::MAX } else { value.to_bits() };
    one.iter().map(bits).eq(other.iter().map(bits))
}
