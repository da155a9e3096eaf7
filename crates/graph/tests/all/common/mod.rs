//! What the tests of this crate share: types from their print-outs, seeded values, runs.

use std::collections::HashMap;

use tyto_graph::interpreter::{Error, Tensor, evaluate};
use tyto_graph::{
    DType, Dim, Graph, InferError, InputKind, Op, Shape, TensorType, ValueId, decompose,
};

/// The type that prints as `text`, such as `f32[blocks<=9, 4]`.
pub fn ty(text: &str) -> TensorType {
    let (name, dims) = text.strip_suffix(']').and_then(|text| text.split_once('[')).expect(text);
    let dtypes = [
        DType::F32,
        DType::F16,
        DType::BF16,
        DType::F8E4M3,
        DType::F8E5M2,
        DType::I64,
        DType::I32,
        DType::I8,
        DType::U8,
        DType::Bool,
    ];
    let dtype = dtypes.into_iter().find(|dtype| dtype.name() == name).expect(text);
    let dims =
        dims.split(", ").filter(|dim| !dim.is_empty()).map(|dim| match dim.split_once("<=") {
            Some((name, max)) => Dim::named(name, max.parse().expect(text)),
            None => Dim::Fixed(dim.parse().expect(text)),
        });
    TensorType { dtype, shape: Shape::new(dims) }
}

/// A graph of one op on inputs `a`, `b`, `c`, … that returns it as `y`.
pub fn one_op(op: Op, operands: &[TensorType]) -> Result<Graph, InferError> {
    let mut graph = Graph::new("one");
    let values: Vec<ValueId> = operands
        .iter()
        .zip('a'..='z')
        .map(|(ty, name)| graph.add_input(&name.to_string(), ty.clone(), InputKind::Plain))
        .collect();
    let value = graph.add(op, &values)?;
    graph.add_output("y", value);
    Ok(graph)
}

/// Inputs `a`, `b`, `c`, … in order.
pub fn named(tensors: &[Tensor]) -> HashMap<String, Tensor> {
    ('a'..='z').map(String::from).zip(tensors.iter().cloned()).collect()
}

/// The one output of a graph without weights.
pub fn run(graph: &Graph, tensors: &[Tensor]) -> Result<Tensor, Error> {
    Ok(evaluate(graph, named(tensors), &|_| None)?.remove("y").expect("the graph returns y"))
}

/// `op` on `tensors`.
pub fn apply(op: Op, tensors: &[Tensor]) -> Result<Tensor, Error> {
    let types: Vec<TensorType> = tensors.iter().map(Tensor::ty).collect();
    run(&one_op(op, &types).expect("the op fits the tensors"), tensors)
}

pub fn floats(dtype: DType, values: &[f32]) -> Tensor {
    Tensor::floats(dtype, [values.len()], values.iter().copied()).expect("a vector")
}

pub fn integers(dtype: DType, values: &[i64]) -> Tensor {
    Tensor::integers(dtype, [values.len()], values.iter().copied()).expect("a vector")
}

pub fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::floats(DType::F32, shape, values.iter().copied()).expect("as many as the shape")
}

pub fn i32s(shape: &[usize], values: &[i64]) -> Tensor {
    Tensor::integers(DType::I32, shape, values.iter().copied()).expect("as many as the shape")
}

pub fn bools(shape: &[usize], values: &[i64]) -> Tensor {
    Tensor::integers(DType::Bool, shape, values.iter().copied()).expect("as many as the shape")
}

/// Whether each element is within `tolerance` of the other's, relative to 1 or the larger.
#[track_caller]
pub fn assert_close(found: &Tensor, expected: &[f32], tolerance: f32, context: &str) {
    let found = found.as_floats().expect("floats");
    assert_eq!(found.len(), expected.len(), "{context}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let scale = expected.abs().max(1.0);
        // Written so that NaN fails.
        let close = (found - expected).abs() <= tolerance * scale;
        assert!(close, "{context}: element {index} is {found}, expected {expected}");
    }
}

pub const FLOAT_TYPES: [DType; 5] =
    [DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2];

/// Evaluates `op` by its definition and by its decomposition; gives the former.
#[track_caller]
pub fn check_composite(op: Op, operands: &[Tensor], tolerance: f32, context: &str) -> Tensor {
    let types: Vec<TensorType> = operands.iter().map(Tensor::ty).collect();
    let graph = one_op(op, &types).unwrap_or_else(|error| panic!("{context}: {error}"));
    let primitive = decompose(&graph, |_| false).expect("the graph verifies");
    let run = |graph: &Graph| {
        let outputs = evaluate(graph, named(operands), &|_| None);
        outputs.unwrap_or_else(|error| panic!("{context}: {error}")).remove("y").expect("y")
    };
    let (direct, decomposed) = (run(&graph), run(&primitive));
    assert_eq!(direct.ty(), decomposed.ty(), "{context}");
    let expected = direct.as_floats().expect("composites give floats");
    assert_close(&decomposed, expected, tolerance, context);
    direct
}

/// Seeded choices (Steele, Lea and Flood's SplitMix64).
pub struct World(u64);

impl World {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A float in [-2, 2).
    pub fn float(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u32 << 22) as f32 - 2.0
    }

    pub fn floats(&mut self, dtype: DType, shape: &[usize]) -> Tensor {
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| self.float()).collect();
        Tensor::floats(dtype, shape, values).expect("as many as the shape")
    }

    pub fn shuffled(&mut self, count: usize) -> Vec<i64> {
        let mut values: Vec<i64> = (0..count as i64).collect();
        for index in (1..count).rev() {
            values.swap(index, self.below(index + 1));
        }
        values
    }
}
