//! From one row of logits to one token.
//!
//! The order is that of [`SamplingParams`]. Every step has a slow twin in its tests: what
//! is fast here is only fast.

mod dry;
mod filters;
mod guess;
mod raw;

use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::constraint::TokenMask;
use crate::logits::LogitsRow;
use crate::params::SamplingParams;
use dry::DryHistory;
use filters::{Candidates, Filters};
pub(crate) use guess::{Distribution, Guess, draw_alike, draw_guess};
pub(crate) use raw::RawDistribution;

/// Why no token can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub(crate) enum SampleError {
    #[error(
        "the model computed {value} as the logit of token {id}: its numbers overflowed, or its \
         weights are damaged"
    )]
    NotFinite { id: usize, value: f32 },
    #[error(
        "no token may come next: the answer's grammar, or min_tokens, forbids every one that the \
         other allows"
    )]
    NothingLeft,
}

/// One request's way of choosing: its values, its random numbers, its counts.
pub(crate) struct Sampler {
    params: SamplingParams,
    rng: ChaCha8Rng,
    /// Ids that a penalty touches. Empty if there is no penalty.
    seen: BTreeMap<u32, Seen>,
    /// The text so far, if DRY is on.
    dry: Option<DryHistory>,
}

/// How a request chooses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) params: &'a SamplingParams,
    /// The numbers that it draws next, where a seed fixes them.
    pub(crate) numbers: Option<&'a ChaCha8Rng>,
}

/// Memory of a choice, as large as the vocabulary: one for all requests, which choose in turn.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The logits as a request changes them, if it does.
    scores: Vec<f32>,
    candidates: Candidates,
    /// How many tokens were chosen, and how.
    pub(crate) choices: Choices,
}

/// How tokens were chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    /// From a digest, and of the row only the parts that it named.
    pub(crate) by_digest: u64,
    /// From a whole row.
    pub(crate) by_row: u64,
}

/// Where an id has been. The repetition penalty covers prompt and answer; the presence and
/// frequency penalties count the answer only (E12).
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    in_answer: u32,
}

/// What may not be chosen, whatever the request's parameters say.
#[derive(Clone, Copy, Default)]
pub(crate) struct Forbidden<'a> {
    /// These.
    pub(crate) ids: Option<&'a BTreeSet<u32>>,
    /// All but these.
    pub(crate) all_but: Option<&'a TokenMask>,
}

impl Choices {
    /// Everything about a token has been read from this row.
    pub(crate) fn note(&mut self, row: &LogitsRow<'_>) {
        match row.was_spared() {
            true => self.by_digest += 1,
            false => self.by_row += 1,
        }
    }
}

impl SampleError {
    /// Whether the model's numbers are at fault, and not what the request allows.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self, Self::NotFinite { .. })
    }
}

impl Forbidden<'_> {
    fn anything(&self) -> bool {
        self.ids.is_some() || self.all_but.is_some()
    }

    fn apply(&self, scores: &mut [f32]) {
        for &id in self.ids.into_iter().flatten() {
            if let Some(score) = scores.get_mut(id as usize) {
                *score = f32::NEG_INFINITY;
            }
        }
        let words = self.all_but.map_or(&[][..], TokenMask::words);
        for (part, word) in scores.chunks_mut(32).zip(words).filter(|(_, word)| **word != u32::MAX)
        {
            for (bit, score) in part.iter_mut().enumerate() {
                *score = if word >> bit & 1 == 1 { *score } else { f32::NEG_INFINITY };
            }
        }
    }
}

impl Sampler {
    /// `text_of` gives a token's own text.
    pub(crate) fn new(
        params: SamplingParams,
        prompt: &[u32],
        text_of: impl Fn(u32) -> String,
    ) -> Self {
        let rng = match params.seed {
            Some(seed) => ChaCha8Rng::seed_from_u64(seed),
            None => ChaCha8Rng::from_rng(&mut rand::rng()),
        };
        let mut seen = BTreeMap::new();
        if params.repetition_penalty != 1.0 {
            seen.extend(prompt.iter().map(|&id| (id, Seen::default())));
        }
        let dry = (params.dry.multiplier > 0.0).then(|| {
            let mut history = DryHistory::default();
            prompt.iter().for_each(|&id| history.push(id, &params.dry, &text_of));
            history
        });
        Self { params, rng, seen, dry }
    }

    /// Chooses the token after the text so far. It is not part of the text until it is
    /// [noted](Self::note). A `guess` that was drawn is taken or not so that the choice has the same
    /// distribution as without.
    pub(crate) fn sample(
        &mut self,
        logits: &LogitsRow<'_>,
        forbidden: Forbidden<'_>,
        guess: Option<Guess<'_>>,
        scratch: &mut Scratch,
    ) -> Result<u32, SampleError> {
        check_finite(logits)?;
        let Scratch { scores, candidates, .. } = scratch;
        if !self.changes_scores() && !forbidden.anything() {
            return self.choose(logits, guess, candidates);
        }
        scores.clear();
        scores.extend_from_slice(logits.whole());
        self.apply_bias(scores);
        self.apply_penalties(scores);
        if let Some(history) = &mut self.dry {
            history.penalise(scores, &self.params.dry);
        }
        forbidden.apply(scores);
        self.choose(&LogitsRow::of(scores), guess, candidates)
    }

