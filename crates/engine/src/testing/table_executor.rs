//! The test executor and the handle that steers it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tyto_artifact::RowDigest;

use super::paged_text::{PagedText, chain};
use super::text_states::TextStates;
use super::{certain, mix};
use crate::executor::{Executor, ExecutorError, ExecutorLimits, StateMove, StepRow};
use crate::logits::{HeldRows, StepLogits, with_digest};

/// Makes the logits after a text, of which it also gets the cache's hash.
type Model = Box<dyn FnMut(&[u32], u64) -> Vec<f32> + Send>;

/// Runs a closure as if it were a model, over a paged cache that checks itself.
pub struct TableExecutor {
    limits: ExecutorLimits,
    model: Model,
    cache: PagedText,
    /// Of a model with recurrent layers, whose logits depend on them.
    states: Option<TextStates>,
    digests: bool,
    control: TableControl,
}

/// Rows with digests.
#[derive(Debug)]
struct Held {
    pitch: usize,
    held: Vec<f32>,
}

impl HeldRows for Held {
    fn lend(
        &self,
        first: usize,
        count: usize,
        look: &mut dyn FnMut(&[f32]),
    ) -> Result<(), ExecutorError> {
        look(&self.held[first * self.pitch..(first + count) * self.pitch]);
        Ok(())
    }
}

impl TableExecutor {
    /// A model given by the logits after each text.
    pub fn new(
        limits: ExecutorLimits,
        mut model: impl FnMut(&[u32]) -> Vec<f32> + Send + 'static,
    ) -> Self {
        Self::of(limits, move |text, _| model(text))
    }

    fn of(
        limits: ExecutorLimits,
        model: impl FnMut(&[u32], u64) -> Vec<f32> + Send + 'static,
    ) -> Self {
        let control = TableControl::default();
        let cache = PagedText::new(limits);
        Self { limits, model: Box::new(model), cache, states: None, digests: false, control }
    }

    /// A model that gives each token its next one.
    pub fn table(limits: ExecutorLimits, next: impl Fn(u32) -> u32 + Send + 'static) -> Self {
        let vocab_size = limits.vocab_size;
        Self::new(limits, move |text| {
            certain(vocab_size, next(*text.last().expect("a text has a token")))
        })
    }

    /// A model that answers every prompt with `answer`, whose last token then repeats. Where
    /// it is in the answer it reads from the text, so a prompt must not end with tokens that
    /// begin the answer.
    pub fn script(limits: ExecutorLimits, answer: Vec<u32>) -> Self {
        let vocab_size = limits.vocab_size;
        Self::new(limits, move |text| {
            let said = |n: &usize| text.ends_with(&answer[..*n]);
            let n = (0..=answer.len()).rev().find(said).unwrap_or(0);
            let next = answer.get(n).or(answer.last());
            certain(vocab_size, *next.expect("an answer has a token"))
        })
    }

    /// The same model, with recurrent layers: it runs only on states of each row's own text.
    #[must_use]
    pub fn with_states(self, snapshots: usize) -> Self {
        Self { states: Some(TextStates::new(self.limits.max_rows, snapshots)), ..self }
    }

    /// A model whose logits depend on the whole text, in no simple way, and on which of its
    /// tokens were computed by themselves, as those of compiled code do. `seed` makes it
    /// another model. A token that is wrong or missing anywhere in the cache changes all
    /// that follows.
    pub fn history_hash(limits: ExecutorLimits, seed: u64) -> Self {
        let vocab_size = limits.vocab_size as u64;
        Self::of(limits, move |_, hash| {
            let hash = mix(seed ^ hash);
            let logit = |id| (mix(hash.wrapping_add(id)) % 8000) as f32 / 1000.0;
            (0..vocab_size).map(logit).collect()
        })
    }

    /// The same model with recurrent layers and room for copies of their states: it runs only on states
    /// of each row's own text.
    pub fn recurrent(limits: ExecutorLimits, seed: u64, snapshots: usize) -> Self {
        Self::history_hash(limits, seed).with_states(snapshots)
    }

    /// The same model on a device that makes digests of its logits.
    pub fn with_digests(self) -> Self {
        Self { digests: true, ..self }
    }

    /// Keeps a hand on the executor after the engine has taken it.
    pub fn control(&self) -> TableControl {
        self.control.clone()
    }
}

impl Executor for TableExecutor {
    fn limits(&self) -> ExecutorLimits {
        self.limits
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        self.control.begin_step(rows)?;
        self.check(rows)?;
        for row in rows {
            self.cache.write(row)?;
        }
        for (index, row) in rows.iter().enumerate() {
            let (text, hashes) = self.cache.text(row)?;
            if let Some(states) = &mut self.states {
                let next = |hash, token| chain(hash, token, row.by_itself);
                if states.run(row, next)? != hashes[row.first_position..] {
                    let slot = row.slot;
                    let message = format!("slot {slot} had the state of another text");
                    return Err(ExecutorError::new(message));
                }
            }
            if row.want_logits {
                let from = text.len() - row.tokens.len();
                let wanted = row.wanted_in(0, row.tokens.len());
                let found: Vec<f32> = (from + wanted.start + 1..=from + wanted.end)
                    .flat_map(|end| (self.model)(&text[..end], hashes[end - 1]))
                    .collect();
                self.give(index, row, &found, logits);
            }
        }
        Ok(())
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        blocks.iter().for_each(|block| self.cache.clean(*block));
        self.control.state().cleaned.extend(blocks);
        Ok(())
    }

