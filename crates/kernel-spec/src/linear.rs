//! Matrix products of plain element types.

use tyto_graph::{DType, Layout};

use crate::Target;

/// How a `Linear` is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearBody {
    /// How its weight stands in the artifact.
    pub layout: Layout,
    /// Why.
    pub reason: &'static str,
}

/// The rows of an x86 tile: one AVX-512 register of f32 sums, two of AVX2.
const X86_TILE_ROWS: usize = 16;

/// The body of a `Linear` over a `[rows, columns]` weight.
pub fn linear(target: Target, columns: usize, dtype: DType) -> LinearBody {
    if target.arch() != "x86_64" {
        let reason = "row-major dot_general: no tile is known for this instruction set";
        return LinearBody { layout: Layout::RowMajor, reason };
    }
    // A tile is as deep as the instruction that multiplies it: vdpbf16ps takes pairs.
    let k = if dtype == DType::BF16 { 2 } else { 1 };
    if !columns.is_multiple_of(k) {
        let reason = "row-major dot_general: the columns do not divide into pairs";
        return LinearBody { layout: Layout::RowMajor, reason };
    }
    let reason = "linalg.mmt4d over tiles that stand so in the file; no packed copy in memory";
    LinearBody { layout: Layout::Tiled { n: X86_TILE_ROWS, k }, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bf16_tiles_are_pairs_deep() {
        let body = linear(Target::CpuX86V4, 576, DType::BF16);
        assert_eq!(body.layout, Layout::Tiled { n: 16, k: 2 });
    }

    #[test]
    fn odd_columns_of_bf16_stay_row_major_and_say_so() {
        let body = linear(Target::CpuX86V3, 577, DType::BF16);
        assert_eq!(body.layout, Layout::RowMajor);
        assert!(body.reason.contains("pairs"));
    }
}
