//! The tokens that may be drawn, and their weights.

/// Tokens with weights that need not add up to 1. The filters leave out tokens; each
/// works on what the one before left.
pub(super) struct Candidates {
    /// In the order of ids between calls, so that sums and draws come out the same on
    /// every version of the library's selection.
    kept: Vec<Candidate>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    id: u32,
    /// Relative to the most likely token, whose weight is 1.
    weight: f64,
}

impl Candidate {
    /// Most likely first; of equal ones the lowest id first.
    fn rank(&self, other: &Self) -> std::cmp::Ordering {
        other.weight.total_cmp(&self.weight).then(self.id.cmp(&other.id))
    }
}

/// How many tokens `keep_top_p` sorts at first. Enough for nearly every distribution.
const FIRST_HEAD: usize = 128;

impl Candidates {
    /// All tokens with a finite score, at a temperature above 0. `best` has the highest score.
    pub(super) fn new(scores: &[f32], best: u32, temperature: f32) -> Self {
        let (highest, temperature) = (f64::from(scores[best as usize]), f64::from(temperature));
        // Differences to the highest score: the best token's weight is 1 at any temperature,
        // and what a tiny temperature makes of the others is 0, never infinity (E1).
        let weigh = |score: f32| ((f64::from(score) - highest) / temperature).exp();
        let kept = scores
            .iter()
            .enumerate()
            .map(|(id, &score)| Candidate { id: id as u32, weight: weigh(score) })
            .filter(|candidate| candidate.weight > 0.0);
        Self { kept: kept.collect() }
    }

    /// Keeps tokens at least `min_p` times as likely as the most likely one.
    pub(super) fn keep_min_p(&mut self, min_p: f32) {
        if min_p > 0.0 {
            // The most likely token's weight is 1, and 1 is the highest min_p.
            self.kept.retain(|candidate| candidate.weight >= f64::from(min_p));
        }
    }

    /// Keeps the `k` most likely tokens, at least one.
    pub(super) fn keep_top_k(&mut self, k: usize) {
        let k = k.max(1);
        if k < self.kept.len() {
            self.kept.select_nth_unstable_by(k - 1, Candidate::rank);
            self.kept.truncate(k);
            self.sort_by_id();
        }
    }

    /// Keeps the most likely tokens until their weights are `top_p` of all, at least one (E9).
    pub(super) fn keep_top_p(&mut self, top_p: f32) {
        if top_p >= 1.0 {
            return;
        }
        let enough = f64::from(top_p) * self.total();
        // Sorting a whole vocabulary for a few tokens is slow: sort a growing head of it.
        let mut head = FIRST_HEAD;
        let count = loop {
            head = head.min(self.kept.len());
            self.sort_head(head);
            match self.reaches(enough, head) {
                Some(count) => break count,
                // Rounding can keep the sum of all below `enough`.
                None if head == self.kept.len() => break head,
                None => head *= 8,
            }
        };
        self.kept.truncate(count);
        self.sort_by_id();
    }

    /// The token at `point`, from 0 to 1, of the weights laid end to end.
    pub(super) fn draw(&self, point: f64) -> u32 {
        let mut rest = point * self.total();
        for candidate in &self.kept {
            rest -= candidate.weight;
            if rest < 0.0 {
                return candidate.id;
            }
        }
        // Rounding can leave a sliver past the end.
        self.kept.last().expect("no filter takes the most likely token").id
    }

    fn sort_by_id(&mut self) {
        self.kept.sort_unstable_by_key(|candidate| candidate.id);
    }

    fn total(&self) -> f64 {
        self.kept.iter().map(|candidate| candidate.weight).sum()
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
            sum += candidate.weight;
            if sum >= enough {
                return Some(idx + 1);
            }
        }
        None
    }

    #[cfg(test)]
    pub(super) fn ids(&self) -> Vec<u32> {
        self.kept.iter().map(|candidate| candidate.id).collect()
    }
}
