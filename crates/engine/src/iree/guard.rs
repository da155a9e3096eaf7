//! A GPU's executor, with what a fault means decided by asking the GPU.

use tyto_iree_rt::{Buffer, ElementType, Runtime};

use crate::executor::{Executor, ExecutorError, ExecutorLimits, Positions, StateMove, StepRow};
use crate::logits::StepLogits;

/// Any executor on a GPU. A step that failed says little about the next: after one the GPU is
/// asked to fill a few bytes, by the queue that steps use. If it cannot, it is lost.
pub(crate) struct Guarded {
    inner: Box<dyn Executor>,
    /// What it is asked to fill.
    probe: Buffer,
}

/// Bytes that the GPU is asked to fill.
const FILLED: usize = 64;

/// A block that is not block 0, which no sequence has.
const SOME_BLOCK: u32 = 1;

impl Guarded {
    /// Guards what runs on `runtime`.
    pub(crate) fn new(inner: Box<dyn Executor>, runtime: &Runtime) -> Result<Self, ExecutorError> {
        let probe = runtime
            .zeros(&[FILLED], ElementType::I8)
            .map_err(|error| ExecutorError::fatal(error.to_string()))?;
        Ok(Self { inner, probe })
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

    fn judge(&self, error: ExecutorError) -> ExecutorError {
        let fill = || self.probe.fill_zero_by_queue();
        // Another call of the failed step may have failed too, which is told once, here.
        match fill().or_else(|_| fill()) {
            Ok(()) => error,
            Err(second) => {
                tracing::debug!(%second, "the GPU does not answer");
                ExecutorError::lost(format!("{error}; the GPU does not answer any more"))
            }
        }
    }
}

impl Executor for Guarded {
    fn limits(&self) -> ExecutorLimits {
        self.inner.limits()
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        self.inner.step(rows, logits).map_err(|error| self.judge(error))
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        self.inner.clean(blocks).map_err(|error| self.judge(error))
    }

    fn is_recurrent(&self) -> bool {
        self.inner.is_recurrent()
    }

    fn snapshots(&self) -> usize {
        self.inner.snapshots()
    }

    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        self.inner.move_states(moves).map_err(|error| self.judge(error))
    }
}
