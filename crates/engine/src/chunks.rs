//! How long a chunk of a prompt may be in a step that answers wait for.
//!
//! A step with a chunk takes longer than one without, and everybody who reads an answer waits for
//! it. Short chunks keep the stream even; each costs a step, so they are as long as the stream
//! allows. What steps take is measured, since it is the machine's and the model's affair.

use std::time::Duration;

/// A step with a chunk may take so many times what one of answers takes alone.
const STRETCH: f64 = 2.0;

/// Seconds that a step may take in any case: nobody sees a stream stall for so long, and chunks
/// that are too short cost their prompts more time than they save the answers.
const UNNOTICED: f64 = 0.05;

/// Shorter chunks are not worth their step.
const SHORTEST: usize = 32;

/// Before anything is known.
const FIRST: usize = 64;

/// The share of the latest time in a mean.
const LATEST: f64 = 0.1;

/// What steps take, and the chunk that follows from it.
#[derive(Debug)]
pub(crate) struct ChunkPacer {
    max_chunk: usize,
    /// Seconds of a step with answers only.
    answers: Mean,
    /// Seconds that each token of a prompt adds.
    token: Mean,
}

#[derive(Debug, Default)]
struct Mean(Option<f64>);

impl Mean {
    fn note(&mut self, value: f64) {
        self.0 = Some(self.0.map_or(value, |mean| mean + LATEST * (value - mean)));
    }
}

impl ChunkPacer {
    pub(crate) fn new(max_chunk: usize) -> Self {
        Self { max_chunk, answers: Mean::default(), token: Mean::default() }
    }

    /// A step with so many answers and tokens of prompts has taken so long.
    pub(crate) fn note(&mut self, answers: usize, prompt_tokens: usize, took: Duration) {
        let took = took.as_secs_f64();
        match (answers, prompt_tokens) {
            (0, 0) => {}
            (_, 0) => self.answers.note(took),
            (0, tokens) => self.token.note(took / tokens as f64),
            (_, tokens) => {
                if let Some(alone) = self.answers.0 {
                    self.token.note((took - alone).max(0.0) / tokens as f64);
                }
            }
        }
    }

    /// Tokens of prompts for the next step that answers share.
    pub(crate) fn chunk(&self) -> usize {
        let tokens = match (self.answers.0, self.token.0) {
            // A share of nothing is no measure.
            (Some(alone), Some(token)) if token > 0.0 => {
                let step = (STRETCH * alone).max(UNNOTICED);
                ((step - alone) / token) as usize
            }
            _ => FIRST,
        };
        tokens.max(SHORTEST).min(self.max_chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(steps: &[(usize, usize, u64)]) -> usize {
        let mut pacer = ChunkPacer::new(512);
        for &(answers, tokens, milliseconds) in steps {
            pacer.note(answers, tokens, Duration::from_millis(milliseconds));
        }
        pacer.chunk()
    }

    #[test]
    fn a_chunk_takes_a_little_longer_than_the_answers() {
        assert_eq!(after(&[]), 64);
        assert_eq!(after(&[(0, 0, 7), (0, 100, 100)]), 64, "answers are not known");
        // 1 ms each token, 40 ms of answers: as much again is 40 tokens.
        assert_eq!(after(&[(0, 100, 100), (4, 0, 40)]), 40);
        assert_eq!(after(&[(0, 100, 100), (4, 0, 10)]), 40, "50 ms in all");
        assert_eq!(after(&[(4, 0, 40), (4, 60, 100)]), 40, "from a shared step");
        assert_eq!(after(&[(4, 0, 40), (4, 60, 40)]), 64, "it took no time at all");
    }

    #[test]
    fn chunks_are_neither_useless_nor_endless() {
        assert_eq!(after(&[(1, 0, 1), (0, 10, 100)]), 32);
        assert_eq!(after(&[(1, 0, 1000), (0, 100, 1)]), 512);
        let mut pacer = ChunkPacer::new(8);
        pacer.note(1, 0, Duration::from_millis(1));
        assert_eq!(pacer.chunk(), 8, "the executor takes no more");
    }
}
