//! Quantized caches: from the graph's order of bytes, which is GGUF's, to the kernels'
//! (`kernels-cpu/attention.h`).

use std::collections::HashMap;

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, KvCode, Op};

/// Positions of a block.
const BLOCK: usize = 16;

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

/// The keys or the values of a cache.
pub struct Heads {
    pub code: KvCode,
    pub kv_heads: usize,
    pub dim: usize,
    pub values: bool,
}

impl Heads {
    /// Calls back with the block, the place inside its part, and the bytes there, of all that
    /// `graph`, `[blocks, 16, kv_heads, bytes]`, says.
    pub fn each_piece(&self, graph: &[u8], mut each: impl FnMut(usize, usize, &[u8])) {
        let row_bytes = self.code.row_bytes(self.dim).expect("whole groups");
        for (index, row) in graph.chunks(row_bytes).enumerate() {
            let (head, rest) = (index % self.kv_heads, index / self.kv_heads);
            let (offset, block) = (rest % BLOCK, rest / BLOCK);
            let begin = head * row_bytes * BLOCK;
            let codes = begin + self.dim / KvCode::GROUP * BLOCK * 2;
            for (group, bytes) in row.chunks(self.code.group_bytes()).enumerate() {
                each(block, begin + (group * BLOCK + offset) * 2, &bytes[..2]);
                for (at, byte) in self.codes(group, offset, &bytes[2..]) {
                    each(block, codes + at, &[byte]);
                }
            }
        }
    }

    /// The bytes of a group's codes with their places.
    fn codes(&self, group: usize, offset: usize, codes: &[u8]) -> Vec<(usize, u8)> {
        let first = group * KvCode::GROUP;
        let word = |column: usize, of_word: usize| (column / of_word * BLOCK + offset) * 4;
        match (self.code, self.values) {
            (KvCode::Q8_0, false) => (codes.iter().enumerate())
                .map(|(i, code)| (word(first + i, 4) + (first + i) % 4, code ^ 0x80))
                .collect(),
            (KvCode::Q8_0, true) => (codes.iter().enumerate())
                .map(|(i, code)| (offset * self.dim + first + i, *code))
                .collect(),
            (KvCode::Q4_0, false) => (0..16)
                .map(|i| {
                    let (j, b) = (i / 4, i % 4);
                    let code = |column: usize| match column {
                        0..16 => codes[column] & 15,
                        _ => codes[column - 16] >> 4,
                    };
                    let byte = code(8 * j + b) | code(8 * j + 4 + b) << 4;
                    (word(first + 8 * j, 8) + b, byte)
                })
                .collect(),
            (KvCode::Q4_0, true) => (codes.iter().enumerate())
                .map(|(i, code)| ((offset * self.dim + first) / 2 + i, code ^ 0x88))
                .collect(),
        }
    }
}
