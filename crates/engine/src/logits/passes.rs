//! Passes over a whole row.
//!
//! A vocabulary has tens of thousands of tokens and a step takes a few milliseconds, so every
//! pass here is written as independent lanes, which the compiler turns into vector
//! instructions of whatever machine it compiles for. Results are the same on all of them, and on GPUs,
//! whose kernels do the same operations in the same order (`kernels-hip/digest.hip`).

use super::row::LogitsRow;

pub(crate) use tyto_artifact::CHUNK;

/// Independent lanes of a pass.
const LANES: usize = 16;

/// The first value that is NaN or infinite.
pub(crate) fn first_not_finite(values: &[f32]) -> Option<usize> {
    /// The bits of the exponent, all set in NaN and the infinities only.
    const EXPONENT: u32 = 0x7f80_0000;
    let is_bad = |value: &f32| value.to_bits() & EXPONENT == EXPONENT;
    let any = values.iter().fold(0, |any, value| any | u32::from(is_bad(value)));
    if any == 0 { None } else { values.iter().position(is_bad) }
}

/// The id of the highest score; of equal ones the lowest id. There is at least one score, and
/// none is NaN.
pub(crate) fn argmax(scores: &[f32]) -> u32 {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, chunk) in scores.chunks(CHUNK).enumerate() {
        let found = highest(chunk);
        if found > best.1 {
            best = (index * CHUNK, found);
        }
    }
    let (start, value) = best;
    let in_chunk = scores[start..].iter().position(|score| *score == value);
    (start + in_chunk.expect("a chunk holds its highest score")) as u32
}

/// Higher scores first; of equal ones the lowest id first.
pub(super) fn by_rank(scores: &[f32], a: u32, b: u32) -> std::cmp::Ordering {
    let (first, second) = (scores[a as usize], scores[b as usize]);
    second.partial_cmp(&first).expect("no score is NaN").then(a.cmp(&b))
}

/// A number that at least `k` scores reach: the k-th highest of the chunks' highest scores.
/// It leaves little more than `k` ids to sort, where `k` is small.
pub(crate) fn at_most_the_kth(maxima: &[f32], k: usize) -> f32 {
    if k > maxima.len() {
        return f32::NEG_INFINITY;
    }
    let mut highest = maxima.to_vec();
    let descending = |a: &f32, b: &f32| b.partial_cmp(a).expect("no score is NaN");
    *highest.select_nth_unstable_by(k - 1, descending).1
}

/// The highest of a few scores.
pub(super) fn highest(chunk: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let groups = chunk.chunks_exact(LANES);
    let rest = groups.remainder();
    for group in groups {
        for (lane, score) in lanes.iter_mut().zip(group) {
            *lane = if score > lane { *score } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |most, x| if *x > most { *x } else { most })
}

/// The weight of every token of a row, and their sums by parts of the vocabulary.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weights {
    /// Relative to the most likely token, whose weight is 1. None where a digest has the sums.
    pub(crate) weights: Vec<f32>,
    /// Of each [`CHUNK`] of them.
    pub(crate) sums: Vec<f64>,
}

impl Weights {
    /// Becomes the weights of `row`, whose highest score and temperature `scale` knows. `each`: those
    /// of every token are wanted, not only the sums.
    pub(crate) fn weigh(&mut self, row: &LogitsRow<'_>, scale: Scale, each: bool) {
        self.weights.clear();
        self.sums.clear();
        if !each && let Some(sums) = row.sums_at(scale.temperature) {
            self.sums.extend(sums.iter().map(|sum| f64::from(*sum)));
            return;
        }
        self.weights.extend(row.whole().iter().map(|score| scale.weight(*score)));
        self.sums.extend(self.weights.chunks(CHUNK).map(|chunk| f64::from(sum(chunk))));
    }

    /// The sum of all.
    pub(crate) fn total(&self) -> f64 {
        self.sums.iter().sum()
    }
}

/// What makes weights of scores.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scale {
    /// No score is above it.
    pub(crate) highest: f32,
    /// Above 0.
    pub(crate) temperature: f32,
}

impl Scale {
    /// e^((score - highest) / temperature), to within a few units of the last place.
    ///
    /// Differences to the highest score: its weight is 1 at any temperature, and what a tiny
    /// temperature makes of the others is 0, never infinity (E1).
    pub(crate) fn weight(self, score: f32) -> f32 {
        exp_of_negative((score - self.highest) / self.temperature)
    }
}

