//! One recurrent layer of random sizes, and sequences that go through it in several steps.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    ConvAttrs, DType, DeltaAttrs, Dim, Graph, InputKind, Layout, Op, RecurrentResult, Shape,
    SsmAttrs, TensorType, ValueId,
};
use tyto_phase_program::StepSizes;

use crate::random::Random;
use crate::sketch::{Arguments, Named, Sketch};

/// Slots of a cache.
pub const SLOTS: usize = 16;

/// Blocks of a sequence, as many as its positions here take. Nothing is in them; whether a row follows
/// another is told by them.
pub const PAGES: usize = 8;

/// Positions in a block.
const BLOCK: usize = 16;

fn block(sequence: usize, page: usize) -> i32 {
    (1 + sequence * PAGES + page) as i32
}

/// A row of the tables: a sequence's blocks and its slot.
pub fn table(sequence: usize, slot: i32) -> impl Iterator<Item = i32> {
    (0..PAGES).map(move |page| block(sequence, page)).chain([slot])
}

/// Puts a token of a sequence into a cell.
pub fn put(arguments: &mut Arguments, cell: usize, sequence: usize, position: usize) {
    arguments.positions[cell] = position as i32;
    arguments.slots[2 * cell] = block(sequence, position / BLOCK);
    arguments.slots[2 * cell + 1] = (position % BLOCK) as i32;
}

/// Sizes of a recurrence.
#[derive(Clone, Copy, Debug)]
pub enum Layer {
    Conv { channels: usize, taps: usize, silu: bool, bias: bool },
    Scan { rule: Rule, groups: usize, each: usize, depth: usize, width: usize },
}

/// What a recurrence does with its state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    Ssm,
    /// Of one group of one head.
    Selective,
    /// The same, of one row.
    RgLru,
    Delta,
    /// With a decay for each row of a state.
    Apart,
    /// A state that loses a matrix of rank one: a head for each group.
    Dplr,
}

impl Layer {
    pub fn random(random: &mut Random) -> Self {
        if random.one_of(3) {
            return Self::Conv {
                channels: random.pick(&[1, 15, 16, 40, 257, 530]),
                taps: random.pick(&[2, 3, 4, 16]),
                silu: random.one_of(2),
                bias: random.one_of(2),
            };
        }
        let rule = random.pick(&[
            Rule::Ssm,
            Rule::Selective,
            Rule::RgLru,
            Rule::Delta,
            Rule::Apart,
            Rule::Dplr,
        ]);
        let one = matches!(rule, Rule::Selective | Rule::RgLru);
        Self::Scan {
            rule,
            groups: if one { 1 } else { random.pick(&[1, 2, 3]) },
            each: if one || rule == Rule::Dplr { 1 } else { random.pick(&[1, 2]) },
            depth: if rule == Rule::RgLru { 1 } else { random.pick(&[1, 5, 16, 33, 128]) },
            width: random.pick(&[1, 6, 16, 24, 40, 64, 70, 130]),
        }
    }

    /// Widths of the operands that have a row for each token.
    fn rows(&self) -> Vec<Vec<usize>> {
        match *self {
            Self::Conv { channels, .. } => vec![vec![channels]],
            Self::Scan { rule, groups, each, depth, width } => {
                let heads = groups * each;
                let (shared, own, gate) = (vec![groups, depth], vec![heads, width], vec![heads]);
                match rule {
                    Rule::Ssm => vec![own, gate, shared.clone(), shared],
                    Rule::Selective => vec![vec![width], vec![width], vec![depth], vec![depth]],
                    Rule::RgLru => vec![vec![width]; 3],
                    Rule::Delta => vec![shared.clone(), shared, own, gate.clone(), gate],
                    Rule::Apart => vec![shared.clone(), shared, own, vec![heads, depth], gate],
                    Rule::Dplr => {
                        let both = vec![2, heads, depth];
                        vec![shared.clone(), shared.clone(), shared, both, own]
                    }
                }
            }
        }
    }