    fn is_recurrent(&self) -> bool {
        self.states.is_some()
    }

    fn snapshots(&self) -> usize {
        self.states.as_ref().map_or(0, TextStates::snapshots)
    }

    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        let states = self.states.as_mut();
        states.into_iter().for_each(|states| moves.iter().for_each(|one| states.copy(*one)));
        if moves.is_empty() {
            return Ok(());
        }
        self.control.state().copy_faults.pop_front().map_or(Ok(()), Err)
    }
}

impl TableExecutor {
    /// As a digest only where the row may do without its logits and the executor makes such.
    fn give(&self, index: usize, row: &StepRow<'_>, found: &[f32], logits: &mut StepLogits) {
        let Some(temperature) = row.digest.filter(|_| self.digests) else {
            return logits.rows_mut(index, row.wanted()).copy_from_slice(found);
        };
        let rows = found.chunks(self.limits.vocab_size);
        let held: Vec<f32> = rows.flat_map(|values| with_digest(values, temperature)).collect();
        let held = Arc::new(Held { pitch: RowDigest::of(self.limits.vocab_size).pitch, held });
        logits.hold(index, held, 0, row.wanted(), temperature);
    }

    /// What a compiled model could not run.
    fn check(&self, rows: &[StepRow<'_>]) -> Result<(), ExecutorError> {
        let limits = &self.limits;
        let within = |row: &StepRow<'_>| {
            (1..=limits.max_chunk).contains(&row.tokens.len())
                && (!row.by_itself || row.tokens.len() == 1 + row.drafts)
                && row.drafts <= limits.max_drafts.min(row.tokens.len() - 1)
                && row.first_position + row.tokens.len() <= limits.context_length
                && row.tokens.iter().all(|&token| (token as usize) < limits.vocab_size)
        };
        if rows.is_empty() || rows.len() > limits.max_rows || !rows.iter().all(within) {
            return Err(ExecutorError::new(format!("a step beyond {limits:?}: {rows:?}")));
        }
        Ok(())
    }
}

/// Steers and watches a [`TableExecutor`] from outside; clones share it.
#[derive(Debug, Clone, Default)]
pub struct TableControl(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    steps: Vec<RecordedStep>,
    cleaned: Vec<u32>,
    faults: VecDeque<ExecutorError>,
    copy_faults: VecDeque<ExecutorError>,
    /// Steps from this number on wait.
    held_from: Option<usize>,
}

/// A step as the executor got it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedStep {
    /// Its rows.
    pub rows: Vec<RecordedRow>,
}

/// A row of a step, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRow {
    /// As in [`StepRow`].
    pub tokens: Vec<u32>,
    /// As in [`StepRow`].
    pub first_position: usize,
    /// As in [`StepRow`].
    pub blocks: Vec<u32>,
    /// As in [`StepRow`].
    pub want_logits: bool,
    /// As in [`StepRow`].
    pub drafts: usize,
}

impl TableControl {
    /// Makes a coming step fail: the next one, or the one after those already to fail.
    pub fn fail_next(&self, error: ExecutorError) {
        self.state().faults.push_back(error);
    }

    /// Makes a coming copy of states fail, as [`fail_next`](Self::fail_next) does a step.
    pub fn fail_next_copy(&self, error: ExecutorError) {
        self.state().copy_faults.push_back(error);
    }

    /// From the next step on, steps wait in the executor until [`release`](Self::release).
    /// The engine's thread waits with them, as it does in a slow step.
    pub fn hold(&self) {
        let mut state = self.state();
        state.held_from = Some(state.steps.len());
    }

    /// The same, from step `number` on; the executor's first step is 0. Held steps before it
    /// go on.
    pub fn hold_from(&self, number: usize) {
        self.state().held_from = Some(number);
        self.0.changed.notify_all();
    }

    /// Lets held steps go on.
    pub fn release(&self) {
        self.state().held_from = None;
        self.0.changed.notify_all();
    }

    /// Waits until `count` steps have begun since the executor was made.
    pub fn wait_for_steps(&self, count: usize) {
        let mut state = self.state();
        while state.steps.len() < count {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Every step begun so far, those that failed included.
    pub fn steps(&self) -> Vec<RecordedStep> {
        self.state().steps.clone()
    }

    /// Every block cleaned so far.
    pub fn cleaned(&self) -> Vec<u32> {
        self.state().cleaned.clone()
    }

    fn begin_step(&self, rows: &[StepRow<'_>]) -> Result<(), ExecutorError> {
        let mut state = self.state();
        let number = state.steps.len();
        state.steps.push(RecordedStep { rows: rows.iter().map(record).collect() });
        self.0.changed.notify_all();
        while state.held_from.is_some_and(|first| number >= first) {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.faults.pop_front().map_or(Ok(()), Err)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(row: &StepRow<'_>) -> RecordedRow {
    let StepRow { tokens, first_position, blocks, want_logits, drafts, .. } = *row;
    let (tokens, blocks) = (tokens.to_vec(), blocks.to_vec());
    RecordedRow { tokens, first_position, blocks, want_logits, drafts }
}
