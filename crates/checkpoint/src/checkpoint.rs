//! The one view of a model's files, whatever they are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::packed::Place;
use crate::sentence::SentenceModules;
use crate::source_file::SourceFile;
use crate::tensor::{Entry, Tensor};
use crate::{directory, gguf};

/// How weights are brought into the address space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Mapped, so that only what is used is read. The files must not be changed meanwhile: cutting a
    /// mapped file short ends the process when the lost bytes are touched.
    #[default]
    Mapped,
    /// Read into memory at once. For file systems on which mappings are slow or files may change.
    Read,
}

/// What the checkpoint was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A Hugging Face model directory.
    Directory,
    /// A single GGUF file.
    Gguf,
}

/// An open model: configuration, tensors, and the text files of its tokenizer.
pub struct Checkpoint {
    pub(crate) path: PathBuf,
    pub(crate) config: Map<String, Value>,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) tensors: Vec<Entry>,
    pub(crate) text: TextSource,
    /// Fields of `config` that say how the tensors are stored.
    pub(crate) storage_fields: &'static [&'static str],
    /// What makes a vector of a text, where the files say so.
    pub(crate) sentence: Option<SentenceModules>,
    by_name: HashMap<String, usize>,
}

/// Where tokenizer files come from.
pub(crate) enum TextSource {
    /// They lie in the model directory.
    Directory,
    /// They are made from this file's metadata.
    Gguf(gguf::Metadata),
}

impl Checkpoint {
    /// Opens a model directory or a GGUF file. Reads and checks all headers; weights are mapped.
    ///
    /// # Errors
    /// Any [`Error`]: each names the file, the field, what was found and what was expected.
    pub fn open(path: &Path) -> Result<Checkpoint, Error> {
        Checkpoint::open_with(path, Access::Mapped)
    }

    /// As [`Checkpoint::open`], with a choice of how weights are read.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn open_with(path: &Path, access: Access) -> Result<Checkpoint, Error> {
        let metadata = std::fs::metadata(path).map_err(|source| Error::Io {
            file: path.to_path_buf(),
            action: "open the model",
            source,
        })?;
        if metadata.is_dir() { directory::open(path, access) } else { gguf::open(path, access) }
    }

    pub(crate) fn new(
        path: &Path,
        config: Map<String, Value>,
        files: Vec<SourceFile>,
        tensors: Vec<Entry>,
        text: TextSource,
    ) -> Checkpoint {
        let by_name = tensors.iter().enumerate().map(|(at, t)| (t.name.clone(), at)).collect();
        let path = path.to_path_buf();
        Checkpoint {
            path,
            config,
            files,
            tensors,
            text,
            storage_fields: &[],
            sentence: None,
            by_name,
        }
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Directory or GGUF.
    pub fn kind(&self) -> SourceKind {
        match self.text {
            TextSource::Directory => SourceKind::Directory,
            TextSource::Gguf(_) => SourceKind::Gguf,
        }
    }

    /// The weight files' names, for listings.
    pub fn file_names(&self) -> Vec<String> {
        self.files.iter().map(SourceFile::name).collect()
    }

    /// `config.json` as it is; for GGUF, the same made from the metadata.
    pub fn config(&self) -> &Map<String, Value> {
        &self.config
    }

    /// Fields of [`Checkpoint::config`] that say how tensors are stored and not what the model
    /// computes: they have been read here and are true of the tensors.
    pub fn storage_fields(&self) -> &'static [&'static str] {
        self.storage_fields
    }

    /// What makes one vector of a text's hidden states, where files of sentence-transformers stand
    /// beside the model.
    pub fn sentence(&self) -> Option<&SentenceModules> {
        self.sentence.as_ref()
    }

    /// Every file that was read but those of the tokenizer, for fingerprints.
    pub fn files_read(&self) -> Vec<PathBuf> {
        let weights = self.files.iter().map(|file| file.path.clone());
        let sentence = self.sentence.iter().flat_map(|modules| modules.files.iter().cloned());
        let mut files: Vec<PathBuf> = weights.chain(sentence).collect();
        if self.kind() == SourceKind::Directory {
            files.push(self.config_file());
        }
        files
    }

    /// The file that configuration errors should name.
    pub fn config_file(&self) -> PathBuf {
        match self.text {
            TextSource::Directory => self.path.join("config.json"),
            TextSource::Gguf(_) => self.path.clone(),
        }
    }

    /// All tensor names, in file order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.iter().map(|entry| entry.name.as_str())
    }

    /// All tensors, in file order.
    pub fn tensors(&self) -> impl Iterator<Item = Tensor<'_>> {
        self.tensors.iter().map(|entry| self.tensor_of(entry))
    }

    /// The tensor with transformers' `name`.
    pub fn tensor(&self, name: &str) -> Option<Tensor<'_>> {
        self.by_name.get(name).map(|&at| self.tensor_of(&self.tensors[at]))
    }

    /// The tensor with transformers' `name`, which must have `shape`.
    ///
    /// # Errors
    /// [`Error::MissingTensor`] and [`Error::WrongShape`], naming the tensor and both shapes.
    pub fn expect_tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor<'_>, Error> {
        let Some(tensor) = self.tensor(name) else {
            return Err(Error::MissingTensor {
                source_path: self.path.clone(),
                tensor: name.into(),
                expected: shape.to_vec(),
                hint: self.near_name(name),
            });
        };
        if tensor.shape != shape {
            return Err(Error::WrongShape {
                file: tensor.file.to_path_buf(),
                tensor: name.into(),
                found: tensor.shape.to_vec(),
                expected: shape.to_vec(),
            });
        }
        Ok(tensor)
    }

    fn tensor_of<'a>(&'a self, entry: &'a Entry) -> Tensor<'a> {
        let file = &self.files[entry.file];
        Tensor {
            name: &entry.name,
            dtype: entry.dtype,
            shape: &entry.shape,
            file: &file.path,
            stored: &file[entry.range.clone()],
            layout: entry.layout,
            quantized: entry
                .quantized
                .as_ref()
                .map(|parts| parts.map(|place| self.bytes_at(place))),
        }
    }

    fn bytes_at(&self, place: &Place) -> &[u8] {
        &self.files[place.file][place.range.clone()]
    }

    /// Says that the name exists with another prefix, the usual reason for a missing tensor.
    fn near_name(&self, name: &str) -> String {
        let tail = name.strip_prefix("model.").unwrap_or(name);
        let near = self.names().find(|have| have.ends_with(tail) || name.ends_with(have));
        near.map_or_else(String::new, |near| format!("; the files have {near:?}"))
    }
}
