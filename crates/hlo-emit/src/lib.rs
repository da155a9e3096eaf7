//! Graphs to StableHLO, through melior.
//!
//! This is the only crate that names MLIR. StableHLO and IREE's dialects are not part of
//! LLVM, so their ops are built as unregistered ones; the melior module is verified here,
//! and IREE's compiler, which owns those dialects, verifies the ops themselves.
//!
//! One module holds any number of graphs as functions over one set of parameters. What is
//! not plain StableHLO:
//! * a weight is a `util.global` bound to `#flow.parameter.named<"model"::"NAME">`;
//! * a state argument carries `iree.abi.output`, which makes IREE update it in place;
//! * a phase program is one dispatch of kernels of ours, linked into the module, and on a GPU one
//!   dispatch for each launch of a kernel;
//! * a `Linear` over a tiled weight is a `linalg.mmt4d`, which IREE serves with its
//!   microkernels and which needs no packed copy of the weight.

mod emitter;
mod gpu_phases;
mod lower;
mod module;
mod phases;
mod tiled;
mod types;
mod unlinked;

pub use gpu_phases::{
    GpuForm, GpuLaunch, GpuPhaseFunction, GpuPhaseModule, KernelFile, emit_gpu_phases,
};
pub use module::{Emitted, Form, PARAMETER_SCOPE, emit, emit_as, lowers_natively};
pub use phases::{PhaseFunction, PhaseModule, WEIGHT_FILE, emit_phases};

/// Why a graph could not be emitted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The graph itself is ill-formed.
    #[error(transparent)]
    Graph(#[from] tyto_graph::VerifyError),
    /// An op has no lowering in the form it has here.
    #[error("{graph}: no StableHLO for {op} of type {ty}: {reason}")]
    Unsupported {
        /// The graph's name.
        graph: String,
        /// The op's name.
        op: &'static str,
        /// The type of its result.
        ty: String,
        /// What is missing.
        reason: &'static str,
    },
    /// Two graphs give one weight different types.
    #[error("weight {name}: {first} in one entry point and {second} in {graph}")]
    WeightTypes {
        /// The weight.
        name: String,
        /// Its first type.
        first: String,
        /// The other type.
        second: String,
        /// The graph with the other type.
        graph: String,
    },
    /// MLIR refused what we built: a fault of ours.
    #[error("MLIR refused {what}: {diagnostics}")]
    Mlir {
        /// What was being built.
        what: String,
        /// MLIR's own words.
        diagnostics: String,
    },
}
