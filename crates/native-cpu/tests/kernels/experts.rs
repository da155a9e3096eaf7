//! Mixtures of experts: random layers against the interpreter, routes of every kind, and rows that
//! are to the bit what a product with their expert's matrix alone gives.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{Binary, DType, Graph, Layout, Literal, Op, TensorType, Unary, ValueId};
use tyto_native_cpu::linked::Aligned;
use tyto_native_team::Team;
use tyto_phase_program::{Program, StepSizes};

use crate::activations::activations;
use crate::linear::{check_workers, columns_of, product};
use crate::matrix::{Matrix, layouts, takes_floats};
use crate::random::Random;
use crate::runner::{Arguments, Case, GARBAGE, Named, machines, same_bits};

/// Sizes of a mixture.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    cells: usize,
    decodes: bool,
    experts: usize,
    used: usize,
    width: usize,
    hidden: usize,
}

/// What a mixture is made of beside its sizes.
#[derive(Clone, Copy, Debug, Default)]
struct Form {
    bias: bool,
    of_all: bool,
    sampled: bool,
    /// Whether gate and up are one matrix.
    joined: bool,
}

struct Building<'r> {
    random: &'r mut Random,
    graph: Graph,
    weights: HashMap<String, Tensor>,
}

impl Building<'_> {
    fn add(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.graph.add(op, operands).unwrap_or_else(|why| panic!("{why}"))
    }

    fn given(&mut self, tensor: Tensor) -> ValueId {
        let name = format!("w{}", self.weights.len());
        let op = Op::Weight { name: name.as_str().into(), ty: tensor.ty() };
        self.weights.insert(name, tensor);
        self.add(op, &[])
    }

    fn weight(&mut self, dtype: DType, shape: Vec<usize>, size: f32) -> ValueId {
        let values = self.random.normals(shape.iter().product());
        let values = values.iter().map(|value| value * size);
        self.given(Tensor::floats(dtype, shape, values).expect("sizes fit"))
    }

    fn linear(&mut self, x: ValueId, k: usize, n: usize) -> ValueId {
        let layout = Layout::Tiled { n: 16, k: 1 };
        let shape = layout.stored_shape(n, k).expect("columns fit");
        let weight = self.weight(DType::F32, shape, 1.0 / (k as f32).sqrt());
        self.add(Op::Linear { layout, rows: n }, &[x, weight])
    }

    fn experts(&mut self, x: ValueId, ids: ValueId, [e, n, k]: [usize; 3]) -> ValueId {
        let layout = Layout::Tiled { n: 16, k: 1 };
        let shape = layout.stacked_shape(e, n, k).expect("columns fit");
        let weight = self.weight(DType::F32, shape, 1.0 / (k as f32).sqrt());
        self.add(Op::ExpertLinear { layout, experts: e, rows: n }, &[x, weight, ids])
    }

    /// A row of a table for each choice, added.
    fn biased(&mut self, y: ValueId, ids: ValueId, experts: usize, width: usize) -> ValueId {
        let table = self.weight(DType::F32, vec![experts, width], 1.0);
        let rows = self.add(Op::Take, &[table, ids]);
        self.add(Op::Binary(Binary::Add), &[y, rows])
    }

    fn last(&mut self, x: ValueId, from: usize, to: usize) -> ValueId {
        let mut limit = self.graph.ty(x).shape.fixed().expect("fixed");
        let mut start = vec![0; limit.len()];
        (start[limit.len() - 1], *limit.last_mut().expect("an axis")) = (from, to);
        self.add(Op::Slice { start, limit }, &[x])
    }

    fn softmax(&mut self, x: ValueId) -> ValueId {
        let ty = TensorType::new(DType::Bool, self.graph.ty(x).shape.clone());
        let mask = self.add(Op::Constant(Literal::Splat { value: 1.0, ty }), &[]);
        self.add(Op::MaskedSoftmax, &[x, mask])
    }

    /// A whole mixture of gated MLPs over `x` with the scores `scores`.
    fn mixture(&mut self, x: ValueId, scores: ValueId, sizes: Sizes, form: Form) -> ValueId {
        let Sizes { experts, used, width, hidden, .. } = sizes;
        let ids = self.add(Op::TopK { k: used }, &[scores]);
        let weights = if form.of_all {
            let all = self.softmax(scores);
            self.add(Op::TakeAlong, &[all, ids])
        } else {
            let chosen = self.add(Op::TakeAlong, &[scores, ids]);
            self.softmax(chosen)
        };
        let [gate, up] = if form.joined {
            let mut both = self.experts(x, ids, [experts, 2 * width, hidden]);
            if form.bias {
                both = self.biased(both, ids, experts, 2 * width);
            }
            [self.last(both, 0, width), self.last(both, width, 2 * width)]
        } else {
            [0, 1].map(|_| self.experts(x, ids, [experts, width, hidden]))
        };
        let logistic = self.add(Op::Unary(Unary::Logistic), &[gate]);
        let gate = self.add(Op::Binary(Binary::Multiply), &[gate, logistic]);
        let inner = self.add(Op::Binary(Binary::Multiply), &[gate, up]);
        let mut y = self.experts(inner, ids, [experts, hidden, width]);
        if form.bias {
            y = self.biased(y, ids, experts, hidden);
        }
        self.add(Op::WeightedSum, &[y, weights])
    }
}