    /// What the numbers of each of these are multiplied with, so that states stay small.
    fn scales(&self) -> Vec<f32> {
        match *self {
            Self::Scan { rule: Rule::Dplr, depth, .. } => {
                vec![1.0, 0.4, 1.0, 0.5 / (depth as f32).sqrt(), 1.0]
            }
            _ => vec![1.0; self.rows().len()],
        }
    }

    fn parameters(&self) -> Vec<Vec<usize>> {
        match *self {
            Self::Conv { channels, taps, bias, .. } => {
                let bias = bias.then(|| vec![channels]);
                std::iter::once(vec![channels, taps]).chain(bias).collect()
            }
            Self::Scan { rule, groups, each, depth, width } => {
                let heads = vec![groups * each];
                match rule {
                    Rule::Ssm => vec![heads; 3],
                    Rule::Selective => vec![vec![width, depth], vec![width], vec![width]],
                    Rule::RgLru => vec![vec![width]],
                    Rule::Delta => vec![heads; 2],
                    Rule::Apart => vec![heads, vec![groups * each, depth]],
                    Rule::Dplr => vec![vec![groups, depth]],
                }
            }
        }
    }

    pub fn slot(&self) -> Vec<usize> {
        match *self {
            Self::Conv { channels, taps, .. } => vec![taps - 1, channels],
            Self::Scan { groups, each, depth, width, .. } => vec![groups * each, depth, width],
        }
    }

    fn op(&self) -> Op {
        let result = RecurrentResult::Output;
        match *self {
            Self::Conv { silu, .. } => Op::CausalConv(ConvAttrs { result, silu }),
            Self::Scan { rule: Rule::Selective, .. } => Op::SelectiveScan(result),
            Self::Scan { rule: Rule::RgLru, .. } => Op::RgLru(result),
            Self::Scan { rule: Rule::Dplr, .. } => Op::DplrScan(result),
            Self::Scan { rule: Rule::Delta | Rule::Apart, .. } => {
                Op::DeltaRule(DeltaAttrs { result, epsilon: 1e-3, scale: 0.7, strength: 1.5 })
            }
            Self::Scan { .. } => Op::SsmScan(SsmAttrs { result, dt_limit: [0.1, 1.5] }),
        }
    }

    /// Operands in the op's order.
    fn order(&self, rows: &[ValueId], parameters: &[ValueId], step: [ValueId; 3]) -> Vec<ValueId> {
        match self {
            Self::Conv { .. } => [rows, &parameters[..1], &step, &parameters[1..]].concat(),
            Self::Scan { .. } => [rows, parameters, &step].concat(),
        }
    }
}

/// A layer over a table of tokens.
pub struct Recurrent {
    pub layer: Layer,
    /// Parameters and the table of tokens, the same for all steps.
    weights: HashMap<String, Tensor>,
}

impl Recurrent {
    /// With random parameters, over a table of `tokens` rows.
    pub fn new(layer: Layer, random: &mut Random, tokens: usize) -> Self {
        let mut weights = HashMap::new();
        let columns: usize = layer.rows().iter().map(|row| row.iter().product::<usize>()).sum();
        let mut put = |name: String, shape: Vec<usize>, values: Vec<f32>| {
            let tensor = Tensor::floats(DType::F32, shape, values).expect("sizes fit");
            weights.insert(name, tensor);
        };
        let scales = layer.rows().into_iter().zip(layer.scales());
        let scales: Vec<f32> = scales
            .flat_map(|(row, scale)| std::iter::repeat_n(scale, row.iter().product()))
            .collect();
        let table = random.normals(tokens * columns).into_iter().zip(scales.iter().cycle());
        let table = table.map(|(number, scale)| number * scale).collect();
        put("table".into(), vec![tokens, columns], table);
        for (index, shape) in layer.parameters().into_iter().enumerate() {
            let values = random.normals(shape.iter().product());
            put(format!("p{index}"), shape, values);
        }
        Self { layer, weights }
    }

