//! One row of logits, and what a device has found out of it.
//!
//! A device may have done some passes over the row itself, in the same order and by the same operations: the
//! row's digest. Its results are then taken in place of a pass. Everything else reads the row.

use std::borrow::Cow;
use std::cell::Cell;

use tyto_artifact::RowDigest;

use super::passes::{
    CHUNK, Scale, Weights, argmax, at_most_the_kth, by_rank, first_not_finite, highest,
};

/// The logits of a row's positions, one after the other.
#[derive(Debug, Clone)]
pub(crate) enum Rows<'a> {
    /// Logits, so many a position.
    Plain(&'a [f32], usize),
    /// Logits with digests.
    Digested { values: &'a [f32], places: RowDigest, temperature: f32 },
}

impl<'a> Iterator for Rows<'a> {
    type Item = LogitsRow<'a>;

    fn next(&mut self) -> Option<LogitsRow<'a>> {
        match self {
            Self::Plain(values, width) => {
                let (row, rest) = values.split_at_checked(*width)?;
                *values = rest;
                Some(LogitsRow::of(row))
            }
            Self::Digested { values, places, temperature } => {
                let (row, rest) = values.split_at_checked(places.pitch)?;
                *values = rest;
                Some(LogitsRow::digested(row, places, *temperature))
            }
        }
    }
}

/// A row of logits, and what a device has found out of it, where it has.
#[derive(Debug)]
pub(crate) struct LogitsRow<'a> {
    values: &'a [f32],
    digest: Option<Digest<'a>>,
    /// Whether all of it was read.
    whole: Cell<bool>,
}

/// Of a row of finite logits.
#[derive(Debug)]
struct Digest<'a> {
    /// What [`argmax`] gives.
    best: u32,
    /// The [`highest`] logit of each chunk.
    maxima: &'a [f32],
    /// Sums of the chunks' weights, if the temperature is above 0.
    sums: &'a [f32],
    temperature: f32,
}

impl<'a> LogitsRow<'a> {
    /// Without a digest.
    pub(crate) fn of(values: &'a [f32]) -> Self {
        Self { values, digest: None, whole: Cell::new(false) }
    }

    /// `row` is a whole row of `places`.
    fn digested(row: &'a [f32], places: &RowDigest, temperature: f32) -> Self {
        let (head, best) = (places.head, row[places.head].to_bits());
        // What is not finite is looked for, and told, where nothing was found out.
        let counts = row[head + 2] == 1.0 && (best as usize) < places.width;
        let digest = counts.then(|| Digest {
            best,
            maxima: &row[places.maxima..][..places.chunks()],
            sums: &row[places.sums..][..places.chunks()],
            temperature,
        });
        Self { values: &row[..places.width], digest, whole: Cell::new(false) }
    }

    /// How many logits.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether what was asked was answered by the digest and a few logits.
    pub(crate) fn was_spared(&self) -> bool {
        self.digest.is_some() && !self.whole.get()
    }

    /// All logits.
    pub(crate) fn whole(&self) -> &'a [f32] {
        self.whole.set(true);
        self.values
    }

    /// Those from one on, of which few will be read.
    pub(crate) fn from(&self, first: usize) -> &'a [f32] {
        &self.values[first..]
    }

    /// One logit.
    pub(crate) fn score(&self, id: u32) -> f32 {
        self.values[id as usize]
    }

    /// The first that is NaN or infinite, and its id.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        if self.digest.is_some() { None } else { first_not_finite(self.whole()) }
    }

    /// As [`argmax`].
    pub(crate) fn argmax(&self) -> u32 {
        self.digest.as_ref().map_or_else(|| argmax(self.whole()), |digest| digest.best)
    }

    /// The ids of the `k` highest logits, in the order of ids; of equal ones the lowest ids are
    /// in. No logit is NaN.
    pub(crate) fn highest_ids(&self, k: usize) -> Vec<u32> {
        if k == 0 {
            return Vec::new();
        }
        let maxima = self.maxima();
        let least = at_most_the_kth(&maxima, k);
        let mut ids = Vec::new();
        for (start, chunk) in self.chunks_with(&maxima, |most| most >= least) {
            let high = chunk.iter().enumerate().filter(|(_, score)| **score >= least);
            ids.extend(high.map(|(at, _)| (start + at) as u32));
        }
        if k < ids.len() {
            ids.select_nth_unstable_by(k - 1, |a, b| self.by_rank(*a, *b));
            ids.truncate(k);
            ids.sort_unstable();
        }
        ids
    }

    /// Higher logits first; of equal ones the lowest id first.
    pub(crate) fn by_rank(&self, a: u32, b: u32) -> std::cmp::Ordering {
        by_rank(self.values, a, b)
    }

    /// The highest logit of each chunk.
    pub(crate) fn maxima(&self) -> Cow<'a, [f32]> {
        match &self.digest {
            Some(digest) => digest.maxima.into(),
            None => self.whole().chunks(CHUNK).map(highest).collect(),
        }
    }

    /// The chunks whose highest logit, one of `maxima`, `reaches` something, and where they begin.
    pub(crate) fn chunks_with<'m>(
        &self,
        maxima: &'m [f32],
        reaches: impl Fn(f32) -> bool + 'm,
    ) -> impl Iterator<Item = (usize, &'a [f32])> + 'm
    where
        'a: 'm,
    {
        let chunks = self.values.chunks(CHUNK).zip(maxima).enumerate();
        let reach = chunks.filter(move |(_, (_, most))| reaches(**most));
        reach.map(|(index, (chunk, _))| (CHUNK * index, chunk))
    }

    /// The digest's sums of weights, if they are at this temperature.
    pub(super) fn sums_at(&self, temperature: f32) -> Option<&'a [f32]> {
        let digest = self.digest.as_ref();
        digest.filter(|digest| digest.temperature == temperature).map(|digest| digest.sums)
    }
}

/// A row as a device leaves it, with what it finds out at a temperature: the slow twin of
/// `kernels-hip/digest.hip`.
pub(crate) fn with_digest(values: &[f32], temperature: f32) -> Vec<f32> {
    let places = RowDigest::of(values.len());
    let mut row = vec![f32::NAN; places.pitch];
    row[..places.width].copy_from_slice(values);
    if first_not_finite(values).is_some() {
        row[places.head + 2] = 0.0;
        return row;
    }
    let plain = LogitsRow::of(values);
    let best = plain.argmax();
    let head = [f32::from_bits(best), plain.score(best), 1.0];
    row[places.head..][..3].copy_from_slice(&head);
    row[places.maxima..][..places.chunks()].copy_from_slice(&plain.maxima());
    if temperature > 0.0 {
        let mut weights = Weights::default();
        weights.weigh(&plain, Scale { highest: plain.score(best), temperature }, true);
        let sums = row[places.sums..].iter_mut().zip(&weights.sums);
        sums.for_each(|(place, sum)| *place = *sum as f32);
    }
    row
}
