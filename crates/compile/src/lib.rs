//! A model directory or GGUF file to an artifact.
//!
//! ```text
//! Checkpoint -> frontend::LoadedModel -> graphs (one an entry point)
//!            -> hlo_emit (one module a bucket) -> iree_rt::Compiler -> code/
//!            -> weights in the layout of the target's kernels      -> weights/
//! ```
//!
//! Nothing is written before all code is compiled; the artifact then appears whole or not at
//! all. Modules and weight files are named by what they were made from, so that a second
//! compile takes over from the artifact that it replaces whatever has not changed.

mod buckets;
mod choices;
mod described;
mod error;
mod fingerprint;
mod modules;
mod native;
mod native_gpu;
mod options;
mod pipeline;
mod pm4;
mod quantized;
mod weights;
mod workers;

pub use buckets::{Buckets, DEFAULT_CONTEXT};
pub use error::{Error, NoKernel};
pub use modules::module_flags;
pub use options::{CompileOptions, DEFAULT_SEQUENCES, Kernels, Progress};
pub use pipeline::{CompileReport, compile};
pub use quantized::{QuantizeReport, QuantizedTensor, by_error};
pub use tyto_frontend::catalog::{Architecture, architectures};
pub use tyto_frontend::{Kept, Quantization};
pub use tyto_graph::{DType, KvCode, KvType};
pub use tyto_kernel_spec::{GpuArch, GpuDriver, Proof, Target, TargetError};
