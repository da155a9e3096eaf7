//! The text files beside the weights: tokenizer, chat template, configurations.

use std::path::Path;

use serde_json::Value;

use crate::checkpoint::{Checkpoint, TextSource};
use crate::directory;
use crate::error::Error;
use crate::gguf::TokenizerFiles;

/// The files that a tokenizer, its template and a model's defaults are read from.
const TEXT_FILES: [&str; 6] = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
];

impl Checkpoint {
    /// Writes the model's text files into the existing directory `dir` and returns their names, in a
    /// fixed order. A directory's files are copied as they are, those that exist; a GGUF file's are
    /// made from its metadata. `tokenizer.json` may be absent from the result:
    /// [`Checkpoint::tokenizer_json`] is the check.
    ///
    /// # Errors
    /// [`Error::Io`], and for GGUF everything that a tokenizer can be refused for.
    pub fn write_text_files(&self, dir: &Path) -> Result<Vec<String>, Error> {
        let mut written = Vec::new();
        for (name, content) in self.text_files()? {
            let file = dir.join(name);
            std::fs::write(&file, content).map_err(|source| Error::Io {
                file,
                action: "write",
                source,
            })?;
            written.push(name.to_owned());
        }
        Ok(written)
    }

    /// The text files' names and contents, as [`Checkpoint::write_text_files`] writes them.
    ///
    /// # Errors
    /// As [`Checkpoint::write_text_files`].
    pub fn text_files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
        match &self.text {
            TextSource::Directory => self.directory_files(),
            TextSource::Gguf(metadata) => {
                let made = TokenizerFiles::build(metadata, &self.files[0])?;
                let mut files = vec![
                    ("config.json", pretty(&Value::Object(self.config.clone()))),
                    ("generation_config.json", pretty(&made.generation_config)),
                    ("tokenizer.json", made.tokenizer.to_string().into_bytes()),
                    ("tokenizer_config.json", pretty(&made.tokenizer_config)),
                ];
                files.extend(made.chat_template.map(|t| ("chat_template.jinja", t.into_bytes())));
                Ok(files)
            }
        }
    }

    /// The content of `tokenizer.json`.
    ///
    /// # Errors
    /// [`Error::MissingFile`] when a directory has none, saying what it has instead; for GGUF
    /// everything that a tokenizer can be refused for.
    pub fn tokenizer_json(&self) -> Result<Vec<u8>, Error> {
        let found = self.text_files()?.into_iter().find(|(name, _)| *name == "tokenizer.json");
        found.map(|(_, content)| content).ok_or_else(|| {
            let has = |name| self.path.join(name).is_file();
            let advice = if has("tokenizer.model") || has("spiece.model") {
                "only a SentencePiece model is there: save the model again with transformers, which \
                 writes tokenizer.json"
            } else {
                "fetch it from where the model came from"
            };
            Error::MissingFile {
                file: self.path.join("tokenizer.json"),
                needed_for: "the tokenizer",
                advice: advice.into(),
            }
        })
    }

    fn directory_files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
        let mut files = Vec::new();
        for name in TEXT_FILES {
            let file = self.path.join(name);
            if file.is_file() {
                files.push((name, directory::read(&file)?));
            }
        }
        Ok(files)
    }
}

fn pretty(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("JSON values have string keys");
    text.push(b'\n');
    text
}
