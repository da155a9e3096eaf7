//! Row operations one by one: odd widths, few and many rows, special values.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    Binary, DType, Graph, Layout, Literal, Op, RopeScaling, RopeTable, TensorType, Unary, ValueId,
};
use tyto_phase_program::StepSizes;

use crate::random::Random;
use crate::sketch::{Arguments, Named, Sketch};

/// A graph whose rows are looked up from tables of f32.
struct Rows {
    graph: Graph,
    named: Named,
    sizes: StepSizes,
    weights: HashMap<String, Tensor>,
}

impl Rows {
    fn new(cells: usize) -> Self {
        let sizes = StepSizes { batch: cells, tokens: 1, rows: cells };
        let mut graph = Graph::new("rows");
        let named = Named::new(&mut graph, sizes, 1);
        Self { graph, named, sizes, weights: HashMap::new() }
    }

    fn add(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.graph.add(op, operands).unwrap_or_else(|why| panic!("{why}"))
    }

    fn weight(&mut self, name: &str, shape: &[usize], values: Vec<f32>) -> ValueId {
        let tensor = Tensor::floats(DType::F32, shape, values).expect("sizes fit");
        self.weights.insert(name.to_owned(), tensor);
        let ty = TensorType::new(DType::F32, shape);
        self.add(Op::Weight { name: name.into(), ty }, &[])
    }

    /// `[cells, width]`: row `r` of `values` for cell `r`.
    fn rows(&mut self, name: &str, width: usize, values: Vec<f32>) -> ValueId {
        let rows = self.sizes.rows;
        let table = self.weight(name, &[rows, width], values);
        let tokens = self.named.tokens;
        self.add(Op::Embedding { layout: Layout::RowMajor, rows }, &[table, tokens])
    }

    fn reshaped(&mut self, value: ValueId, shape: &[usize]) -> ValueId {
        self.add(Op::Reshape(shape.to_vec()), &[value])
    }

    fn finish(mut self, value: ValueId) -> Sketch {
        self.graph.add_output("logits", value);
        Sketch::new(self.graph, self.sizes, self.weights)
    }
}

/// How far a result may be from the interpreter's: `relative` of it, or `absolute`.
#[derive(Clone, Copy)]
pub struct Tolerance {
    relative: f32,
    absolute: f32,
}

const EXACT: Tolerance = Tolerance { relative: 0.0, absolute: 0.0 };

impl Tolerance {
    /// Whether it is.
    pub fn holds(self, found: f32, expected: f32) -> bool {
        let same = found == expected || (found.is_nan() && expected.is_nan());
        same || (found - expected).abs() <= self.relative * expected.abs() + self.absolute
    }
}

/// One case.
pub struct RowCase {
    /// Its graph.
    pub sketch: Sketch,
    /// Its step.
    pub arguments: Arguments,
    /// How close results must be.
    pub tolerance: Tolerance,
    /// Its turn among cases of its kind.
    pub turn: usize,
    /// What it is, in words.
    pub what: String,
}

/// Widths with and without a rest beside whole registers; rows below and beyond a prologue's.
const SHAPES: [(usize, usize); 6] = [(1, 1), (3, 15), (8, 16), (9, 17), (20, 50), (2, 96)];

/// Numbers of every size, with a part of special ones.
fn numbers(count: usize, random: &mut Random) -> Vec<f32> {
    let special = [
        0.0,
        -0.0,
        1.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN,
        1e-40,
        -1e-40,
        f32::MIN_POSITIVE,
        88.7,
        -103.5,
        1e-20,
    ];
    let number = |random: &mut Random| match random.below(5) {
        0 => random.pick(&special),
        1 => random.normal() * 60.0,
        _ => random.normal(),
    };
    (0..count).map(|_| number(random)).collect()
}

