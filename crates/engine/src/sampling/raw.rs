//! The model's own distribution, before any request's wishes (C33).

/// Log probabilities of one row of logits.
pub(crate) struct RawDistribution<'a> {
    logits: &'a [f32],
    highest: f64,
    /// The logarithm of the sum of all exponentials, each divided by the highest one.
    log_total: f64,
}

impl<'a> RawDistribution<'a> {
    /// Of finite logits.
    pub(crate) fn new(logits: &'a [f32]) -> Self {
        let highest = f64::from(logits.iter().copied().fold(f32::MIN, f32::max));
        let total: f64 = logits.iter().map(|&logit| (f64::from(logit) - highest).exp()).sum();
        Self { logits, highest, log_total: total.ln() }
    }

    /// The log probability of one token.
    pub(crate) fn log_probability(&self, id: u32) -> f32 {
        (f64::from(self.logits[id as usize]) - self.highest - self.log_total) as f32
    }

    /// The `n` most likely tokens, most likely first, of equal ones the lowest id first (C32).
    pub(crate) fn top(&self, n: usize) -> Vec<(u32, f32)> {
        if n == 0 {
            return Vec::new();
        }
        let logits = self.logits;
        let rank =
            |a: &u32, b: &u32| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b));
        let mut ids: Vec<u32> = (0..logits.len() as u32).collect();
        if n < ids.len() {
            ids.select_nth_unstable_by(n - 1, rank);
            ids.truncate(n);
        }
        ids.sort_unstable_by(rank);
        ids.into_iter().map(|id| (id, self.log_probability(id))).collect()
    }
}
