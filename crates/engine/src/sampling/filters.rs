//! The tokens that may be drawn, and their weights.

use crate::logits::{CHUNK, LogitsRow, Scale, Weights, at_most_the_kth};
use crate::params::SamplingParams;

/// The values of a request that leave tokens out, applied in this order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filters {
    /// Keeps tokens at least so many times as likely as the most likely one.
    pub(super) min_p: f32,
    /// Keeps so many of the most likely tokens.
    pub(super) top_k: Option<usize>,
    /// Keeps tokens of the most expected surprise until their weights are this share of all.
    pub(super) typical_p: f32,
    /// Keeps the most likely tokens until their weights are this share of all, at least one (E9).
    pub(super) top_p: f32,
    /// Leaves out the tokens with at least this share, but for the least likely one of them.
    pub(super) exclude_from: Option<f32>,
}

impl Filters {
    /// Those of a request. `exclude_from` is XTC's threshold where chance has it applied.
    pub(super) fn of(params: &SamplingParams, exclude_from: Option<f32>) -> Self {
        let SamplingParams { min_p, typical_p, top_p, .. } = *params;
        let top_k = params.top_k.map(|k| k as usize);
        Self { min_p, top_k, typical_p, top_p, exclude_from }
    }
}

/// Memory of choices, kept from one to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// Of every token, or of every part of the vocabulary, where no filter has made that needless.
    all: Weights,
    /// What the weights are relative to.
    scale: Scale,
    /// The tokens that the filters leave, in the order of ids, so that draws come out the same
    /// on every version of the library's selection.
    kept: Vec<Candidate>,
    /// Whether `kept` counts; otherwise `all` does, and no token is left out.
    filtered: bool,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    id: u32,
    weight: f32,
}

impl Candidate {
    /// Most likely first; of equal ones the lowest id first.
    fn rank(&self, other: &Self) -> std::cmp::Ordering {
        other.weight.total_cmp(&self.weight).then(self.id.cmp(&other.id))
    }
}

/// How many parts of the vocabulary give the weight of the tokens that are tried first for `top_p`.
const FIRST_PARTS: usize = 32;

/// How many tokens `keep_top_p` sorts at first. Enough for nearly every distribution.
const FIRST_HEAD: usize = 128;

impl Candidates {
    /// Weighs tokens at a temperature above 0 and applies the filters. `best` has the highest score.
    /// `each`: the probability of any token may be asked for.
    ///
    /// The least work first: min_p and top_k each keep the upper end of one order, so that it
    /// does not matter which is applied first, and only tokens that may stay are weighed.
    pub(super) fn select(
        &mut self,
        scores: &LogitsRow<'_>,
        best: u32,
        temperature: f32,
        filters: Filters,
        each: bool,
    ) {
        let scale = Scale { highest: scores.score(best), temperature };
        self.scale = scale;
        self.filtered = true;
        self.kept.clear();
        match filters.top_k.filter(|k| *k > 0 && *k < scores.len()) {
            Some(k) => {
                let weigh = |id: u32| scale.weight(scores.score(id));
                let ids = scores.highest_ids(k).into_iter();
                let candidates = ids.map(|id| Candidate { id, weight: weigh(id) });
                // The most likely token's weight is 1, and 1 is the highest min_p.
                let least = filters.min_p.max(f32::MIN_POSITIVE);
                self.kept.extend(candidates.filter(|candidate| candidate.weight >= least));
            }
            None => {
                if filters.min_p > 0.0 || filters.typical_p < 1.0 {
                    self.collect(scores, filters.min_p);
                } else if filters.top_p < 1.0 {
                    return self.keep_top_p_of_all(scores, filters);
                } else if filters.exclude_from.is_some() {
                    self.collect(scores, 0.0);
                } else {
                    self.all.weigh(scores, scale, each);
                    self.filtered = false;
                    return;
                }
            }
        }
        if filters.typical_p < 1.0 {
            self.keep_typical(filters.typical_p);
        }
        self.keep_top_p(filters.top_p, self.total());
        self.exclude(filters.exclude_from);
    }

    /// `top_p` where nothing was left out before it, and then XTC.
    fn keep_top_p_of_all(&mut self, scores: &LogitsRow<'_>, filters: Filters) {
        self.all.weigh(scores, self.scale, false);
        // All tokens below this weight together have no more than the share that is left
        // out. A little lower still, since sums are rounded.
        let total = self.all.total();
        let share = (1.0 - f64::from(filters.top_p)) * total / scores.len() as f64;
        let least = (share * 0.99) as f32;
        let enough = f64::from(filters.top_p) * total;
        if !self.keep_of_likely_parts(scores, least, enough) {
            self.kept.clear();
            self.collect(scores, least);
            self.keep_top_p(filters.top_p, total);
        }
        self.exclude(filters.exclude_from);
    }

