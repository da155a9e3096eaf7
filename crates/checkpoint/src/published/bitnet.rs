//! `quant_method` bitnet: `NAME.weight` U8 `[rows / 4, columns]` of numbers -1, 0 and 1, and
//! `NAME.weight_scale`, one number, which multiplies them, or by which `bitlinear` divides.
//!
//! Activations are rounded to 8 bits by models trained so; they have formats of our own.

use super::settings::Settings;
use super::tensors::{Tensors, place};
use super::{Kind, Method};
use crate::codes::CodeType;
use crate::dtype::StoredType;
use crate::error::Error;
use crate::packed::{Packed, PackedMode};
use crate::quantized::{CodeOrder, Factor, Offset, Quantized};

/// The settings.
pub(super) struct BitNet {
    divides: bool,
}

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    const KNOWN: &[&str] = &[
        "quant_method",
        "modules_to_not_convert",
        "linear_class",
        "quantization_mode",
        "use_rms_norm",
        "rms_norm_eps",
    ];
    settings.only(&[KNOWN])?;
    let class = settings.one_of("linear_class", "bitlinear", &["bitlinear", "autobitlinear"])?;
    // Online, the tensors are plain and every pass rounds them.
    settings.one_of("quantization_mode", "offline", &["offline"])?;
    if settings.flag("use_rms_norm", false)? {
        return Err(settings.wrong("use_rms_norm", true, "false: norms are the model's own"));
    }
    let plain = settings.texts("modules_to_not_convert")?;
    let divides = class == "bitlinear";
    Ok(Method { name: "bitnet", plain, kind: Kind::BitNet(BitNet { divides }) })
}

impl BitNet {
    pub(super) fn join(&self, tensors: &mut Tensors<'_>) -> Result<(), Error> {
        for module in tensors.modules(".weight_scale") {
            let scale = tensors.required(&format!("{module}.weight_scale"), &[1])?;
            let types = [StoredType::Bf16, StoredType::F16, StoredType::F32];
            tensors.expect(&scale, &types, &[&[1], &[]])?;
            let name = format!("{module}.weight");
            let codes = tensors.required(&name, &[])?;
            let shape = match codes.shape[..] {
                [quarter, columns] if codes.dtype == StoredType::U8 => {
                    quarter.checked_mul(4).map(|rows| [rows, columns])
                }
                _ => None,
            };
            let Some([rows, columns]) = shape else {
                return Err(tensors.wrong(&codes, "U8 [rows / 4, columns]".into()));
            };
            let factor = Factor {
                numbers: place(&scale),
                dtype: scale.dtype,
                rows: rows.max(1),
                divides: self.divides,
            };
            let quantized = Quantized {
                code: CodeType::Unsigned(2),
                order: CodeOrder::Quarters,
                scales: None,
                offset: Offset::Middle,
                factor: Some(factor),
                index: None,
            };
            let packed = Packed { mode: PackedMode::Ternary, bits: 2, group: 0 };
            tensors.put(codes, name, vec![rows, columns], packed, quantized)?;
        }
        Ok(())
    }
}
