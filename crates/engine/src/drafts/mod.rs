//! Guesses ahead of the model: who makes them, how many, and whether they pay.
//!
//! A [`Drafter`] proposes what may come after a text. The model computes the guesses together with
//! the token before them and chooses after each, as it would without them; the first that it does
//! not agree with ends the run. So the text is what it would have been, and only the number of
//! steps differs.

mod cost;
mod length;
mod lookup;
mod model;

use std::collections::HashMap;
use std::time::Duration;

use tyto_scheduler::SeqId;

pub(crate) use cost::StepTimes;
use length::DraftLength;
pub(crate) use lookup::Lookup;
pub(crate) use model::DraftModel;

use crate::sampling::{Distribution, Way};

/// Who proposes what may come after texts.
pub(crate) trait Drafter {
    /// How many tokens it could propose after a text now; 0 for none. A text is known by its id
    /// from the first call on, and only ever grows.
    fn reach(&mut self, id: SeqId, text: &[u32]) -> usize;

    /// Proposals for these texts, in their order, none longer than is asked for.
    fn propose(&mut self, asked: &[Asked<'_>]) -> Vec<Proposal>;

    /// What it takes to propose so many tokens, for any number of texts together.
    fn time(&self, _guesses: usize) -> Duration {
        Duration::ZERO
    }

    /// The text has ended.
    fn forget(&mut self, id: SeqId);
}

/// A text that proposals are wanted for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) id: SeqId,
    pub(crate) text: &'a [u32],
    /// How the next token is chosen.
    pub(crate) way: Way<'a>,
    /// Tokens to propose at most; at least one.
    pub(crate) most: usize,
}

/// What may come after a text.
#[derive(Debug, Default)]
pub(crate) struct Proposal {
    pub(crate) tokens: Vec<u32>,
    /// What each was drawn from; empty where they were not drawn.
    pub(crate) drawn_from: Vec<Distribution>,
}

/// A text whose next step computes one token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer<'a> {
    pub(crate) id: SeqId,
    pub(crate) text: &'a [u32],
    pub(crate) way: Way<'a>,
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
    pub(crate) fn guess(&mut self, answers: &[Answer<'_>]) -> Vec<(SeqId, Proposal)> {
        // What the step has so far: tokens to compute, and tokens that it is expected to give.
        let (mut rows, mut gain) = (answers.len(), answers.len() as f64);
        // Guesses that are made in any case: more for another text take no more time to propose.
        let mut deepest = 0;
        let mut asked = Vec::new();
        for &Answer { id, text, way } in answers {
            let reach = self.drafter.reach(id, text).min(self.rows.saturating_sub(rows));
            if reach == 0 {
                continue;
            }
            let length = self.lengths.entry(id).or_default();
            let drafter = &self.drafter;
            let proposing = |guesses: usize| match self.times.are_measured() {
                true => drafter.time(guesses.max(deepest)).as_secs_f64(),
                false => 0.0,
            };
            let time = |guesses| self.times.of(rows + guesses) + proposing(guesses);
            let most = length.choose(text.len(), reach, gain, time);
            if most > 0 {
                asked.push(Asked { id, text, way, most });
                deepest = deepest.max(most);
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
    use crate::params::SamplingParams;

    fn speculation(rows: usize) -> Speculation {
        Speculation::new(Box::new(Lookup::default()), StepTimes::new(false), rows)
    }

    /// Ids and guesses.
    fn guess(speculation: &mut Speculation, texts: &[(u64, &[u32])]) -> Vec<(u64, Vec<u32>)> {
        let greedy = SamplingParams::greedy();
        let way = Way { params: &greedy, numbers: None };
        let answer = |&(id, text)| Answer { id: SeqId(id), text, way };
        let answers: Vec<Answer<'_>> = texts.iter().map(answer).collect();
        let guesses = speculation.guess(&answers).into_iter();
        guesses.map(|(id, proposal)| (id.0, proposal.tokens)).collect()
    }

    #[test]
    fn texts_share_the_room_of_a_step_in_order() {
        let circle: Vec<u32> = (0..40).map(|at| at % 20).collect();
        let chance: Vec<u32> = (0..40).collect();
        let mut speculation = speculation(8);
        let texts = [(0, &circle[..]), (1, &chance[..]), (2, &circle[..])];
        for id in [0, 2] {
            (0..20).for_each(|_| speculation.note(SeqId(id), 4, 4));
        }
        let found = guess(&mut speculation, &texts);
        assert_eq!(found, [(0, vec![0, 1, 2, 3, 4])], "three answers and five guesses");
        let found = guess(&mut speculation, &texts[1..]);
        assert_eq!(found, [(2, vec![0, 1, 2, 3, 4, 5])]);
    }

    #[test]
    fn full_steps_have_no_guesses() {
        let circle: Vec<u32> = (0..40).map(|at| at % 20).collect();
        let texts: Vec<(u64, &[u32])> = (0..4).map(|id| (id, &circle[..])).collect();
        assert!(guess(&mut speculation(4), &texts).is_empty());
        assert_eq!(guess(&mut speculation(5), &texts), [(0, vec![0])]);
    }
}
