//! NVIDIA's ModelOpt: NVFP4 is `NAME.weight` U8 `[rows, columns / 2]` of 4-bit floats,
//! `NAME.weight_scale` F8_E4M3 `[rows, columns / 16]` and `NAME.weight_scale_2` F32, all multiplied;
//! FP8 is `NAME.weight` F8_E4M3 and `NAME.weight_scale` F32 of the matrix.
//!
//! The settings are in `config.json` or, in older directories, in `hf_quant_config.json`.

use super::scheme::{Span, join_fp8, join_nvfp4};
use super::settings::Settings;
use super::tensors::Tensors;
use super::{Kind, Method};
use crate::error::Error;

/// The file of older directories.
pub(crate) const FILE: &str = "hf_quant_config.json";

/// The algorithm.
pub(super) enum ModelOpt {
    Nvfp4,
    Fp8,
}

/// Fields that say how activations and the cache are quantized, or who wrote them.
const READ_PAST: &[&str] = &[
    "quant_method",
    "kv_cache_quant_algo",
    "kv_cache_scheme",
    "kv_cache_quantization",
    "producer",
    "config_groups",
];

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    const KNOWN: &[&str] =
        &["quant_algo", "group_size", "exclude_modules", "ignore", "modules_to_not_convert"];
    settings.only(&[KNOWN, READ_PAST])?;
    let modelopt = match settings.one_of("quant_algo", "", &["nvfp4", "fp8"])?.as_str() {
        "nvfp4" => ModelOpt::Nvfp4,
        _ => ModelOpt::Fp8,
    };
    if matches!(modelopt, ModelOpt::Nvfp4) && settings.get("group_size").is_some() {
        let group = settings.number("group_size")?;
        if group != 16 {
            return Err(settings.wrong("group_size", group, "16, as NVFP4 has it"));
        }
    }
    let mut plain = Vec::new();
    for list in ["exclude_modules", "ignore", "modules_to_not_convert"] {
        plain.extend(settings.texts(list)?);
    }
    Ok(Method { name: "modelopt", plain, kind: Kind::ModelOpt(modelopt) })
}

/// Reads [`FILE`], which holds the settings in `quantization`.
pub(super) fn read_file(whole: &Settings<'_>) -> Result<Method, Error> {
    whole.only(&[&["producer", "quantization"]])?;
    match whole.object("quantization")? {
        Some(settings) => read(&settings),
        None => Err(whole.wrong("quantization", "nothing", "an object with quant_algo")),
    }
}

impl ModelOpt {
    pub(super) fn join(&self, tensors: &mut Tensors<'_>) -> Result<(), Error> {
        // This would multiply what comes into the module.
        if let Some(module) = tensors.modules(".pre_quant_scale").first() {
            let scale = tensors.required(&format!("{module}.pre_quant_scale"), &[])?;
            return Err(tensors.wrong(&scale, "no scales of activations before products".into()));
        }
        for module in tensors.modules(".weight_scale") {
            let scales = tensors.required(&format!("{module}.weight_scale"), &[])?;
            match self {
                ModelOpt::Fp8 => {
                    let span = if scales.shape.len() == 1 && scales.shape[0] != 1 {
                        Span::Row
                    } else {
                        Span::Tensor
                    };
                    join_fp8(tensors, &module, &scales, span)?;
                }
                ModelOpt::Nvfp4 => {
                    let codes = tensors.required(&format!("{module}.weight"), &[])?;
                    let factor = tensors.required(&format!("{module}.weight_scale_2"), &[])?;
                    join_nvfp4(tensors, &module, codes, &scales, &factor, false)?;
                }
            }
        }
        Ok(())
    }
}