/// A layer: embeddings, a mixture added to them, and what is left of the rows.
fn layer(random: &mut Random, sizes: Sizes, form: Form) -> (Case, Arguments) {
    let (batch, tokens) = if sizes.decodes { (sizes.cells, 1) } else { (1, sizes.cells) };
    let rows = if form.sampled { random.below(sizes.cells) + 1 } else { sizes.cells };
    let step = StepSizes { batch, tokens, rows };
    let mut graph = Graph::new("mixture");
    let named = Named::new(&mut graph, step, 1);
    let mut b = Building { random, graph, weights: HashMap::new() };
    let table = b.weight(DType::F32, vec![sizes.cells, sizes.hidden], 1.0);
    let op = Op::Embedding { layout: Layout::RowMajor, rows: sizes.cells };
    let x = b.add(op, &[table, named.tokens]);
    let scores = b.linear(x, sizes.hidden, sizes.experts);
    let mixed = b.mixture(x, scores, sizes, form);
    let mut result = b.add(Op::Binary(Binary::Add), &[x, mixed]);
    if form.sampled {
        result = b.add(Op::Take, &[result, named.sampled]);
    }
    if b.random.one_of(2) {
        result = b.linear(result, sizes.hidden, 19);
    }
    let Building { random, mut graph, weights } = b;
    graph.add_output("logits", result);
    let mut arguments = Arguments::counted(sizes.cells);
    let order = random.order(sizes.cells);
    arguments.sampled = order.into_iter().take(rows).map(|row| row as i32).collect();
    (Case::new(graph, step, weights), arguments)
}

fn random_sizes(random: &mut Random) -> Sizes {
    let cells = random.pick(&[1, 2, 3, 7, 8, 9, 20, 67]);
    let experts = random.pick(&[1, 2, 5, 8, 16, 17, 40]);
    let used = random.below(experts.min(6)) + 1;
    let (width, hidden) = (random.pick(&[3, 16, 20, 40]), random.pick(&[8, 24, 33]));
    Sizes { cells, decodes: random.one_of(2), experts, used, width, hidden }
}

fn random_form(random: &mut Random) -> Form {
    let mut coin = || random.one_of(2);
    Form { bias: coin(), of_all: coin(), sampled: coin(), joined: coin() }
}

