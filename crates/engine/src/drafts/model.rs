//! Guesses of a second, smaller model with the same vocabulary.
//!
//! Its cache holds the text as far as it was computed, and guesses behind it. When the text has gone on,
//! what agrees with it stays and the rest is computed again: a position is overwritten before it is
//! read. All texts that are asked for go through one step together, a step for each guess.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tyto_scheduler::{NULL_BLOCK, SeqId};

use super::{Asked, Drafter, Proposal};
use crate::executor::{Executor, ExecutorError, ExecutorLimits, Positions, StepRow};
use crate::logits::{StepLogits, first_not_finite};
use crate::sampling::{draw_alike, draw_guess};

/// The share of the latest step in the mean.
const LATEST: f64 = 0.1;

/// A model that guesses.
pub(crate) struct DraftModel {
    /// `None` once a step has failed: nothing is guessed from then on.
    executor: Option<Box<dyn Executor>>,
    limits: ExecutorLimits,
    /// Ids that the model that is guessed for knows.
    vocab_size: usize,
    logits: StepLogits,
    texts: HashMap<SeqId, Written>,
    free: Vec<u32>,
    random: ChaCha8Rng,
    /// Seconds that a step of single tokens takes.
    step_seconds: Option<f64>,
}

/// What the cache holds of a text.
#[derive(Debug, Default)]
struct Written {
    tokens: Vec<u32>,
    blocks: Vec<u32>,
}

/// A text on its way to its guesses.
struct Turn {
    /// Which of those that were asked for.
    asked: usize,
    /// Tokens to compute next.
    next: Vec<u32>,
    /// Whether they reach the end of what is known, so that a guess comes of them.
    guesses: bool,
    /// The numbers that its request draws next, where a seed fixes them.
    numbers: Option<ChaCha8Rng>,
}

impl DraftModel {
    /// Guesses for a model of `vocab_size` ids.
    pub(crate) fn new(executor: Box<dyn Executor>, vocab_size: usize) -> Self {
        let limits = executor.limits();
        Self {
            executor: Some(executor),
            limits,
            vocab_size: vocab_size.min(limits.vocab_size),
            logits: StepLogits::new(limits.vocab_size),
            texts: HashMap::new(),
            free: (NULL_BLOCK + 1..limits.n_blocks as u32).rev().collect(),
            random: ChaCha8Rng::seed_from_u64(0),
            step_seconds: None,
        }
    }

    /// Takes what the cache has of the text, and room for its guesses; what is to be computed next.
    /// `None` where there is no room.
    fn begin(&mut self, asked: &Asked<'_>) -> Option<(Vec<u32>, bool)> {
        let Asked { id, text, most, .. } = *asked;
        let written = self.texts.entry(id).or_default();
        let same = written.tokens.iter().zip(text).take_while(|(a, b)| a == b).count();
        // The logits after the last token are wanted.
        written.tokens.truncate(same.min(text.len() - 1));
        let blocks = (text.len() + most).div_ceil(self.limits.block_size);
        let lacking = blocks.saturating_sub(written.blocks.len());
        if lacking > self.free.len() {
            return None;
        }
        written.blocks.extend(self.free.drain(self.free.len() - lacking..));
        let missing = &text[written.tokens.len()..];
        // Ids beyond those of the tokenizer, which both models share.
        if missing.iter().any(|id| *id as usize >= self.limits.vocab_size) {
            return None;
        }
        let next = &missing[..missing.len().min(self.limits.max_chunk)];
        Some((next.to_vec(), next.len() == missing.len()))
    }

