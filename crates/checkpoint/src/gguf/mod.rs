//! GGUF files: one file with metadata, vocabulary and tensors.

mod architecture;
mod config;
mod reader;
mod rope;
mod tokenizer;
mod value;

use std::path::Path;

use crate::checkpoint::{Access, Checkpoint, TextSource};
use crate::error::Error;
use crate::source_file::SourceFile;
use crate::tensor::{Entry, Layout};

pub(crate) use tokenizer::TokenizerFiles;
pub(crate) use value::Metadata;

/// Opens the GGUF file at `path`.
pub(crate) fn open(path: &Path, access: Access) -> Result<Checkpoint, Error> {
    from_source(path, SourceFile::open(path, access)?)
}

/// Reads everything that a checkpoint offers out of `bytes`, for fuzzing.
pub(crate) fn exercise(path: &Path, bytes: &[u8]) {
    let Ok(checkpoint) = from_source(path, SourceFile::from_bytes(path, bytes.to_vec())) else {
        return;
    };
    let _ = checkpoint.text_files();
    for tensor in checkpoint.tensors() {
        let _ = tensor.to_f32();
        let _ = tensor.codes(0..tensor.shape.first().copied().unwrap_or(0));
    }
}

fn from_source(path: &Path, source: SourceFile) -> Result<Checkpoint, Error> {
    if !source.starts_with(b"GGUF") {
        return Err(not_gguf(path, &source));
    }
    let (metadata, stored) = reader::parse(path, &source)?;
    refuse_split(&metadata)?;
    let architecture = architecture::of(path, &metadata, &source)?;
    let config = config::synthesize(path, architecture, &metadata, &stored, &source)?;
    let mut tensors = Vec::with_capacity(stored.len());
    for tensor in stored {
        let Some(name) = architecture.transformers_name(path, &tensor.name)? else { continue };
        let layout = architecture.layout(&tensor.name, &config);
        check_layout(path, &tensor, layout)?;
        let reader::StoredTensor { dtype, shape, range, .. } = tensor;
        tensors.push(Entry { name, dtype, shape, file: 0, range, layout, quantized: None });
    }
    Ok(Checkpoint::new(path, config, vec![source], tensors, TextSource::Gguf(metadata)))
}

/// One file of a model that was split holds only some of its tensors.
fn refuse_split(metadata: &Metadata) -> Result<(), Error> {
    let key = "split.count";
    let parts = metadata.unsigned(key)?.unwrap_or(1);
    if parts <= 1 {
        return Ok(());
    }
    Err(Error::Malformed {
        file: metadata.file().to_path_buf(),
        field: format!("metadata {key:?}"),
        found: format!("{parts} parts"),
        expected: "a whole model in one file: join the parts with llama-gguf-split --merge".into(),
    })
}

/// Rows can only be put back in order if heads divide them into even parts.
fn check_layout(path: &Path, tensor: &reader::StoredTensor, layout: Layout) -> Result<(), Error> {
    let Layout::Rotary { heads } = layout else { return Ok(()) };
    let rows = tensor.shape.first().copied().unwrap_or(0);
    let elements: usize = tensor.shape.iter().product();
    if elements > 0 && heads > 0 && rows.is_multiple_of(heads * 2) {
        return Ok(());
    }
    Err(Error::TensorBytes {
        file: path.to_path_buf(),
        tensor: tensor.name.clone(),
        found: format!("shape {:?}", tensor.shape),
        expected: format!("rows that divide into {heads} heads of even size"),
    })
}

fn not_gguf(path: &Path, bytes: &[u8]) -> Error {
    let start = &bytes[..bytes.len().min(4)];
    let is = |extension: &str| path.extension().is_some_and(|found| found == extension);
    let (found, advice) = if is("safetensors") {
        ("a safetensors file".into(), "name the directory that holds it and its config.json")
    } else if start.is_empty() {
        ("an empty file".into(), "fetch it again")
    } else {
        (
            format!("a file that starts with {}", start.escape_ascii()),
            "a GGUF file starts with GGUF; name one, or a Hugging Face model directory",
        )
    };
    Error::NotAModel { path: path.to_path_buf(), found, advice: advice.into() }
}
