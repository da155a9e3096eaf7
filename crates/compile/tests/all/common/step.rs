//! Rows of a step, and what is compared of their logits.

use tyto_artifact::{Artifact, HostTarget};
use tyto_engine::iree::{IreeExecutor, LoadOptions, PhasesExecutor};
use tyto_engine::{Executor, Positions, StepLogits, StepRow};

/// The executor of the artifact's target for this machine; `None` where it has none.
pub fn load(artifact: &Artifact, options: &LoadOptions) -> Option<Box<dyn Executor>> {
    let target = artifact.select_target(&HostTarget::detect()).ok()?;
    Some(match &target.phases {
        Some(phases) => {
            Box::new(PhasesExecutor::load(artifact, target, phases, options).expect("loads"))
        }
        None => Box::new(IreeExecutor::load(artifact, target, options).expect("loads")),
    })
}

/// One step; the logits of each row.
pub fn run(executor: &mut dyn Executor, rows: &[StepRow<'_>]) -> Vec<Vec<f32>> {
    let mut logits = StepLogits::new(executor.limits().vocab_size);
    logits.begin(rows.len());
    executor.step(rows, &mut logits).expect("a step");
    (0..rows.len()).map(|row| logits.row(row).expect("logits").to_vec()).collect()
}

/// Tokens of a sequence from position `first` to its end, in `blocks`.
pub fn row<'a>(tokens: &'a [u32], first: usize, blocks: &'a [u32]) -> StepRow<'a> {
    let (sequence_length, by_itself) = (first + tokens.len(), tokens.len() == 1);
    StepRow {
        tokens,
        first_position: first,
        sequence_length,
        blocks,
        // Tests give sequences blocks from a multiple of four on.
        slot: blocks.iter().min().map_or(0, |first| *first as usize / 4),
        want_logits: true,
        by_itself,
        drafts: 0,
        draft_slots: &[],
        positions: Positions::Last,
        digest: None,
    }
}

/// The id with the largest logit.
pub fn best(logits: &[f32]) -> u32 {
    let order = |a: &(usize, &f32), b: &(usize, &f32)| a.1.total_cmp(b.1);
    logits.iter().enumerate().max_by(order).map_or(0, |(index, _)| index as u32)
}

/// Panics where a logit is off by more than `tolerance`, relative to the largest of `expected`.
pub fn assert_close(what: &str, found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len(), "{what}: another number of logits");
    let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
    let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let worst = apart.fold(0f32, f32::max);
    // Not `worst > …`: a NaN must fail.
    assert!(worst <= tolerance * largest, "{what}: off by {worst} where logits reach {largest}");
}
