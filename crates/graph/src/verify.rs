//! The verifier that every stage ends in.

use std::collections::HashSet;

use crate::graph::{Graph, InputKind, Output, ValueId};
use crate::infer::{InferError, infer};
use crate::op::Op;

/// What makes a graph ill-formed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum VerifyError {
    #[error("{graph}: {value} uses {operand}, which is not defined before it")]
    Order { graph: String, value: ValueId, operand: ValueId },
    #[error("{graph}: {value} breaks a constraint: {source}")]
    Constraint { graph: String, value: ValueId, source: InferError },
    #[error("{graph}: {value} has type {found}, but its op gives {expected}")]
    Type { graph: String, value: ValueId, found: String, expected: String },
    #[error("{graph}: input {name} is not the node it names")]
    Input { graph: String, name: String },
    #[error("{graph}: two {kind} are named {name}")]
    Name { graph: String, kind: &'static str, name: String },
    #[error("{graph}: state {name} is returned {times} times; expected once, with its own type")]
    State { graph: String, name: String, times: usize },
    #[error("{graph}: output {name} is not a value of the graph, or its input is not there")]
    Output { graph: String, name: String },
    #[error("{graph}: weight {name} has type {first} in one place and {second} in another")]
    Weight { graph: String, name: String, first: String, second: String },
    #[error("{graph}: composite op {op} at {value} is left after decomposition")]
    Composite { graph: String, value: ValueId, op: &'static str },
    #[error(
        "{graph}: weight {weight} is stored as {layout}, and {op} of that has no decomposition; \
         trace the model without blocks, or for a target with a kernel for them"
    )]
    NoDecomposition { graph: String, op: &'static str, weight: String, layout: String },
    #[error(
        "{graph}: {op} goes through tokens one after the other and has no decomposition; leave out \
         --kernels never, or compile for a target with a kernel for it"
    )]
    Recurrence { graph: String, op: &'static str },
}

impl Graph {
    /// Checks order, types, inputs, state, outputs, names and weights.
    pub fn verify(&self) -> Result<(), VerifyError> {
        for index in 0..self.nodes.len() {
            self.verify_node(ValueId(index as u32))?;
        }
        self.verify_inputs()?;
        self.verify_outputs()?;
        self.verify_weights()
    }

    /// As [`Graph::verify`], and no composite op is left but those that `keep` names.
    pub fn verify_decomposed(&self, keep: impl Fn(&Op) -> bool) -> Result<(), VerifyError> {
        self.verify()?;
        for (index, node) in self.nodes.iter().enumerate() {
            if node.op.is_composite() && !keep(&node.op) {
                let value = ValueId(index as u32);
                return Err(VerifyError::Composite {
                    graph: self.name.clone(),
                    value,
                    op: node.op.name(),
                });
            }
        }
        Ok(())
    }

    fn verify_node(&self, value: ValueId) -> Result<(), VerifyError> {
        let node = self.node(value);
        if let Some(operand) = node.operands.iter().find(|operand| **operand >= value) {
            return Err(VerifyError::Order { graph: self.name.clone(), value, operand: *operand });
        }
        if let Op::Input { index } = node.op {
            let named = self.inputs.get(index).is_some_and(|input| input.value == value);
            return if named && node.operands.is_empty() {
                Ok(())
            } else {
                Err(VerifyError::Input { graph: self.name.clone(), name: format!("{index}") })
            };
        }
        let operands: Vec<_> = node.operands.iter().map(|operand| self.ty(*operand)).collect();
        let expected = infer(&node.op, &operands).map_err(|source| VerifyError::Constraint {
            graph: self.name.clone(),
            value,
            source,
        })?;
        if expected != node.ty {
            return Err(VerifyError::Type {
                graph: self.name.clone(),
                value,
                found: node.ty.to_string(),
                expected: expected.to_string(),
            });
        }
        Ok(())
    }

    fn verify_inputs(&self) -> Result<(), VerifyError> {
        for (index, input) in self.inputs.iter().enumerate() {
            let node = self.nodes.get(input.value.index());
            let fits =
                node.is_some_and(|node| node.op == Op::Input { index } && node.ty == input.ty);
            if !fits {
                let name = input.name.to_string();
                return Err(VerifyError::Input { graph: self.name.clone(), name });
            }
        }
        self.verify_names("inputs", self.inputs.iter().map(|input| &*input.name))
    }

    /// Callers bind inputs and outputs by name.
    fn verify_names<'a>(
        &self,
        kind: &'static str,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(), VerifyError> {
        let mut known = HashSet::new();
        for name in names {
            if !known.insert(name) {
                let (graph, name) = (self.name.clone(), name.to_owned());
                return Err(VerifyError::Name { graph, kind, name });
            }
        }
        Ok(())
    }

    fn verify_outputs(&self) -> Result<(), VerifyError> {
        for output in &self.outputs {
            let state = match output {
                Output::Plain { .. } => true,
                Output::Updated { input, .. } => *input < self.inputs.len(),
            };
            if output.value().index() >= self.nodes.len() || !state {
                let name = format!("{output:?}");
                return Err(VerifyError::Output { graph: self.name.clone(), name });
            }
        }
        for (index, input) in self.inputs.iter().enumerate() {
            let returns: Vec<_> = (self.outputs.iter())
                .filter(|o| matches!(o, Output::Updated { input, .. } if *input == index))
                .collect();
            let expected = usize::from(input.kind == InputKind::State);
            let typed = returns.iter().all(|output| *self.ty(output.value()) == input.ty);
            if returns.len() != expected || !typed {
                let (graph, name) = (self.name.clone(), input.name.to_string());
                return Err(VerifyError::State { graph, name, times: returns.len() });
            }
        }
        let names = self.outputs.iter().map(|output| match output {
            Output::Plain { name, .. } => &**name,
            Output::Updated { input, .. } => &*self.inputs[*input].name,
        });
        self.verify_names("outputs", names)
    }

    fn verify_weights(&self) -> Result<(), VerifyError> {
        let known = self.weights();
        for node in &self.nodes {
            let Op::Weight { name, ty } = &node.op else { continue };
            let first = known.iter().find(|(other, _)| other == name).map(|(_, ty)| ty);
            if let Some(first) = first.filter(|first| *first != ty) {
                return Err(VerifyError::Weight {
                    graph: self.name.clone(),
                    name: name.to_string(),
                    first: first.to_string(),
                    second: ty.to_string(),
                });
            }
        }
        Ok(())
    }
}
