//! What can go wrong with an artifact, reading or writing.

use std::path::PathBuf;

/// An artifact that cannot be used, or could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing at the path.
    #[error("{path}: no such artifact; make one with `tyto compile MODEL -o {path}`")]
    NoArtifact {
        /// The path asked for.
        path: PathBuf,
    },
    /// The directory has no manifest.
    #[error("{path}: not an artifact: manifest.json is missing; make one with `tyto compile`")]
    NoManifest {
        /// The artifact.
        path: PathBuf,
    },
    /// The manifest is not what a manifest is.
    #[error("{path}: the manifest is damaged: {message}; compile the model again")]
    BadManifest {
        /// The manifest's file.
        path: PathBuf,
        /// What is wrong, with line and column where it does not parse.
        message: String,
    },
    /// The manifest has a field with an impossible value.
    #[error("{path}: {field}: found {found}, expected {expected}; compile the model again")]
    BadField {
        /// The manifest's file.
        path: PathBuf,
        /// The field.
        field: String,
        /// What it holds.
        found: String,
        /// What it would have to hold.
        expected: String,
    },
    /// The artifact was written by an older Tyto, in a form that is no longer read.
    #[error(
        "{path}: written with artifact schema {found} by tyto {written_by}; this tyto {reader} reads schema {supported}. Compile the model again with this one"
    )]
    OlderSchema {
        /// The artifact.
        path: PathBuf,
        /// Its schema.
        found: u64,
        /// The schema this build reads.
        supported: u32,
        /// The version that wrote it.
        written_by: String,
        /// This version.
        reader: &'static str,
    },
    /// The artifact was written by a newer Tyto.
    #[error(
        "{path}: written with artifact schema {found} by tyto {written_by}; this tyto {reader} reads schema {supported}. Update tyto, or compile again with this one"
    )]
    NewerSchema {
        /// The artifact.
        path: PathBuf,
        /// Its schema.
        found: u64,
        /// The schema this build reads.
        supported: u32,
        /// The version that wrote it.
        written_by: String,
        /// This version.
        reader: &'static str,
    },
    /// A path in the manifest leads outside the artifact.
    #[error(
        "{artifact}: the manifest names {path:?}, which is not a plain path inside the artifact; it may be forged, do not use it"
    )]
    UnsafePath {
        /// The artifact.
        artifact: PathBuf,
        /// The path as the manifest writes it.
        path: String,
    },
    /// A file of the artifact is a link or not a file.
    #[error(
        "{path}: found {found}, expected a plain file; copy the artifact with its files, not links to them"
    )]
    NotAPlainFile {
        /// The file.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// A file that the manifest lists is missing.
    #[error(
        "{path}: missing, although the manifest lists it; copy the artifact again or compile the model again"
    )]
    MissingFile {
        /// The file.
        path: PathBuf,
    },
    /// A file has another size than the manifest says.
    #[error(
        "{path}: found {found} bytes, expected {expected}; copy the artifact again or compile the model again"
    )]
    WrongSize {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// Its size by the manifest.
        expected: u64,
    },
    /// A file has other content than the manifest says.
    #[error(
        "{path}: its content is damaged: found hash {found}, expected {expected}; copy the artifact again or compile the model again"
    )]
    WrongHash {
        /// The file.
        path: PathBuf,
        /// BLAKE3 of what is there.
        found: String,
        /// BLAKE3 by the manifest.
        expected: String,
    },
    /// No target of the artifact runs on this machine.
    #[error("{path}: compiled for {available}; this machine is {host}. {hint}")]
    NoTarget {
        /// The artifact.
        path: PathBuf,
        /// Its targets and what each lacks here.
        available: String,
        /// This machine.
        host: String,
        /// What to do.
        hint: String,
    },
    /// The disk is full.
    #[error(
        "{path}: the disk is full: {needed} bytes more are needed here; free some space or write to another disk. Nothing was left behind"
    )]
    DiskFull {
        /// The file being written.
        path: PathBuf,
        /// Bytes that could not be written, at least.
        needed: u64,
    },
    /// Writing was cancelled.
    #[error("{path}: cancelled; nothing was left behind")]
    Cancelled {
        /// The artifact that was being written.
        path: PathBuf,
    },
    /// Two things with one name were written.
    #[error("{path}: {name:?} was written twice")]
    Duplicate {
        /// The artifact or weight file.
        path: PathBuf,
        /// The file's or tensor's name.
        name: String,
    },
    /// A tensor got another number of bytes than announced.
    #[error("{path}: tensor {name}: found {found} bytes, expected {expected}")]
    TensorSize {
        /// The weight file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Bytes given.
        found: u64,
        /// Bytes announced.
        expected: u64,
    },
    /// What is at the place of the artifact is no artifact.
    #[error("{path}: exists and is not an artifact; it is left alone. Choose another name")]
    InTheWay {
        /// What would have been replaced.
        path: PathBuf,
    },
    /// The system refused something.
    #[error("{path}: {action}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(
        path: impl Into<PathBuf>,
        action: &'static str,
        source: std::io::Error,
    ) -> Self {
        Self::Io { path: path.into(), action, source }
    }
}
