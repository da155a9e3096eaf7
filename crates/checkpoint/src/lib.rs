//! Model files, read into one [`Checkpoint`]: a Hugging Face directory (safetensors, sharded or not)
//! or a single GGUF file. Whatever the source, a caller sees transformers' tensor names, transformers'
//! `config.json`, and the text files a tokenizer needs.
//!
//! Every byte is untrusted: a malformed file is an [`Error`] naming the file, the field, what was found
//! and what was expected, and no length from a file is allocated before it is checked against the file.
//!
//! Layers, from the top: `checkpoint` opens a source; `directory` and `gguf` know one source each;
//! `safetensors` and `gguf::reader` parse headers, `mlx` and `published` join what quantized
//! directories store apart; `tensor` hands out values through `blocks`, `quantized` and `floats`,
//! which know the stored formats, and `codes` what they are made of.

mod blocks;
mod checkpoint;
mod codes;
mod directory;
mod dtype;
mod error;
mod floats;
#[doc(hidden)]
pub mod fuzz;
mod gguf;
mod json;
mod mlx;
mod packed;
mod published;
mod quantized;
mod safetensors;
mod sentence;
mod source_file;
mod tensor;
mod text_files;

pub use checkpoint::{Access, Checkpoint, SourceKind};
pub use codes::{BlockForm, BlockFormat, CodeType, Codes, ScaleType};
pub use dtype::{DType, StoredType};
pub use error::Error;
pub use packed::{Packed, PackedMode};
pub use sentence::{DenseModule, Pooling, SentenceModules};
pub use tensor::Tensor;
