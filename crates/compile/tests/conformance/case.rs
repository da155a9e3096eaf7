//! One case: a graph of an op, its inputs, and how near the results must be.

use std::collections::HashMap;

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Dim, Graph, InputKind, Op, Output, Shape, TensorType, ValueId};

/// A graph with its inputs.
pub struct Case {
    pub graph: Graph,
    pub inputs: HashMap<String, Tensor>,
    /// Largest difference of a result, relative to the largest result.
    pub tolerance: f32,
}

/// A case under construction, with its own stream of random numbers.
pub struct NewCase {
    graph: Graph,
    inputs: HashMap<String, Tensor>,
    pub random: Random,
}

impl NewCase {
    /// A case whose seed is its name.
    pub fn new(name: &str) -> Self {
        let seed = name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
        Self { graph: Graph::new(name), inputs: HashMap::new(), random: Random(seed) }
    }

    /// An argument of random floats in `(-range, range)`.
    pub fn floats(&mut self, dtype: DType, shape: &[usize], range: f32) -> ValueId {
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| self.random.float(range)).collect();
        self.argument(Tensor::floats(dtype, shape, values).expect("sizes fit"), None)
    }

    /// An argument of random floats in `[0.1, 4)`.
    pub fn positive(&mut self, shape: &[usize]) -> ValueId {
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| 2.05 + self.random.float(1.95)).collect();
        self.argument(Tensor::floats(DType::F32, shape, values).expect("sizes fit"), None)
    }

    /// An argument of these floats.
    pub fn these_floats(&mut self, shape: &[usize], values: Vec<f32>) -> ValueId {
        self.argument(Tensor::floats(DType::F32, shape, values).expect("sizes fit"), None)
    }

    /// An argument of random integers below `limit`.
    pub fn integers(&mut self, dtype: DType, shape: &[usize], limit: usize) -> ValueId {
        let count = shape.iter().product();
        let values: Vec<i64> = (0..count).map(|_| self.random.below(limit) as i64).collect();
        self.argument(Tensor::integers(dtype, shape, values).expect("sizes fit"), None)
    }

    /// An argument of these integers.
    pub fn these(&mut self, shape: &[usize], values: Vec<i64>) -> ValueId {
        self.argument(Tensor::integers(DType::I32, shape, values).expect("sizes fit"), None)
    }

    /// An argument; `first`, if there is one, is its first dimension.
    pub fn argument(&mut self, tensor: Tensor, first: Option<Dim>) -> ValueId {
        self.input(tensor, first, InputKind::Plain)
    }

    /// A cache of random floats whose first dimension is chosen by the caller of the code.
    pub fn cache(&mut self, dtype: DType, shape: &[usize], kind: InputKind) -> ValueId {
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| self.random.float(1.0)).collect();
        let tensor = Tensor::floats(dtype, shape, values).expect("sizes fit");
        self.input(tensor, Some(Dim::named("blocks", 1 << 24)), kind)
    }

    fn input(&mut self, tensor: Tensor, first: Option<Dim>, kind: InputKind) -> ValueId {
        let name = format!("input{}", self.inputs.len());
        let mut dims: Vec<Dim> = tensor.shape().iter().map(|size| Dim::Fixed(*size)).collect();
        if let Some(first) = first {
            dims[0] = first;
        }
        let ty = TensorType { dtype: tensor.dtype(), shape: Shape::new(dims) };
        self.inputs.insert(name.clone(), tensor);
        self.graph.add_input(&name, ty, kind)
    }

    pub fn add(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.graph.add(op, operands).expect("a case is well-formed")
    }

    /// The case that returns `value`, Bool as i32.
    pub fn returns(mut self, value: ValueId, tolerance: f32) -> Case {
        let boolean = self.graph.ty(value).dtype == DType::Bool;
        let value = if boolean { self.add(Op::Convert(DType::I32), &[value]) } else { value };
        self.graph.add_output("result", value);
        Case { graph: self.graph, inputs: self.inputs, tolerance }
    }

    /// The case that returns the first input, updated.
    pub fn updates(mut self, value: ValueId) -> Case {
        self.graph.add_updated(0, value);
        Case { graph: self.graph, inputs: self.inputs, tolerance: 0.0 }
    }
}

impl Case {
    /// The interpreter's results, in the graph's order.
    pub fn expected(&self) -> Vec<Tensor> {
        let mut results =
            evaluate(&self.graph, self.inputs.clone(), &|_| None).expect("a case evaluates");
        let name = |output: &Output| match output {
            Output::Plain { name, .. } => name.to_string(),
            Output::Updated { input, .. } => self.graph.inputs[*input].name.to_string(),
        };
        let outputs = self.graph.outputs.iter();
        outputs.map(|output| results.remove(&name(output)).expect("a result")).collect()
    }

    /// Whether results may be this far from the interpreter's; a NaN is no success either.
    pub fn accepts(&self, distance: f32) -> bool {
        distance <= self.tolerance
    }

    /// How far `found` is from `expected`, relative to the largest value; infinite where one
    /// is finite and the other is not.
    pub fn distance(expected: &Tensor, found: &Tensor) -> f32 {
        if let (Some(expected), Some(found)) = (expected.as_integers(), found.as_integers()) {
            return if expected == found { 0.0 } else { f32::INFINITY };
        }
        let values = |tensor: &Tensor| tensor.as_floats().expect("floats").to_vec();
        let (expected, found) = (values(expected), values(found));
        let largest = (expected.iter().filter(|value| value.is_finite()))
            .fold(f32::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
        let apart = |(expected, found): (&f32, &f32)| {
            if expected.to_bits() == found.to_bits() || (expected.is_nan() && found.is_nan()) {
                0.0
            } else if expected.is_finite() && found.is_finite() {
                (expected - found).abs() / largest
            } else {
                f32::INFINITY
            }
        };
        expected.iter().zip(&found).map(apart).fold(0.0, f32::max)
    }
}

/// Numbers that are the same in every run (SplitMix64).
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// In `(-range, range)`.
    pub fn float(&mut self, range: f32) -> f32 {
        let unit = (self.next() >> 40) as f32 / (1u64 << 24) as f32;
        (2.0 * unit - 1.0) * range
    }

    /// `0..count` in some order.
    pub fn shuffled(&mut self, count: usize) -> Vec<i64> {
        let mut values: Vec<i64> = (0..count as i64).collect();
        for last in (1..count).rev() {
            values.swap(last, self.below(last + 1));
        }
        values
    }
}
