//! Entry points that must survive any bytes: shared by the fuzz targets and an ordinary test.

use std::path::Path;

/// Reads a safetensors header.
pub fn safetensors(bytes: &[u8]) {
    let _ = crate::safetensors::parse(Path::new("fuzz.safetensors"), bytes);
}

/// Reads a `config.json` and a shard index.
pub fn config(bytes: &[u8]) {
    let file = Path::new("config.json");
    if let Ok(config) = crate::json::parse_object(file, bytes) {
        let _ = crate::mlx::read(file, &config);
        let _ = crate::published::read(file, &config);
        let _ = crate::published::read_modelopt(file, &config);
    }
    let _ = crate::directory::parse_index(Path::new("model.safetensors.index.json"), bytes);
}

/// Reads a GGUF file whole: header, configuration, tokenizer, names and a decoded tensor.
pub fn gguf(bytes: &[u8]) {
    crate::gguf::exercise(Path::new("fuzz.gguf"), bytes);
}
