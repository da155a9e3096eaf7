//! Tiny models with random weights, one of each kind, which tests compare with transformers too.

use std::path::{Path, PathBuf};

/// A model's files that are its own.
pub(crate) struct Tiny {
    /// What it is.
    pub(crate) what: &'static str,
    name: &'static str,
    files: [(&'static str, &'static [u8]); 4],
}

macro_rules! file {
    ($name:literal, $file:literal) => {
        ($file, include_bytes!(concat!("../../../../tests/oracle/", $name, "/", $file)))
    };
}

macro_rules! tiny {
    ($name:literal, $what:literal) => {
        Tiny {
            what: $what,
            name: $name,
            files: [
                file!($name, "config.json"),
                file!($name, "model.safetensors"),
                file!($name, "tokenizer.json"),
                file!($name, "tokenizer_config.json"),
            ],
        }
    };
}

/// The one that most checks run.
pub(crate) const LLAMA: Tiny = tiny!("llama", "a llama of two layers");

/// The other kinds.
pub(crate) const OTHERS: [Tiny; 5] = [
    tiny!("qwen3_moe", "a mixture of experts"),
    tiny!("gpt_oss", "experts in MXFP4, windows and sinks"),
    tiny!("deepseek_v3", "latent attention"),
    tiny!("mamba2", "a state space model"),
    tiny!("qwen3_next", "delta rules beside attention"),
];

/// What every tiny model's tokenizer is, for a model that is made up: 128 tokens.
pub(crate) fn tokenizer() -> impl Iterator<Item = &'static (&'static str, &'static [u8])> {
    LLAMA.files.iter().filter(|(name, _)| name.starts_with("tokenizer"))
}

impl Tiny {
    /// Writes the model's files into a new directory inside `directory`.
    pub(crate) fn write(&self, directory: &Path) -> std::io::Result<PathBuf> {
        let model = directory.join(self.name);
        std::fs::create_dir(&model)?;
        self.files.iter().try_for_each(|(name, bytes)| std::fs::write(model.join(name), bytes))?;
        Ok(model)
    }
}
