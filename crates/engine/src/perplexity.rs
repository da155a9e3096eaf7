//! How well a model foretells a text: the exponential of the mean of -ln p(token | the tokens before it).
//!
//! As llama.cpp's `llama-perplexity` counts it: the text is cut into windows, each is a text of its own that begins with the
//! tokenizer's first token, and only the second half of a window is scored, so that every scored token has half a window
//! before it. The first half is computed as a prompt, the second token by token, as an answer would be.

use crate::executor::{Executor, ExecutorError, ExecutorLimits, Positions, StepRow};
use crate::logits::StepLogits;

/// How a text is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// Tokens of a window, at least 4; tokens at the end that fill none are left out.
    pub length: usize,
    /// What takes the place of each window's first token, if the tokenizer begins texts with something.
    pub first: Option<u32>,
}

/// What was found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Perplexity {
    /// Tokens whose probability was taken.
    pub tokens: u64,
    nats: f64,
    squares: f64,
}

impl Perplexity {
    /// The exponential of the mean surprise; 1 where every token was certain.
    pub fn value(&self) -> f64 {
        (self.nats / self.tokens as f64).exp()
    }

    /// The standard error of [`value`](Self::value), the surprises taken for independent.
    pub fn error(&self) -> f64 {
        let count = self.tokens as f64;
        let mean = self.nats / count;
        let variance = (self.squares / count - mean * mean).max(0.0);
        self.value() * (variance / (count - 1.0).max(1.0)).sqrt()
    }

    fn add(&mut self, nats: f64) {
        self.tokens += 1;
        self.nats += nats;
        self.squares += nats * nats;
    }
}

