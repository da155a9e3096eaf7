//! Weight layouts as the kernels name them.

use tyto_graph::{BlockForm, DType, Layout};

/// `TY_F32`, `TY_F16`, `TY_BF16` or a block format's code (`ty_format` in `program.h`); the
/// reason where the kernels read no such layout.
pub fn format_of(layout: Layout, dtype: DType) -> Result<u32, String> {
    match (layout, dtype) {
        (Layout::Tiled { n: 16, k: 1 }, DType::F32) => Ok(F32),
        (Layout::Tiled { n: 16, k: 1 }, DType::F16) => Ok(F16),
        (Layout::Tiled { n: 16, k: 2 }, DType::BF16) => Ok(BF16),
        (Layout::Blocks(blocks), DType::U8) if blocks.is_known() => {
            let flags = match blocks.form {
                BlockForm::Bias => BIAS,
                BlockForm::Middle => MIDDLE,
            };
            let scale = if blocks.scale == DType::BF16 { SCALE_BF16 } else { 0 };
            let group = u32::from(blocks.group).trailing_zeros();
            Ok(BLOCKS | u32::from(blocks.bits) << 8 | group << 16 | (flags | scale) << 24)
        }
        _ => Err(format!("kernels read no {layout} {dtype} weights")),
    }
}

/// The format of a table whose rows are embeddings, and whether it stands row by row.
pub(crate) fn table_format(layout: Layout, dtype: DType) -> Result<(u32, bool), String> {
    match (layout, cache_format(dtype)) {
        (Layout::RowMajor, Some(format)) => Ok((format, true)),
        _ => Ok((format_of(layout, dtype)?, false)),
    }
}

/// The plain format of cached keys and values.
pub(crate) fn cache_format(dtype: DType) -> Option<u32> {
    match dtype {
        DType::F32 => Some(F32),
        DType::F16 => Some(F16),
        DType::BF16 => Some(BF16),
        _ => None,
    }
}

/// `TY_MATRIX`: the product may go through matrix registers, whose sums differ from those of other
/// paths in the last places. Products of a prompt only: what a sequence is given in decode must
/// not depend on how many others there are.
pub(crate) const MATRIX: u32 = 1 << 31;

const F32: u32 = 0;
const F16: u32 = 1;
const BF16: u32 = 2;
const BLOCKS: u32 = 3;
const SCALE_BF16: u32 = 1;
const BIAS: u32 = 2;
const MIDDLE: u32 = 4;
