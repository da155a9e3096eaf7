//! Slow and plain evaluation: the oracle of everything else.
//!
//! Composite ops are evaluated by their definition in [`crate::Op`], not by their
//! decomposition, so that the two check each other. What the numbers are:
//!
//! - f16, bf16 and 8-bit floats are held exactly; results of those types are computed in
//!   f32 or wider and rounded to nearest even. An overflow gives infinity, or NaN in
//!   `f8E4M3FN`, which has no infinity.
//! - Additions, products and quotients of f32 round once, as on any machine. Functions
//!   (`exponential`, `tanh`, …) are computed in f64 and rounded once.
//! - Sums of [`crate::Op::Reduce`], [`crate::Op::Dot`] and of the composites run in f64 in
//!   index order and round to f32 once: any order of f32 additions is compared with
//!   (nearly) the true value.
//! - Integers wrap. Floats become integers by truncation, saturated to i64; NaN becomes 0.
//! - `maximum` and `minimum` give NaN if an operand is NaN.
//!
//! An index outside its tensor is an error here; on a target it would be undefined.

mod attention;
mod composite;
mod elementwise;
mod error;
mod experts;
mod indexed;
mod kv;
mod node;
mod recurrent;
mod rounding;
mod shape;
mod tensor;

use std::collections::HashMap;

use crate::dim::Dim;
use crate::graph::{Graph, Output, TensorType, ValueId};
use crate::op::Op;

pub use error::Error;
pub use tensor::Tensor;

/// Runs `graph` on `inputs`, by name; `weights` gives the parameters by name.
///
/// Gives the outputs by name; an updated state goes by the name of its input. A named
/// dimension takes the size that the inputs have, which must be one and within its bound.
/// Tensors share storage when cloned; a state that the caller keeps no clone of is updated
/// in place.
///
/// Errors: the graph does not verify; an input or weight is missing, unknown or of another
/// type; an index is out of range; an integer is divided by zero.
pub fn evaluate(
    graph: &Graph,
    mut inputs: HashMap<String, Tensor>,
    weights: &dyn Fn(&str) -> Option<Tensor>,
) -> Result<HashMap<String, Tensor>, Error> {
    graph.verify()?;
    let mut sizes = NamedSizes::default();
    let mut arguments = Vec::new();
    for input in &graph.inputs {
        let name = input.name.to_string();
        let tensor =
            inputs.remove(&name).ok_or_else(|| Error::MissingInput { name: name.clone() })?;
        sizes.check("input", &name, &tensor, &input.ty)?;
        arguments.push(Some(tensor));
    }
    if let Some(name) = inputs.keys().next() {
        return Err(Error::UnknownInput { name: name.clone() });
    }

    let mut values = Values::new(graph);
    for (index, node) in graph.nodes.iter().enumerate() {
        let result = match &node.op {
            Op::Input { index } => {
                arguments[*index].take().expect("a verified graph has one node for each input")
            }
            Op::Weight { name, ty } => {
                let tensor =
                    weights(name).ok_or_else(|| Error::MissingWeight { name: name.to_string() })?;
                sizes.check("weight", name, &tensor, ty)?;
                tensor
            }
            op => {
                let operands = node.operands.iter().map(|operand| values.take(*operand)).collect();
                node::evaluate(op, operands)
                    .map_err(|failure| failure.at(ValueId(index as u32), op.name()))?
            }
        };
        values.put(index, result);
    }
    Ok((graph.outputs.iter())
        .map(|output| {
            let name = match output {
                Output::Plain { name, .. } => name,
                Output::Updated { input, .. } => &graph.inputs[*input].name,
            };
            (name.to_string(), values.take(output.value()))
        })
        .collect())
}

/// The values computed so far, each until its last use.
struct Values {
    tensors: Vec<Option<Tensor>>,
    uses: Vec<usize>,
}

impl Values {
    fn new(graph: &Graph) -> Self {
        let mut uses = vec![0; graph.nodes.len()];
        let operands = graph.nodes.iter().flat_map(|node| node.operands.iter().copied());
        for value in operands.chain(graph.outputs.iter().map(Output::value)) {
            uses[value.index()] += 1;
        }
        Self { tensors: vec![None; graph.nodes.len()], uses }
    }

    fn put(&mut self, index: usize, tensor: Tensor) {
        if self.uses[index] > 0 {
            self.tensors[index] = Some(tensor);
        }
    }

    /// The value; the stored one itself at its last use, so that it can be updated in place.
    fn take(&mut self, value: ValueId) -> Tensor {
        let index = value.index();
        self.uses[index] -= 1;
        let slot = &mut self.tensors[index];
        let tensor = if self.uses[index] == 0 { slot.take() } else { slot.clone() };
        tensor.expect("a verified graph defines values before their use")
    }
}

/// The sizes that named dimensions were first seen with.
#[derive(Default)]
struct NamedSizes(HashMap<String, usize>);

impl NamedSizes {
    /// Checks a tensor against its type, binding the named dimensions that are new.
    fn check(
        &mut self,
        kind: &'static str,
        name: &str,
        tensor: &Tensor,
        ty: &TensorType,
    ) -> Result<(), Error> {
        let dims = ty.shape.dims();
        let fits = tensor.dtype() == ty.dtype
            && tensor.shape().len() == dims.len()
            && dims.iter().zip(tensor.shape()).all(|(dim, size)| match dim {
                Dim::Fixed(fixed) => size == fixed,
                Dim::Named { max, .. } => size <= max,
            });
        if !fits {
            let found = tensor.ty().to_string();
            let (name, expected) = (name.to_owned(), ty.to_string());
            return Err(Error::Type { kind, name, found, expected });
        }
        for (dim, size) in dims.iter().zip(tensor.shape()) {
            let Dim::Named { name: dim, .. } = dim else { continue };
            let first = *self.0.entry(dim.to_string()).or_insert(*size);
            if first != *size {
                let (dim, name, found) = (dim.to_string(), name.to_owned(), *size);
                return Err(Error::NamedSize { dim, kind, name, found, first });
            }
        }
        Ok(())
    }
}
