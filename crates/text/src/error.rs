//! What can be wrong with a model's text files.

use std::path::PathBuf;

/// A text file of a model that cannot be used, or text that cannot be encoded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that a model must have is not there.
    #[error(
        "{path}: not found; a model needs its tokenizer as tokenizer.json (a sentencepiece-only model must be converted to it first)"
    )]
    Missing {
        /// The file looked for.
        path: PathBuf,
    },
    /// A file is there and cannot be read.
    #[error("{path}: cannot be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A JSON file that does not parse.
    #[error("{path}: not valid JSON: {message}")]
    Json {
        /// The file.
        path: PathBuf,
        /// What the parser said, with line and column.
        message: String,
    },
    /// A field has the wrong type or a value that makes no sense.
    #[error("{path}: {field}: found {found}, expected {expected}")]
    Field {
        /// The file.
        path: PathBuf,
        /// The field's path inside the file.
        field: String,
        /// The value found, shortened.
        found: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// A tokenizer.json that is JSON and no usable tokenizer.
    #[error("{path}: not a usable tokenizer: {message}")]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What the tokenizer library said.
        message: String,
    },
    /// The tokenizer makes ids for which the model has no embedding row.
    #[error(
        "{path}: the tokenizer has ids up to {highest_id} ({needed} rows), the model's embedding has {embedding_rows}; the tokenizer belongs to another model"
    )]
    VocabTooLarge {
        /// The tokenizer's file.
        path: PathBuf,
        /// The highest id the tokenizer can make.
        highest_id: u32,
        /// Rows that id needs.
        needed: usize,
        /// Rows there are.
        embedding_rows: usize,
    },
    /// Text that the tokenizer failed on.
    #[error("the text cannot be encoded: {message}")]
    Encode {
        /// What the tokenizer library said.
        message: String,
    },
    /// A control token in user text that the tokenizer makes from plain text too.
    #[error(
        "the control token {token:?} in user text cannot be made harmless: the tokenizer produces it from plain text"
    )]
    Sanitize {
        /// The token's text.
        token: String,
    },
}
