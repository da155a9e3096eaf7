//! Guesses that were drawn: how, and when they are taken (rejection sampling; Leviathan, Kalman and
//! Matias, 2023).
//!
//! With p the probability that the model gives a token, and q that with which it was guessed, a guess
//! is taken with probability min(1, p / q), else a token is drawn from max(0, p - q). A token then comes
//! with min(p, q), as a guess, and with p - min(p, q) otherwise: together p.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::filters::{Candidates, Filters};
use crate::logits::LogitsRow;
use crate::params::SamplingParams;

/// What a guess was drawn from.
#[derive(Debug)]
pub(crate) struct Distribution(Candidates);

/// A guess that was drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guess<'a> {
    pub(crate) id: u32,
    pub(crate) drawn_from: &'a Distribution,
}

impl Guess<'_> {
    /// The guess or another token, as likely as `candidates` say.
    pub(super) fn judge(
        &self,
        scores: &LogitsRow<'_>,
        candidates: &Candidates,
        random: &mut ChaCha8Rng,
    ) -> u32 {
        let Self { id, drawn_from: Distribution(other) } = *self;
        let point: f64 = random.random();
        if point * other.probability(id) < candidates.probability(id) {
            return id;
        }
        candidates.draw_beyond(other, scores, random.random())
    }
}

/// A guess at what a request chooses after these logits, as far as that does not depend on its text:
/// without penalties, bias, XTC and grammar. None of the logits is NaN or infinite.
pub(crate) fn draw_guess(
    params: &SamplingParams,
    logits: &[f32],
    random: &mut ChaCha8Rng,
) -> (u32, Option<Distribution>) {
    let logits = LogitsRow::of(logits);
    let best = logits.argmax();
    if params.temperature == 0.0 {
        return (best, None);
    }
    let candidates = candidates(params, &logits, best, true);
    (candidates.draw(&logits, random.random()), Some(Distribution(candidates)))
}

/// The same with the very numbers that the request will draw. What it chooses is then its own choice,
/// whoever guessed: two models that agree on the likely tokens come to the same one, most times.
pub(crate) fn draw_alike(params: &SamplingParams, logits: &[f32], numbers: &mut ChaCha8Rng) -> u32 {
    let logits = LogitsRow::of(logits);
    let best = logits.argmax();
    if params.temperature == 0.0 {
        return best;
    }
    if params.xtc.probability > 0.0 {
        // The request asks first whether to leave the likeliest out.
        let _: f32 = numbers.random();
    }
    candidates(params, &logits, best, false).draw(&logits, numbers.random())
}

fn candidates(
    params: &SamplingParams,
    logits: &LogitsRow<'_>,
    best: u32,
    each: bool,
) -> Candidates {
    let mut candidates = Candidates::default();
    candidates.select(logits, best, params.temperature, Filters::of(params, None), each);
    candidates
}
