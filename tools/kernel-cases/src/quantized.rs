//! Quantized keys and values as the interpreter has them.

use std::collections::HashMap;

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, KvCode, Op};

/// `values`, of this shape, as the interpreter quantizes them.
pub fn quantized(code: KvCode, [blocks, size, heads, dim]: [usize; 4], values: &[f32]) -> Tensor {
    let shape = [blocks * size, heads, dim];
    let x = Tensor::floats(DType::F32, shape, values.iter().copied()).expect("sizes fit");
    let mut graph = Graph::new("quantize");
    let input = graph.add_input("x", x.ty(), InputKind::Plain);
    let y = graph.add(Op::QuantizeKv(code), &[input]).expect("whole groups");
    graph.add_output("y", y);
    let inputs = HashMap::from([("x".to_owned(), x)]);
    let y = evaluate(&graph, inputs, &|_| None).expect("the graph runs").remove("y");
    let bytes = y.expect("y").to_bytes();
    let width = code.row_bytes(dim).expect("whole groups");
    Tensor::from_bytes(DType::U8, [blocks, size, heads, width], &bytes).expect("sizes fit")
}
