//! `quant_method` fp8: `NAME.weight` F8_E4M3 and `NAME.weight_scale_inv`, which multiplies it despite
//! its name: one number for each `weight_block_size` rows and columns, or one for the matrix. Older
//! directories without blocks call it `NAME.weight_scale`.

use super::scheme::{Span, join_fp8};
use super::settings::Settings;
use super::tensors::Tensors;
use super::{Kind, Method};
use crate::error::Error;

/// The settings.
pub(super) struct Fp8 {
    span: Span,
}

/// Fields that say how activations are quantized, or how others load: not read.
const READ_PAST: &[&str] = &["quant_method", "dequantize", "kv_cache_scheme", "modules_to_convert"];

pub(super) fn read(settings: &Settings<'_>) -> Result<Method, Error> {
    const KNOWN: &[&str] = &[
        "fmt",
        "activation_scheme",
        "weight_block_size",
        "modules_to_not_convert",
        "ignored_layers",
        "scale_fmt",
        "expert_dtype",
    ];
    settings.only(&[KNOWN, READ_PAST])?;
    settings.one_of("fmt", "e4m3", &["e4m3", "float8_e4m3fn"])?;
    settings.one_of("activation_scheme", "dynamic", &["dynamic", "static"])?;
    settings.one_of("scale_fmt", "float", &["float", "ue8m0"])?;
    settings.one_of("expert_dtype", "fp8", &["fp8"])?;
    let span = settings.pair("weight_block_size")?.map_or(Span::Tensor, Span::Block);
    let mut plain = settings.texts("modules_to_not_convert")?;
    plain.extend(settings.texts("ignored_layers")?);
    Ok(Method { name: "fp8", plain, kind: Kind::Fp8(Fp8 { span }) })
}

impl Fp8 {
    pub(super) fn join(&self, tensors: &mut Tensors<'_>) -> Result<(), Error> {
        for kind in ["weight_scale_inv", "weight_scale"] {
            for module in tensors.modules(&format!(".{kind}")) {
                let scales = tensors.required(&format!("{module}.{kind}"), &[])?;
                join_fp8(tensors, &module, &scales, self.span)?;
            }
        }
        Ok(())
    }
}
