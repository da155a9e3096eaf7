//! The logits of a step: rows that were copied from a device, or that stay there with their digests.

mod passes;
mod row;

use std::fmt::Debug;
use std::sync::Arc;

use tyto_artifact::RowDigest;

use crate::executor::ExecutorError;
pub(crate) use passes::{CHUNK, Scale, Weights, at_most_the_kth, first_not_finite};
pub(crate) use row::{LogitsRow, Rows, with_digest};

/// The logits of one step. Whoever runs the engine keeps it from step to step, so that a
/// step allocates nothing.
#[derive(Debug)]
pub struct StepLogits {
    vocab_size: usize,
    /// Where a row of the step has its logits.
    places: Vec<Place>,
    values: Vec<f32>,
    used: usize,
}

/// Where a row's logits are.
#[derive(Debug, Clone)]
enum Place {
    /// In [`StepLogits::values`], of so many positions.
    Copied { begin: usize, count: usize },
    /// Where a device wrote them, with digests: so many of these rows from the first on.
    Held { rows: Arc<dyn HeldRows>, first: usize, count: usize, temperature: f32 },
}

impl Place {
    const NONE: Self = Self::Copied { begin: 0, count: 0 };
}

/// Rows with digests that stay where a device wrote them, until the executor's next step.
pub(crate) trait HeldRows: Debug + Send + Sync {
    /// Lends `count` rows from row `first` on, each of [`RowDigest::pitch`] f32s.
    fn lend(
        &self,
        first: usize,
        count: usize,
        look: &mut dyn FnMut(&[f32]),
    ) -> Result<(), ExecutorError>;
}

impl StepLogits {
    /// Room for rows of `vocab_size` logits.
    pub fn new(vocab_size: usize) -> Self {
        Self { vocab_size, places: Vec::new(), values: Vec::new(), used: 0 }
    }

    /// Forgets everything: the next step has `rows` rows, without logits yet.
    pub fn begin(&mut self, rows: usize) {
        self.places.clear();
        self.places.resize(rows, Place::NONE);
        self.used = 0;
    }

    /// Where the executor puts the logits of a row, all of them: of `count` positions, one after
    /// the other. They hold anything before.
    ///
    /// # Panics
    /// If the step has no such row, or it has its logits already.
    pub fn rows_mut(&mut self, row: usize, count: usize) -> &mut [f32] {
        assert_eq!(self.given(row), 0, "a row gets its logits once");
        let begin = self.used;
        self.places[row] = Place::Copied { begin, count };
        self.used += count * self.vocab_size;
        if self.values.len() < self.used {
            self.values.resize(self.used, 0.0);
        }
        &mut self.values[begin..self.used]
    }

    /// Where the executor puts the logits of further positions of a row, whose others, if there are
    /// any, were the last that it gave.
    ///
    /// # Panics
    /// If the step has no such row, or another row has got logits since.
    pub fn more_rows_mut(&mut self, row: usize, count: usize) -> &mut [f32] {
        if self.given(row) == 0 {
            return self.rows_mut(row, count);
        }
        let before = self.used;
        let Place::Copied { begin, count: known } = &mut self.places[row] else {
            panic!("a row's logits are copied or held, not both");
        };
        assert_eq!(*begin + *known * self.vocab_size, before, "rows of a row stand together");
        *known += count;
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

    /// The logits of a row, all of them, are these of a device's rows, whose sums are at `temperature`.
    ///
    /// # Panics
    /// If the step has no such row, or it has its logits already.
    pub(crate) fn hold(
        &mut self,
        row: usize,
        rows: Arc<dyn HeldRows>,
        first: usize,
        count: usize,
        temperature: f32,
    ) {
        assert_eq!(self.given(row), 0, "a row gets its logits once");
        self.places[row] = Place::Held { rows, first, count, temperature };
    }

    /// Of how many positions a row has logits.
    pub(crate) fn given(&self, row: usize) -> usize {
        match self.places[row] {
            Place::Copied { count, .. } | Place::Held { count, .. } => count,
        }
    }

    /// Lends the logits of a row, wherever they are.
    pub(crate) fn look<R>(
        &self,
        row: usize,
        then: impl FnOnce(Rows<'_>) -> R,
    ) -> Result<R, ExecutorError> {
        match &self.places[row] {
            Place::Copied { .. } => Ok(then(Rows::Plain(self.copied(row), self.vocab_size))),
            Place::Held { rows, first, count, temperature } => {
                let places = RowDigest::of(self.vocab_size);
                let (mut then, mut result) = (Some(then), None);
                rows.lend(*first, *count, &mut |values| {
                    let rows = Rows::Digested { values, places, temperature: *temperature };
                    result = then.take().map(|then| then(rows));
                })?;
                result.ok_or_else(|| ExecutorError::new("the device's rows of logits are not lent"))
            }
        }
    }

    /// The logits of a row's only, or first, position, if the executor gave any.
    pub fn row(&self, row: usize) -> Option<&[f32]> {
        self.rows(row).next()
    }

    /// The logits of a row, position by position; none where only a digest was asked for.
    pub fn rows(&self, row: usize) -> impl ExactSizeIterator<Item = &[f32]> {
        self.copied(row).chunks_exact(self.vocab_size)
    }

    fn copied(&self, row: usize) -> &[f32] {
        match self.places.get(row) {
            Some(Place::Copied { begin, count }) => {
                &self.values[*begin..*begin + *count * self.vocab_size]
            }
            _ => &[],
        }
    }

    /// Rows of the step.
    pub fn n_rows(&self) -> usize {
        self.places.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
