//! DRY: what would go on repeating the text costs more the longer it has repeated it.

use crate::params::Dry;

/// The text so far, as DRY looks at it.
#[derive(Debug, Default)]
pub(super) struct DryHistory {
    ids: Vec<u32>,
    /// Whether a repeated sequence may not reach over the token.
    breaks: Vec<bool>,
    /// For each distance from the text's end, how many tokens before it equal those at the end.
    matched: Vec<usize>,
}

impl DryHistory {
    pub(super) fn push(&mut self, id: u32, dry: &Dry, text_of: impl Fn(u32) -> String) {
        let text = text_of(id);
        self.ids.push(id);
        self.breaks.push(dry.sequence_breakers.iter().any(|breaker| text.contains(breaker)));
    }

    /// Takes from the scores of tokens that would go on with a repetition.
    pub(super) fn penalise(&mut self, scores: &mut [f32], dry: &Dry) {
        let looked_at = dry.last_n.map_or(usize::MAX, |n| n as usize).min(self.ids.len());
        let start = self.ids.len() - looked_at;
        let (ids, breaks) = (&self.ids[start..], &self.breaks[start..]);
        let longest = breaks.iter().rev().take_while(|breaks| !**breaks).count();
        if longest < (dry.allowed_length as usize).max(1) {
            return;
        }
        match_ends(ids, &mut self.matched);
        // The longest repetition of each token that would go on with one.
        let mut repeated = std::collections::BTreeMap::new();
        for distance in 1..ids.len() {
            let length = self.matched[distance].min(longest);
            let next = ids.len() - distance;
            if length >= (dry.allowed_length as usize).max(1) && !breaks[next] {
                let known: &mut usize = repeated.entry(ids[next]).or_default();
                *known = (*known).max(length);
            }
        }
        for (id, length) in repeated {
            let beyond = (length - dry.allowed_length as usize) as f64;
            let penalty = f64::from(dry.multiplier) * f64::from(dry.base).powf(beyond);
            let score = &mut scores[id as usize];
            *score = super::finite((f64::from(*score) - penalty) as f32);
        }
    }
}

/// `matched[d]` becomes the length of the longest common ending of `ids` and of `ids` without its
/// last `d` tokens. It is the Z algorithm on the text read backwards: linear, whatever repeats.
fn match_ends(ids: &[u32], matched: &mut Vec<usize>) {
    let n = ids.len();
    let from_end = |at: usize| ids[n - 1 - at];
    matched.clear();
    matched.resize(n, 0);
    // The match that reaches farthest back covers `start..end`.
    let (mut start, mut end) = (0, 0);
    for at in 1..n {
        let mut length = if at < end { matched[at - start].min(end - at) } else { 0 };
        while at + length < n && from_end(length) == from_end(at + length) {
            length += 1;
        }
        matched[at] = length;
        if at + length > end {
            (start, end) = (at, at + length);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The definition, by looking at every place and every length.
    fn slow_twin(ids: &[u32], breaks: impl Fn(u32) -> bool, dry: &Dry) -> Vec<f64> {
        let start = dry.last_n.map_or(0, |n| ids.len().saturating_sub(n as usize));
        let ids = &ids[start..];
        let mut penalties = vec![0.0f64; 8];
        for next in 1..ids.len() {
            let same = |n: &usize| {
                let ending = &ids[ids.len() - n..];
                ending == &ids[next - n..next] && !ending.iter().any(|&id| breaks(id))
            };
            let length = (0..=next).filter(same).max().unwrap_or(0);
            if length >= (dry.allowed_length as usize).max(1) && !breaks(ids[next]) {
                let beyond = (length - dry.allowed_length as usize) as i32;
                let penalty = f64::from(dry.multiplier) * f64::from(dry.base).powi(beyond);
                let known = &mut penalties[ids[next] as usize];
                *known = known.max(penalty);
            }
        }
        penalties
    }

    #[test]
    fn penalties_equal_the_definition() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let text_of = |id: u32| if id == 0 { "a: b".to_owned() } else { id.to_string() };
        let mut touched = 0;
        for round in 0..5_000 {
            let dry = Dry {
                multiplier: 0.8,
                base: [1.0, 1.75, 3.0][round % 3],
                allowed_length: rng.random_range(0..4),
                last_n: [None, Some(0), Some(3), Some(12)][rng.random_range(0..4)],
                ..Dry::off()
            };
            // Few different tokens repeat often; 0 breaks.
            let ids: Vec<u32> =
                (0..rng.random_range(0..30)).map(|_| rng.random_range(0..3) * 2 % 5).collect();
            let mut history = DryHistory::default();
            ids.iter().for_each(|&id| history.push(id, &dry, text_of));
            let mut scores = vec![1.0; 8];
            history.penalise(&mut scores, &dry);
            for (score, penalty) in scores.iter().zip(slow_twin(&ids, |id| id == 0, &dry)) {
                assert!(
                    (f64::from(*score) - (1.0 - penalty)).abs() <= 1e-5 * penalty.max(1.0),
                    "{dry:?} {ids:?}"
                );
                touched += usize::from(penalty > 0.0);
            }
        }
        assert!(touched > 1_000, "{touched}");
    }

    #[test]
    fn a_penalty_beyond_all_numbers_is_a_number() {
        let dry = Dry { multiplier: f32::MAX, base: f32::MAX, ..Dry::off() };
        let mut history = DryHistory::default();
        (0..500).for_each(|_| history.push(1, &dry, |_| String::new()));
        let mut scores = vec![0.0; 2];
        history.penalise(&mut scores, &dry);
        assert_eq!(scores, [0.0, f32::MIN]);
    }
}
