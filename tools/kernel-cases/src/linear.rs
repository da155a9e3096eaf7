//! Products with a matrix.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{DType, Graph, Layout, Op, TensorType};
use tyto_phase_program::StepSizes;

use crate::matrix::Matrix;
use crate::sketch::{Named, Sketch};

/// `logits = x wᵀ`, where token `t` has row `t` of `x`. As a batch each row is a sequence's.
pub fn product(x: &[f32], rows: usize, matrix: &Matrix, as_batch: bool) -> Sketch {
    let columns = matrix.columns;
    let (batch, tokens) = if as_batch { (rows, 1) } else { (1, rows) };
    let sizes = StepSizes { batch, tokens, rows };
    let mut graph = Graph::new("product");
    let named = Named::new(&mut graph, sizes, 1);
    let table = TensorType::new(DType::F32, [rows, columns]);
    let table = graph.add(Op::Weight { name: "x".into(), ty: table }, &[]).expect("a weight");
    let op = Op::Embedding { layout: Layout::RowMajor, rows };
    let embedded = graph.add(op, &[table, named.tokens]).expect("a table");
    let weight = graph.add(Op::Weight { name: "w".into(), ty: matrix.stored.ty() }, &[]);
    let op = Op::Linear { layout: matrix.layout, rows: matrix.rows };
    let y = graph.add(op, &[embedded, weight.expect("a weight")]).expect("a product");
    graph.add_output("logits", y);
    let x = Tensor::floats(DType::F32, [rows, columns], x.iter().copied()).expect("sizes fit");
    let weights = HashMap::from([("x".to_owned(), x), ("w".to_owned(), matrix.stored.clone())]);
    Sketch::new(graph, sizes, weights)
}
