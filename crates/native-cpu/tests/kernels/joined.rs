//! Products of a prompt done at once with the element-wise operations behind them, against the same
//! phases one by one. A machine without matrix registers does them one by one anyway.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{Binary, DType, Graph, Layout, Literal, Op, TensorType, Unary, ValueId};
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::Aligned;
use tyto_phase_program::StepSizes;

use crate::activations::activations;
use crate::matrix::{Matrix, layouts};
use crate::random::Random;
use crate::runner::{Arguments, Case, Named, same_bits};

/// What stands between two products.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Between {
    /// `silu(first half) * second half`.
    Gate,
    /// The same, the halves in the other order, with numbers beside the values.
    Scaled,
    /// `tanh` of all columns.
    Whole,
    /// A gate whose second half is needed again at the end.
    Kept,
    /// A gate, then a norm, which is not element-wise.
    Norm,
}

struct Builder {
    graph: Graph,
    weights: HashMap<String, Tensor>,
}

impl Builder {
    fn add(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.graph.add(op, operands).unwrap_or_else(|why| panic!("{why}"))
    }

    fn tensor(&mut self, name: &str, tensor: Tensor) -> ValueId {
        let ty = tensor.ty();
        self.weights.insert(name.to_owned(), tensor);
        self.add(Op::Weight { name: name.into(), ty }, &[])
    }

    fn product(&mut self, name: &str, x: ValueId, matrix: &Matrix) -> ValueId {
        let weight = self.tensor(name, matrix.stored.clone());
        self.add(Op::Linear { layout: matrix.layout, rows: matrix.rows }, &[x, weight])
    }

    fn columns(&mut self, y: ValueId, rows: usize, from: usize, to: usize) -> ValueId {
        self.add(Op::Slice { start: vec![0, from], limit: vec![rows, to] }, &[y])
    }

    fn scaled(&mut self, value: ValueId, rows: usize, width: usize, factor: f64) -> ValueId {
        let ty = TensorType::new(DType::F32, [rows, width]);
        let wide = self.add(Op::Constant(Literal::Splat { value: factor, ty }), &[]);
        self.add(Op::Binary(Binary::Multiply), &[value, wide])
    }

    fn gated(&mut self, gate: ValueId, up: ValueId) -> ValueId {
        let logistic = self.add(Op::Unary(Unary::Logistic), &[gate]);
        let silu = self.add(Op::Binary(Binary::Multiply), &[gate, logistic]);
        self.add(Op::Binary(Binary::Multiply), &[silu, up])
    }
}

/// A product of `rows` tokens, what is between, and a product of that.
fn case(between: Between, x: &[f32], [first, second]: [&Matrix; 2]) -> (Case, Arguments) {
    let rows = x.len() / first.columns;
    let width = second.columns;
    let sizes = StepSizes { batch: 1, tokens: rows, rows };
    let mut graph = Graph::new("joined");
    let named = Named::new(&mut graph, sizes, 1);
    let mut build = Builder { graph, weights: HashMap::new() };
    let x = Tensor::floats(DType::F32, [rows, first.columns], x.iter().copied()).expect("fits");
    let table = build.tensor("x", x);
    let embedding = Op::Embedding { layout: Layout::RowMajor, rows };
    let x = build.add(embedding, &[table, named.tokens]);
    let y = build.product("first", x, first);
    let halves =
        |build: &mut Builder| [0, width].map(|from| build.columns(y, rows, from, from + width));
    let middle = match between {
        Between::Whole => build.add(Op::Unary(Unary::Tanh), &[y]),
        Between::Scaled => {
            let [up, gate] = halves(&mut build);
            let gate = build.scaled(gate, rows, width, 1.5);
            let all = build.gated(gate, up);
            build.scaled(all, rows, width, -0.25)
        }
        Between::Gate | Between::Kept | Between::Norm => {
            let [gate, up] = halves(&mut build);
            build.gated(gate, up)
        }
    };
    let middle = if between == Between::Norm {
        let ones = Tensor::floats(DType::F32, [width], vec![1.0; width]).expect("fits");
        let ones = build.tensor("norm", ones);
        build.add(Op::RmsNorm { epsilon: 1e-5, offset: 0.0 }, &[middle, ones])
    } else {
        middle
    };
    let mut end = build.product("second", middle, second);
    if between == Between::Kept {
        let up = build.columns(y, rows, width, width + second.rows);
        end = build.add(Op::Binary(Binary::Add), &[end, up]);
    }
    build.graph.add_output("logits", end);
    (Case::new(build.graph, sizes, build.weights), Arguments::counted(rows))
}

/// `first` has all columns that are read of it, `second` as many columns as what is between.
fn matrices(
    kind: (Layout, DType),
    between: Between,
    [inner, columns]: [usize; 2],
    random: &mut Random,
) -> [Matrix; 2] {
    let wide = if between == Between::Whole { inner } else { 2 * inner };
    [Matrix::random(kind, wide, columns, random), Matrix::random(kind, 19, inner, random)]
}

/// Compares both ways where the machine has the registers. Whether it has.
fn check(
    between: Between,
    joined: usize,
    rows: usize,
    [first, second]: &[Matrix; 2],
    random: &mut Random,
) -> bool {
    let x = activations(rows, first.columns, random);
    let (case, arguments) = case(between, &x, [first, second]);
    let (mut apart, _) = self::case(between, &x, [first, second]);
    assert_eq!(apart.part(), joined, "{between:?} {}", first.layout);
    for machine in [(Variant::V4Vnni, 1), (Variant::V4Extended, 2), (Variant::V4Vnni, 5)] {
        let run = |case: &Case| case.run_with_amx(machine, &arguments, &mut Aligned::zeros(64));
        let (Some(found), Some(expected)) = (run(&case), run(&apart)) else { return false };
        let what = format!("{between:?} {} {machine:?}, {rows} rows", first.layout);
        assert!(expected.iter().any(|value| *value != 0.0), "{what}: all is zero");
        assert!(same_bits(&found, &expected), "{what}: not the same bits");
    }
    true
}

/// Rows below, at and beyond bands, groups of them and spans; columns of one panel and of several.
#[test]
fn a_gate_in_one_phase_has_the_bits_of_two() {
    let mut random = Random::new(91);
    let kinds = [layouts()[2], layouts()[5], layouts()[26]];
    for (turn, rows) in [9, 16, 17, 33, 130, 300, 530].into_iter().enumerate() {
        for between in [Between::Gate, Between::Scaled, Between::Whole] {
            let sizes = [[256, 256], [512, 1792]][turn % 2];
            let matrices = matrices(kinds[turn % 3], between, sizes, &mut random);
            if !check(between, 2, rows, &matrices, &mut random) {
                return;
            }
        }
    }
}

/// What is needed elsewhere, or is no operation on single numbers, stays two phases.
#[test]
fn what_does_not_fit_stays_apart() {
    let mut random = Random::new(92);
    let kind = layouts()[2];
    for between in [Between::Kept, Between::Norm] {
        let matrices = matrices(kind, between, [64, 64], &mut random);
        check(between, 0, 40, &matrices, &mut random);
    }
    // No whole strips; and no registers.
    for (kind, inner) in [(kind, 48), (layouts()[0], 64)] {
        let [first, _] = matrices(kind, Between::Gate, [inner, 64], &mut random);
        let second = Matrix::random(layouts()[0], 19, inner, &mut random);
        check(Between::Gate, 0, 40, &[first, second], &mut random);
    }
}
