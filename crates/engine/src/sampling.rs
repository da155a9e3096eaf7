//! From one row of logits to one token.
//!
//! The order is that of [`SamplingParams`]. Every step has a slow twin in its tests: what
//! is fast here is only fast.

mod filters;
mod raw;

use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::api::SamplingParams;
use crate::logits::{argmax, first_not_finite};
use filters::{Candidates, Filters};
pub(crate) use raw::RawDistribution;

/// Why no token can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub(crate) enum SampleError {
    #[error(
        "the model computed {value} as the logit of token {id}: its numbers overflowed, or its \
         weights are damaged"
    )]
    NotFinite { id: usize, value: f32 },
    #[error("every token of the vocabulary ends the text, and min_tokens forbids that here")]
    NothingLeft,
}

/// One request's way of choosing: its values, its random numbers, its counts.
pub(crate) struct Sampler {
    params: SamplingParams,
    rng: ChaCha8Rng,
    /// Ids that a penalty touches. Empty if there is no penalty.
    seen: BTreeMap<u32, Seen>,
    /// The logits as the request changes them, if it does; kept to spare an allocation for
    /// each token.
    scores: Vec<f32>,
    candidates: Candidates,
}

/// Where an id has been. The repetition penalty covers prompt and answer; the presence and
/// frequency penalties count the answer only (E12).
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    in_answer: u32,
}

impl Sampler {
    pub(crate) fn new(params: SamplingParams, prompt: &[u32]) -> Self {
        let rng = match params.seed {
            Some(seed) => ChaCha8Rng::seed_from_u64(seed),
            None => ChaCha8Rng::from_rng(&mut rand::rng()),
        };
        let mut seen = BTreeMap::new();
        if params.repetition_penalty != 1.0 {
            seen.extend(prompt.iter().map(|&id| (id, Seen::default())));
        }
        Self { params, rng, seen, scores: Vec::new(), candidates: Candidates::default() }
    }

    /// Chooses the token after the text so far, and counts it as part of the answer.
    pub(crate) fn sample(
        &mut self,
        logits: &[f32],
        banned: Option<&BTreeSet<u32>>,
    ) -> Result<u32, SampleError> {
        check_finite(logits)?;
        let changed = !self.params.logit_bias.is_empty() || !self.seen.is_empty();
        let id = if changed || banned.is_some() {
            let mut scores = std::mem::take(&mut self.scores);
            scores.clear();
            scores.extend_from_slice(logits);
            self.change(&mut scores, banned);
            let id = self.choose(&scores);
            self.scores = scores;
            id?
        } else {
            self.choose(logits)?
        };
        if self.has_penalty() {
            self.seen.entry(id).or_default().in_answer += 1;
        }
        Ok(id)
    }

    /// Makes of the model's logits what the request wants of them.
    fn change(&self, scores: &mut [f32], banned: Option<&BTreeSet<u32>>) {
        self.apply_bias(scores);
        self.apply_penalties(scores);
        for &id in banned.into_iter().flatten() {
            if let Some(score) = scores.get_mut(id as usize) {
                *score = f32::NEG_INFINITY;
            }
        }
    }

    fn choose(&mut self, scores: &[f32]) -> Result<u32, SampleError> {
        let best = argmax(scores);
        if scores[best as usize] == f32::NEG_INFINITY {
            return Err(SampleError::NothingLeft);
        }
        let SamplingParams { temperature, top_k, top_p, min_p, .. } = self.params;
        if temperature == 0.0 {
            return Ok(best);
        }
        let filters = Filters { min_p, top_k: top_k.map(|k| k as usize), top_p };
        self.candidates.select(scores, best, temperature, filters);
        Ok(self.candidates.draw(self.rng.random()))
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
fn check_finite(logits: &[f32]) -> Result<(), SampleError> {
    match first_not_finite(logits) {
        Some(id) => Err(SampleError::NotFinite { id, value: logits[id] }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
