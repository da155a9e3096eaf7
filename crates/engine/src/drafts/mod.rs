//! Guesses ahead of the model: who makes them, how many, and whether they pay.
//!
//! A [`Drafter`] proposes what may come after a text. The model computes the guesses together with
//! the token before them and chooses after each, as it would without them; the first that it does
//! not agree with ends the run. So the text is what it would have been, and only the number of
//! steps differs.

mod cost;
mod length;
mod lookup;

use std::collections::HashMap;
use std::time::Duration;

use tyto_scheduler::SeqId;

pub(crate) use cost::StepTimes;
use length::DraftLength;
pub(crate) use lookup::Lookup;

/// Who proposes what may come after texts.
pub(crate) trait Drafter {
    /// How many tokens it could propose after a text now; 0 for none. A text is known by its id
    /// from the first call on, and only ever grows.
    fn reach(&mut self, id: SeqId, text: &[u32]) -> usize;

    /// Proposals for these texts, in their order, none longer than is asked for.
    fn propose(&mut self, asked: &[Asked<'_>]) -> Vec<Vec<u32>>;

    /// The text has ended.
    fn forget(&mut self, id: SeqId);
}

/// A text that proposals are wanted for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) id: SeqId,
    pub(crate) text: &'a [u32],
    /// Tokens to propose at most; at least one.
    pub(crate) most: usize,
}

/// All guessing of an engine.
pub(crate) struct Speculation {
    drafter: Box<dyn Drafter>,
    lengths: HashMap<SeqId, DraftLength>,
    times: StepTimes,
    /// Tokens of answers in a step with guesses, guesses included.
    rows: usize,
}

impl Speculation {
    /// Guesses of `drafter`. A step with guesses has at most `rows` tokens of answers, guesses
    /// included.
    pub(crate) fn new(drafter: Box<dyn Drafter>, times: StepTimes, rows: usize) -> Self {
        Self { drafter, lengths: HashMap::new(), times, rows }
    }

    /// What may come after these texts, of which each gets a token in the next step: as many
    /// guesses as make tokens come fastest, by what guesses were worth and what steps took.
    pub(crate) fn guess(&mut self, answers: &[(SeqId, &[u32])]) -> Vec<(SeqId, Vec<u32>)> {
        // What the step has so far: tokens to compute, and tokens that it is expected to give.
        let (mut rows, mut gain) = (answers.len(), answers.len() as f64);
        let mut asked = Vec::new();
        for &(id, text) in answers {
            let reach = self.drafter.reach(id, text).min(self.rows.saturating_sub(rows));
            if reach == 0 {
                continue;
            }
            let length = self.lengths.entry(id).or_default();
            let time = |guesses| self.times.of(rows + guesses);
            let most = length.choose(text.len(), reach, gain, time);
            if most > 0 {
                asked.push(Asked { id, text, most });
                gain += length.expected(most);
                rows += most;
            }
        }
        let proposed = self.drafter.propose(&asked);
        asked.iter().map(|asked| asked.id).zip(proposed).collect()
    }

    /// A step of answers alone has taken so long; `rows` are its tokens, guesses included.
    pub(crate) fn note_step(&mut self, rows: usize, took: Duration) {
        self.times.note(rows, took);
    }

    /// Of so many guesses, so many were right.
    pub(crate) fn note(&mut self, id: SeqId, guessed: usize, right: usize) {
        self.lengths.entry(id).or_default().note(guessed, right);
    }

    /// The text has ended.
    pub(crate) fn forget(&mut self, id: SeqId) {
        self.lengths.remove(&id);
        self.drafter.forget(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speculation(rows: usize) -> Speculation {
        Speculation::new(Box::new(Lookup::default()), StepTimes::new(false), rows)
    }

    #[test]
    fn texts_share_the_room_of_a_step_in_order() {
        let circle: Vec<u32> = (0..40).map(|at| at % 20).collect();
        let chance: Vec<u32> = (0..40).collect();
        let mut speculation = speculation(8);
        let texts = [(SeqId(0), &circle[..]), (SeqId(1), &chance[..]), (SeqId(2), &circle[..])];
        for id in [0, 2] {
            (0..20).for_each(|_| speculation.note(SeqId(id), 4, 4));
        }
        let guesses = speculation.guess(&texts);
        let lengths: Vec<_> = guesses.iter().map(|(id, guess)| (id.0, guess.len())).collect();
        assert_eq!(lengths, [(0, 5)], "three answers and five guesses");
        let guesses = speculation.guess(&texts[1..]);
        assert_eq!(guesses, [(SeqId(2), vec![0, 1, 2, 3, 4, 5])]);
    }

    #[test]
    fn full_steps_have_no_guesses() {
        let circle: Vec<u32> = (0..40).map(|at| at % 20).collect();
        let texts: Vec<(SeqId, &[u32])> = (0..4).map(|id| (SeqId(id), &circle[..])).collect();
        assert!(speculation(4).guess(&texts).is_empty());
        assert_eq!(speculation(5).guess(&texts), [(SeqId(0), vec![0])]);
    }
}