#[test]
fn random_mixtures() {
    let mut random = Random::new(71);
    for turn in 0..120 {
        let (sizes, form) = (random_sizes(&mut random), random_form(&mut random));
        let (case, arguments) = layer(&mut random, sizes, form);
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        let largest = expected.iter().fold(1f32, |most, value| most.max(value.abs()));
        for machine in machines(turn) {
            let found = case.run_plain(machine, &arguments);
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!(
                    (found - expected).abs() <= 3e-5 * largest,
                    "mixture {turn} {machine:?} {sizes:?} {form:?}: result {index} is {found}, \
                     not {expected}\n{}",
                    case.program
                );
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_workers_or_on_what_scratch_held() {
    let mut random = Random::new(72);
    for turn in 0..16 {
        let (sizes, form) = (random_sizes(&mut random), random_form(&mut random));
        let (case, arguments) = layer(&mut random, sizes, form);
        for machine in machines(turn) {
            check_workers(&case, &arguments, machine.0, &format!("mixture {turn}"));
            let poisoned = case.run_plain(machine, &arguments);
            let clean = case.run_in(machine, &arguments, 0);
            assert!(same_bits(&poisoned, &clean), "mixture {turn} {machine:?}");
        }
    }
}

/// Fewer tokens than the program was planned for: the same rows as planned for those alone.
#[test]
fn padding_changes_nothing() {
    let mut random = Random::new(73);
    for (cells, real) in [(4, 1), (8, 3), (20, 9), (67, 12)] {
        let sizes = Sizes { cells, decodes: false, experts: 6, used: 2, width: 20, hidden: 24 };
        let (case, whole) = layer(&mut random, sizes, Form::default());
        let mut part = whole.clone();
        part.positions[real..].fill(-1);
        part.sampled =
            (0..cells as i32).map(|row| if row < real as i32 { row } else { -1 }).collect();
        let mut all = whole.clone();
        all.sampled = (0..cells as i32).collect();
        let (expected, _) = case.interpreted(&all, HashMap::new());
        let wanted = real * case.width();
        for machine in machines(cells) {
            let found = case.run_plain(machine, &part);
            let pairs = found.iter().zip(&expected).take(wanted);
            let most = pairs.fold(0f32, |most, (a, b)| most.max((a - b).abs()));
            assert!(most <= 3e-5 * 4.0, "{real} of {cells} {machine:?}: {most}");
        }
    }
}

/// A choice of experts: the scores of each token, row by row.
struct Routed {
    experts: usize,
    used: usize,
    scores: Vec<f32>,
}

impl Routed {
    /// The products of `x` with the matrices that each token's choice `choice` names.
    fn case(
        &self,
        x: &[f32],
        matrices: &[Matrix],
        decodes: bool,
        choice: usize,
    ) -> (Case, Arguments) {
        let first = &matrices[0];
        let (columns, rows) = (first.columns, first.rows);
        let cells = x.len() / columns;
        let (batch, tokens) = if decodes { (cells, 1) } else { (1, cells) };
        let step = StepSizes { batch, tokens, rows: cells };
        let mut graph = Graph::new("routed");
        let named = Named::new(&mut graph, step, 1);
        let mut random = Random::new(1);
        let mut b = Building { random: &mut random, graph, weights: HashMap::new() };
        let embed = |b: &mut Building<'_>, values: &[f32], width: usize| {
            let tensor = Tensor::floats(DType::F32, [cells, width], values.iter().copied());
            let table = b.given(tensor.expect("sizes fit"));
            let op = Op::Embedding { layout: Layout::RowMajor, rows: cells };
            b.add(op, &[table, named.tokens])
        };
        let x = embed(&mut b, x, columns);
        let scores = embed(&mut b, &self.scores, self.experts);
        let ids = b.add(Op::TopK { k: self.used }, &[scores]);
        let stack = b.given(stacked(matrices));
        let op = Op::ExpertLinear { layout: first.layout, experts: self.experts, rows };
        let y = b.add(op, &[x, stack, ids]);
        // Weight 1 for the choice that is wanted: its row itself.
        let weights: Vec<f32> = (0..cells * self.used)
            .map(|at| if at % self.used == choice { 1.0 } else { 0.0 })
            .collect();
        let weights = embed(&mut b, &weights, self.used);
        let row = b.add(Op::WeightedSum, &[y, weights]);
        let Building { mut graph, weights, .. } = b;
        graph.add_output("logits", row);
        (Case::new(graph, step, weights), Arguments::counted(cells))
    }

    /// The expert of each token's choice `choice`.
    fn chosen(&self, choice: usize) -> Vec<usize> {
        let chosen = |scores: &[f32]| {
            let mut ids: Vec<usize> = (0..self.experts).collect();
            ids.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
            ids[choice]
        };
        self.scores.chunks(self.experts).map(chosen).collect()
    }
}

/// The matrices one below the other, as the layout has them.
fn stacked(matrices: &[Matrix]) -> Tensor {
    let first = &matrices[0];
    let shape = first.layout.stacked_shape(matrices.len(), first.rows, first.columns);
    let bytes: Vec<u8> = matrices.iter().flat_map(|matrix| matrix.stored.to_bytes()).collect();
    Tensor::from_bytes(first.stored.dtype(), shape.expect("columns divide"), &bytes).expect("fits")
}

/// The same bits, but that the sum which hands a row out makes 0 of -0.
fn same_numbers(one: &[f32], other: &[f32]) -> bool {
    let positive = |values: &[f32]| values.iter().map(|value| value + 0.0).collect::<Vec<f32>>();
    same_bits(&positive(one), &positive(other))
}

/// Routes of `cells` tokens: any, all to one expert, and all scores equal.
fn routes(cells: usize, experts: usize, used: usize, random: &mut Random) -> Vec<Routed> {
    let lucky = random.below(experts);
    let one = |at: usize| if at % experts == lucky { 5.0 } else { -((at % experts) as f32) };
    let any = random.normals(cells * experts);
    let all = [any, (0..cells * experts).map(one).collect(), vec![0.5; cells * experts]];
    all.into_iter().map(|scores| Routed { experts, used, scores }).collect()
}

#[test]
fn every_row_is_what_its_matrix_alone_gives() {
    let mut random = Random::new(74);
    let (experts, used) = (5, 2);
    for (turn, (layout, dtype)) in layouts().into_iter().enumerate() {
        let columns = columns_of(layout, &mut random);
        let n = [17, 40, 16, 66][turn % 4];
        let matrices: Vec<Matrix> = (0..experts)
            .map(|_| Matrix::random((layout, dtype), n, columns, &mut random))
            .collect();
        // Floats are added up in another order beyond eight rows.
        let blocks = !takes_floats(layout);
        let cells = [1, 4, 8, if blocks { 13 } else { 7 }, if blocks { 60 } else { 6 }];
        let cells = cells[turn % cells.len()];
        let x = activations(cells, columns, &mut random);
        for (index, routed) in routes(cells, experts, used, &mut random).iter().enumerate() {
            let choice = (turn + index) % used;
            let (case, arguments) = routed.case(&x, &matrices, turn % 2 == 0, choice);
            for machine in machines(turn) {
                let found = case.run_plain(machine, &arguments);
                for (token, expert) in routed.chosen(choice).into_iter().enumerate() {
                    let x = &x[token * columns..][..columns];
                    let (case, arguments) = product(x, 1, &matrices[expert], true);
                    let alone = case.run_plain(machine, &arguments);
                    assert!(
                        same_numbers(&alone, &found[token * n..][..n]),
                        "{layout} {machine:?} route {index} of {cells}: token {token}, expert {expert}"
                    );
                }
            }
        }
    }
}

/// A NaN among the scores counts as the largest, and shows in the weights alone.
#[test]
fn not_numbers_among_scores_choose_and_show() {
    let mut random = Random::new(75);
    let (layout, dtype) = layouts()[0];
    let matrices: Vec<Matrix> =
        (0..20).map(|_| Matrix::random((layout, dtype), 16, 8, &mut random)).collect();
    let x = activations(3, 8, &mut random);
    let mut scores = random.normals(3 * 20);
    (scores[7], scores[20 + 19], scores[20 + 3]) = (f32::NAN, f32::INFINITY, -f32::NAN);
    scores[40..].fill(f32::NEG_INFINITY);
    let routed = Routed { experts: 20, used: 2, scores };
    for (choice, expected) in [(0, [Some(7), Some(3), Some(0)]), (1, [None, Some(19), Some(1)])] {
        let (case, arguments) = routed.case(&x, &matrices, true, choice);
        let (interpreted, _) = case.interpreted(&arguments, HashMap::new());
        for machine in machines(choice) {
            let found = case.run_plain(machine, &arguments);
            let pairs = found.iter().zip(&interpreted);
            assert!(
                pairs.clone().all(|(a, b)| (a - b).abs() <= 1e-5),
                "{machine:?} as interpreted"
            );
            for (token, expert) in expected.into_iter().enumerate() {
                let Some(expert) = expert else { continue };
                let (case, arguments) = product(&x[token * 8..][..8], 1, &matrices[expert], true);
                let alone = case.run_plain(machine, &arguments);
                assert!(
                    same_numbers(&alone, &found[token * 16..][..16]),
                    "token {token} {machine:?}"
                );
            }
        }
    }
}

/// Six routed rows of five experts: all matrices are read, each once.
#[test]
fn a_profile_says_what_experts_read_and_computed() {
    let sizes = Sizes { cells: 3, decodes: true, experts: 5, used: 2, width: 20, hidden: 24 };
    let (case, arguments) = layer(&mut Random::new(75), sizes, Form::default());
    let Program { shared_bytes, private_bytes, .. } = case.program;
    for (variant, workers) in machines(0) {
        let mut team = Team::new(workers, shared_bytes, private_bytes).expect("memory and threads");
        let profile = team.profile(100);
        case.run_by(&mut team, variant, &arguments, &mut Aligned::zeros(64), GARBAGE);
        let phases = profile.last().into_iter().filter(|phase| phase.kind >= 4);
        let found: Vec<_> =
            phases.map(|p| (p.kind, p.n, p.k, p.rows, p.bytes, p.operations)).collect();
        let [into, back] = [(20, 24), (24, 20)].map(|(n, k)| {
            let matrix = u64::from(n).next_multiple_of(16) * u64::from(k) * 4;
            (5, n, k, 6, 5 * matrix, 2 * 6 * u64::from(n * k))
        });
        assert_eq!(found, [(4, 0, 0, 3, 0, 0), into, into, back], "{variant:?}");
    }
}
