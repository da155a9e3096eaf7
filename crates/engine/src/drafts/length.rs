//! How many guesses are worth their time.

/// How likely a first guess is taken to be right.
const FIRST: f64 = 0.6;

/// The same after a pause.
const TRIAL: f64 = 0.5;

/// The share of the latest guess in the mean.
const LATEST: f64 = 0.1;

/// Texts of whom guesses do not pay are left alone for so many tokens: at first, and at most.
const PAUSES: (usize, usize) = (64, 1024);

/// Decides the number of guesses for one text.
#[derive(Debug)]
pub(super) struct DraftLength {
    /// How likely a guess is right, if those before it were.
    right: f64,
    /// The length of the text at which guessing begins again.
    from: usize,
    /// Tokens of the next pause.
    pause: usize,
}

impl Default for DraftLength {
    fn default() -> Self {
        Self { right: FIRST, from: 0, pause: PAUSES.0 }
    }
}

impl DraftLength {
    /// The number of guesses, up to `most`, with which tokens come fastest, where the step gives
    /// `gain` tokens without them and takes `time(guesses)`. `length` is the text's.
    pub(super) fn choose(
        &mut self,
        length: usize,
        most: usize,
        gain: f64,
        time: impl Fn(usize) -> f64,
    ) -> usize {
        if length < self.from {
            return 0;
        }
        let (mut best, mut fastest) = (0, gain / time(0));
        for guesses in 1..=most {
            let speed = (gain + self.expected(guesses)) / time(guesses);
            if speed > fastest {
                (best, fastest) = (guesses, speed);
            }
        }
        if best == 0 {
            self.from = length + self.pause;
            self.pause = (2 * self.pause).min(PAUSES.1);
            self.right = self.right.max(TRIAL);
        }
        best
    }

    /// How many of so many guesses will be right, if it goes on as before.
    pub(super) fn expected(&self, guesses: usize) -> f64 {
        (1..=guesses as i32).map(|count| self.right.powi(count)).sum()
    }

    /// Of so many guesses, so many were right; none after the first wrong one counts.
    pub(super) fn note(&mut self, guessed: usize, right: usize) {
        let wrong = usize::from(right < guessed);
        let seen = std::iter::repeat_n(1.0, right).chain(std::iter::repeat_n(0.0, wrong));
        seen.for_each(|one| self.right += LATEST * (one - self.right));
        if right == guessed {
            self.pause = PAUSES.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step whose every guess takes `each` times what a step without takes.
    fn time(each: f64) -> impl Fn(usize) -> f64 {
        move |guesses| 1.0 + each * guesses as f64
    }

    #[test]
    fn the_length_follows_what_was_right() {
        let mut length = DraftLength::default();
        let first = length.choose(10, 8, 1.0, time(0.05));
        assert!((2..8).contains(&first), "{first}");
        (0..10).for_each(|_| length.note(4, 4));
        assert_eq!(length.choose(10, 8, 1.0, time(0.05)), 8);
        (0..16).for_each(|_| length.note(4, 0));
        assert_eq!(length.choose(10, 8, 1.0, time(0.05)), 1);
    }

    #[test]
    fn the_choice_is_the_fastest_there_is() {
        for right in [0.1, 0.4, 0.7, 0.95] {
            for each in [0.02, 0.1, 0.3, 0.8] {
                let length = || DraftLength { right, ..DraftLength::default() };
                let speed = |guesses| (1.0 + length().expected(guesses)) / time(each)(guesses);
                let found = length().choose(0, 6, 1.0, time(each));
                assert!((0..=6).all(|other| speed(other) <= speed(found)), "{right} {each}");
            }
        }
    }

    #[test]
    fn guesses_that_do_not_pay_pause_longer_and_longer() {
        let mut length = DraftLength::default();
        let (mut at, mut tried, mut paused) = (0, 0, Vec::new());
        while at < 1000 {
            match length.choose(at, 4, 1.0, time(0.3)) {
                0 => {
                    paused.push(length.from - at);
                    at = length.from;
                }
                guessed => {
                    length.note(guessed, 0);
                    (at, tried) = (at + 1, tried + 1);
                }
            }
        }
        assert_eq!(paused, [64, 128, 256, 512, 1024][..paused.len()]);
        assert!((10..40).contains(&tried), "{tried} chances in {} pauses", paused.len());
        length.note(1, 1);
        assert_eq!(length.pause, 64, "what was right once may be so again");
    }

    #[test]
    fn a_guess_beside_many_answers_is_worth_less_than_its_share() {
        let right =
            |gain| DraftLength::default().choose(0, 1, gain, |guesses| gain + guesses as f64);
        assert_eq!((right(1.0), right(8.0)), (0, 0), "a token for a token's time at best");
        let mut length = DraftLength::default();
        assert_eq!(length.choose(0, 1, 8.0, |guesses| 16.0 + guesses as f64), 1);
    }
}
