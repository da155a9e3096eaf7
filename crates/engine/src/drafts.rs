//! Guesses of what comes next, from the text itself: code, lists and quotations repeat.
//!
//! If the text's last tokens stood in it before, what followed there may follow here. The model
//! computes the guesses together with the token before them and samples after each, as it would
//! without them; the first that it does not agree with ends the run. So the text is what it would
//! have been, and only the number of steps differs.

use std::collections::HashMap;
use std::time::Duration;

/// Tokens that must have stood in the text before. One would be chance.
const NEEDLE: usize = 3;

/// Guesses to begin with.
const FIRST_LENGTH: usize = 3;

/// Texts of whom guesses do not pay are left alone for so many tokens.
const PAUSE: usize = 64;

/// The share of the latest value in a mean.
const LATEST: f64 = 0.1;

/// Guesses for one text.
#[derive(Debug)]
pub(crate) struct Drafter {
    text: Vec<u32>,
    /// Where each run of tokens last ended, not counting the text's own end.
    ends: HashMap<[u32; NEEDLE], usize>,
    /// How many to guess; follows how many were right.
    length: usize,
    most: usize,
    /// Tokens that a step with guesses gave.
    gain: f64,
    /// Tokens to go without guesses.
    pause: usize,
}

impl Drafter {
    /// At most `most` guesses at a time.
    pub(crate) fn new(prompt: &[u32], most: usize) -> Self {
        let mut drafter = Self {
            text: Vec::with_capacity(prompt.len()),
            ends: HashMap::new(),
            length: FIRST_LENGTH.min(most),
            most,
            gain: 1.0 + FIRST_LENGTH as f64,
            pause: 0,
        };
        prompt.iter().for_each(|&token| drafter.push(token));
        drafter
    }

    /// The text goes on.
    pub(crate) fn push(&mut self, token: u32) {
        if let Some(needle) = self.needle() {
            self.ends.insert(needle, self.text.len());
        }
        self.text.push(token);
        self.pause = self.pause.saturating_sub(1);
    }

    /// What may come next, if a step with a guess is worth it: `cost` is how much longer it takes
    /// than one without.
    pub(crate) fn guess(&mut self, cost: f64) -> Vec<u32> {
        if self.pause > 0 || self.length == 0 {
            return Vec::new();
        }
        if self.gain < cost {
            self.pause = PAUSE;
            // After the pause it gets another chance, a short one.
            (self.gain, self.length) = (cost + 1.0, 1);
            return Vec::new();
        }
        let found = self.needle().and_then(|needle| self.ends.get(&needle));
        let Some(&start) = found else { return Vec::new() };
        self.text[start..].iter().copied().take(self.length).collect()
    }

    /// Of so many guesses, so many were right.
    pub(crate) fn note(&mut self, guessed: usize, right: usize) {
        self.gain += LATEST * (1.0 + right as f64 - self.gain);
        self.length = match right == guessed {
            true => (2 * self.length).min(self.most),
            false => (right + 1).min(self.most),
        };
    }

    fn needle(&self) -> Option<[u32; NEEDLE]> {
        self.text.last_chunk::<NEEDLE>().copied()
    }
}

/// What a step with guesses takes, as a multiple of one without.
#[derive(Debug)]
pub(crate) struct DraftCost {
    counts: bool,
    plain: Option<f64>,
    drafted: Option<f64>,
}

impl DraftCost {
    /// Guesses cost nothing unless what they take `counts`.
    pub(crate) fn new(counts: bool) -> Self {
        Self { counts, plain: None, drafted: None }
    }

    /// A step of answers, each with as many guesses, has taken so long.
    pub(crate) fn note(&mut self, has_drafts: bool, took: Duration) {
        let mean = if has_drafts { &mut self.drafted } else { &mut self.plain };
        let took = took.as_secs_f64();
        *mean = Some(mean.map_or(took, |mean| mean + LATEST * (took - mean)));
    }

    /// Before both are known, guesses are free: that is how they come to be known.
    pub(crate) fn multiple(&self) -> f64 {
        match (self.plain, self.drafted) {
            (Some(plain), Some(drafted)) if self.counts && plain > 0.0 => drafted / plain,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: the last place before the end where the last tokens stood.
    fn slow_twin(text: &[u32], length: usize) -> Vec<u32> {
        let Some(needle) = text.last_chunk::<NEEDLE>() else { return Vec::new() };
        let before = &text[..text.len() - 1];
        let found = before.windows(NEEDLE).rposition(|window| window == needle);
        found.map_or(Vec::new(), |at| text[at + NEEDLE..].iter().copied().take(length).collect())
    }

    #[test]
    fn guesses_are_what_followed_the_last_time() {
        let mut state = 1;
        let mut found = 0;
        for round in 0..300 {
            let mut text = Vec::new();
            let mut drafter = Drafter::new(&[], 8);
            for _ in 0..40 {
                state = crate::testing::mix(state);
                let token = (state % (2 + round % 3)) as u32;
                text.push(token);
                drafter.push(token);
                let guess = drafter.guess(0.0);
                assert_eq!(guess, slow_twin(&text, FIRST_LENGTH), "{text:?}");
                found += usize::from(!guess.is_empty());
            }
        }
        assert!(found > 1_000);
        assert_eq!(Drafter::new(&[1, 2, 3, 4, 1, 2, 3], 8).guess(0.0), [4, 1, 2]);
        assert!(Drafter::new(&[1, 2, 3, 4, 1, 2, 3], 0).guess(0.0).is_empty());
    }

    #[test]
    fn the_length_follows_what_was_right() {
        // What follows the last place is as long as any guess.
        let circle: Vec<u32> = (0..40).map(|at| at % 20).collect();
        let mut drafter = Drafter::new(&circle, 8);
        drafter.note(3, 3);
        assert_eq!(drafter.guess(0.0).len(), 6);
        drafter.note(6, 6);
        assert_eq!(drafter.guess(0.0).len(), 8);
        drafter.note(8, 0);
        assert_eq!(drafter.guess(0.0).len(), 1);
        drafter.note(1, 1);
        assert_eq!(drafter.guess(0.0).len(), 2);
    }

    #[test]
    fn guesses_that_do_not_pay_pause() {
        let mut drafter = Drafter::new(&[7; 40], 8);
        let mut tried = 0;
        while !drafter.guess(1.5).is_empty() {
            drafter.note(1, 0);
            tried += 1;
        }
        assert!((5..40).contains(&tried), "{tried}");
        for _ in 0..PAUSE {
            assert!(drafter.guess(1.5).is_empty());
            drafter.push(7);
        }
        assert_eq!(drafter.guess(1.5).len(), 1, "another chance");
    }

    #[test]
    fn the_cost_is_measured() {
        let milliseconds = Duration::from_millis;
        for (counts, expected) in [(true, 1.5), (false, 0.0)] {
            let mut cost = DraftCost::new(counts);
            cost.note(false, milliseconds(10));
            assert_eq!(cost.multiple(), 0.0);
            cost.note(true, milliseconds(15));
            assert!((cost.multiple() - expected).abs() < 1e-9);
        }
    }
}
