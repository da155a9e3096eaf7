//! Which of a model's matrices are quantized, and to what.

use std::collections::HashSet;

use tyto_checkpoint::{Checkpoint, StoredType, Tensor};

use super::Quantization;
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::registry::{LoadedModel, WeightRule};
use crate::weights::Halves;

/// A matrix that stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The checkpoint's name.
    pub tensor: String,
    /// Why: `its 40 columns do not divide into groups of 32`.
    pub reason: String,
}

impl Kept {
    /// Each reason once, with how many matrices have it and the first of them.
    pub fn reasons(kept: &[Self]) -> Vec<String> {
        let mut counts: Vec<(&Self, usize)> = Vec::new();
        for one in kept {
            match counts.iter_mut().find(|(first, _)| first.reason == one.reason) {
                Some((_, count)) => *count += 1,
                None => counts.push((one, 1)),
            }
        }
        let text = |(first, count): (&Self, usize)| {
            let Self { tensor, reason } = first;
            match count {
                1 => format!("{tensor}: {reason}"),
                count => format!("{count} matrices, {tensor} first: {reason}"),
            }
        };
        counts.into_iter().map(text).collect()
    }
}

impl LoadedModel {
    /// From now on, traces that keep blocks have every matrix and table that the checkpoint
    /// stores in F32, F16 or BF16 in `format`; the embedding and the head in
    /// [`Quantization::of_vocabulary`]. Gives the matrices that stay as they are. Reads no
    /// weights.
    ///
    /// Errors: no matrix at all can be quantized.
    pub fn quantize(
        &mut self,
        checkpoint: &Checkpoint,
        format: Quantization,
    ) -> Result<Vec<Kept>, Error> {
        let mut kept = Vec::new();
        let mut quantized = Vec::new();
        let mut seen = HashSet::new();
        for part in self.parts()? {
            let &[.., _, columns] = &part.shape[..] else { continue };
            // Several parts may be rows of one tensor.
            if !seen.insert(part.tensor.clone()) {
                continue;
            }
            let tensor = checkpoint.expect_tensor(&part.tensor, &part.shape)?;
            let format = if makes_logits(tensor.name) { format.of_vocabulary() } else { format };
            // Rows that move keep their columns.
            let rearranged = part.reading.transposed || part.reading.halves == Halves::Columns;
            match reason_to_keep(&tensor, columns, format, rearranged) {
                Some(reason) => kept.push(Kept { tensor: part.tensor, reason }),
                None => quantized.push((part.tensor, format)),
            }
        }
        if quantized.is_empty() {
            return Err(Error::NothingToQuantize {
                path: checkpoint.path().into(),
                format: format.name(),
                reasons: Kept::reasons(&kept).join("; "),
            });
        }
        self.stored_mut().quantize(quantized);
        Ok(kept)
    }
}

/// Whether the tensor is the head or the embedding, which may be one.
fn makes_logits(tensor: &str) -> bool {
    matches!(TIED_HEAD, WeightRule::Tied(head, table) if tensor == head || tensor == table)
}

fn reason_to_keep(
    tensor: &Tensor<'_>,
    columns: usize,
    format: Quantization,
    rearranged: bool,
) -> Option<String> {
    let group = format.layout().unit();
    if tensor.block_format().is_some() {
        Some(format!("stored as {} already, whose codes are kept", tensor.dtype))
    } else if !matches!(tensor.dtype, StoredType::F32 | StoredType::F16 | StoredType::Bf16) {
        Some(format!("stored as {}, which is no plain float type", tensor.dtype))
    } else if rearranged {
        Some("its columns are rearranged, which is known of plain numbers only".to_owned())
    } else if !columns.is_multiple_of(group) {
        Some(format!("its {columns} columns do not divide into groups of {group}"))
    } else {
        None
    }
}
