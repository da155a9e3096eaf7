//! GPTQ: `NAME.qweight` I32 `[columns × bits / 32, rows]`, `NAME.qzeros` I32
//! `[groups, rows × bits / 32]`, `NAME.scales` `[groups, rows]` and `NAME.g_idx` I32 `[columns]`, the
//! group of each column. A value is `scale × (code - zero)`. The first version of the format
//! (`checkpoint_format` gptq) stores zeros less one, the second as they are.
//!
//! Where `desc_act` left groups that are no runs of columns, values are decoded and no codes are
//! handed out.

use super::scheme::FLOATS;
use super::settings::Settings;
use super::tensors::{Tensors, place};
use super::{Kind, Method};
use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, PackedMode};
use crate::quantized::{CodeOrder, Grid, Offset, Quantized, ZeroOrder, Zeros};
use crate::tensor::Entry;

/// The settings.
pub(super) struct Gptq {
    bits: u8,
    /// Columns under one scale; `None` for whole rows.
    group: Option<usize>,
    /// Groups may be no runs of columns.
    reorders: bool,
    /// What stored zeros lack.
    added: u8,
}

/// Fields that say how it was made or how others run it.
const READ_PAST: &[&str] = &[
    "quant_method",
    "sym",
    "static_groups",
    "true_sequential",
    "damp_percent",
    "damp_auto_increment",
    "act_group_aware",
    "model_name_or_path",
    "model_file_base_name",
    "lm_head",
    "meta",
    "tokenizer",
    "dataset",
    "backend",
    "model_seqlen",
    "block_name_to_quantize",
    "module_name_preceding_first_block",
    "modules_in_block_to_quantize",
    "batch_size",
    "pad_token_id",
    "max_input_length",
    "cache_block_outputs",
    "use_cuda_fp16",
    "use_exllama",
    "disable_exllama",
    "exllama_config",
    "quantizer",
    "mse",
    "parallel_packing",
    "offload_to_disk",
    "adapter",
    "rotation",
    "is_marlin_format",
];

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    const KNOWN: &[&str] = &[
        "bits",
        "group_size",
        "desc_act",
        "checkpoint_format",
        "format",
        "pack_dtype",
        "dynamic",
        "modules_to_not_convert",
    ];
    settings.only(&[KNOWN, READ_PAST])?;
    let bits = settings.number("bits")?;
    if !matches!(bits, 2 | 3 | 4 | 8) {
        return Err(settings.wrong("bits", bits, "2, 3, 4 or 8"));
    }
    // Both names are in use for the same.
    let field =
        if settings.get("checkpoint_format").is_some() { "checkpoint_format" } else { "format" };
    let version = settings.one_of(field, "gptq", &["gptq", "gptq_v2"])?;
    settings.one_of("pack_dtype", "int32", &["int32"])?;
    if settings.flag("is_marlin_format", false)? {
        return Err(settings.wrong("is_marlin_format", true, "false"));
    }
    for field in ["dynamic", "rotation"] {
        let value = settings.get(field);
        let empty = |value: &&serde_json::Value| {
            value.as_object().is_some_and(serde_json::Map::is_empty)
                || value.as_bool() == Some(false)
        };
        if let Some(value) = value.filter(|value| !empty(value)) {
            return Err(settings.wrong(field, value, "nothing: one form for all modules"));
        }
    }
    let gptq = Gptq {
        bits: bits as u8,
        group: settings.group("group_size")?,
        reorders: settings.flag("desc_act", false)?,
        added: u8::from(version == "gptq"),
    };
    let plain = settings.texts("modules_to_not_convert")?;
    Ok(Method { name: "gptq", plain, kind: Kind::Gptq(gptq) })
}

impl Gptq {
    pub(super) fn join(&self, tensors: &mut Tensors<'_>) -> Result<(), Error> {
        for module in tensors.modules(".qweight") {
            let codes = tensors.required(&format!("{module}.qweight"), &[])?;
            let [rows, columns] = self.shape(tensors, &codes)?;
            let group = self.group.unwrap_or(columns).max(1);
            let groups = columns.div_ceil(group);
            let scales = tensors.part(&format!("{module}.scales"), FLOATS, &[groups, rows])?;
            let words =
                rows / 32 * usize::from(self.bits) + rows % 32 * usize::from(self.bits) / 32;
            let zeros = format!("{module}.qzeros");
            let zeros = tensors.part(&zeros, &[StoredType::I32], &[groups, words])?;
            let index = match tensors.take(&format!("{module}.g_idx")) {
                Some(index) => tensors.group_index(&index, [columns, group])?,
                // Groups that are no runs of columns need it: this is the refusal.
                None if self.reorders => {
                    tensors.required(&format!("{module}.g_idx"), &[columns])?;
                    None
                }
                None => None,
            };
            let (order, bits, added) = (ZeroOrder::Groups, self.bits, self.added);
            let quantized = Quantized {
                code: CodeType::Unsigned(bits),
                order: CodeOrder::Columns,
                scales: Some(Grid {
                    numbers: place(&scales),
                    dtype: scales.dtype,
                    rows: 1,
                    columns: group,
                    transposed: true,
                }),
                offset: Offset::Zero(Zeros { numbers: place(&zeros), order, bits, added }),
                factor: None,
                index,
            };
            let group = self.group.and_then(|group| u16::try_from(group).ok()).unwrap_or(0);
            let packed = Packed { mode: PackedMode::Gptq, bits, group };
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

    /// Rows and columns, from the shape of the codes.
    fn shape(&self, tensors: &Tensors<'_>, codes: &Entry) -> Result<[usize; 2], Error> {
        let bits = usize::from(self.bits);
        let shape = match codes.shape[..] {
            [words, rows] if codes.dtype == StoredType::I32 => {
                let all = words.checked_mul(32).filter(|all| all.is_multiple_of(bits));
                all.map(|all| [rows, all / bits])
            }
            _ => None,
        };
        // The zeros of a group fill words.
        let fills = |rows: usize| (rows % 32 * bits).is_multiple_of(32);
        shape.filter(|[rows, _]| fills(*rows)).ok_or_else(|| {
            let expected = format!("I32 [columns * {bits} / 32, rows], both in whole words");
            tensors.wrong(codes, expected)
        })
    }
}
