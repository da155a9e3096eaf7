//! Mixtures of experts: random layers, and routes of every kind.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{Binary, DType, Graph, Groups, Layout, Literal, Op, TensorType, Unary, ValueId};
use tyto_phase_program::StepSizes;

use crate::matrix::Matrix;
use crate::random::Random;
use crate::sketch::{Arguments, Named, Sketch};

/// Sizes of a mixture.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub cells: usize,
    pub decodes: bool,
    pub experts: usize,
    pub used: usize,
    pub width: usize,
    pub hidden: usize,
}

/// What a mixture is made of beside its sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form {
    pub bias: bool,
    pub of_all: bool,
    pub sampled: bool,
    /// Whether gate and up are one matrix.
    pub joined: bool,
    /// Whether these then have biases in a table each.
    pub apart: bool,
    /// Whether scores are logistic, with a correction of the choice, and weights divided by their
    /// sum.
    pub logistic: bool,
    /// Whether only the best groups are looked at, where experts divide into groups.
    pub grouped: bool,
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
        let groups = groups_of(sizes).filter(|_| form.grouped);
        let (ids, weights) = if form.logistic {
            self.logistic(scores, used, groups)
        } else {
            self.softmaxed(scores, used, groups, form.of_all)
        };
        self.experts_of(x, [ids, weights], [experts, width, hidden], form)
    }

    fn softmaxed(
        &mut self,
        scores: ValueId,
        used: usize,
        groups: Option<Groups>,
        of_all: bool,
    ) -> (ValueId, ValueId) {
        let ids = self.add(Op::TopK { k: used, groups }, &[scores]);
        let weights = if of_all {
            let all = self.softmax(scores);
            self.add(Op::TakeAlong, &[all, ids])
        } else {
            let chosen = self.add(Op::TakeAlong, &[scores, ids]);
            self.softmax(chosen)
        };
        (ids, weights)
    }

    /// Chosen by logistic scores and a vector, weighed by the scores alone over their sum.
    fn logistic(
        &mut self,
        scores: ValueId,
        used: usize,
        groups: Option<Groups>,
    ) -> (ValueId, ValueId) {
        let shape = self.graph.ty(scores).shape.fixed().expect("fixed");
        let scores = self.add(Op::Unary(Unary::Logistic), &[scores]);
        let bias = self.weight(DType::F32, vec![shape[1]], 0.5);
        let bias = self.add(Op::Broadcast { shape: shape.clone(), axes: vec![1] }, &[bias]);
        let choice = self.add(Op::Binary(Binary::Add), &[scores, bias]);
        let ids = self.add(Op::TopK { k: used, groups }, &[choice]);
        let weights = self.add(Op::TakeAlong, &[scores, ids]);
        let splat = |b: &mut Self, like: ValueId| {
            let literal = Literal::Splat { value: 1.0, ty: b.graph.ty(like).clone() };
            b.add(Op::Constant(literal), &[])
        };
        let ones = splat(self, weights);
        let terms = self.add(Op::Reshape(vec![shape[0], used, 1]), &[weights]);
        let sum = self.add(Op::WeightedSum, &[terms, ones]);
        let one = splat(self, sum);
        let factor = self.add(Op::Binary(Binary::Divide), &[one, sum]);
        let row = self.add(Op::Reshape(vec![shape[0], 1, used]), &[weights]);
        (ids, self.add(Op::WeightedSum, &[row, factor]))
    }

    fn experts_of(
        &mut self,
        x: ValueId,
        [ids, weights]: [ValueId; 2],
        [experts, width, hidden]: [usize; 3],
        form: Form,
    ) -> ValueId {
        let [gate, up] = if form.joined {
            let mut both = self.experts(x, ids, [experts, 2 * width, hidden]);
            if form.bias && !form.apart {
                both = self.biased(both, ids, experts, 2 * width);
            }
            [0, width].map(|from| {
                let half = self.last(both, from, from + width);
                match form.bias && form.apart {
                    true => self.biased(half, ids, experts, width),
                    false => half,
                }
            })
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

/// Groups that leave enough experts to choose from: two, or as many as divide the experts.
fn groups_of(sizes: Sizes) -> Option<Groups> {
    let count = (2..=sizes.experts).find(|count| sizes.experts.is_multiple_of(*count))?;
    let size = sizes.experts / count;
    Some(Groups { count, kept: sizes.used.div_ceil(size), best: size.min(2) })
}

/// A layer: embeddings, a mixture added to them, and what is left of the rows.
pub fn layer(random: &mut Random, sizes: Sizes, form: Form) -> (Sketch, Arguments) {
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
    (Sketch::new(graph, step, weights), arguments)
}

/// Rows of heads, each times a matrix of its own, joined with the heads themselves and zeros, of
/// which a part is what is left.
pub fn heads(random: &mut Random, cells: usize, decodes: bool) -> (Sketch, Arguments) {
    heads_in((Layout::Tiled { n: 16, k: 1 }, DType::F32), random, cells, decodes)
}

/// The same with matrices stored in another way; columns are whole steps of matrix registers then.
pub fn heads_in(
    (layout, dtype): (Layout, DType),
    random: &mut Random,
    cells: usize,
    decodes: bool,
) -> (Sketch, Arguments) {
    let columns = if dtype == DType::F32 { [3, 10, 32] } else { [16, 48, 32] };
    let (heads, columns) = (random.below(4) + 1, random.pick(&columns));
    let rows = random.pick(&[16, 32, 48]);
    let (batch, tokens) = if decodes { (cells, 1) } else { (1, cells) };
    let step = StepSizes { batch, tokens, rows: cells };
    let mut graph = Graph::new("heads");
    let named = Named::new(&mut graph, step, 1);
    let mut b = Building { random, graph, weights: HashMap::new() };
    let table = b.weight(DType::F32, vec![cells, heads * columns], 1.0);
    let op = Op::Embedding { layout: Layout::RowMajor, rows: cells };
    let x = b.add(op, &[table, named.tokens]);
    let x = b.add(Op::Reshape(vec![cells, heads, columns]), &[x]);
    let shape = layout.stacked_shape(heads, rows, columns).expect("columns fit");
    let weight = b.weight(dtype, shape, 1.0 / (columns as f32).sqrt());
    let y = b.add(Op::HeadLinear { layout, rows }, &[x, weight]);
    let ty = TensorType::new(DType::F32, [cells, heads, 5]);
    let zeros = b.add(Op::Constant(Literal::Splat { value: 0.0, ty }), &[]);
    let joined = b.add(Op::Concat { axis: 2 }, &[y, x, zeros]);
    let part = b.last(joined, rows - 7, rows + columns + 2);
    let result = b.add(Op::Reshape(vec![cells, heads * (columns + 9)]), &[part]);
    let Building { mut graph, weights, .. } = b;
    graph.add_output("logits", result);
    (Sketch::new(graph, step, weights), Arguments::counted(cells))
}

pub fn random_sizes(random: &mut Random) -> Sizes {
    let cells = random.pick(&[1, 2, 3, 7, 8, 9, 20, 67]);
    let experts = random.pick(&[1, 2, 5, 8, 16, 17, 40]);
    let used = random.below(experts.min(6)) + 1;
    let (width, hidden) = (random.pick(&[3, 16, 20, 40]), random.pick(&[8, 24, 33]));
    Sizes { cells, decodes: random.one_of(2), experts, used, width, hidden }
}

pub fn random_form(random: &mut Random) -> Form {
    let mut coin = || random.one_of(2);
    Form {
        bias: coin(),
        of_all: coin(),
        sampled: coin(),
        joined: coin(),
        logistic: coin(),
        grouped: coin(),
        apart: coin(),
    }
}

/// A choice of experts: the scores of each token, row by row.
pub struct Routed {
    pub experts: usize,
    pub used: usize,
    pub scores: Vec<f32>,
}

impl Routed {
    /// The products of `x` with the matrices that each token's choice `choice` names.
    pub fn case(
        &self,
        x: &[f32],
        matrices: &[Matrix],
        decodes: bool,
        choice: usize,
    ) -> (Sketch, Arguments) {
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
        let ids = b.add(Op::TopK { k: self.used, groups: None }, &[scores]);
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
        (Sketch::new(graph, step, weights), Arguments::counted(cells))
    }

    /// The expert of each token's choice `choice`.
    pub fn chosen(&self, choice: usize) -> Vec<usize> {
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

/// Routes of `cells` tokens: any, all to one expert, and all scores equal.
pub fn routes(cells: usize, experts: usize, used: usize, random: &mut Random) -> Vec<Routed> {
    let lucky = random.below(experts);
    let one = |at: usize| if at % experts == lucky { 5.0 } else { -((at % experts) as f32) };
    let any = random.normals(cells * experts);
    let all = [any, (0..cells * experts).map(one).collect(), vec![0.5; cells * experts]];
    all.into_iter().map(|scores| Routed { experts, used, scores }).collect()
}
