//! A model whose answers are known in advance, for tests of the engine and above it.
//!
//! Nothing of it stands in for a real model outside tests: it runs the whole engine,
//! scheduler and sampler on logits that a closure makes from the text so far. The executor
//! reads that text back from a paged cache of its own, by the blocks it is given, and checks
//! it: a block with two owners, or one that is read before it is written, is a fault.

mod paged_text;
mod table_executor;
mod text_model;
mod text_states;

pub use table_executor::{RecordedRow, RecordedStep, TableControl, TableExecutor};
pub use text_model::{END, TEXT_MODEL_VOCAB, byte_text_model, text_model_with, text_sources};

use crate::executor::ExecutorLimits;

/// Small sizes at which nothing is in the way: four rows, chunks of eight, a context of 256
/// and room for four texts of that length.
pub fn small_limits(vocab_size: usize) -> ExecutorLimits {
    ExecutorLimits {
        vocab_size,
        context_length: 256,
        block_size: 4,
        n_blocks: 257,
        max_rows: 4,
        max_chunk: 8,
        max_drafts: 7,
        vector_width: None,
    }
}

/// A row of logits with its digest at a temperature (below 0 without sums), as a GPU leaves it: what
/// `kernels-hip/digest.hip` is compared with. Only what the digest says is meant, not what is between its
/// parts.
pub fn digested(values: &[f32], temperature: f32) -> Vec<f32> {
    crate::logits::with_digest(values, temperature)
}

/// Logits that make `id` all but certain.
pub fn certain(vocab_size: usize, id: u32) -> Vec<f32> {
    let mut logits = vec![0.0; vocab_size];
    logits[id as usize] = 40.0;
    logits
}

/// SplitMix64's finalizer: a well mixed number from another.
pub fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
