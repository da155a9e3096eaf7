//! Recurrent layers: random convolutions, scans and delta rules against the interpreter, over
//! sequences that come in several steps, in slots that hold NaN before.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    ConvAttrs, DType, DeltaAttrs, Dim, Graph, InputKind, Layout, Op, RecurrentResult, Shape,
    SsmAttrs, TensorType, ValueId,
};
use tyto_native_cpu::linked::Aligned;
use tyto_phase_program::StepSizes;

use crate::random::Random;
use crate::runner::{Arguments, Case, GARBAGE, Named, machines, same_bits};

const SLOTS: usize = 16;

/// Sizes of a recurrence.
#[derive(Clone, Copy, Debug)]
enum Layer {
    Conv { channels: usize, taps: usize, silu: bool, bias: bool },
    Scan { rule: Rule, groups: usize, each: usize, depth: usize, width: usize },
}

/// What a recurrence does with its state.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    Ssm,
    /// Of one group of one head.
    Selective,
    /// The same, of one row.
    RgLru,
    Delta,
    /// With a decay for each row of a state.
    Apart,
}

impl Layer {
    fn random(random: &mut Random) -> Self {
        if random.one_of(3) {
            return Self::Conv {
                channels: random.pick(&[1, 15, 16, 40, 257, 530]),
                taps: random.pick(&[2, 3, 4, 16]),
                silu: random.one_of(2),
                bias: random.one_of(2),
            };
        }
        let rule =
            random.pick(&[Rule::Ssm, Rule::Selective, Rule::RgLru, Rule::Delta, Rule::Apart]);
        let one = matches!(rule, Rule::Selective | Rule::RgLru);
        Self::Scan {
            rule,
            groups: if one { 1 } else { random.pick(&[1, 2, 3]) },
            each: if one { 1 } else { random.pick(&[1, 2]) },
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
                }
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
                }
            }
        }
    }

    fn slot(&self) -> Vec<usize> {
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

struct Recurrent<'r> {
    random: &'r mut Random,
    layer: Layer,
    /// Parameters and the table of tokens, the same for all steps.
    weights: HashMap<String, Tensor>,
}

impl Recurrent<'_> {
    fn new(random: &mut Random, tokens: usize) -> Recurrent<'_> {
        let layer = Layer::random(random);
        let mut weights = HashMap::new();
        let columns: usize = layer.rows().iter().map(|row| row.iter().product::<usize>()).sum();
        let mut put = |name: String, shape: Vec<usize>, values: Vec<f32>| {
            let tensor = Tensor::floats(DType::F32, shape, values).expect("sizes fit");
            weights.insert(name, tensor);
        };
        put("table".into(), vec![tokens, columns], random.normals(tokens * columns));
        for (index, shape) in layer.parameters().into_iter().enumerate() {
            let values = random.normals(shape.iter().product());
            put(format!("p{index}"), shape, values);
        }
        Recurrent { random, layer, weights }
    }

    /// A step of the layer over rows of the table.
    fn case(&self, sizes: StepSizes) -> Case {
        let (mut graph, cells) = (Graph::new("recurrent"), sizes.batch * sizes.tokens);
        let named = Named::new(&mut graph, sizes, 1);
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
        Case::new(graph, sizes, self.weights.clone())
    }
}

/// Where sequences stand: the next position of each, and its slot.
struct Sequences {
    next: Vec<usize>,
    slots: Vec<i32>,
}

/// Three steps of a random shape each: prompts of one sequence, or tokens of many.
fn steps(random: &mut Random, sequences: &mut Sequences, tokens: usize) -> (StepSizes, Arguments) {
    let prompt = random.one_of(2);
    let cells = random.pick(if prompt { &[2, 9, 17, 40] } else { &[1, 3, 8, 12] });
    let (batch, each) = if prompt { (1, cells) } else { (cells, 1) };
    let used = 1 + random.below(cells);
    let order = random.order(SLOTS);
    let mut arguments = Arguments::counted(cells);
    arguments.tables.clear();
    for (row, &sequence) in order.iter().enumerate().take(batch) {
        arguments.tables.extend([0, sequences.slots[sequence]]);
        for token in 0..each {
            let cell = row * each + token;
            arguments.tokens[cell] = random.below(tokens) as i32;
            let real = cell < used;
            arguments.positions[cell] = if real { sequences.next[sequence] as i32 } else { -1 };
            sequences.next[sequence] += usize::from(real);
        }
    }
    (StepSizes { batch, tokens: each, rows: cells }, arguments)
}

/// Bytes of the slots, then a block for nobody.
fn cache_of(case: &Case) -> Aligned {
    let mut cache = Aligned::zeros(SLOTS * case.program.slot_bytes as usize + 64);
    cache.bytes_mut().fill(GARBAGE);
    cache
}

