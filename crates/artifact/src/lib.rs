//! The artifact: a compiled model as one directory, `NAME.tyto/`.
//!
//! ```text
//! manifest.json          what is inside, with a hash of every other file
//! code/<target>/*.vmfb   compiled modules, one directory a target
//! weights/*.bin          tensors, mapped into memory as they lie in the file
//! tokenizer/*            tokenizer, chat template, generation defaults
//! ```
//!
//! [`ArtifactWriter`] writes one so that it appears whole or not at all;
//! [`Artifact`] opens, checks and maps one. The compile side and the serve side
//! of Tyto meet only here.

mod check;
mod digest;
mod disk;
mod error;
mod file_writer;
pub mod host;
mod manifest;
mod mapping;
mod partial;
mod paths;
mod reader;
mod weights;
mod writer;

pub use digest::{CHUNK, RowDigest};
pub use disk::{Disk, OpenedFile, SystemDisk};
pub use error::Error;
pub use file_writer::FileWriter;
pub use host::HostTarget;
pub use manifest::{
    Choice, CompilerVersions, EntryKind, EntryPoint, FileEntry, KernelChoice, KvLayer, Manifest,
    ModelFacts, Phases, Pooled, PooledKind, Pooling, SCHEMA_VERSION, Target, WeightFile,
    WeightTensor,
};
pub use mapping::MappedWeights;
pub use reader::{Artifact, MemoryNeeded, Progress};
pub use weights::{TENSOR_ALIGNMENT, WEIGHTS_ALIGNMENT, WeightWriter};
pub use writer::{ArtifactWriter, CancelFlag, WriteProgress};
