//! The model that checks compile: a llama of two layers with random weights, which tests compare
//! with transformers too.

use std::path::{Path, PathBuf};

const FILES: [(&str, &[u8]); 4] = [
    ("config.json", include_bytes!("../../../../tests/oracle/llama/config.json")),
    ("model.safetensors", include_bytes!("../../../../tests/oracle/llama/model.safetensors")),
    ("tokenizer.json", include_bytes!("../../../../tests/oracle/llama/tokenizer.json")),
    (
        "tokenizer_config.json",
        include_bytes!("../../../../tests/oracle/llama/tokenizer_config.json"),
    ),
];

/// Writes the model's files into a new directory inside `directory`.
pub(crate) fn write(directory: &Path) -> std::io::Result<PathBuf> {
    let model = directory.join("tiny");
    std::fs::create_dir(&model)?;
    FILES.iter().try_for_each(|(name, bytes)| std::fs::write(model.join(name), bytes))?;
    Ok(model)
}
