//! What can be wrong with a model, as a person needs to hear it.

use std::fmt;
use std::path::PathBuf;

/// Why a model cannot be read or traced.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The checkpoint's files.
    #[error(transparent)]
    Checkpoint(#[from] tyto_checkpoint::Error),
    /// No model here computes this architecture.
    #[error(
        "{}: architecture {found} is not supported; supported: {supported}", file.display()
    )]
    UnknownArchitecture {
        /// The configuration's file.
        file: PathBuf,
        /// `architectures` and `model_type` as found.
        found: String,
        /// The architectures there are.
        supported: String,
    },
    /// Files of sentence-transformers stand beside a model whose hidden states are not given out.
    #[error(
        "{}: vectors of texts are not made with {architecture}; they are with: {supported}. Without \
         this file the model is compiled to write text", file.display()
    )]
    NoEmbeddings {
        /// The list of modules.
        file: PathBuf,
        /// The architecture.
        architecture: &'static str,
        /// Those that make vectors.
        supported: String,
    },
    /// A model that writes no text, and nothing that says what its hidden states are for.
    #[error(
        "{}: as this file has it, {architecture} writes no text, and modules.json does not stand \
         beside it: fetch the model again with modules.json and its folders, which say how hidden \
         states become a vector",
        file.display()
    )]
    NoPooling {
        /// The configuration's file.
        file: PathBuf,
        /// The architecture.
        architecture: &'static str,
    },
    /// A field is absent that has no default.
    #[error("{}: field {field:?} is missing, expected {expected}", file.display())]
    MissingField {
        /// The configuration's file.
        file: PathBuf,
        /// The field, with the object it is in.
        field: String,
        /// What it should be.
        expected: String,
    },
    /// A field has a value that is wrong, absurd, or not computed here.
    #[error("{}: field {field:?} is {found}, expected {expected}", file.display())]
    WrongField {
        /// The configuration's file.
        file: PathBuf,
        /// The field, with the object it is in.
        field: String,
        /// Its value, shortened.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A field that this architecture does not read and that is not known to be harmless.
    #[error(
        "{}: field {field:?} = {found} is not understood for {architecture}; \
         ignoring it could change the model, so it is refused", file.display()
    )]
    UnreadField {
        /// The configuration's file.
        file: PathBuf,
        /// The field, with the object it is in.
        field: String,
        /// Its value, shortened.
        found: String,
        /// The architecture.
        architecture: &'static str,
    },
    /// A tensor has another shape than the configuration gives it, or is absent.
    #[error("{source}; {}: {sizes}", file.display())]
    Tensor {
        /// The tensor, with the shape found and expected.
        source: Box<tyto_checkpoint::Error>,
        /// The configuration's file.
        file: PathBuf,
        /// The fields that give shapes, as found.
        sizes: String,
    },
    /// The checkpoint holds a tensor that the model has no use for.
    #[error(
        "{}: tensor {tensor:?} is not part of {architecture} as {} describes it; \
         leaving it out could change the model, so it is refused", file.display(), config.display()
    )]
    UnknownTensor {
        /// The file that holds it.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// The architecture.
        architecture: &'static str,
        /// The configuration's file.
        config: PathBuf,
    },
    /// The sizes of a step do not fit each other or the model.
    #[error("step {name:?}: {what} is {found}, expected {expected}")]
    Step {
        /// The step's name.
        name: String,
        /// The size.
        what: &'static str,
        /// Its value.
        found: usize,
        /// What it should be.
        expected: String,
    },
    /// A weight's bytes were asked for in a form that has none.
    #[error("weight {weight:?}: {found}, expected {expected}")]
    Weight {
        /// The weight.
        weight: String,
        /// What was asked.
        found: String,
        /// What there is.
        expected: String,
    },
    /// A matrix has a value that the format asked for cannot hold.
    #[error(
        "{}: tensor {tensor:?}: {found:e} at row {row}, column {column}; \
         {format} needs {expected}. Mend the checkpoint, or leave --quantize out", file.display()
    )]
    Quantize {
        /// The file that holds it.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The value, or the largest of the group that begins there.
        found: f32,
        /// What would do.
        expected: &'static str,
        /// The format.
        format: &'static str,
    },
    /// A model was to be quantized and no matrix of it can be.
    #[error(
        "{}: no matrix can be quantized to {format}: {reasons}. Leave --quantize out",
        path.display()
    )]
    NothingToQuantize {
        /// The checkpoint.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// Why not, with how many matrices each.
        reasons: String,
    },
    /// A model's forward pass broke shape rules: all of the places, in order.
    #[error("tracing {name:?} failed:{}", list(errors))]
    Trace {
        /// The step's name.
        name: String,
        /// Each broken rule with its place.
        errors: Vec<TraceError>,
    },
    /// The traced graph does not verify.
    #[error(transparent)]
    Verify(#[from] tyto_graph::VerifyError),
}

/// A broken rule in a model's forward pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// The model's source file.
    pub file: &'static str,
    /// The line in it.
    pub line: u32,
    /// Which rule, what was found and what was expected.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

fn list(errors: &[TraceError]) -> String {
    errors.iter().map(|error| format!("\n  {error}")).collect()
}