    /// Keeps the most likely tokens until their weights are `enough`, if so many are found that are at
    /// least as likely as the best of some part. Tokens of at least one weight are the first in the
    /// order of all, so that it does not matter how many others there are.
    fn keep_of_likely_parts(&mut self, scores: &LogitsRow<'_>, least: f32, enough: f64) -> bool {
        let maxima = scores.maxima();
        let mut parts = FIRST_PARTS;
        while parts < maxima.len() {
            let likely = self.scale.weight(at_most_the_kth(&maxima, parts));
            if likely <= least {
                break;
            }
            self.kept.clear();
            self.collect(scores, likely);
            if let Some(count) = self.reach(enough) {
                self.keep_head(count);
                return true;
            }
            parts *= 8;
        }
        false
    }

    /// The token at `point`, from 0 to 1, of the weights laid end to end. `scores` are those that were
    /// selected from.
    pub(super) fn draw(&self, scores: &LogitsRow<'_>, point: f64) -> u32 {
        if self.filtered {
            let kept = self.kept.iter().map(|candidate| (candidate.id, candidate.weight));
            draw_from(kept, point * self.total())
        } else {
            self.draw_from_all(scores, point)
        }
    }

    /// The probability of a token.
    pub(super) fn probability(&self, id: u32) -> f64 {
        f64::from(self.weight(id)) / self.sum()
    }

    /// The token at `point`, from 0 to 1, of what each token is likelier here than in `other`.
    pub(super) fn draw_beyond(&self, other: &Self, scores: &LogitsRow<'_>, point: f64) -> u32 {
        let (own_sum, other_sum) = (self.sum(), other.sum());
        let beyond = |(id, weight)| {
            let own = f64::from(weight) / own_sum;
            (id, (own - f64::from(other.weight(id)) / other_sum).max(0.0) as f32)
        };
        let rest: Vec<(u32, f32)> = self.tokens().map(beyond).collect();
        let total: f64 = rest.iter().map(|(_, more)| f64::from(*more)).sum();
        // Nothing is left where both are the same, but for rounding.
        if total > 0.0 {
            draw_from(rest.into_iter(), point * total)
        } else {
            self.draw(scores, point)
        }
    }

    /// The tokens that may be drawn, and their weights.
    fn tokens(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        let (kept, all) = match self.filtered {
            true => (&self.kept[..], &[][..]),
            false => (&[][..], &self.all.weights[..]),
        };
        let all = all.iter().enumerate().map(|(id, weight)| (id as u32, *weight));
        kept.iter().map(|candidate| (candidate.id, candidate.weight)).chain(all)
    }

    fn weight(&self, id: u32) -> f32 {
        if !self.filtered {
            return self.all.weights.get(id as usize).copied().unwrap_or(0.0);
        }
        let found = self.kept.binary_search_by_key(&id, |candidate| candidate.id);
        found.map_or(0.0, |at| self.kept[at].weight)
    }

    fn sum(&self) -> f64 {
        if self.filtered { self.total() } else { self.all.total() }
    }

    /// Draws among all tokens: first the part of the vocabulary, then the token.
    fn draw_from_all(&self, scores: &LogitsRow<'_>, point: f64) -> u32 {
        let sums = &self.all.sums;
        let mut rest = point * self.all.total();
        let mut start = 0;
        for sum in &sums[..sums.len() - 1] {
            if rest < *sum {
                break;
            }
            rest -= sum;
            start += CHUNK;
        }
        let tokens = scores.from(start).iter().enumerate();
        let weigh = |(at, score): (usize, &f32)| ((start + at) as u32, self.scale.weight(*score));
        draw_from(tokens.map(weigh), rest)
    }

    /// Collects the tokens with at least this weight, and more than none.
    fn collect(&mut self, scores: &LogitsRow<'_>, least: f32) {
        let least = least.max(f32::MIN_POSITIVE);
        let scale = self.scale;
        // Exponentials are rounded: that of a higher score may be a little less.
        let reaches = |most: f32| scale.weight(most) >= least * 0.999;
        if least == f32::MIN_POSITIVE {
            scores.whole();
        }
        // Few tokens of a vocabulary are likely, and only parts with one are looked at.
        for (start, part) in scores.chunks_with(&scores.maxima(), reaches) {
            let weighed = part.iter().map(|score| scale.weight(*score)).enumerate();
            let candidates = weighed.filter(|(_, weight)| *weight >= least);
            self.kept.extend(
                candidates.map(|(at, weight)| Candidate { id: (start + at) as u32, weight }),
            );
        }
    }