    /// The temperature of the digest that may do for the next choice in place of the row; below 0 if no
    /// weights are summed. `None` where the whole row is read in any case. `logprobs`: whether log
    /// probabilities are told, whose weights are those at temperature 1.
    pub(crate) fn digest(&self, logprobs: bool) -> Option<f32> {
        /// Any number below 0.
        const NO_SUMS: f32 = -1.0;
        let SamplingParams { temperature, top_k, min_p, top_p, typical_p, xtc, .. } = self.params;
        let greedy = temperature == 0.0;
        let few = top_k.is_some_and(|k| k > 0) || min_p > 0.0;
        let all = !few && (typical_p < 1.0 || top_p >= 1.0 && xtc.probability > 0.0);
        if self.changes_scores() || !greedy && all {
            return None;
        }
        let chosen_by_sums = !greedy && !few;
        Some(match (chosen_by_sums, logprobs) {
            (true, _) => temperature,
            (false, true) => 1.0,
            (false, false) => NO_SUMS,
        })
    }

    /// Whether the request has its own wishes about scores.
    fn changes_scores(&self) -> bool {
        !self.params.logit_bias.is_empty() || !self.seen.is_empty() || self.dry.is_some()
    }

    /// What somebody else needs to choose as it will.
    pub(crate) fn way(&self) -> Way<'_> {
        let numbers = self.params.seed.is_some().then_some(&self.rng);
        Way { params: &self.params, numbers }
    }

    /// The text goes on with `id`, which may have been chosen elsewhere.
    pub(crate) fn note(&mut self, id: u32, text_of: impl Fn(u32) -> String) {
        if self.has_penalty() {
            self.seen.entry(id).or_default().in_answer += 1;
        }
        if let Some(history) = &mut self.dry {
            history.push(id, &self.params.dry, text_of);
        }
    }

    fn choose(
        &mut self,
        scores: &LogitsRow<'_>,
        guess: Option<Guess<'_>>,
        candidates: &mut Candidates,
    ) -> Result<u32, SampleError> {
        let best = scores.argmax();
        if scores.score(best) == f32::NEG_INFINITY {
            return Err(SampleError::NothingLeft);
        }
        if self.params.temperature == 0.0 {
            return Ok(best);
        }
        // The number is drawn whether or not there is something to leave out, so that what
        // follows does not depend on it.
        let xtc = self.params.xtc;
        let excludes = xtc.probability > 0.0 && self.rng.random::<f32>() < xtc.probability;
        let filters = Filters::of(&self.params, excludes.then_some(xtc.threshold));
        candidates.select(scores, best, self.params.temperature, filters, guess.is_some());
        Ok(match guess {
            Some(guess) => guess.judge(scores, candidates, &mut self.rng),
            None => candidates.draw(scores, self.rng.random()),
        })
    }

    fn apply_bias(&self, scores: &mut [f32]) {
        for &(id, bias) in &self.params.logit_bias {
            scores[id as usize] = finite(scores[id as usize] + bias);
        }
    }

    fn apply_penalties(&self, scores: &mut [f32]) {
        let SamplingParams { repetition_penalty, presence_penalty, frequency_penalty, .. } =
            self.params;
        for (&id, seen) in &self.seen {
            let score = &mut scores[id as usize];
            let repeated = if *score > 0.0 {
                *score / repetition_penalty
            } else {
                *score * repetition_penalty
            };
            *score = finite(repeated);
            if seen.in_answer > 0 {
                let penalty = frequency_penalty * seen.in_answer as f32 + presence_penalty;
                *score = finite(*score - penalty);
            }
        }
    }

    fn has_penalty(&self) -> bool {
        let params = &self.params;
        params.repetition_penalty != 1.0
            || params.presence_penalty != 0.0
            || params.frequency_penalty != 0.0
    }
}

/// A request's own large numbers must not look like the model's overflow.
fn finite(score: f32) -> f32 {
    score.clamp(f32::MIN, f32::MAX)
}

/// Comparisons ignore NaN, so one would vanish silently, and a row of them would be id 0 for
/// ever (E3, E8): they are looked for.
fn check_finite(logits: &LogitsRow<'_>) -> Result<(), SampleError> {
    match logits.first_not_finite() {
        Some(id) => Err(SampleError::NotFinite { id, value: logits.score(id as u32) }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod digest_tests;
#[cfg(test)]
mod tests;
