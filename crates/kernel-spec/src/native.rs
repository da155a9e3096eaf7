//! Our own kernels (`kernels-cpu/`, `kernels-hip/`): which they serve, and how they want weights.

use tyto_graph::{DType, Layout};

use crate::Target;
use crate::linear::{LinearBody, TILE_ROWS};

/// The native body of a product of a plain `[rows, columns]` weight, or why there is none.
/// Weights in blocks keep their own layout (`tyto_graph::Layout::Blocks`).
pub fn native_linear(columns: usize, dtype: DType) -> Result<LinearBody, &'static str> {
    let k = match dtype {
        DType::F32 | DType::F16 => 1,
        // Pairs, as the dot product of bf16 takes them.
        DType::BF16 if columns.is_multiple_of(2) => 2,
        DType::BF16 => return Err("the columns of a bf16 matrix do not divide into pairs"),
        _ => return Err("the kernels read f32, f16, bf16 and blocks"),
    };
    let layout = Layout::Tiled { n: TILE_ROWS, k };
    Ok(LinearBody { layout, reason: "a kernel of ours over tiles of 16 rows, one pass a step" })
}

/// The same for the kernels of GPUs.
pub fn native_gpu_linear(columns: usize, dtype: DType) -> Result<LinearBody, &'static str> {
    let k = match dtype {
        DType::F32 => 1,
        // 16 bytes, which a lane reads at once.
        DType::F16 | DType::BF16 if columns.is_multiple_of(8) => 8,
        DType::F16 | DType::BF16 => {
            return Err("the columns of a matrix do not divide into eights");
        }
        _ => return Err("the kernels read f32, f16, bf16 and blocks"),
    };
    let layout = Layout::Tiled { n: TILE_ROWS, k };
    Ok(LinearBody { layout, reason: "a kernel of ours over tiles of 16 rows, one launch" })
}

/// Why a composite op without weights is native, by its name.
pub fn native_reason(op: &str, target: Target) -> &'static str {
    match op {
        "top_k" if target.is_gpu() => "a launch, which also sorts tokens by expert",
        "paged_attention" => "a kernel of ours reads the cache's blocks in place",
        "embedding" => "rows decoded from the table in place",
        "causal_conv" | "ssm_scan" | "selective_scan" | "rg_lru" | "delta_rule" | "dplr_scan" => {
            "a kernel of ours, its state updated in place"
        }
        "top_k" => "a phase of the step, which also sorts tokens by expert",
        _ if target.is_gpu() => "a row operation inside the launch that needs it",
        _ => "a row operation inside the step's one dispatch",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_read_sixteen_bytes_of_a_row_at_once() {
        let layout = |columns, dtype| native_gpu_linear(columns, dtype).map(|body| body.layout);
        assert_eq!(layout(576, DType::F16), Ok(Layout::Tiled { n: 16, k: 8 }));
        assert_eq!(layout(577, DType::F32), Ok(Layout::Tiled { n: 16, k: 1 }));
        assert!(layout(580, DType::BF16).is_err());
    }

    #[test]
    fn bf16_takes_pairs_and_the_rest_single_columns() {
        let layout = |columns, dtype| native_linear(columns, dtype).map(|body| body.layout);
        assert_eq!(layout(576, DType::BF16), Ok(Layout::Tiled { n: 16, k: 2 }));
        assert_eq!(layout(577, DType::F16), Ok(Layout::Tiled { n: 16, k: 1 }));
        assert!(layout(577, DType::BF16).is_err());
        assert!(layout(576, DType::I8).is_err());
    }
}
