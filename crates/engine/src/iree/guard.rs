//! A GPU's executor, with what a fault means decided by asking the GPU.

use std::mem::{ManuallyDrop, forget, replace};

use tyto_iree_rt::{Buffer, ElementType, Runtime};

use super::load::failed;
use crate::executor::{Executor, ExecutorError, ExecutorLimits, Positions, StateMove, StepRow};
use crate::logits::StepLogits;
use crate::shared::note_reopened;

/// An executor on a GPU that can go on when the GPU has been opened anew.
pub(crate) trait OnGpu: Executor {
    /// The same executor on `reopened`, with the weights and the cache where they are.
    fn on(&self, reopened: &Runtime) -> Result<Box<dyn OnGpu>, ExecutorError>;
}

/// Any executor on a GPU. A step that failed says little about the next: after one the GPU is
/// asked to fill a few bytes, by the queue that steps use. If it cannot, its driver keeps the failure.
/// What was refused is no more than that: the GPU is opened anew, and only the step has failed.
/// Otherwise the GPU is lost.
pub(crate) struct Guarded {
    inner: Box<dyn OnGpu>,
    /// What it is asked to fill.
    probe: Buffer,
    runtime: Runtime,
    /// How often the GPU was opened anew.
    reopened: usize,
}

/// Bytes that the GPU is asked to fill.
const FILLED: usize = 64;

/// How often a GPU is opened anew: what the driver of one that has failed holds is never given back.
const MOST_REOPENED: usize = 8;

/// A block that is not block 0, which no sequence has.
const SOME_BLOCK: u32 = 1;

impl Guarded {
    /// Guards what runs on `runtime`.
    pub(crate) fn new(inner: Box<dyn OnGpu>, runtime: &Runtime) -> Result<Self, ExecutorError> {
        let probe = probe_on(runtime)?;
        Ok(Self { inner, probe, runtime: runtime.clone(), reopened: 0 })
    }

    /// Runs one token as a prompt, and looks at its logits: a GPU that faults or makes no numbers
    /// does so before anybody waits for an answer.
    pub(crate) fn try_one_token(&mut self) -> Result<(), ExecutorError> {
        let row = StepRow {
            tokens: &[0],
            first_position: 0,
            sequence_length: 1,
            blocks: &[SOME_BLOCK],
            slot: 0,
            want_logits: true,
            by_itself: false,
            drafts: 0,
            draft_slots: &[],
            positions: Positions::Last,
            digest: None,
        };
        let mut logits = StepLogits::new(self.limits().row_width());
        logits.begin(1);
        self.step(&[row], &mut logits)?;
        let is_number = |row: &[f32]| row.iter().all(|logit| logit.is_finite());
        let finite = logits.row(0).is_some_and(is_number);
        self.clean(&[SOME_BLOCK])?;
        match finite {
            true => Ok(()),
            false => Err(ExecutorError::fatal(
                "the first token's logits are not numbers: the GPU computes wrongly, or the model's \
                 weights are damaged (tyto inspect --verify)",
            )),
        }
    }

    fn judge(&mut self, error: ExecutorError) -> ExecutorError {
        let fill = || self.probe.fill_zero_by_queue();
        // Another call of the failed step may have failed too, which is told once, here.
        let Err(second) = fill().or_else(|_| fill()) else { return error };
        tracing::debug!(%second, "the GPU does not answer");
        let lost =
            |why| ExecutorError::lost(format!("{error}; the GPU does not answer any more{why}"));
        if !error.may_be_refusal() {
            return lost(String::new());
        }
        match self.reopen() {
            Ok(()) => {
                tracing::warn!(
                    refused = %error,
                    reopened = self.reopened,
                    "a launch was refused; the GPU was opened anew, with weights and cache where they were"
                );
                ExecutorError::new(format!("the GPU refused a part of this step: {error}"))
            }
            Err(second) => lost(format!(", and was not opened anew: {second}")),
        }
    }

    /// Goes on on the same GPU opened anew. Everything of before stays where it is: what is used of it
    /// is there, and its driver cannot be taken down.
    fn reopen(&mut self) -> Result<(), ExecutorError> {
        if self.reopened == MOST_REOPENED {
            return Err(ExecutorError::lost(format!(
                "it was opened anew {MOST_REOPENED} times already, which is the most"
            )));
        }
        note_reopened();
        // What fails on the way is not taken down either.
        let runtime = ManuallyDrop::new(self.runtime.reopened().map_err(failed)?);
        let inner = ManuallyDrop::new(self.inner.on(&runtime)?);
        let probe = ManuallyDrop::new(probe_on(&runtime)?);
        probe.fill_zero_by_queue().map_err(failed)?;
        let (inner, probe) = (ManuallyDrop::into_inner(inner), ManuallyDrop::into_inner(probe));
        forget(replace(&mut self.inner, inner));
        forget(replace(&mut self.probe, probe));
        forget(replace(&mut self.runtime, ManuallyDrop::into_inner(runtime)));
        self.reopened += 1;
        Ok(())
    }
}

fn probe_on(runtime: &Runtime) -> Result<Buffer, ExecutorError> {
    let probe = runtime.zeros(&[FILLED], ElementType::I8);
    probe.map_err(|error| ExecutorError::fatal(error.to_string()))
}

impl Executor for Guarded {
    fn limits(&self) -> ExecutorLimits {
        self.inner.limits()
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let result = self.inner.step(rows, logits);
        result.map_err(|error| self.judge(error))
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        let result = self.inner.clean(blocks);
        result.map_err(|error| self.judge(error))
    }

    fn is_recurrent(&self) -> bool {
        self.inner.is_recurrent()
    }

    fn snapshots(&self) -> usize {
        self.inner.snapshots()
    }

    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        let result = self.inner.move_states(moves);
        result.map_err(|error| self.judge(error))
    }
}
