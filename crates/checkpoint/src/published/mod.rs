//! Directories quantized by the methods of transformers' `quantization_config`: each method's
//! settings, and the tensors of each module joined into one matrix.
//!
//! As with MLX, the tensors decide which modules are quantized; settings say what the tensors mean.
//! A module that the settings name as plain and that has scales is refused, as are codes without
//! scales and settings that are not known here. What activations were calibrated to
//! (`input_scale`), and the scales of a quantized cache (`k_scale`, `v_scale`), are read past:
//! activations and caches have formats of our own.

mod awq;
mod bitnet;
mod compressed_tensors;
mod fp8;
mod gpt_oss;
mod gptq;
mod modelopt;
mod scheme;
mod settings;
mod tensors;

use std::path::Path;

use serde_json::{Map, Value};

use crate::error::Error;
use crate::source_file::SourceFile;
use crate::tensor::Entry;
use settings::Settings;
use tensors::Tensors;

pub(crate) use modelopt::FILE as MODELOPT_FILE;

/// The fields that this module reads.
pub(crate) const FIELDS: &[&str] = &["quantization_config"];

/// A method with its settings.
pub(crate) struct Method {
    /// Its name, for errors.
    name: &'static str,
    /// Modules that the settings name as plain.
    plain: Vec<String>,
    kind: Kind,
}

enum Kind {
    GptOss,
    Fp8(fp8::Fp8),
    CompressedTensors(compressed_tensors::CompressedTensors),
    Awq(awq::Awq),
    Gptq(gptq::Gptq),
    ModelOpt(modelopt::ModelOpt),
    BitNet(bitnet::BitNet),
}

/// Reads the settings of `config.json`. `None` where there are none, or where the method is not one
/// of these: the reader of the configuration refuses it by name.
pub(crate) fn read(file: &Path, config: &Map<String, Value>) -> Result<Option<Method>, Error> {
    let Some(fields) = config.get(FIELDS[0]).and_then(Value::as_object) else { return Ok(None) };
    let settings = Settings::new(file, FIELDS[0], fields);
    let method = match fields.get("quant_method").and_then(Value::as_str) {
        Some("mxfp4") => gpt_oss::read(&settings)?,
        Some("fp8") => fp8::read(&settings)?,
        Some("compressed-tensors") => compressed_tensors::read(&settings)?,
        Some("awq") => awq::read(&settings)?,
        Some("gptq") => gptq::read(&settings)?,
        Some("modelopt") => modelopt::read(&settings)?,
        Some("bitnet") => bitnet::read(&settings)?,
        _ => return Ok(None),
    };
    Ok(Some(method))
}

/// Reads ModelOpt's own file, for directories whose `config.json` has no settings.
pub(crate) fn read_modelopt(file: &Path, whole: &Map<String, Value>) -> Result<Method, Error> {
    modelopt::read_file(&Settings::new(file, "", whole))
}

impl Method {
    /// Joins the tensors of quantized modules; others stay as they are.
    ///
    /// # Errors
    /// A tensor of a module is missing, or has another shape or type than the settings give it.
    pub(crate) fn join(
        &self,
        entries: Vec<Entry>,
        files: &[SourceFile],
        config: &Path,
    ) -> Result<Vec<Entry>, Error> {
        let mut tensors = Tensors::new(entries, files, config, self.name, &self.plain);
        match &self.kind {
            Kind::GptOss => gpt_oss::join(&mut tensors)?,
            Kind::Fp8(fp8) => fp8.join(&mut tensors)?,
            Kind::CompressedTensors(method) => method.join(&mut tensors)?,
            Kind::Awq(awq) => awq.join(&mut tensors)?,
            Kind::Gptq(gptq) => gptq.join(&mut tensors)?,
            Kind::ModelOpt(modelopt) => modelopt.join(&mut tensors)?,
            Kind::BitNet(bitnet) => bitnet.join(&mut tensors)?,
        }
        tensors.finish()
    }
}
