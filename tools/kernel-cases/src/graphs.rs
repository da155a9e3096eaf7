//! Random graphs of many operations: what the planner stores, computes twice, moves to the
//! sampled rows and lays over what is gone.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{Binary, DType, Graph, Layout, Literal, Op, TensorType, Unary, ValueId};
use tyto_phase_program::StepSizes;

use crate::random::Random;
use crate::sketch::{Arguments, Named, Sketch};

struct Growing<'r> {
    random: &'r mut Random,
    graph: Graph,
    weights: HashMap<String, Tensor>,
    rows: usize,
    /// Values with their widths, and how often each was used.
    values: Vec<(ValueId, usize, usize)>,
}

impl Growing<'_> {
    fn add(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.graph.add(op, operands).unwrap_or_else(|why| panic!("{why}"))
    }

    fn weight(&mut self, shape: Vec<usize>, size: f32) -> ValueId {
        let name = format!("w{}", self.weights.len());
        let values = self.random.normals(shape.iter().product());
        let values = values.iter().map(|value| value * size);
        let tensor = Tensor::floats(DType::F32, shape, values).expect("sizes fit");
        let ty = tensor.ty();
        self.weights.insert(name.clone(), tensor);
        self.add(Op::Weight { name: name.as_str().into(), ty }, &[])
    }

    fn linear(&mut self, x: ValueId, k: usize, n: usize) -> ValueId {
        let layout = Layout::Tiled { n: 16, k: 1 };
        let shape = layout.stored_shape(n, k).expect("columns fit");
        let weight = self.weight(shape, 1.0 / (k as f32).sqrt());
        self.add(Op::Linear { layout, rows: n }, &[x, weight])
    }

    /// A value and its width; mostly one of the last.
    fn any(&mut self) -> (ValueId, usize) {
        let last = self.values.len();
        let index = if self.random.one_of(3) {
            self.random.below(last)
        } else {
            last - 1 - self.random.below(last.min(3))
        };
        self.values[index].2 += 1;
        (self.values[index].0, self.values[index].1)
    }

    /// A value of this width, another one if there is one.
    fn of_width(&mut self, width: usize, but: ValueId) -> ValueId {
        let fitting = |value: &&mut (ValueId, usize, usize)| value.1 == width && value.0 != but;
        let Some(value) = self.values.iter_mut().rev().find(fitting) else { return but };
        value.2 += 1;
        value.0
    }

    /// One more operation.
    fn grow(&mut self) {
        let (x, width) = self.any();
        let (value, width) = match self.random.below(9) {
            0 | 1 => {
                let n = self.random.pick(&[8, 16, 24, 40]);
                (self.linear(x, width, n), n)
            }
            2 => {
                let unary = self.random.pick(&[Unary::Tanh, Unary::Logistic, Unary::Negate]);
                (self.add(Op::Unary(unary), &[x]), width)
            }
            3 | 4 => (self.binary(x, width), width),
            5 => (self.with_scalar(x, width), width),
            6 => (self.norm(x, width, 1), width),
            7 if width.is_multiple_of(4) => (self.norm(x, width, 4), width),
            7 => (self.norm(x, width, 1), width),
            _ if width < 8 => (self.binary(x, width), width),
            _ => {
                let from = self.random.below(width / 2);
                let limit = vec![self.rows, from + width / 2];
                (self.add(Op::Slice { start: vec![0, from], limit }, &[x]), width / 2)
            }
        };
        self.values.push((value, width, 0));
    }

    fn binary(&mut self, x: ValueId, width: usize) -> ValueId {
        let y = self.of_width(width, x);
        let y = self.add(Op::Unary(Unary::Tanh), &[y]);
        let all = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Maximum];
        let binary = self.random.pick(&all);
        self.add(Op::Binary(binary), &[x, y])
    }

    fn with_scalar(&mut self, x: ValueId, width: usize) -> ValueId {
        let ty = TensorType::new(DType::F32, [self.rows, width]);
        let other = if self.random.one_of(2) {
            let value = self.random.unit().into();
            self.add(Op::Constant(Literal::Splat { value, ty }), &[])
        } else {
            let vector = self.weight(vec![width], 1.0);
            self.add(Op::Broadcast { shape: vec![self.rows, width], axes: vec![1] }, &[vector])
        };
        let binary = self.random.pick(&[Binary::Add, Binary::Multiply, Binary::Minimum]);
        let operands = if self.random.one_of(2) { [x, other] } else { [other, x] };
        self.add(Op::Binary(binary), &operands)
    }

    fn norm(&mut self, x: ValueId, width: usize, heads: usize) -> ValueId {
        let weight = self.weight(vec![width / heads], 1.0);
        let x = self.add(Op::Reshape(vec![self.rows, heads, width / heads]), &[x]);
        let normal = self.add(Op::RmsNorm { epsilon: 1e-2, offset: 1.0 }, &[x, weight]);
        self.add(Op::Reshape(vec![self.rows, width]), &[normal])
    }

    /// The sum of everything that nothing has used, as wide as `width`.
    fn gathered(&mut self, width: usize) -> ValueId {
        let left: Vec<(ValueId, usize)> = (self.values.iter())
            .filter(|(_, _, uses)| *uses == 0)
            .map(|(value, width, _)| (*value, *width))
            .collect();
        let mut sum: Option<ValueId> = None;
        for (value, k) in left {
            // Some go through a product, some are added as they are.
            let same = k == width && self.random.one_of(2);
            let value = if same { value } else { self.linear(value, k, width) };
            sum = Some(match sum {
                Some(sum) => self.add(Op::Binary(Binary::Add), &[sum, value]),
                None => value,
            });
        }
        sum.expect("the last value has no use")
    }
}

/// A random graph, and how many of its rows of results are wanted.
pub fn random_case(random: &mut Random) -> (Sketch, Arguments, usize) {
    let cells = random.pick(&[1, 2, 7, 8, 9, 20]);
    let (batch, tokens) = if random.one_of(2) { (cells, 1) } else { (1, cells) };
    let sampled = random.one_of(2);
    let rows = if sampled { random.below(cells) + 1 } else { cells };
    let sizes = StepSizes { batch, tokens, rows };
    let mut graph = Graph::new("random");
    let named = Named::new(&mut graph, sizes, 1);
    let mut growing =
        Growing { random, graph, weights: HashMap::new(), rows: cells, values: Vec::new() };
    let table = growing.weight(vec![cells, 32], 1.0);
    let op = Op::Embedding { layout: Layout::RowMajor, rows: cells };
    let x = growing.add(op, &[table, named.tokens]);
    // A product first: it has the embeddings stored if something else needs them, too.
    growing.values.push((x, 32, 1));
    let first = growing.linear(x, 32, 24);
    growing.values.push((first, 24, 0));
    for _ in 0..growing.random.below(14) + 2 {
        growing.grow();
    }
    let mut result = growing.gathered(16);
    if sampled {
        result = growing.add(Op::Take, &[result, named.sampled]);
        growing.rows = rows;
        result = growing.norm(result, 16, 1);
    }
    if growing.random.one_of(2) {
        result = growing.linear(result, 16, 37);
    }
    let Growing { random, mut graph, weights, .. } = growing;
    graph.add_output("logits", result);
    let mut arguments = Arguments::counted(cells);
    arguments.sampled = random.order(cells).iter().take(rows).map(|row| *row as i32).collect();
    let wanted = if sampled { random.below(rows) + 1 } else { rows };
    (Sketch::new(graph, sizes, weights), arguments, wanted)
}