/// e^x for x from negative infinity to 0, as 2^k times a Taylor polynomial; 0 below the
/// normal numbers. Ours, so that a seed draws the same tokens whatever the system's library.
pub(crate) fn exp_of_negative(x: f32) -> f32 {
    /// About the logarithm of the least normal number.
    const LEAST: f32 = -87.0;
    /// 1.5 * 2^23: added, it leaves a whole number in the low bits.
    const ROUND: f32 = 12_582_912.0;
    /// ln 2 in two parts; the first has so few bits that multiples of it are exact.
    const LN_2: (f32, f32) = (355.0 / 512.0, -2.121_944_4e-4);
    let bounded = if x > LEAST { x } else { LEAST };
    let rounded = bounded * std::f32::consts::LOG2_E + ROUND;
    let k = rounded - ROUND;
    let r = (bounded - k * LN_2.0) - k * LN_2.1;
    let mut polynomial = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        polynomial = polynomial * r + coefficient;
    }
    let power = f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23));
    if x > LEAST { polynomial * power } else { 0.0 }
}

fn sum(chunk: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let groups = chunk.chunks_exact(LANES);
    let rest = groups.remainder();
    for group in groups {
        lanes.iter_mut().zip(group).for_each(|(lane, value)| *lane += value);
    }
    lanes.iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Scores in coarse steps, so that ties are common.
    fn coarse(rng: &mut ChaCha8Rng, n: usize) -> Vec<f32> {
        (0..n).map(|_| rng.random_range(-8..8) as f32 / 4.0).collect()
    }

    #[test]
    fn passes_agree_with_a_full_sort() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..3_000 {
            let n = rng.random_range(1..400);
            let mut scores = coarse(&mut rng, n);
            if round % 3 == 0 {
                // Banned tokens.
                scores[rng.random_range(0..n)] = f32::NEG_INFINITY;
            }
            let mut ids: Vec<u32> = (0..n as u32).collect();
            ids.sort_by(|a, b| by_rank(&scores, *a, *b));
            assert_eq!(argmax(&scores), ids[0], "{scores:?}");
            let k = rng.random_range(0..n + 2);
            let mut expected = ids[..k.min(n)].to_vec();
            expected.sort_unstable();
            assert_eq!(LogitsRow::of(&scores).highest_ids(k), expected, "{k} of {scores:?}");
        }
    }

    #[test]
    fn a_row_without_any_finite_score_has_a_first() {
        assert_eq!(argmax(&[f32::NEG_INFINITY; 100]), 0);
    }

    #[test]
    fn the_first_value_that_is_not_finite_is_found_anywhere() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN] {
            for at in 0..150 {
                let mut values = vec![f32::MAX; 150];
                values[at..].fill(bad);
                assert_eq!(first_not_finite(&values), Some(at));
            }
        }
        let finite = [0.0, -0.0, f32::MIN, f32::MAX, f32::MIN_POSITIVE / 2.0];
        assert_eq!(first_not_finite(&finite.repeat(30)), None);
    }

    #[test]
    fn exponentials_are_right_to_the_last_places() {
        let mut worst = 0f64;
        for step in 0..870_000 {
            let x = -(step as f32) / 10_000.0;
            let exact = f64::from(x).exp();
            worst = worst.max((f64::from(exp_of_negative(x)) / exact - 1.0).abs());
        }
        assert!(worst < 4.0 * f64::from(f32::EPSILON), "{worst}");
        assert_eq!(exp_of_negative(0.0), 1.0);
        assert_eq!(exp_of_negative(-0.0), 1.0);
        for x in [-87.0, -88.0, -1e6, -f32::MAX, f32::NEG_INFINITY] {
            assert_eq!(exp_of_negative(x), 0.0, "{x}");
        }
    }

    #[test]
    fn weights_sum_to_what_they_are() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for n in [1, 15, 64, 65, 1000] {
            let scores = coarse(&mut rng, n);
            let highest = scores[argmax(&scores) as usize];
            let mut weights = Weights { weights: vec![3.0; 2], sums: vec![1.0] };
            let scale = Scale { highest, temperature: 0.7 };
            weights.weigh(&LogitsRow::of(&scores), scale, true);
            assert_eq!((weights.weights.len(), weights.sums.len()), (n, n.div_ceil(CHUNK)));
            for (chunk, sum) in weights.weights.chunks(CHUNK).zip(&weights.sums) {
                let exact: f64 = chunk.iter().map(|weight| f64::from(*weight)).sum();
                assert!((sum / exact - 1.0).abs() < 1e-6, "{sum} {exact}");
            }
            let all = &weights.weights;
            assert!(all.contains(&1.0) && all.iter().all(|weight| *weight <= 1.0));
        }
    }
}
