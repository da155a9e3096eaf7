//! One vector of a text: the rows that a model gives of its tokens, gathered as the pooling says.
//!
//! The mean is summed here and not in the compiled code: a prompt comes in chunks, between which a
//! sum would have to be kept in slots of the cache, and rows of one vector each cost next to nothing
//! beside the step that computes them. Sums are f64, so that the chunks' sizes do not show.

use tyto_artifact::{PooledKind, Pooling};

use crate::executor::Positions;
use crate::logits::first_not_finite;

/// What a model of this kind does, in words that follow its name. None writes text.
pub fn purpose(kind: PooledKind) -> &'static str {
    match kind {
        PooledKind::Embedding => "makes vectors of texts",
        PooledKind::Rerank => "scores documents for a query",
    }
}

/// The rows of one text so far.
#[derive(Debug)]
pub(crate) struct Pool {
    pooling: Pooling,
    sum: Vec<f64>,
    count: usize,
}

/// The model's numbers are no numbers.
#[derive(Debug, thiserror::Error)]
#[error("the model gave no number at place {place} of a token's vector")]
pub(crate) struct NotFinite {
    place: usize,
}

impl Pool {
    pub(crate) fn new(pooling: Pooling) -> Self {
        Self { pooling, sum: Vec::new(), count: 0 }
    }

    /// Adds the rows of the tokens from `first_position` on. A text that begins again is another
    /// one: its blocks were taken away, and it is computed anew.
    pub(crate) fn add<'a>(
        &mut self,
        first_position: usize,
        rows: impl Iterator<Item = &'a [f32]>,
    ) -> Result<(), NotFinite> {
        if first_position == 0 {
            self.sum.clear();
            self.count = 0;
        }
        for row in rows {
            if let Some(place) = first_not_finite(row) {
                return Err(NotFinite { place });
            }
            self.sum.resize(row.len(), 0.0);
            self.sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += f64::from(*value));
            self.count += 1;
        }
        Ok(())
    }

    /// The text's vector.
    ///
    /// # Panics
    /// If there was no row: the engine asks once a text is complete.
    pub(crate) fn vector(&self) -> Vec<f32> {
        assert!(self.count > 0, "a complete text has a row");
        assert!(self.pooling == Pooling::Mean || self.count == 1, "one row stands for the text");
        self.sum.iter().map(|sum| (sum / self.count as f64) as f32).collect()
    }
}

/// The rows that a pooling needs of each part of a prompt.
pub(crate) fn positions(pooling: Pooling) -> Positions {
    match pooling {
        Pooling::Last => Positions::Last,
        Pooling::Mean => Positions::All,
        Pooling::First => Positions::First,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(pool: &mut Pool, first: usize, rows: &[[f32; 2]]) -> Result<(), NotFinite> {
        pool.add(first, rows.iter().map(|row| &row[..]))
    }

    #[test]
    fn a_mean_is_of_all_parts_since_the_text_began() {
        let mut pool = Pool::new(Pooling::Mean);
        add(&mut pool, 0, &[[9.0, 9.0]]).expect("numbers");
        // Begun again.
        add(&mut pool, 0, &[[1.0, 2.0], [2.0, 4.0]]).expect("numbers");
        add(&mut pool, 2, &[[6.0, 0.0]]).expect("numbers");
        assert_eq!(pool.vector(), [3.0, 2.0]);
    }

    #[test]
    fn one_row_is_the_vector_itself() {
        for pooling in [Pooling::Last, Pooling::First] {
            let mut pool = Pool::new(pooling);
            add(&mut pool, 7, &[[0.1, -0.3]]).expect("numbers");
            assert_eq!(pool.vector(), [0.1, -0.3]);
        }
    }

    #[test]
    fn what_is_no_number_is_named_by_its_place() {
        let error = add(&mut Pool::new(Pooling::Last), 0, &[[0.0, f32::NAN]]).expect_err("refused");
        assert!(error.to_string().contains("place 1"), "{error}");
    }
}