/// Every function of one number.
pub fn functions_of_one_operand() -> Vec<RowCase> {
    let mut cases = Vec::new();
    let functions = [
        (Unary::Negate, EXACT),
        (Unary::Sqrt, EXACT),
        (Unary::Rsqrt, Tolerance { relative: 2.0 * f32::EPSILON, absolute: 0.0 }),
        (Unary::Exponential, Tolerance { relative: 4e-7, absolute: 1e-42 }),
        (Unary::Logistic, Tolerance { relative: 6e-7, absolute: 1e-37 }),
        (Unary::Tanh, Tolerance { relative: 0.0, absolute: 3e-7 }),
        (Unary::Erf, Tolerance { relative: 0.0, absolute: 4e-7 }),
    ];
    let mut random = Random::new(21);
    for (unary, tolerance) in functions {
        for (turn, (cells, width)) in SHAPES.into_iter().enumerate() {
            let mut sketch = Rows::new(cells);
            let x = sketch.rows("x", width, numbers(cells * width, &mut random));
            let y = sketch.add(Op::Unary(unary), &[x]);
            let what = format!("{unary:?} of {cells} rows of {width}");
            let (sketch, arguments) = (sketch.finish(y), Arguments::counted(cells));
            cases.push(RowCase { sketch, arguments, tolerance, turn, what });
        }
    }
    cases
}

const BINARIES: [Binary; 6] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Maximum,
    Binary::Minimum,
];

/// The second operand of a function of two.
#[derive(Clone, Copy, Debug)]
enum Other {
    Rows,
    Weight,
    Constant,
    ScalarRight,
    ScalarLeft,
}

fn two_operands(
    binary: Binary,
    other: Other,
    (cells, width): (usize, usize),
    random: &mut Random,
) -> Sketch {
    let mut sketch = Rows::new(cells);
    let x = sketch.rows("x", width, numbers(cells * width, random));
    let scalar = random.pick(&[0.0, 2.5, -3.0, 1e-39, f32::INFINITY, f32::NAN]);
    let broadcast = Op::Broadcast { shape: vec![cells, width], axes: vec![1] };
    let ty = TensorType::new(DType::F32, [cells, width]);
    let splat = Op::Constant(Literal::Splat { value: scalar.into(), ty });
    let second = match other {
        Other::Rows => sketch.rows("y", width, numbers(cells * width, random)),
        Other::Weight => {
            let vector = sketch.weight("v", &[width], numbers(width, random));
            sketch.add(broadcast, &[vector])
        }
        Other::Constant => {
            let vector = Op::Constant(Literal::Vector(numbers(width, random)));
            let vector = sketch.add(vector, &[]);
            sketch.add(broadcast, &[vector])
        }
        Other::ScalarRight | Other::ScalarLeft => sketch.add(splat, &[]),
    };
    let operands = if matches!(other, Other::ScalarLeft) { [second, x] } else { [x, second] };
    let y = sketch.add(Op::Binary(binary), &operands);
    sketch.finish(y)
}

/// Every function of two.
pub fn functions_of_two_operands() -> Vec<RowCase> {
    let mut cases = Vec::new();
    let mut random = Random::new(22);
    let others =
        [Other::Rows, Other::Weight, Other::Constant, Other::ScalarRight, Other::ScalarLeft];
    for binary in BINARIES {
        for other in others {
            for (turn, shape) in SHAPES.into_iter().enumerate() {
                let case = two_operands(binary, other, shape, &mut random);
                let what = format!("{binary:?} with {other:?}, {shape:?}");
                let (sketch, arguments) = (case, Arguments::counted(shape.0));
                cases.push(RowCase { sketch, arguments, tolerance: EXACT, turn, what });
            }
        }
    }
    cases
}