fn unwritten(layer: &Layer) -> Tensor {
    let shape = [&[SLOTS], &layer.slot()[..]].concat();
    let count = shape.iter().product();
    Tensor::floats(DType::F32, shape, vec![f32::NAN; count]).expect("sizes fit")
}

#[test]
fn random_layers() {
    let mut seeds = Random::new(81);
    for turn in 0..60 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(&mut random, tokens);
        let layer = recurrent.layer;
        let slots = recurrent.random.order(SLOTS).into_iter().map(|slot| slot as i32).collect();
        let mut sequences = Sequences { next: vec![0; SLOTS], slots };
        let mut state = unwritten(&layer);
        let mut caches: Vec<Option<Aligned>> = machines(turn).map(|_| None).collect();
        for step in 0..3 {
            let (sizes, mut arguments) = steps(recurrent.random, &mut sequences, tokens);
            let case = recurrent.case(sizes);
            let real = arguments.positions.iter().filter(|position| **position >= 0).count();
            let states = HashMap::from([("state".to_owned(), state)]);
            let (expected, mut states) = case.interpreted(&arguments, states);
            state = states.remove("state").expect("a state");
            arguments.sampled[real..].fill(-1);
            let expected = &expected[..real * case.width()];
            let largest = expected.iter().fold(1f32, |most, value| most.max(value.abs()));
            for (machine, cache) in machines(turn).zip(&mut caches) {
                let cache = cache.get_or_insert_with(|| cache_of(&case));
                let found = case.run(machine, &arguments, cache);
                for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                    assert!(
                        (found - expected).abs() <= 2e-5 * largest,
                        "{layer:?} {sizes:?} {machine:?}, step {step}: result {index} is {found}, \
                         not {expected}\n{}",
                        case.program
                    );
                }
            }
        }
    }
}

/// Results and states are the same bits whatever the number of workers.
#[test]
fn bits_do_not_depend_on_workers() {
    let mut seeds = Random::new(82);
    for turn in 0..12 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(&mut random, tokens);
        let slots = (0..SLOTS as i32).collect();
        let mut sequences = Sequences { next: vec![0; SLOTS], slots };
        let (sizes, mut arguments) = steps(recurrent.random, &mut sequences, tokens);
        let case = recurrent.case(sizes);
        let real = arguments.positions.iter().filter(|position| **position >= 0).count();
        arguments.sampled[real..].fill(-1);
        for (variant, _) in machines(turn) {
            let mut alone = cache_of(&case);
            let expected = case.run((variant, 1), &arguments, &mut alone);
            for workers in [2, 5] {
                let mut cache = cache_of(&case);
                let found = case.run((variant, workers), &arguments, &mut cache);
                assert!(same_bits(&found, &expected), "{:?} {variant:?}", recurrent.layer);
                assert!(cache.bytes() == alone.bytes(), "{:?} {variant:?}", recurrent.layer);
            }
        }
    }
}

/// Results and states are the same bits wherever a prompt is cut: a copy of a state is gone on from
/// as if nobody had cut.
#[test]
fn bits_do_not_depend_on_where_a_prompt_is_cut() {
    const LENGTH: usize = 40;
    let mut seeds = Random::new(83);
    for turn in 0..12 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(&mut random, tokens);
        let ids: Vec<i32> = (0..LENGTH).map(|_| recurrent.random.below(tokens) as i32).collect();
        let cut = 1 + recurrent.random.below(LENGTH - 1);
        let case = recurrent.case(StepSizes { batch: 1, tokens: LENGTH, rows: LENGTH });
        for machine in machines(turn) {
            let run = |from: usize, to: usize, cache: &mut Aligned| {
                let mut found = case.run(machine, &part_of(&ids, from, to), cache);
                found.truncate((to - from) * case.width());
                found
            };
            let [mut whole, mut cache] = [cache_of(&case), cache_of(&case)];
            let expected = run(0, LENGTH, &mut whole);
            let found = [run(0, cut, &mut cache), run(cut, LENGTH, &mut cache)].concat();
            assert!(same_bits(&found, &expected), "{:?} cut at {cut}", recurrent.layer);
            assert!(cache.bytes() == whole.bytes(), "{:?} cut at {cut}", recurrent.layer);
        }
    }
}

/// Tokens `from` to `to` of a prompt, whose state is in slot 3.
fn part_of(ids: &[i32], from: usize, to: usize) -> Arguments {
    let mut arguments = Arguments::counted(ids.len());
    arguments.tables = vec![0, 3];
    arguments.positions.fill(-1);
    for (cell, position) in (from..to).enumerate() {
        arguments.tokens[cell] = ids[position];
        arguments.positions[cell] = position as i32;
    }
    arguments.sampled[to - from..].fill(-1);
    arguments
}
