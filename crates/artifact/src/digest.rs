//! What a GPU finds out of a row of logits, and where it stands behind the row.
//!
//! ```text
//! logits    f32 [width]   the row
//! head      [0] u32: the id of the highest logit, of equal ones the lowest; [1] f32: that logit;
//!           [2] f32: 1 where all logits are finite, else 0, and nothing else counts
//! maxima    f32 [chunks]  the highest logit of each chunk of the row
//! sums      f32 [chunks]  of each chunk, the sum of e^((logit - highest) / temperature)
//! ```
//!
//! Each part begins at a multiple of [`LINE`] f32s. `kernels-hip/digest.hip` writes it.

/// Logits of a chunk.
pub const CHUNK: usize = 64;

/// f32s of 128 bytes: two cache lines, so that no two parts share one, however a device pairs them.
const LINE: usize = 32;

/// The places of a row's parts, in f32s from its begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowDigest {
    /// Logits.
    pub width: usize,
    /// Where the head begins.
    pub head: usize,
    /// Where the highest logits of chunks begin.
    pub maxima: usize,
    /// Where the sums of chunks begin.
    pub sums: usize,
    /// From one row to the next.
    pub pitch: usize,
}

impl RowDigest {
    /// The places for rows of `width` logits.
    pub fn of(width: usize) -> Self {
        let head = width.next_multiple_of(LINE);
        let maxima = head + LINE;
        let sums = maxima + width.div_ceil(CHUNK).next_multiple_of(LINE);
        let pitch = sums + width.div_ceil(CHUNK).next_multiple_of(LINE);
        Self { width, head, maxima, sums, pitch }
    }

    /// Chunks of a row; the last may be short.
    pub fn chunks(&self) -> usize {
        self.width.div_ceil(CHUNK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another_at_whole_lines_and_do_not_overlap() {
        for width in [1, 31, 32, 33, 64, 65, 2048, 2049, 32_000, 151_936] {
            let RowDigest { head, maxima, sums, pitch, .. } = RowDigest::of(width);
            let chunks = RowDigest::of(width).chunks();
            assert!([head, maxima, sums, pitch].iter().all(|place| place % LINE == 0), "{width}");
            assert!(width <= head && head + 3 <= maxima, "{width}");
            assert!(maxima + chunks <= sums && sums + chunks <= pitch, "{width}");
        }
        assert_eq!(RowDigest::of(151_936).pitch, 151_936 + 32 + 2 * 2400);
    }
}
