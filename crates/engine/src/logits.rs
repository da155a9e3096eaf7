//! Rows of logits, and the passes over a whole row.
//!
//! A vocabulary has tens of thousands of tokens and a step takes a few milliseconds, so every
//! pass here is written as independent lanes, which the compiler turns into vector
//! instructions of whatever machine it compiles for. Results are the same on all of them.

/// The logits of one step. Whoever runs the engine keeps it from step to step, so that a
/// step allocates nothing.
#[derive(Debug)]
pub struct StepLogits {
    vocab_size: usize,
    /// Where in `values` a row of the step has its logits, and of how many positions.
    places: Vec<(usize, usize)>,
    values: Vec<f32>,
    used: usize,
}

impl StepLogits {
    /// Room for rows of `vocab_size` logits.
    pub fn new(vocab_size: usize) -> Self {
        Self { vocab_size, places: Vec::new(), values: Vec::new(), used: 0 }
    }

    /// Forgets everything: the next step has `rows` rows, without logits yet.
    pub fn begin(&mut self, rows: usize) {
        self.places.clear();
        self.places.resize(rows, (0, 0));
        self.used = 0;
    }

    /// Where the executor puts the logits of a row, all of them: of `count` positions, one after
    /// the other. They hold anything before.
    ///
    /// # Panics
    /// If the step has no such row, or it has its logits already.
    pub fn rows_mut(&mut self, row: usize, count: usize) -> &mut [f32] {
        assert_eq!(self.places[row].1, 0, "a row gets its logits once");
        let place = self.used;
        self.places[row] = (place, count);
        self.used += count * self.vocab_size;
        if self.values.len() < self.used {
            self.values.resize(self.used, 0.0);
        }
        &mut self.values[place..self.used]
    }

    /// Where the executor puts the logits of further positions of a row, whose others, if there are
    /// any, were the last that it gave.
    ///
    /// # Panics
    /// If the step has no such row, or another row has got logits since.
    pub fn more_rows_mut(&mut self, row: usize, count: usize) -> &mut [f32] {
        let (place, known) = self.places[row];
        if known == 0 {
            return self.rows_mut(row, count);
        }
        let before = self.used;
        assert_eq!(place + known * self.vocab_size, before, "rows of a row stand together");
        self.places[row].1 = known + count;
        self.used += count * self.vocab_size;
        if self.values.len() < self.used {
            self.values.resize(self.used, 0.0);
        }
        &mut self.values[before..self.used]
    }

    /// As [`rows_mut`](Self::rows_mut), of one position.
    ///
    /// # Panics
    /// As [`rows_mut`](Self::rows_mut).
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        self.rows_mut(row, 1)
    }

    /// The logits of a row's only, or first, position, if the executor gave any.
    pub fn row(&self, row: usize) -> Option<&[f32]> {
        self.rows(row).next()
    }

    /// The logits of a row, position by position.
    pub fn rows(&self, row: usize) -> impl ExactSizeIterator<Item = &[f32]> {
        let (place, count) = self.places.get(row).copied().unwrap_or_default();
        self.values[place..place + count * self.vocab_size].chunks_exact(self.vocab_size)
    }

    /// Rows of the step.
    pub fn n_rows(&self) -> usize {
        self.places.len()
    }
}

/// Values looked at together.
pub(crate) const CHUNK: usize = 64;

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

/// The ids of the `k` highest scores, in the order of ids; of equal ones the lowest ids are
/// in. No score is NaN.
pub(crate) fn highest_ids(scores: &[f32], k: usize) -> Vec<u32> {
    if k == 0 {
        return Vec::new();
    }
    let least = at_most_the_kth(scores, k);
    let mut ids = Vec::new();
    for (index, chunk) in scores.chunks(CHUNK).enumerate() {
        if highest(chunk) >= least {
            let start = index * CHUNK;
            let high = chunk.iter().enumerate().filter(|(_, score)| **score >= least);
            ids.extend(high.map(|(at, _)| (start + at) as u32));
        }
    }
    if k < ids.len() {
        ids.select_nth_unstable_by(k - 1, |a, b| by_rank(scores, *a, *b));
        ids.truncate(k);
        ids.sort_unstable();
    }
    ids
}

