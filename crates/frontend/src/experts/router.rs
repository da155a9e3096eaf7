//! Routers that choose by other numbers than they weigh with, or among the best groups alone.
//!
//! Reference: DeepSeek-AI, 2024 (DeepSeek-V3, equations 12 to 16), as transformers has it.

use tyto_graph::{Groups, Op, Unary};

use super::Route;
use crate::config::Fields;
use crate::error::Error;
use crate::trace::Tensor;

/// Most groups of a layer's experts.
const MOST_GROUPS: usize = 64;

/// How experts are chosen from a router's results, and weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Router {
    /// What makes scores of them.
    pub score: Score,
    /// What the chosen experts' scores are divided by.
    pub divisor: Divisor,
    /// The groups that experts may come from; `None` for all.
    pub groups: Option<Groups>,
    /// Multiplies the weights.
    pub factor: f64,
}

/// What makes scores of a router's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Softmax over all experts.
    Softmax,
    /// The logistic function of each.
    Logistic,
}

/// What the chosen experts' scores are divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Divisor {
    /// Nothing.
    One,
    /// Their sum plus a number.
    Sum(f64),
    /// Their sum, but no less than a number.
    SumAtLeast(f64),
}

impl Router {
    /// Reads `n_group`, `topk_group`, `norm_topk_prob` and `routed_scaling_factor` of a router with
    /// logistic scores of `experts` experts. `normalized`: what `norm_topk_prob` is where it is
    /// absent.
    pub fn logistic(fields: &Fields<'_>, experts: usize, normalized: bool) -> Result<Self, Error> {
        let normalized = fields.flag("norm_topk_prob", normalized)?;
        Ok(Self {
            score: Score::Logistic,
            divisor: if normalized { Divisor::Sum(1e-20) } else { Divisor::One },
            groups: groups(fields, experts, 2)?,
            factor: fields.optional_positive("routed_scaling_factor")?.unwrap_or(1.0),
        })
    }

    /// The `chosen` experts of each token, of the router's results `[tokens, experts]`. `correction`
    /// is added to scores for the choice alone.
    #[track_caller]
    pub fn route<'t>(
        &self,
        results: Tensor<'t>,
        correction: Option<Tensor<'t>>,
        chosen: usize,
    ) -> Route<'t> {
        let scores = match self.score {
            Score::Softmax => results.softmax(),
            Score::Logistic => results.unary(Unary::Logistic),
        };
        let choice = correction.map_or(scores, |correction| scores.add_row(correction));
        let ids = choice.with(Op::TopK { k: chosen, groups: self.groups }, &[]);
        let weights = scores.with(Op::TakeAlong, &[ids]);
        let weights = match self.divisor {
            Divisor::One => weights,
            Divisor::Sum(more) => divided(weights, |sum| sum + sum.splat(more)),
            Divisor::SumAtLeast(least) => divided(weights, |sum| sum.at_least(least)),
        };
        let factor = Some(self.factor).filter(|factor| *factor != 1.0);
        Route { ids, weights: factor.map_or(weights, |factor| weights.scale(factor)) }
    }
}

/// `n_group` and `topk_group`, compared by the sum of the `best` largest of each.
pub fn groups(fields: &Fields<'_>, experts: usize, best: usize) -> Result<Option<Groups>, Error> {
    let count = fields.optional_size("n_group", MOST_GROUPS)?.unwrap_or(1);
    let kept = fields.optional_size("topk_group", count)?.unwrap_or(count);
    if count == 1 {
        return Ok(None);
    }
    if experts.is_multiple_of(count) && experts / count >= best {
        return Ok(Some(Groups { count, kept, best }));
    }
    let expected = format!("a divisor of {experts} experts that leaves at least {best} in each");
    Err(fields.wrong("n_group", &expected))
}

/// Rows of weights, each divided by what `divisor` makes of its sum.
#[track_caller]
fn divided<'t>(weights: Tensor<'t>, divisor: impl FnOnce(Tensor<'t>) -> Tensor<'t>) -> Tensor<'t> {
    let [rows, chosen] = [weights.size(0), weights.size(1)];
    let terms = weights.with(Op::Reshape(vec![rows, chosen, 1]), &[]);
    let sum = terms.with(Op::WeightedSum, &[weights.splat(1.0)]);
    let divisor = divisor(sum);
    let factor = divisor.splat(1.0).over(divisor);
    // One row for each token, weighed by its one number.
    let row = weights.with(Op::Reshape(vec![rows, 1, chosen]), &[]);
    row.with(Op::WeightedSum, &[factor])
}
