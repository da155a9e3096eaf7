//! Everything that can be wrong with model files, said so that a person can act on it.

use std::io;
use std::path::PathBuf;

/// Why model files could not be read. Each message names the file, the field or tensor, what was
/// found and what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused to read or write.
    #[error("{}: cannot {action}: {source}", file.display())]
    Io {
        /// The file or directory.
        file: PathBuf,
        /// What was attempted, as a verb phrase.
        action: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The path is neither a model directory nor a GGUF file.
    #[error("{}: not a model: {found}; {advice}", path.display())]
    NotAModel {
        /// The path that was opened.
        path: PathBuf,
        /// What is there instead.
        found: String,
        /// What to do.
        advice: String,
    },
    /// A file that the model needs is not there.
    #[error("{}: file is missing, needed for {needed_for}; {advice}", file.display())]
    MissingFile {
        /// The absent file.
        file: PathBuf,
        /// What it is needed for.
        needed_for: &'static str,
        /// What to do.
        advice: String,
    },
    /// A file does not follow its format.
    #[error("{}: {field}: found {found}, expected {expected}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The header field, JSON key or tensor.
        field: String,
        /// What the file says.
        found: String,
        /// What it would have to say.
        expected: String,
    },
    /// A JSON file does not parse.
    #[error("{}: not valid JSON: {problem}", file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// The parser's message, with line and column.
        problem: String,
    },
    /// A key stands twice where it must be unique.
    #[error("{}: duplicate key {key:?} in {place}; each key must appear once", file.display())]
    DuplicateKey {
        /// The file.
        file: PathBuf,
        /// The repeated key.
        key: String,
        /// Where it is repeated.
        place: String,
    },
    /// A tensor's element type is not one that is read here.
    #[error("{}: tensor {tensor:?} has type {found}, which is not supported; supported types: {expected}", file.display())]
    UnsupportedType {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// The type as the file names it.
        found: String,
        /// The supported types.
        expected: String,
    },
    /// A tensor's shape, type and byte range contradict each other or the file.
    #[error("{}: tensor {tensor:?}: found {found}, expected {expected}", file.display())]
    TensorBytes {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// The byte range or size in the file.
        found: String,
        /// What its type and shape, or the file's size, require.
        expected: String,
    },
    /// Two tensors share bytes.
    #[error("{}: tensors {first:?} and {second:?} overlap at data byte {at}; the file is corrupt, fetch it again", file.display())]
    Overlap {
        /// The file.
        file: PathBuf,
        /// The earlier tensor.
        first: String,
        /// The later tensor.
        second: String,
        /// The first data byte that both claim.
        at: u64,
    },
    /// Bytes belong to no tensor.
    #[error("{}: {bytes} data bytes at {at} belong to no tensor ({place}); the file is corrupt or was cut, fetch it again", file.display())]
    UnclaimedBytes {
        /// The file.
        file: PathBuf,
        /// Offset in the data section.
        at: u64,
        /// How many.
        bytes: u64,
        /// Which tensors they lie between.
        place: String,
    },
    /// The index names shards that are not in the directory.
    #[error("{}: shard {shard:?} is missing ({missing} of {named} shards named by the index are absent); the index is stale or the download is incomplete: fetch the model again", index.display())]
    MissingShard {
        /// The index file.
        index: PathBuf,
        /// The first absent shard.
        shard: String,
        /// How many are absent.
        missing: usize,
        /// How many the index names.
        named: usize,
    },
    /// The index sends a tensor to a shard that does not hold it.
    #[error("{}: tensor {tensor:?} is mapped to shard {shard:?}, which does not contain it ({elsewhere}); the index is stale: fetch the model again", index.display())]
    NotInShard {
        /// The index file.
        index: PathBuf,
        /// The tensor.
        tensor: String,
        /// The shard the index names.
        shard: String,
        /// Where the tensor is, if anywhere.
        elsewhere: String,
    },
    /// The architecture has no reader here.
    #[error("{}: architecture {found:?} is not supported as GGUF; supported: {expected}", file.display())]
    UnknownArchitecture {
        /// The file.
        file: PathBuf,
        /// The architecture.
        found: String,
        /// The supported ones.
        expected: String,
    },
    /// A metadata field that may change the model's maths is not understood.
    #[error("{}: metadata field {field:?} = {found} is not understood for {architecture:?}; ignoring it could change the model, so the file is refused", file.display())]
    UnreadField {
        /// The file.
        file: PathBuf,
        /// The field.
        field: String,
        /// Its value, shortened.
        found: String,
        /// The architecture.
        architecture: String,
    },
    /// A tokenizer of a kind that cannot be rebuilt exactly.
    #[error("{}: {field} = {found:?} is not supported; supported: {expected}. Use the model's Hugging Face directory instead", file.display())]
    UnsupportedTokenizer {
        /// The file.
        file: PathBuf,
        /// The metadata field.
        field: &'static str,
        /// Its value.
        found: String,
        /// What is supported.
        expected: String,
    },
    /// A tensor that the model needs is not stored.
    #[error("{}: tensor {tensor:?} is missing, expected with shape {expected:?}{hint}", source_path.display())]
    MissingTensor {
        /// The model directory or file.
        source_path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The shape it should have.
        expected: Vec<usize>,
        /// A near name, if there is one.
        hint: String,
    },
    /// A tensor has another shape than the configuration asks for.
    #[error("{}: tensor {tensor:?} has shape {found:?}, expected {expected:?}; the weights and config.json do not belong together, or config.json lacks a field", file.display())]
    WrongShape {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// The stored shape.
        found: Vec<usize>,
        /// The shape the configuration asks for.
        expected: Vec<usize>,
    },
    /// Values were asked of a tensor that holds integers or packed codes.
    #[error("{}: tensor {tensor:?} holds {found}, expected a floating-point or block-quantized type", file.display())]
    NotFloat {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its stored type.
        found: &'static str,
    },
    /// Codes were asked of a tensor whose format has none that are handed out.
    #[error("{}: tensor {tensor:?} of shape {shape:?} is stored as {found}, expected a matrix in one of: {expected}; ask for its values instead", file.display())]
    NoCodes {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its shape.
        shape: Vec<usize>,
        /// Its stored format.
        found: String,
        /// The formats with codes.
        expected: &'static str,
    },
    /// A code or scale of a quantized matrix is no number, or none that scales may be.
    #[error("{}: tensor {tensor:?}, row {row}: found {found}, expected {expected}", file.display())]
    NotANumber {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its row.
        row: usize,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// Rows were asked for that a tensor does not have.
    #[error("{}: tensor {tensor:?} has {rows} rows, found a request for rows {first} to {end}", file.display())]
    Rows {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// How many it has.
        rows: usize,
        /// The first row that was asked for.
        first: usize,
        /// One past the last.
        end: usize,
    },
    /// The stored form was asked of a tensor that the file holds in several parts.
    #[error("{}: tensor {tensor:?} is stored as {found}, its codes and scales apart; ask for its codes or values instead", file.display())]
    Apart {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its stored format.
        found: String,
    },
    /// The caller's buffer does not fit the tensor.
    #[error("tensor {tensor:?}: output buffer has {found} bytes, expected {expected}")]
    OutputSize {
        /// The tensor.
        tensor: String,
        /// The buffer's length.
        found: usize,
        /// The length needed.
        expected: usize,
    },
}
