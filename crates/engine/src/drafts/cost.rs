//! What steps of answers take, by how many tokens they compute.

use std::time::Duration;

/// The share of the latest step in what such steps take: where it took less, and where it took more. A
/// thread that was taken off its processor says nothing of guesses.
const SHARES: (f64, f64) = (0.5, 0.05);

/// A step counts at most as so many times what such steps took.
const OUTLIER: f64 = 2.0;

/// Steps of a kind after which it is known what they take.
const ENOUGH: u32 = 3;

/// Steps after which that is forgotten: what was dear in one slow moment gets another chance.
const STALE: u64 = 512;

/// What a guess is taken to cost before it is known, as a share of a step without: there is no use
/// in guesses that will hardly be right.
const LEAST: f64 = 0.05;

/// Mean times of steps.
#[derive(Debug)]
pub(crate) struct StepTimes {
    /// Whether they count; else every guess costs the least.
    counts: bool,
    /// By the number of tokens.
    kinds: Vec<Kind>,
    /// Steps so far.
    steps: u64,
}

/// Steps of so many tokens.
#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    seconds: f64,
    seen: u32,
    /// Which step was the last of them.
    last: u64,
}

impl StepTimes {
    /// Guesses cost next to nothing unless what they take `counts`.
    pub(crate) fn new(counts: bool) -> Self {
        Self { counts, kinds: Vec::new(), steps: 0 }
    }

    /// A step of so many tokens has taken so long.
    pub(crate) fn note(&mut self, tokens: usize, took: Duration) {
        if self.kinds.len() <= tokens {
            self.kinds.resize(tokens + 1, Kind::default());
        }
        self.steps += 1;
        let (kind, took) = (&mut self.kinds[tokens], took.as_secs_f64());
        if kind.seen == 0 || self.steps - kind.last > STALE {
            *kind = Kind { seconds: took, ..Kind::default() };
        }
        let share = if took < kind.seconds { SHARES.0 } else { SHARES.1 };
        kind.seconds += share * (took.min(OUTLIER * kind.seconds) - kind.seconds);
        (kind.seen, kind.last) = (kind.seen + 1, self.steps);
    }

    /// Whether what a step takes is known, in seconds.
    pub(crate) fn are_measured(&self) -> bool {
        self.counts && self.known().nth(1).is_some()
    }

    /// What a step of so many tokens takes, in some unit. Numbers of tokens that have not been
    /// seen are on the line through those that have; before there are two, guesses are nearly
    /// free: that is how they come to be known.
    pub(crate) fn of(&self, tokens: usize) -> f64 {
        let free = 1.0 + LEAST * tokens as f64;
        if !self.are_measured() {
            return free;
        }
        if let Some((_, seconds)) = self.known().find(|(known, _)| *known == tokens) {
            return seconds;
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
        let is_known = |kind: &Kind| kind.seen >= ENOUGH && self.steps - kind.last <= STALE;
        let kinds = self.kinds.iter().enumerate().filter(move |(_, kind)| is_known(kind));
        kinds.map(|(tokens, kind)| (tokens, kind.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(counts: bool, steps: &[(usize, u64)]) -> StepTimes {
        let mut times = StepTimes::new(counts);
        for (tokens, milliseconds) in steps {
            (0..ENOUGH).for_each(|_| times.note(*tokens, Duration::from_millis(*milliseconds)));
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
        times.note(3, Duration::from_secs(10));
        assert!(ratio(&times, 3, 1) < 1.7, "not yet known");
        // Nor is a slow beginning.
        let mut times = noted(true, &[(1, 10), (2, 500)]);
        (0..8).for_each(|_| times.note(2, Duration::from_millis(12)));
        assert!(ratio(&times, 2, 1) < 1.5);
    }

    #[test]
    fn what_was_dear_long_ago_gets_another_chance() {
        let mut times = noted(true, &[(1, 10), (5, 900)]);
        assert!(ratio(&times, 5, 1) > 80.0);
        (0..=STALE).for_each(|_| times.note(1, Duration::from_millis(10)));
        assert!(!times.are_measured() && ratio(&times, 5, 1) < 1.3);
        (0..ENOUGH).for_each(|_| times.note(5, Duration::from_millis(20)));
        assert!((ratio(&times, 5, 1) - 2.0).abs() < 1e-9, "the old time is forgotten");
    }
}