/// Norms of whole rows and of heads.
pub fn norms_of_rows_and_of_heads() -> Vec<RowCase> {
    let mut cases = Vec::new();
    let mut random = Random::new(23);
    let shapes = [(1, 1, 1), (3, 1, 17), (8, 3, 16), (9, 2, 20), (20, 1, 640), (5, 4, 64)];
    for (turn, (cells, heads, dim)) in shapes.into_iter().enumerate() {
        for (epsilon, offset) in [(1e-6, 0.0), (1e-5, 1.0), (0.0, 0.0)] {
            let mut sketch = Rows::new(cells);
            let size = random.pick(&[1.0, 1e-3, 300.0]);
            let width = heads * dim;
            let x = random.normals(cells * width).iter().map(|x| x * size).collect();
            let mut x = sketch.rows("x", width, x);
            let weight = sketch.weight("w", &[dim], random.normals(dim));
            if heads > 1 {
                x = sketch.reshaped(x, &[cells, heads, dim]);
            }
            // Of one element without its mean nothing is left, and infinity where nothing is added.
            let layer = epsilon > 0.0 && random.below(2) == 0;
            let op = match layer {
                true => Op::LayerNorm { epsilon, offset },
                false => Op::RmsNorm { epsilon, offset },
            };
            let y = sketch.add(op, &[x, weight]);
            let y = sketch.reshaped(y, &[cells, width]);
            let absolute = if layer { 4e-6 } else { 1e-7 };
            let tolerance = Tolerance { relative: 2e-6, absolute };
            let kind = if layer { "layer norm" } else { "norm" };
            let what =
                format!("{kind} of {cells} rows, {heads} heads of {dim}, {epsilon} {offset}");
            let (sketch, arguments) = (sketch.finish(y), Arguments::counted(cells));
            cases.push(RowCase { sketch, arguments, tolerance, turn, what });
        }
    }
    cases
}

/// Far positions are where angles in f32 would go wrong first.
const POSITIONS: [i32; 9] = [0, 1, 2, 77, 4095, 100_000, 131_071, 999_983, 1_000_000];

fn rope_case(table: RopeTable, heads: usize, dim: usize, random: &mut Random) -> Sketch {
    let cells = POSITIONS.len();
    let mut sketch = Rows::new(cells);
    let x = sketch.rows("x", heads * dim, random.normals(cells * heads * dim));
    let x = sketch.reshaped(x, &[cells, heads, dim]);
    let named = &sketch.named;
    let mut operands = vec![named.positions];
    operands.extend(table.needs_length().then_some(named.lengths));
    let angles = sketch.add(Op::RopeAngles(table), &operands);
    let y = sketch.add(Op::Rope, &[x, angles]);
    let y = sketch.reshaped(y, &[cells, heads * dim]);
    sketch.finish(y)
}

fn frequencies(pairs: usize, theta: f64) -> Vec<f32> {
    (0..pairs).map(|pair| theta.powf(-(pair as f64) / pairs as f64) as f32).collect()
}

/// Rotations at positions near and far.
pub fn rotary_embeddings_near_and_far() -> Vec<RowCase> {
    let mut cases = Vec::new();
    let mut random = Random::new(24);
    let shapes = [(1, 16, 8), (3, 64, 32), (2, 80, 20), (4, 10, 3), (2, 96, 48), (1, 128, 64)];
    for (turn, (heads, dim, pairs)) in shapes.into_iter().enumerate() {
        for (amplitude, long) in [(1.0, false), (1.19, false), (0.9, true)] {
            let scaling = if long {
                RopeScaling::LongBeyond { boundary: 4096, long: frequencies(pairs, 5e5) }
            } else {
                RopeScaling::Fixed
            };
            let inverse_frequencies = frequencies(pairs, 1e4);
            let table = RopeTable { inverse_frequencies, amplitude, scaling };
            let sketch = rope_case(table, heads, dim, &mut random);
            let mut arguments = Arguments::counted(POSITIONS.len());
            arguments.positions = POSITIONS.to_vec();
            arguments.lengths = POSITIONS.map(|position| position + 1).to_vec();
            // A short position in a long sequence, too.
            arguments.lengths[1] = 4097;
            let tolerance = Tolerance { relative: 0.0, absolute: 2e-6 };
            let what = format!("{heads} heads of {dim}, {pairs} pairs, {amplitude} {long}");
            cases.push(RowCase { sketch, arguments, tolerance, turn, what });
        }
    }
    cases
}
