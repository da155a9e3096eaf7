//! The rows of a step: what goes into them, and whether all came back.

use tyto_scheduler::{Entry, Sequence};

use crate::executor::{ExecutorError, StepRow};
use crate::logits::StepLogits;

/// The tokens of an entry that guesses nothing.
pub(crate) fn text_of<'a>(entry: &Entry, seq: &'a Sequence) -> &'a [u32] {
    &seq.tokens()[entry.first_position..entry.first_position + entry.tokens]
}

/// The tokens of an entry that guesses something.
pub(crate) fn with_drafts((entry, seq): (&Entry, &Sequence)) -> Vec<u32> {
    match entry.drafts {
        0 => Vec::new(),
        _ => [&seq.tokens()[entry.first_position..], seq.drafts()].concat(),
    }
}

/// An executor that breaks its contract is at fault like one that fails.
pub(crate) fn check_answer(rows: &[StepRow<'_>], logits: &StepLogits) -> Result<(), ExecutorError> {
    for (index, row) in rows.iter().enumerate() {
        let fault = match (row.wanted(), logits.given(index)) {
            (wanted, given) if wanted == given => continue,
            (0, _) => "logits that nobody wanted",
            (_, 0) => "no logits, although they were wanted",
            (_, _) => "logits of too few positions, or too many",
        };
        return Err(ExecutorError::new(format!("the executor gave row {index} {fault}")));
    }
    Ok(())
}