    /// A step of the layer over rows of the table.
    pub fn sketch(&self, sizes: StepSizes) -> Sketch {
        let (mut graph, cells) = (Graph::new("recurrent"), sizes.batch * sizes.tokens);
        let named = Named::new(&mut graph, sizes, PAGES);
        let ty = TensorType::new(DType::I32, [sizes.batch]);
        let states = graph.add_input("states", ty, InputKind::Plain);
        let slot = self.layer.slot().into_iter().map(Dim::Fixed);
        let shape = Shape::new(std::iter::once(Dim::named("slots", SLOTS)).chain(slot));
        let index = graph.inputs.len();
        let state = graph.add_input("state", TensorType::new(DType::F32, shape), InputKind::State);
        let mut add = |op, operands: &[ValueId]| {
            graph.add(op, operands).unwrap_or_else(|why| panic!("{why}"))
        };
        let weight = |name: &str| Op::Weight { name: name.into(), ty: self.weights[name].ty() };
        let table = add(weight("table"), &[]);
        let rows = self.weights["table"].shape()[0];
        let x = add(Op::Embedding { layout: Layout::RowMajor, rows }, &[table, named.tokens]);
        let mut begin = 0;
        let mut operands = Vec::new();
        for shape in self.layer.rows() {
            let end = begin + shape.iter().product::<usize>();
            let (start, limit) = (vec![0, begin], vec![cells, end]);
            let slice = add(Op::Slice { start, limit }, &[x]);
            operands.push(add(Op::Reshape([&[cells], &shape[..]].concat()), &[slice]));
            begin = end;
        }
        let parameters: Vec<ValueId> = (0..self.layer.parameters().len())
            .map(|index| add(weight(&format!("p{index}")), &[]))
            .collect();
        let operands = self.layer.order(&operands, &parameters, [state, states, named.positions]);
        let op = self.layer.op();
        let y = add(op.clone(), &operands);
        let next = add(op.recurrent_as(RecurrentResult::State).expect("recurrent"), &operands);
        let width: usize = graph.ty(y).shape.fixed().expect("fixed")[1..].iter().product();
        let y = graph.add(Op::Reshape(vec![cells, width]), &[y]).expect("as many");
        graph.add_output("logits", y);
        graph.add_updated(index, next);
        Sketch::new(graph, sizes, self.weights.clone())
    }
}

/// Where sequences stand: the next position of each, and its slot.
pub struct Sequences {
    pub next: Vec<usize>,
    pub slots: Vec<i32>,
}

/// A step of a random shape, a prompt of one sequence or a token of many, which goes on with
/// `sequences`.
pub fn steps(
    random: &mut Random,
    sequences: &mut Sequences,
    tokens: usize,
) -> (StepSizes, Arguments) {
    let prompt = random.one_of(2);
    let cells = random.pick(if prompt { &[2, 9, 17, 40] } else { &[1, 3, 8, 12] });
    let (batch, each) = if prompt { (1, cells) } else { (cells, 1) };
    let used = 1 + random.below(cells);
    let order = random.order(SLOTS);
    let mut arguments = Arguments::counted(cells);
    arguments.tables.clear();
    for (row, &sequence) in order.iter().enumerate().take(batch) {
        arguments.tables.extend(table(sequence, sequences.slots[sequence]));
        for token in 0..each {
            let cell = row * each + token;
            arguments.tokens[cell] = random.below(tokens) as i32;
            let real = cell < used;
            arguments.positions[cell] = -1;
            if real {
                put(&mut arguments, cell, sequence, sequences.next[sequence]);
            }
            sequences.next[sequence] += usize::from(real);
        }
    }
    (StepSizes { batch, tokens: each, rows: cells }, arguments)
}

/// The state of a layer before anybody has written to it.
pub fn unwritten(layer: &Layer) -> Tensor {
    let shape = [&[SLOTS], &layer.slot()[..]].concat();
    let count = shape.iter().product();
    Tensor::floats(DType::F32, shape, vec![f32::NAN; count]).expect("sizes fit")
}

/// Tokens `from` to `to` of a prompt, whose state is in slot 3.
pub fn part_of(ids: &[i32], from: usize, to: usize) -> Arguments {
    let mut arguments = Arguments::counted(ids.len());
    arguments.tables = table(0, 3).collect();
    arguments.positions.fill(-1);
    for (cell, position) in (from..to).enumerate() {
        arguments.tokens[cell] = ids[position];
        put(&mut arguments, cell, 0, position);
    }
    arguments.sampled[to - from..].fill(-1);
    arguments
}
