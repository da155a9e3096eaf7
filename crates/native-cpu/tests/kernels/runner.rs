//! One graph, planned and interpreted.

use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::Arc;

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, TensorType, ValueId};
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::{Aligned, Step, fill_scratch, run};
use tyto_native_team::Team;
use tyto_phase_program::{Program, StepSizes, abi, plan};

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
    file: Aligned,
    pub program: Program,
    bytes: Aligned,
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
        let program = plan(&graph, sizes, &places).unwrap_or_else(|why| panic!("{why}\n{graph}"));
        let output = graph.outputs.iter().find(|output| {
            matches!(output, tyto_graph::Output::Plain { name, .. } if &**name == "logits")
        });
        let dims = graph.ty(output.expect("logits").value()).shape.fixed().expect("fixed");
        let (rows, width) = (dims[0], dims[1..].iter().product());
        let (file, bytes) = (Aligned::copy_of(&file), Aligned::copy_of(&program.bytes));
        Self { graph, weights, file, program, bytes, rows, width }
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
                "tokens" => &arguments.tokens,
                "positions" => &arguments.positions,
                "lengths" => &arguments.lengths,
                "slots" => &arguments.slots,
                "tables" => &tables,
                "states" => &slots,
                _ => &arguments.sampled,
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
        let mut logits = vec![f32::NAN; self.rows * self.width];
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

/// Whether two rows of numbers are the same bits, any NaN being the same as any other.
pub fn same_bits(one: &[f32], other: &[f32]) -> bool {
    let bits = |value: &f32| if value.is_nan() { u32::MAX } else { value.to_bits() };
    one.iter().map(bits).eq(other.iter().map(bits))
}
