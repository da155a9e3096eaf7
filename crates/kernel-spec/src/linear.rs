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

/// The rows of a tile: the lanes of one 512-bit register of f32 sums.
pub(crate) const TILE_ROWS: usize = 16;

/// The body of a `Linear` over a `[rows, columns]` weight.
pub fn linear(target: Target, columns: usize, dtype: DType) -> LinearBody {
    let row_major = |reason| LinearBody { layout: Layout::RowMajor, reason };
    if target.is_gpu() {
        return row_major("row-major dot_general: there is no kernel of ours for this GPU yet");
    }
    if !target.has_avx512() {
        // IREE 3.13 computes bf16 tiles wrongly for AVX2 (docs/decisions/weight-tiles.md).
        return row_major("row-major dot_general: tiles are proven with AVX-512 only");
    }
    // A tile is as deep as the instruction that multiplies it: vdpbf16ps takes pairs.
    let k = if dtype == DType::BF16 { 2 } else { 1 };
    if !columns.is_multiple_of(k) {
        return row_major("row-major dot_general: the columns do not divide into pairs");
    }
    let reason = "linalg.mmt4d over tiles that stand so in the file; no packed copy in memory";
    LinearBody { layout: Layout::Tiled { n: TILE_ROWS, k }, reason }
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
        let body = linear(Target::CpuX86V4, 577, DType::BF16);
        assert_eq!(body.layout, Layout::RowMajor);
        assert!(body.reason.contains("pairs"));
    }

    #[test]
    fn gpus_read_row_major_weights() {
        for target in Target::all().filter(|target| target.is_gpu()) {
            assert_eq!(linear(target, 576, DType::BF16).layout, Layout::RowMajor);
        }
    }

    #[test]
    fn without_avx512_weights_stay_row_major_and_say_so() {
        for dtype in [DType::F32, DType::F16, DType::BF16] {
            let body = linear(Target::CpuX86V3, 576, dtype);
            assert_eq!(body.layout, Layout::RowMajor);
            assert!(body.reason.contains("AVX-512"));
        }
    }
}