/// Higher scores first; of equal ones the lowest id first.
pub(crate) fn by_rank(scores: &[f32], a: u32, b: u32) -> std::cmp::Ordering {
    let (first, second) = (scores[a as usize], scores[b as usize]);
    second.partial_cmp(&first).expect("no score is NaN").then(a.cmp(&b))
}

/// A number that at least `k` scores reach: the k-th highest of the chunks' highest scores.
/// It leaves little more than `k` ids to sort, where `k` is small.
fn at_most_the_kth(scores: &[f32], k: usize) -> f32 {
    let mut highest: Vec<f32> = scores.chunks(CHUNK).map(highest).collect();
    if k > highest.len() {
        return f32::NEG_INFINITY;
    }
    let descending = |a: &f32, b: &f32| b.partial_cmp(a).expect("no score is NaN");
    *highest.select_nth_unstable_by(k - 1, descending).1
}

fn highest(chunk: &[f32]) -> f32 {
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
    /// Relative to the most likely token, whose weight is 1.
    pub(crate) weights: Vec<f32>,
    /// Of each [`CHUNK`] of them.
    pub(crate) sums: Vec<f64>,
}

impl Weights {
    /// Becomes e^((score - highest) / temperature) of every score, to within a few units of
    /// the last place. No score is above `highest`; the temperature is above 0.
    ///
    /// Differences to the highest score: its weight is 1 at any temperature, and what a tiny
    /// temperature makes of the others is 0, never infinity (E1).
    pub(crate) fn weigh(&mut self, scores: &[f32], highest: f32, temperature: f32) {
        self.weights.clear();
        let weight = |score: &f32| exp_of_negative((score - highest) / temperature);
        self.weights.extend(scores.iter().map(weight));
        self.sums.clear();
        self.sums.extend(self.weights.chunks(CHUNK).map(|chunk| f64::from(sum(chunk))));
    }

    /// The sum of all.
    pub(crate) fn total(&self) -> f64 {
        self.sums.iter().sum()
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
            assert_eq!(highest_ids(&scores, k), expected, "{k} of {scores:?}");
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
            weights.weigh(&scores, highest, 0.7);
            assert_eq!((weights.weights.len(), weights.sums.len()), (n, n.div_ceil(CHUNK)));
            for (chunk, sum) in weights.weights.chunks(CHUNK).zip(&weights.sums) {
                let exact: f64 = chunk.iter().map(|weight| f64::from(*weight)).sum();
                assert!((sum / exact - 1.0).abs() < 1e-6, "{sum} {exact}");
            }
            let all = &weights.weights;
            assert!(all.contains(&1.0) && all.iter().all(|weight| *weight <= 1.0));
        }
    }

    #[test]
    fn rows_are_kept_apart_and_forgotten_between_steps() {
        let mut logits = StepLogits::new(3);
        for step in 0..3 {
            logits.begin(4);
            assert_eq!(logits.n_rows(), 4);
            assert!((0..5).all(|row| logits.row(row).is_none()));
            logits.row_mut(2).fill((10 * step + 2) as f32);
            logits.rows_mut(0, 2).copy_from_slice(&[1.0, 1.0, 1.0, 2.0, 2.0, step as f32]);
            assert_eq!(logits.row(2), Some(&[(10 * step + 2) as f32; 3][..]));
            let rows: Vec<&[f32]> = logits.rows(0).collect();
            assert_eq!(rows, [[1.0; 3], [2.0, 2.0, step as f32]]);
            assert!(logits.row(1).is_none() && logits.row(3).is_none());
            logits.more_rows_mut(3, 1).fill(7.0);
            logits.more_rows_mut(3, 2).fill(8.0);
            assert_eq!(logits.rows(3).map(|row| row[2]).collect::<Vec<_>>(), [7.0, 8.0, 8.0]);
        }
    }
}
