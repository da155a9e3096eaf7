//! Why a compilation failed, and who must act.

use std::path::PathBuf;

/// A failed compilation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model's files are wrong.
    #[error(transparent)]
    Checkpoint(#[from] tyto_checkpoint::Error),
    /// The model is not one that can be computed as its files say.
    #[error(transparent)]
    Frontend(#[from] tyto_frontend::Error),
    /// The tokenizer or the chat template is wrong.
    #[error(transparent)]
    Text(#[from] tyto_text::Error),
    /// An option is out of range.
    #[error("{option}: found {found}, expected {expected}")]
    Option {
        /// The option's name.
        option: &'static str,
        /// What was given.
        found: String,
        /// What would do.
        expected: String,
    },
    /// The artifact could not be written.
    #[error(transparent)]
    Artifact(#[from] tyto_artifact::Error),
    /// A graph could not be written as StableHLO.
    #[error("emitting {module}: {source}")]
    Emit {
        /// The module.
        module: String,
        /// Why.
        source: tyto_hlo_emit::Error,
    },
    /// The compiler is missing or refused a module.
    #[error("compiling {module}: {source}")]
    Compiler {
        /// The module, or "the compiler library".
        module: String,
        /// Why.
        source: tyto_iree_rt::Error,
    },
    /// A source file could not be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file for the compiler could not be written.
    #[error("{path}: cannot be written: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// This build has no kernels for a target.
    #[error(
        "this build of tyto has no {variant} kernels: build it on a machine of the target's \
         architecture, or compile with --kernels never"
    )]
    NoKernels {
        /// The variant.
        variant: &'static str,
    },
    /// Native kernels were required and there are none.
    #[error(
        "--kernels require: {target}: {unsupported}. Leave the option out to have it compiled without"
    )]
    NotNative {
        /// The target.
        target: String,
        /// The first op without a kernel.
        unsupported: Box<NoKernel>,
    },
    /// Weights were to be quantized and an op has no kernel that reads them.
    #[error(
        "--quantize {format}: {target}: {unsupported}. Code that is compiled without our kernels \
         reads no blocks; leave the option out"
    )]
    NotQuantized {
        /// The format.
        format: &'static str,
        /// The target.
        target: String,
        /// The first op without a kernel.
        unsupported: Box<NoKernel>,
    },
    /// The compilation was cancelled; nothing was written.
    #[error("cancelled; nothing was written")]
    Cancelled,
}

/// Why a target is not compiled with kernels of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoKernel {
    /// An op has no native form.
    #[error(transparent)]
    Op(#[from] tyto_phase_program::Unsupported),
    /// There are none for a kind of GPU.
    #[error("there are no kernels of ours for {chip}")]
    Chip {
        /// The kind.
        chip: &'static str,
    },
    /// One that the model needs is not there for a kind of GPU.
    #[error("there is no kernel {kernel} for {chip}")]
    Kernel {
        /// Its name.
        kernel: String,
        /// The kind.
        chip: &'static str,
    },
}

impl Error {
    /// Whether the person who asked can mend it: wrong files or options, no compiler
    /// installed, a full disk. What is left is a fault of ours.
    pub fn is_users(&self) -> bool {
        match self {
            Self::Emit { .. } => false,
            Self::Compiler { module, .. } => module == crate::modules::LIBRARY,
            _ => true,
        }
    }
}
