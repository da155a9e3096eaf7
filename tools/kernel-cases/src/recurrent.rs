//! One recurrent layer of random sizes.

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
const PAGES: usize = 8;

/// Positions in a block.
const BLOCK: usize = 16;

fn block(sequence: usize, page: usize) -> i32 {
    (1 + sequence * PAGES + page) as i32
}

/// A row of the tables: a sequence's blocks and its slot.
pub(crate) fn table(sequence: usize, slot: i32) -> impl Iterator<Item = i32> {
    (0..PAGES).map(move |page| block(sequence, page)).chain([slot])
}

/// Puts a token of a sequence into a cell.
pub(crate) fn put(arguments: &mut Arguments, cell: usize, sequence: usize, position: usize) {
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

/// What the numbers of an operand are.
#[derive(Clone, Copy)]
enum Numbers {
    /// About normal, times this.
    Normal(f32),
    ZeroOrOne,
}

/// What gates are multiplied with for most to be as good as open or closed.
const SATURATED: f32 = 30.0;

impl Numbers {
    fn draw(self, random: &mut Random) -> f32 {
        match self {
            Self::Normal(scale) => random.normal() * scale,
            Self::ZeroOrOne => random.pick(&[0.0, 1.0]),
        }
    }
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

    /// The numbers of each of these; `extreme`: values are about as large as that, and gates saturate,
    /// so that decays are 0 and 1 among others.
    fn numbers(&self, extreme: Option<f32>) -> Vec<Numbers> {
        let (plain, value) = (Numbers::Normal(1.0), Numbers::Normal(extreme.unwrap_or(1.0)));
        let gate = Numbers::Normal(if extreme.is_some() { SATURATED } else { 1.0 });
        match *self {
            Self::Conv { .. } => vec![value],
            Self::Scan { rule: Rule::Ssm | Rule::Selective, .. } => vec![value, gate, plain, plain],
            Self::Scan { rule: Rule::RgLru, .. } => vec![value, gate, gate],
            Self::Scan { rule: Rule::Delta | Rule::Apart, .. } => {
                vec![plain, plain, value, gate, gate]
            }
            Self::Scan { rule: Rule::Dplr, depth, .. } => {
                let decay = extreme.map_or(Numbers::Normal(0.4), |_| Numbers::ZeroOrOne);
                // Small, so that states are.
                let ab = Numbers::Normal(0.5 / (depth as f32).sqrt());
                vec![plain, decay, plain, ab, value]
            }
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
    /// About how large its values are.
    pub magnitude: f32,
    /// Parameters and the table of tokens, the same for all steps.
    weights: HashMap<String, Tensor>,
}

impl Recurrent {
    /// With random parameters, over a table of `tokens` rows.
    pub fn new(layer: Layer, random: &mut Random, tokens: usize) -> Self {
        Self::with(layer, None, random, tokens)
    }

    /// The same with values about as large as `magnitude`, and decays of 0 and 1 among others.
    pub fn extreme(layer: Layer, magnitude: f32, random: &mut Random, tokens: usize) -> Self {
        Self::with(layer, Some(magnitude), random, tokens)
    }

    fn with(layer: Layer, extreme: Option<f32>, random: &mut Random, tokens: usize) -> Self {
        let mut weights = HashMap::new();
        let mut put = |name: String, shape: Vec<usize>, values: Vec<f32>| {
            let tensor = Tensor::floats(DType::F32, shape, values).expect("sizes fit");
            weights.insert(name, tensor);
        };
        let operands = layer.rows().into_iter().zip(layer.numbers(extreme));
        let columns: Vec<Numbers> = operands
            .flat_map(|(row, numbers)| std::iter::repeat_n(numbers, row.iter().product()))
            .collect();
        let cells = columns.iter().cycle().take(tokens * columns.len());
        let table = cells.map(|numbers| numbers.draw(random)).collect();
        put("table".into(), vec![tokens, columns.len()], table);
        // Those of other rules are exponents, of which f32 has not the powers.
        let scale = match layer {
            Layer::Scan { rule: Rule::RgLru, .. } if extreme.is_some() => SATURATED,
            _ => 1.0,
        };
        for (index, shape) in layer.parameters().into_iter().enumerate() {
            let values = random.normals(shape.iter().product());
            put(format!("p{index}"), shape, values.iter().map(|value| value * scale).collect());
        }
        Self { layer, magnitude: extreme.unwrap_or(1.0), weights }
    }

    /// Rows of the table.
    pub fn tokens(&self) -> usize {
        self.weights["table"].shape()[0]
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
        let embedding = Op::Embedding { layout: Layout::RowMajor, rows: self.tokens() };
        let x = add(embedding, &[table, named.tokens]);
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

/// A token of a decode, and the slot for the state after it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub sequence: usize,
    pub position: usize,
    pub token: i32,
    pub slot: i32,
}

/// Rows of one decode call of `batch`.
pub fn decode(rows: &[Row], batch: usize) -> Arguments {
    let mut arguments = Arguments::counted(batch);
    arguments.tables = vec![0; batch * (PAGES + 1)];
    arguments.positions.fill(-1);
    arguments.sampled[rows.len()..].fill(-1);
    for (cell, row) in rows.iter().enumerate() {
        arguments.tokens[cell] = row.token;
        put(&mut arguments, cell, row.sequence, row.position);
        let own = arguments.tables.iter_mut().skip(cell * (PAGES + 1));
        own.zip(table(row.sequence, row.slot)).for_each(|(entry, value)| *entry = value);
    }
    arguments
}

/// Rows of a decode of which several may be tokens of one sequence.
pub struct Guesses {
    /// The tokens that the sequences have had, in the order in which they come.
    pub before: Vec<Row>,
    pub rows: Vec<Row>,
}

impl Guesses {
    /// Each row has a slot of its own, and two of three follow the one before.
    pub fn random(random: &mut Random, rows: usize, tokens: usize) -> Self {
        let mut guesses = Self { before: Vec::new(), rows: Vec::new() };
        for slot in random.order(SLOTS).into_iter().take(rows).map(|slot| slot as i32) {
            let mut row =
                Row { sequence: 0, position: 0, token: random.below(tokens) as i32, slot };
            match guesses.rows.last() {
                Some(last) if !random.one_of(3) => {
                    (row.sequence, row.position) = (last.sequence, last.position + 1);
                }
                last => {
                    row.sequence = last.map_or(0, |last| last.sequence + 1);
                    row.position = random.pick(&[0, 1, 14, 15, 16]);
                    guesses
                        .before
                        .extend((0..row.position).map(|position| Row { position, ..row }));
                }
            }
            guesses.rows.push(row);
        }
        guesses
    }

    /// The rows as they are one after the other, where all of a sequence have the slot of its first.
    pub fn one_by_one(&self) -> impl Iterator<Item = Row> + '_ {
        self.rows.iter().map(|row| {
            let first = self.rows.iter().find(|first| first.sequence == row.sequence);
            Row { slot: first.unwrap_or(row).slot, ..*row }
        })
    }

    /// How many rows follow the one before.
    pub fn followers(&self) -> usize {
        self.rows.windows(2).filter(|pair| pair[0].sequence == pair[1].sequence).count()
    }
}
