//! AWQ (version gemm): `NAME.qweight` I32 `[columns, rows / 8]`, `NAME.qzeros` I32
//! `[columns / group, rows / 8]` and `NAME.scales` `[columns / group, rows]`; the eight codes of a
//! word are in the order 0, 2, 4, 6, 1, 3, 5, 7. A value is `scale × (code - zero)`, here in f32;
//! AWQ's own kernels round it to f16.

use super::scheme::FLOATS;
use super::settings::Settings;
use super::tensors::{Tensors, place};
use super::{Kind, Method};
use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, PackedMode};
use crate::quantized::{CodeOrder, Grid, Offset, Quantized, ZeroOrder, Zeros};

/// The settings.
pub(super) struct Awq {
    /// Columns under one scale; `None` for whole rows.
    group: Option<usize>,
}

/// Fields that say how it was made or how others run it.
const READ_PAST: &[&str] = &[
    "quant_method",
    "backend",
    "do_fuse",
    "fuse_max_seq_len",
    "modules_to_fuse",
    "exllama_config",
    "lm_head",
    "meta",
    "damp_percent",
    "true_sequential",
    "model_seqlen",
    "batch_size",
    "cache_block_outputs",
    "act_group_aware",
    "pack_dtype",
];

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    const KNOWN: &[&str] = &[
        "bits",
        "w_bit",
        "group_size",
        "q_group_size",
        "zero_point",
        "version",
        "format",
        "sym",
        "desc_act",
        "modules_to_not_convert",
    ];
    settings.only(&[KNOWN, READ_PAST])?;
    let either = |new, old| if settings.get(new).is_some() { new } else { old };
    let bits = either("bits", "w_bit");
    if settings.number(bits)? != 4 {
        return Err(settings.wrong(bits, settings.number(bits)?, "4"));
    }
    let group = settings.group(either("group_size", "q_group_size"))?;
    for field in ["version", "format"] {
        settings.one_of(field, "gemm", &["gemm"])?;
    }
    for (field, only) in [("zero_point", true), ("sym", false), ("desc_act", false)] {
        let found = settings.flag(field, only)?;
        if found != only {
            return Err(settings.wrong(field, found, &only.to_string()));
        }
    }
    let plain = settings.texts("modules_to_not_convert")?;
    Ok(Method { name: "awq", plain, kind: Kind::Awq(Awq { group }) })
}

impl Awq {
    pub(super) fn join(&self, tensors: &mut Tensors<'_>) -> Result<(), Error> {
        for module in tensors.modules(".qweight") {
            let codes = tensors.required(&format!("{module}.qweight"), &[])?;
            let shape = match codes.shape[..] {
                [columns, words] if codes.dtype == StoredType::I32 => {
                    words.checked_mul(8).map(|rows| [rows, columns])
                }
                _ => None,
            };
            let Some([rows, columns]) = shape else {
                return Err(tensors.wrong(&codes, "I32 [columns, rows / 8]".into()));
            };
            let group = self.group.unwrap_or(columns).max(1);
            let groups = columns.div_ceil(group);
            let scales = tensors.part(&format!("{module}.scales"), FLOATS, &[groups, rows])?;
            let zeros = format!("{module}.qzeros");
            let zeros = tensors.part(&zeros, &[StoredType::I32], &[groups, rows / 8])?;
            let order = ZeroOrder::Interleaved;
            let quantized = Quantized {
                code: CodeType::Unsigned(4),
                order: CodeOrder::Interleaved,
                scales: Some(Grid {
                    numbers: place(&scales),
                    dtype: scales.dtype,
                    rows: 1,
                    columns: group,
                    transposed: true,
                }),
                offset: Offset::Zero(Zeros { numbers: place(&zeros), order, bits: 4, added: 0 }),
                factor: None,
                index: None,
            };
            let group = self.group.and_then(|group| u16::try_from(group).ok()).unwrap_or(0);
            let packed = Packed { mode: PackedMode::Awq, bits: 4, group };
            tensors.put(
                codes,
                format!("{module}.weight"),
                vec![rows, columns],
                packed,
                quantized,
            )?;
        }
        Ok(())
    }
}