    /// Keeps the most likely tokens until their weights are `top_p` of `total`.
    fn keep_top_p(&mut self, top_p: f32, total: f64) {
        if top_p < 1.0 {
            // Rounding can keep the sum of all below what is enough.
            let count = self.reach(f64::from(top_p) * total).unwrap_or(self.kept.len());
            self.keep_head(count);
        }
    }

    /// How many of the most likely tokens it takes to have `enough` weight; they are sorted then.
    fn reach(&mut self, enough: f64) -> Option<usize> {
        // Sorting everything for a few tokens is slow: sort a growing head of it.
        let mut head = FIRST_HEAD;
        loop {
            head = head.min(self.kept.len());
            self.sort_head(head);
            let count = self.reaches(enough, head);
            if count.is_some() || head == self.kept.len() {
                return count;
            }
            head *= 8;
        }
    }

    fn keep_head(&mut self, count: usize) {
        self.kept.truncate(count);
        self.kept.sort_unstable_by_key(|candidate| candidate.id);
    }

    /// Keeps the tokens whose surprise is nearest to the expected one, until their weights are
    /// more than `typical_p` of all.
    fn keep_typical(&mut self, typical_p: f32) {
        let total = self.total();
        let surprise = |weight: f32| -(f64::from(weight) / total).ln();
        let expected: f64 = (self.kept.iter())
            .map(|candidate| f64::from(candidate.weight) / total * surprise(candidate.weight))
            .sum();
        let distance = |candidate: &Candidate| (surprise(candidate.weight) - expected).abs();
        let mut order: Vec<(f64, Candidate)> =
            self.kept.iter().map(|candidate| (distance(candidate), *candidate)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.id.cmp(&b.1.id)));
        let enough = f64::from(typical_p) * total;
        let mut sum = 0.0;
        let more = |(_, candidate): &(f64, Candidate)| {
            sum += f64::from(candidate.weight);
            sum > enough
        };
        let count = order.iter().position(more).map_or(order.len(), |last| last + 1);
        self.kept.clear();
        self.kept.extend(order[..count].iter().map(|(_, candidate)| *candidate));
        self.kept.sort_unstable_by_key(|candidate| candidate.id);
    }

    /// XTC: of the tokens with at least the share `threshold`, keeps the least likely one.
    fn exclude(&mut self, threshold: Option<f32>) {
        let Some(threshold) = threshold else { return };
        let least = f64::from(threshold) * self.total();
        let is_top = |candidate: &Candidate| f64::from(candidate.weight) >= least;
        let spared = self.kept.iter().filter(|c| is_top(c)).max_by(|a, b| a.rank(b)).map(|c| c.id);
        if let Some(spared) = spared {
            self.kept.retain(|candidate| !is_top(candidate) || candidate.id == spared);
        }
    }

    fn total(&self) -> f64 {
        self.kept.iter().map(|candidate| f64::from(candidate.weight)).sum()
    }

    fn sort_head(&mut self, head: usize) {
        if head < self.kept.len() {
            self.kept.select_nth_unstable_by(head - 1, Candidate::rank);
            self.kept[..head].sort_unstable_by(Candidate::rank);
        } else {
            self.kept.sort_unstable_by(Candidate::rank);
        }
    }

    /// How many of the first `head` tokens it takes to have `enough` weight.
    fn reaches(&self, enough: f64, head: usize) -> Option<usize> {
        let mut sum = 0.0;
        for (idx, candidate) in self.kept[..head].iter().enumerate() {
            sum += f64::from(candidate.weight);
            if sum >= enough {
                return Some(idx + 1);
            }
        }
        None
    }

    #[cfg(test)]
    pub(super) fn ids(&self) -> Vec<u32> {
        if self.filtered {
            return self.kept.iter().map(|candidate| candidate.id).collect();
        }
        let likely = self.all.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        likely.map(|(id, _)| id as u32).collect()
    }
}

/// The first token at which the weights before and its own are more than `rest`. Tokens of no
/// weight are never drawn.
fn draw_from(tokens: impl Iterator<Item = (u32, f32)>, mut rest: f64) -> u32 {
    let mut last = None;
    for (id, weight) in tokens.filter(|(_, weight)| *weight > 0.0) {
        rest -= f64::from(weight);
        if rest < 0.0 {
            return id;
        }
        // Rounding can leave a sliver past the end.
        last = Some(id);
    }
    last.expect("no filter takes the most likely token")
}
