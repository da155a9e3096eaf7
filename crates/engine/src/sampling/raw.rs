//! The model's own distribution, before any request's wishes (C33).

use crate::logits::{LogitsRow, Scale, Weights};

/// Log probabilities of one row of logits.
pub(crate) struct RawDistribution<'a> {
    logits: &'a LogitsRow<'a>,
    highest: f64,
    /// The logarithm of the sum of all exponentials, each divided by the highest one.
    log_total: f64,
}

impl<'a> RawDistribution<'a> {
    /// Of finite logits.
    pub(crate) fn new(logits: &'a LogitsRow<'a>) -> Self {
        let highest = logits.score(logits.argmax());
        let mut weights = Weights::default();
        weights.weigh(logits, Scale { highest, temperature: 1.0 }, false);
        Self { logits, highest: f64::from(highest), log_total: weights.total().ln() }
    }

    /// The log probability of one token.
    pub(crate) fn log_probability(&self, id: u32) -> f32 {
        (f64::from(self.logits.score(id)) - self.highest - self.log_total) as f32
    }

    /// The `n` most likely tokens, most likely first, of equal ones the lowest id first (C32).
    pub(crate) fn top(&self, n: usize) -> Vec<(u32, f32)> {
        let mut ids = self.logits.highest_ids(n);
        ids.sort_unstable_by(|a, b| self.logits.by_rank(*a, *b));
        ids.into_iter().map(|id| (id, self.log_probability(id))).collect()
    }
}