/// Scores `tokens` in windows, as many at once as a step has rows and the cache has room for. `progress` is told how many of
/// how many windows are done.
///
/// # Errors
/// What the executor says; and if a window does not fit the model or the cache, or the tokens fill none.
pub fn perplexity(
    executor: &mut dyn Executor,
    tokens: &[u32],
    windows: Windows,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Perplexity, ExecutorError> {
    let limits = executor.limits();
    let at_once = windows_at_once(&limits, windows.length)?;
    let mut cut: Vec<Vec<u32>> = tokens.chunks_exact(windows.length).map(<[u32]>::to_vec).collect();
    if cut.is_empty() {
        let (found, length) = (tokens.len(), windows.length);
        return Err(ExecutorError::new(format!(
            "the text has {found} tokens; expected at least {length}, which is one window"
        )));
    }
    if let Some(first) = windows.first {
        cut.iter_mut().for_each(|window| window[0] = first);
    }
    let mut logits = StepLogits::new(limits.vocab_size);
    let mut found = Perplexity::default();
    let mut done = 0;
    for group in cut.chunks(at_once) {
        progress(done, cut.len());
        score(executor, &limits, group, &mut logits, &mut found)?;
        done += group.len();
    }
    progress(done, cut.len());
    Ok(found)
}

fn windows_at_once(limits: &ExecutorLimits, length: usize) -> Result<usize, ExecutorError> {
    let refuse = |expected| {
        Err(ExecutorError::new(format!("a window of {length} tokens; expected {expected}")))
    };
    if length < 4 {
        return refuse("at least 4".to_owned());
    }
    if length > limits.context_length {
        return refuse(format!("at most {}, the model's context", limits.context_length));
    }
    // Block 0 is nobody's.
    let fit = (limits.n_blocks - 1) / length.div_ceil(limits.block_size);
    if fit == 0 {
        return refuse(format!("at most {}, the cache", (limits.n_blocks - 1) * limits.block_size));
    }
    Ok(fit.min(limits.max_rows))
}

/// Windows of one length, row by row side by side.
fn score(
    executor: &mut dyn Executor,
    limits: &ExecutorLimits,
    group: &[Vec<u32>],
    logits: &mut StepLogits,
    found: &mut Perplexity,
) -> Result<(), ExecutorError> {
    let length = group[0].len();
    let blocks_each = length.div_ceil(limits.block_size);
    let tables: Vec<Vec<u32>> = (0..group.len())
        .map(|row| (0..blocks_each).map(|block| (1 + row * blocks_each + block) as u32).collect())
        .collect();
    let row = |slot: usize, first: usize, count: usize, by_itself: bool| StepRow {
        tokens: &group[slot][first..first + count],
        first_position: first,
        sequence_length: first + count,
        blocks: &tables[slot],
        slot,
        want_logits: by_itself,
        by_itself,
        drafts: 0,
        draft_slots: &[],
        positions: Positions::Last,
        digest: None,
    };
    let half = length / 2;
    for slot in 0..group.len() {
        for first in (0..half).step_by(limits.max_chunk) {
            logits.begin(1);
            executor
                .step(&[row(slot, first, limits.max_chunk.min(half - first), false)], logits)?;
        }
    }
    for position in half..length - 1 {
        let rows: Vec<_> = (0..group.len()).map(|slot| row(slot, position, 1, true)).collect();
        logits.begin(rows.len());
        executor.step(&rows, logits)?;
        for (slot, window) in group.iter().enumerate() {
            let of_row = logits.row(slot).expect("they were asked for");
            found.add(surprise(of_row, window[position + 1]));
        }
    }
    Ok(())
}

/// -ln of the probability that softmax gives a token.
fn surprise(logits: &[f32], token: u32) -> f64 {
    let most = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|logit| (f64::from(*logit) - most).exp()).sum();
    sum.ln() + most - f64::from(logits[token as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TEXT_MODEL_VOCAB, TableExecutor, small_limits};

    fn limits() -> ExecutorLimits {
        small_limits(TEXT_MODEL_VOCAB)
    }

    fn measure(executor: &mut dyn Executor, tokens: &[u32], windows: Windows) -> Perplexity {
        perplexity(executor, tokens, windows, &mut |_, _| ()).expect("it is measured")
    }

    /// The same with one window at a time and every token by a step of its own.
    fn slowly(executor: &mut dyn Executor, tokens: &[u32], length: usize) -> f64 {
        let limits = executor.limits();
        let mut logits = StepLogits::new(limits.vocab_size);
        let blocks: Vec<u32> = (1..limits.n_blocks as u32).collect();
        let (mut nats, mut count) = (0.0, 0);
        for window in tokens.chunks_exact(length) {
            for position in 0..length - 1 {
                let row = StepRow {
                    tokens: &window[position..=position],
                    first_position: position,
                    sequence_length: position + 1,
                    blocks: &blocks,
                    slot: 0,
                    want_logits: true,
                    by_itself: position >= length / 2,
                    drafts: 0,
                    draft_slots: &[],
                    positions: Positions::Last,
                    digest: None,
                };
                logits.begin(1);
                executor.step(&[row], &mut logits).expect("a step");
                if position >= length / 2 {
                    let of_row = logits.row(0).expect("logits").iter().map(|one| f64::from(*one));
                    let all: Vec<f64> = of_row.map(f64::exp).collect();
                    nats -= (all[window[position + 1] as usize] / all.iter().sum::<f64>()).ln();
                    count += 1;
                }
            }
        }
        (nats / f64::from(count)).exp()
    }

    #[test]
    fn windows_side_by_side_are_scored_as_one_after_the_other() {
        let tokens: Vec<u32> = (0..100).map(|at| at * at % 200).collect();
        for length in [4, 7, 20] {
            let mut executor = TableExecutor::history_hash(limits(), 3);
            let found = measure(&mut executor, &tokens, Windows { length, first: None });
            let expected = slowly(&mut TableExecutor::history_hash(limits(), 3), &tokens, length);
            assert!((found.value() / expected - 1.0).abs() < 1e-9, "{found:?}, not {expected}");
            let windows = 100 / length;
            assert_eq!(found.tokens as usize, windows * (length - 1 - length / 2));
        }
    }

    #[test]
    fn the_first_token_of_every_window_is_replaced() {
        let tokens: Vec<u32> = (0..40).map(|at| at * 3 % 200).collect();
        let replaced: Vec<u32> =
            tokens.iter().enumerate().map(|(at, id)| if at % 10 == 0 { 9 } else { *id }).collect();
        let of = |tokens: &[u32], first| {
            let mut executor = TableExecutor::history_hash(limits(), 3);
            measure(&mut executor, tokens, Windows { length: 10, first })
        };
        assert_eq!(of(&tokens, Some(9)), of(&replaced, None));
        assert_ne!(of(&tokens, None), of(&replaced, None));
    }

    #[test]
    fn what_is_certain_has_perplexity_one_and_no_error() {
        let mut found = Perplexity::default();
        (0..10).for_each(|_| found.add(surprise(&[0.0, 200.0, -3.0], 1)));
        assert_eq!((found.value(), found.error()), (1.0, 0.0));
        // One of four that are alike.
        let even = surprise(&[0.5; 4], 2);
        assert!((even - 4f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn windows_that_do_not_fit_are_refused_with_what_would() {
        let refused = |count: usize, length: usize| {
            let mut executor = TableExecutor::history_hash(limits(), 3);
            let tokens = vec![1; count];
            let windows = Windows { length, first: None };
            let error = perplexity(&mut executor, &tokens, windows, &mut |_, _| ());
            error.expect_err("it does not fit").to_string()
        };
        assert!(refused(100, 3).contains("at least 4"));
        assert!(refused(7, 8).contains("7 tokens; expected at least 8"));
        let context = limits().context_length;
        assert!(refused(10_000, context + 1).contains("the model's context"));
    }
}
