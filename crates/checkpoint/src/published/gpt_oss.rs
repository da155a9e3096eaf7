//! gpt-oss's MXFP4 experts: `NAME_blocks` U8 `[experts, rows, groups, 16]`, two codes in a byte, the
//! first in the low half, and `NAME_scales` U8 `[experts, rows, groups]`, E8M0, are the matrices
//! `NAME` `[experts, rows, groups × 32]`. transformers transposes them after decoding.

use super::settings::Settings;
use super::tensors::{Tensors, place};
use super::{Kind, Method};
use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, PackedMode};
use crate::quantized::{CodeOrder, Grid, Offset, Quantized};

/// Columns under one scale.
const GROUP: usize = 32;

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    settings.only(&[&["quant_method", "modules_to_not_convert", "dequantize"]])?;
    // Patterns like `model.layers.*.self_attn`: the tensors say which modules are quantized.
    let plain = settings.texts("modules_to_not_convert")?;
    Ok(Method { name: "mxfp4", plain, kind: Kind::GptOss })
}

pub(super) fn join(tensors: &mut Tensors<'_>) -> Result<(), Error> {
    for name in tensors.modules("_blocks") {
        let blocks = tensors.required(&format!("{name}_blocks"), &[])?;
        let &[ref matrices @ .., groups, bytes] = &blocks.shape[..] else {
            return Err(tensors.wrong(&blocks, EXPECTED.into()));
        };
        if blocks.dtype != StoredType::U8 || bytes != GROUP / 2 || !matches!(matrices.len(), 1 | 2)
        {
            return Err(tensors.wrong(&blocks, EXPECTED.into()));
        }
        let of_groups = [matrices, &[groups]].concat();
        let scales = tensors.part(&format!("{name}_scales"), &[StoredType::U8], &of_groups)?;
        let Some(columns) = groups.checked_mul(GROUP) else {
            return Err(tensors.wrong(&blocks, EXPECTED.into()));
        };
        let shape = [matrices, &[columns]].concat();
        let packed = Packed { mode: PackedMode::Mxfp4, bits: 4, group: GROUP as u16 };
        let quantized = Quantized {
            code: CodeType::E2M1,
            order: CodeOrder::Rows,
            scales: Some(Grid {
                numbers: place(&scales),
                dtype: StoredType::F8E8M0,
                rows: 1,
                columns: GROUP,
                transposed: false,
            }),
            offset: Offset::None,
            factor: None,
            index: None,
        };
        tensors.put(blocks, name, shape, packed, quantized)?;
    }
    Ok(())
}

const EXPECTED: &str = "U8 [experts, rows, columns / 32, 16]";
