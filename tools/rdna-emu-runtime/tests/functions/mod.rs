//! Small functions as a model's graph has them, in StableHLO, that IREE compiles for the emulated GPU and for the CPU.
//!
//! A function is text; its inputs and outputs are read from its signature. Inputs come from seeds made of names, so
//! that they are the same in every run. Each family is one module, which is compiled once.

#![allow(dead_code, reason = "each test file uses a part of it")]

mod arithmetic;
pub mod compare;
mod conversions;
pub mod iree;
mod layout;
mod models;
mod products;
pub mod tensor;

pub use tensor::{Fill, Tensor};

/// How far a result may be from the reference's. A NaN only equals a NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// Not at all.
    Exact,
    /// That many floats of its type: for functions that both sides approximate.
    Steps(i64),
    /// That part of the largest result: for sums, whose order and accumulator differ.
    OfLargest(f64),
}

/// A function that is compiled and run.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    /// `func.func …`.
    pub text: String,
    pub inputs: Vec<Tensor>,
    pub outputs: Vec<Tensor>,
    pub bound: Bound,
    fills: Vec<(usize, Fill)>,
    definition: Option<fn(f64) -> f64>,
}

impl Function {
    /// Reads the signature of a function's text. Results are exact unless [`Self::within`] says something else.
    pub fn new(text: &str) -> Self {
        let rest = text.trim().strip_prefix("func.func @").expect("a function's text begins so");
        let (name, rest) = rest.split_once('(').expect("a function has arguments");
        let (inputs, rest) = rest.split_once(") -> ").expect("a function has results");
        let (outputs, _) = rest.split_once(" {").expect("a function has a body");
        Function {
            name: name.to_owned(),
            text: text.trim().to_owned(),
            inputs: tensors(inputs),
            outputs: tensors(outputs),
            bound: Bound::Exact,
            fills: Vec::new(),
            definition: None,
        }
    }

    /// The same with another bound.
    pub fn within(self, bound: Bound) -> Self {
        Function { bound, ..self }
    }

    /// The same with an input's numbers chosen in another way.
    pub fn fill(mut self, input: usize, fill: Fill) -> Self {
        assert!(input < self.inputs.len(), "{} has no input {input}", self.name);
        self.fills.push((input, fill));
        self
    }

    /// The same with a definition of what becomes of each element, where IREE's CPU backend cannot be the reference.
    pub fn defined(self, definition: fn(f64) -> f64) -> Self {
        Function { definition: Some(definition), ..self }
    }

    /// The outputs by definition, if there is one.
    pub fn by_definition(&self) -> Option<Vec<Vec<u8>>> {
        let definition = self.definition?;
        let (from, to) = (self.inputs[0].element, self.outputs[0].element);
        let input = self.input(0);
        let elements = input.chunks_exact(from.size());
        Some(vec![elements.flat_map(|x| to.encode(definition(from.decode(x)))).collect()])
    }

    /// An input's bytes.
    pub fn input(&self, index: usize) -> Vec<u8> {
        let tensor = &self.inputs[index];
        let chosen = self.fills.iter().find(|fill| fill.0 == index).map(|fill| fill.1);
        let seed =
            self.name.bytes().fold(index as u64, |seed, byte| seed * 31 + u64::from(byte) + 1);
        chosen.unwrap_or(Fill::usual(tensor.element)).bytes(tensor, seed)
    }
}

fn tensors(text: &str) -> Vec<Tensor> {
    let types = text.split("tensor<").skip(1);
    types
        .map(|part| Tensor::parse(part.split('>').next().expect("a split has a first part")))
        .collect()
}

/// Functions that are compiled together.
#[derive(Debug, Clone)]
pub struct Family {
    pub name: &'static str,
    pub functions: Vec<Function>,
}

impl Family {
    /// The module's text.
    pub fn text(&self) -> String {
        let functions = self.functions.iter().map(|function| function.text.clone() + "\n");
        format!("module @{} {{\n{}}}\n", self.name, functions.collect::<String>())
    }
}

/// All functions.
pub fn families() -> Vec<Family> {
    let family = |name, functions| Family { name, functions };
    vec![
        family("arithmetic", arithmetic::functions()),
        family("conversions", conversions::functions()),
        family("products", products::functions()),
        family("layout", layout::functions()),
        family("models", models::functions()),
    ]
}
