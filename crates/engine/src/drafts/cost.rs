//! What steps of answers take, by how many tokens they compute.

use std::time::Duration;

/// The share of the latest step in a mean.
const LATEST: f64 = 0.1;

/// A step counts at most as so many times what such steps took: a thread that was taken off its
/// processor says nothing of guesses.
const OUTLIER: f64 = 2.0;

/// What a guess is taken to cost before it is known, as a share of a step without: there is no use
/// in guesses that will hardly be right.
const LEAST: f64 = 0.05;

/// Mean times of steps.
#[derive(Debug)]
pub(crate) struct StepTimes {
    /// Whether they count; else every guess costs the least.
    counts: bool,
    /// Seconds, by the number of tokens.
    means: Vec<Option<f64>>,
}

impl StepTimes {
    /// Guesses cost next to nothing unless what they take `counts`.
    pub(crate) fn new(counts: bool) -> Self {
        Self { counts, means: Vec::new() }
    }

    /// A step of so many tokens has taken so long.
    pub(crate) fn note(&mut self, tokens: usize, took: Duration) {
        if self.means.len() <= tokens {
            self.means.resize(tokens + 1, None);
        }
        let (mean, took) = (&mut self.means[tokens], took.as_secs_f64());
        let change = |old: f64| old + LATEST * (took.min(OUTLIER * old) - old);
        *mean = Some(mean.map_or(took, change));
    }

    /// What a step of so many tokens takes, in some unit. Numbers of tokens that have not been
    /// seen are on the line through those that have; before there are two, guesses are nearly
    /// free: that is how they come to be known.
    pub(crate) fn of(&self, tokens: usize) -> f64 {
        let free = 1.0 + LEAST * tokens as f64;
        if !self.counts {
            return free;
        }
        if let Some(Some(mean)) = self.means.get(tokens)
            && self.known().nth(1).is_some()
        {
            return *mean;
        }
        let below = self.known().rfind(|(known, _)| *known < tokens);
        let above = self.known().find(|(known, _)| *known > tokens);
        let (first, second) = match (below, above) {
            (Some(below), Some(above)) => (below, above),
            // Beyond the last or before the first: on the line through the two at that end.
            (Some(last), None) => match self.known().rfind(|(known, _)| *known < last.0) {
                Some(before) => (before, last),
                None => return free,
            },
            (None, Some(first)) => match self.known().find(|(known, _)| *known > first.0) {
                Some(behind) => (first, behind),
                None => return free,
            },
            (None, None) => return free,
        };
        let slope = (second.1 - first.1).max(0.0) / (second.0 - first.0) as f64;
        (first.1 + slope * (tokens as f64 - first.0 as f64)).max(f64::MIN_POSITIVE)
    }

    fn known(&self) -> impl DoubleEndedIterator<Item = (usize, f64)> {
        let known = self.means.iter().enumerate();
        known.filter_map(|(tokens, mean)| mean.map(|mean| (tokens, mean)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(counts: bool, steps: &[(usize, u64)]) -> StepTimes {
        let mut times = StepTimes::new(counts);
        for (tokens, milliseconds) in steps {
            times.note(*tokens, Duration::from_millis(*milliseconds));
        }
        times
    }

    fn ratio(times: &StepTimes, tokens: usize, to: usize) -> f64 {
        times.of(tokens) / times.of(to)
    }

    #[test]
    fn unseen_numbers_are_on_the_line_through_seen_ones() {
        let times = noted(true, &[(1, 10), (5, 18), (7, 30)]);
        for (tokens, expected) in [(1, 10.0), (3, 14.0), (5, 18.0), (6, 24.0), (8, 36.0)] {
            assert!((1000.0 * times.of(tokens) - expected).abs() < 1e-9, "{tokens}");
        }
        let times = noted(true, &[(4, 10), (6, 20)]);
        assert!((1000.0 * times.of(3) - 5.0).abs() < 1e-9);
        assert!(times.of(1) > 0.0, "no step takes less than no time");
    }

    #[test]
    fn guesses_are_nearly_free_until_they_are_known_or_if_costs_do_not_count() {
        for times in [noted(true, &[]), noted(true, &[(1, 10)]), noted(false, &[(1, 10), (2, 90)])]
        {
            assert!((1.0..1.1).contains(&ratio(&times, 2, 1)), "{times:?}");
        }
        assert!(ratio(&noted(true, &[(1, 10), (2, 90)]), 2, 1) > 8.9);
    }

    #[test]
    fn one_slow_step_is_no_rule() {
        let mut times = noted(true, &[(1, 10), (2, 12)]);
        times.note(2, Duration::from_secs(10));
        assert!(ratio(&times, 2, 1) < 1.4);
    }
}
