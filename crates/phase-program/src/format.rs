//! Weight layouts as the kernels name them.

use tyto_graph::{BlockCode, BlockForm, BlockLayout, BlockScale, DType, KvCode, Layout};

/// `TY_F32`, `TY_F16`, `TY_BF16` or a block format's code (`ty_format` in `program.h`); the
/// reason where the kernels read no such layout.
pub fn format_of(layout: Layout, dtype: DType) -> Result<u32, String> {
    match (layout, dtype) {
        (Layout::Tiled { n: 16, k: 1 }, DType::F32) => Ok(F32),
        (Layout::Tiled { n: 16, k: 1 }, DType::F16) => Ok(F16),
        (Layout::Tiled { n: 16, k: 2 }, DType::BF16) => Ok(BF16),
        (Layout::Blocks(blocks), DType::U8) if blocks.is_known() => Ok(blocks_format(blocks)),
        _ => Err(format!("kernels read no {layout} {dtype} weights")),
    }
}

/// As [`format_of`], for the kernels of GPUs: plain weights stand in tiles whose rows are 16-byte
/// pieces, f32 as on a CPU.
pub fn gpu_format_of(layout: Layout, dtype: DType) -> Result<u32, String> {
    match (layout, dtype) {
        (Layout::Tiled { n: 16, k: 8 }, DType::F16) => Ok(F16),
        (Layout::Tiled { n: 16, k: 8 }, DType::BF16) => Ok(BF16),
        (Layout::Tiled { .. }, DType::F16 | DType::BF16) => {
            Err(format!("kernels read no {layout} {dtype} weights"))
        }
        _ => format_of(layout, dtype),
    }
}

/// The kernels' word for the codes of a format of weights: `f16`, `u4`, `e2m1` and so on.
pub(crate) fn code_name(format: u32) -> &'static str {
    match (format & 0xff, format >> 8 & 15) {
        (F32, _) => "f32",
        (F16, _) => "f16",
        (BF16, _) => "bf16",
        (_, 2) => "u2",
        (_, 3) => "u3",
        (_, 4) => "u4",
        (_, 5) => "u5",
        (_, 6) => "u6",
        (_, 9) => "e2m1",
        (_, 10) => "iq4",
        (_, 11) => "e4m3",
        _ => "u8",
    }
}

/// The same for kernels that decode blocks of any code.
pub(crate) fn kind_name(format: u32) -> &'static str {
    if format & KIND == BLOCKS { "blocks" } else { code_name(format) }
}

/// The same of a cache.
pub(crate) fn cache_name(format: u32) -> &'static str {
    match format {
        CACHE_Q8_0 => "q8_0",
        CACHE_Q4_0 => "q4_0",
        CACHE_E4M3 => "e4m3",
        _ => code_name(format),
    }
}

/// Code, scale, group, form and whether rows have scales.
fn blocks_format(blocks: BlockLayout) -> u32 {
    let code = match blocks.code {
        BlockCode::Unsigned(bits) => bits.into(),
        BlockCode::E2M1 => 9,
        BlockCode::Iq4 => 10,
        BlockCode::E4M3 => 11,
    };
    let scale = match blocks.scale {
        BlockScale::F16 => 0,
        BlockScale::Bf16 => 1,
        BlockScale::F32 => 2,
        BlockScale::E8M0 => 3,
        BlockScale::E4M3 => 4,
        BlockScale::One => 5,
        BlockScale::Super => 6,
    };
    let form = match blocks.form {
        BlockForm::Plain => 0,
        BlockForm::Middle => 1,
        BlockForm::Bias => 2,
        BlockForm::Zero => 3,
        BlockForm::Minimum => 4,
    };
    let group = u32::from(blocks.group).trailing_zeros();
    BLOCKS | code << 8 | scale << 12 | group << 16 | form << 20 | u32::from(blocks.row_scale) << 24
}

/// The format of a table whose rows are embeddings, and whether it stands row by row.
pub(crate) fn table_format(gpu: bool, layout: Layout, dtype: DType) -> Result<(u32, bool), String> {
    match (layout, plain_format(dtype)) {
        (Layout::RowMajor, Some(format)) => Ok((format, true)),
        _ if gpu => Ok((gpu_format_of(layout, dtype)?, false)),
        _ => Ok((format_of(layout, dtype)?, false)),
    }
}

/// The plain format of a table.
fn plain_format(dtype: DType) -> Option<u32> {
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

/// Whether a product of `k` columns goes through matrix registers where a machine has them:
/// `amx_serves` of `linear_pack.h`.
pub(crate) fn in_registers(format: u32, k: u32) -> bool {
    let known = [BF16, BLOCKS].contains(&(format & 0xff));
    format & MATRIX != 0 && known && k.is_multiple_of(32)
}

/// The same of a GPU, which multiplies f32 weights without matrix registers; steps are 16 columns.
pub(crate) fn in_gpu_registers(format: u32, k: usize) -> bool {
    format & KIND != F32 && k.is_multiple_of(16)
}

/// The bits of a format that say how weights are stored.
pub(crate) const KIND: u32 = 0xff;

/// The format of cached keys and values of `dtype`, quantized as `kv` says.
pub(crate) fn cache_format(dtype: DType, kv: Option<KvCode>) -> Option<u32> {
    match kv {
        None => plain_format(dtype),
        Some(KvCode::Q8_0) => Some(CACHE_Q8_0),
        Some(KvCode::Q4_0) => Some(CACHE_Q4_0),
        Some(KvCode::E4M3) => Some(CACHE_E4M3),
    }
}

const CACHE_Q8_0: u32 = 8;
const CACHE_Q4_0: u32 = 9;
const CACHE_E4M3: u32 = 10;
const F32: u32 = 0;
pub(crate) const F16: u32 = 1;
pub(crate) const BF16: u32 = 2;
const BLOCKS: u32 = 3;
