//! Queries that grow with their position, so that attention to long texts stays as decided as to short
//! ones.

use tyto_graph::{DType, Unary};

use crate::trace::{Step, Tensor};

/// How queries grow: `1 + beta × ln(1 + floor((position + ahead) / length))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Multiplies the logarithm.
    pub beta: f64,
    /// Positions after which there is a step.
    pub length: usize,
    /// How many positions before that steps come.
    pub ahead: usize,
}

impl Growth {
    /// One number for each token. Padding has negative positions, of which nothing is read.
    pub fn at<'t>(&self, step: &Step<'t>) -> Tensor<'t> {
        let positions = match self.ahead {
            0 => step.positions,
            ahead => step.positions + step.positions.splat(ahead as f64),
        };
        let rounds = positions.divide(self.length as f64).convert(DType::F32);
        let log = (rounds + rounds.splat(1.0)).unary(Unary::Log);
        log.scale(self.beta) + log.splat(1.0)
    }
}
