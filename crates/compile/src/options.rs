//! What a person asks of `tyto compile`, and what it tells while it works.

use std::path::PathBuf;

use tyto_artifact::CancelFlag;
use tyto_frontend::Quantization;
use tyto_graph::{DType, KvType};
use tyto_kernel_spec::Target;

/// Sequences of full length that a cache holds where nobody says otherwise.
pub const DEFAULT_SEQUENCES: usize = 4;

/// A compilation.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// A model directory or a GGUF file.
    pub source: PathBuf,
    /// The artifact, `NAME.tyto`.
    pub output: PathBuf,
    /// At least one target.
    pub targets: Vec<Target>,
    /// Positions of a sequence; `None` for the model's own, up to
    /// [`crate::DEFAULT_CONTEXT`].
    pub context: Option<usize>,
    /// Sequences of a decode call and tokens of a prefill call; `None` for the usual sizes.
    pub sizes: Option<(Vec<usize>, Vec<usize>)>,
    /// Element type of matrices: `F32`, `F16` or `BF16`; `None` for the checkpoint's, and
    /// bf16 for a checkpoint in blocks.
    pub weight_dtype: Option<DType>,
    /// The format that plain matrices are quantized to. Not with `weight_dtype`, which asks
    /// for plain ones, nor with [`Kernels::Never`], since compiled code reads no blocks.
    pub quantize: Option<Quantization>,
    /// What the KV cache holds: `F32`, `F16`, `BF16` or a quantized format; `None` for the type of the
    /// matrices.
    pub kv_type: Option<KvType>,
    /// Whether steps are phase programs of our kernels.
    pub kernels: Kernels,
    /// Texts of full length that the cache of a GPU target holds: its code is for that size only.
    pub gpu_sequences: usize,
    /// IREE's compiler library; `None` to look for it.
    pub compiler: Option<PathBuf>,
    /// Whether to compile again what an artifact at `output` has already.
    pub force: bool,
    /// Ends the compilation between two modules or two megabytes.
    pub cancel: CancelFlag,
}

impl CompileOptions {
    /// Everything else as it comes by itself, for this machine.
    pub fn new(source: impl Into<PathBuf>, output: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            output: output.into(),
            targets: vec![Target::CpuHost],
            context: None,
            sizes: None,
            weight_dtype: None,
            quantize: None,
            kv_type: None,
            kernels: Kernels::Prefer,
            gpu_sequences: DEFAULT_SEQUENCES,
            compiler: None,
            force: false,
            cancel: CancelFlag::default(),
        }
    }
}

/// Whether a target's steps are phase programs of our own kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// Where every op has one; else everything is compiled, and the report says why.
    #[default]
    Prefer,
    /// Always; it is an error where an op has none.
    Require,
    /// Never: everything is decomposed and compiled.
    Never,
}

/// Where a compilation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The model was read: architecture, parameters.
    Model {
        /// The architecture's name.
        architecture: String,
        /// Number of parameters.
        parameters: usize,
    },
    /// Something a person should hear.
    Warning(String),
    /// A module has been compiled or taken over.
    Module {
        /// Its name.
        name: String,
        /// Modules done, this one included.
        done: usize,
        /// All modules.
        total: usize,
        /// Whether it is taken over from the artifact being replaced.
        reused: bool,
    },
    /// Weights are being written.
    Weights {
        /// Bytes written.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
}