    /// One step of these texts, and a guess for each that has come to its end.
    fn step(
        &mut self,
        asked: &[Asked<'_>],
        turns: &mut [Turn],
        proposals: &mut [Proposal],
    ) -> Result<(), ExecutorError> {
        let Some(executor) = &mut self.executor else { return Ok(()) };
        for turns in turns.chunks_mut(self.limits.max_rows) {
            let began = Instant::now();
            let rows: Vec<StepRow<'_>> = (turns.iter().enumerate())
                .map(|(slot, turn)| {
                    let written = &self.texts[&asked[turn.asked].id];
                    StepRow {
                        tokens: &turn.next,
                        first_position: written.tokens.len(),
                        sequence_length: written.tokens.len() + turn.next.len(),
                        blocks: &written.blocks,
                        slot,
                        want_logits: turn.guesses,
                        by_itself: turn.next.len() == 1,
                        drafts: 0,
                        draft_slots: &[],
                        positions: Positions::Last,
                        digest: None,
                    }
                })
                .collect();
            let is_single = rows.iter().all(|row| row.by_itself);
            self.logits.begin(rows.len());
            executor.step(&rows, &mut self.logits)?;
            drop(rows);
            if is_single {
                let took = began.elapsed().as_secs_f64();
                let old = *self.step_seconds.get_or_insert(took);
                self.step_seconds = Some(old + LATEST * (took.min(2.0 * old) - old));
            }
            for (row, turn) in turns.iter_mut().enumerate() {
                let Asked { id, way, .. } = asked[turn.asked];
                let written = self.texts.get_mut(&id).expect("its blocks are there");
                written.tokens.append(&mut turn.next);
                if !turn.guesses {
                    continue;
                }
                let no_logits = || ExecutorError::new("no logits, although they were wanted");
                let logits = self.logits.row(row).ok_or_else(no_logits)?;
                let logits = &logits[..self.vocab_size];
                if let Some(id) = first_not_finite(logits) {
                    let message = format!("the logit of token {id} is {}", logits[id]);
                    return Err(ExecutorError::new(message));
                }
                let (guess, drawn_from) = match &mut turn.numbers {
                    Some(numbers) => (draw_alike(way.params, logits, numbers), None),
                    None => draw_guess(way.params, logits, &mut self.random),
                };
                turn.next.push(guess);
                let proposal = &mut proposals[turn.asked];
                proposal.tokens.push(guess);
                proposal.drawn_from.extend(drawn_from);
            }
        }
        Ok(())
    }

    /// Nothing is guessed from now on: answers come as without a draft.
    fn give_up(&mut self, error: &ExecutorError) {
        tracing::warn!(%error, "the draft model failed; answers go on without its guesses");
        let executor = self.executor.take();
        if error.is_lost() {
            // The driver of a lost device cannot be taken down in order.
            std::mem::forget(executor);
        }
        self.texts.clear();
    }
}

impl Drafter for DraftModel {
    fn reach(&mut self, id: SeqId, text: &[u32]) -> usize {
        if self.executor.is_none() {
            return 0;
        }
        let own = self.texts.get(&id).map_or(0, |written| written.blocks.len());
        let room = (own + self.free.len()) * self.limits.block_size;
        room.min(self.limits.context_length).saturating_sub(text.len())
    }

    fn propose(&mut self, asked: &[Asked<'_>]) -> Vec<Proposal> {
        let mut proposals: Vec<Proposal> = asked.iter().map(|_| Proposal::default()).collect();
        let mut turns = Vec::with_capacity(asked.len());
        for (index, asked) in asked.iter().enumerate() {
            if let Some((next, guesses)) = self.begin(asked) {
                let numbers = asked.way.numbers.cloned();
                turns.push(Turn { asked: index, next, guesses, numbers });
            }
        }
        while !turns.is_empty() {
            if let Err(error) = self.step(asked, &mut turns, &mut proposals) {
                self.give_up(&error);
                return asked.iter().map(|_| Proposal::default()).collect();
            }
            // A long prompt goes on the next time.
            turns.retain(|turn| {
                turn.guesses && proposals[turn.asked].tokens.len() < asked[turn.asked].most
            });
        }
        proposals
    }

    fn time(&self, guesses: usize) -> Duration {
        Duration::from_secs_f64(self.step_seconds.unwrap_or(0.0) * guesses as f64)
    }

    fn forget(&mut self, id: SeqId) {
        if let Some(written) = self.texts.remove(&id) {
            self.free.extend(written.blocks);
        }
    }
}
