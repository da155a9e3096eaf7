//! The typed graph that a model is traced into, and everything that is true of it
//! whatever the target: shapes, types, verification, decomposition, evaluation.
//!
//! A [`Graph`] is a list of nodes in topological order, each with one result. Ops are
//! either *primitive* (they have a StableHLO counterpart) or *composite* (they also have
//! a decomposition into primitives, [`decompose`]); a composite may be served by a native
//! kernel where a target has one. The [`interpreter`] evaluates both, slowly and plainly:
//! it is the oracle of everything else.
//!
//! **Invariant:** nothing here knows of files, MLIR, IREE or a target.

mod blocks;
mod decompose;
mod dim;
mod dtype;
mod graph;
mod infer;
pub mod interpreter;
mod kv;
mod op;
mod print;
mod recurrent;
mod verify;

pub use blocks::{BitPlace, BlockCode, BlockForm, BlockLayout, BlockScale, CodePlaces};
pub use decompose::decompose;
pub use dim::{Dim, Shape};
pub use dtype::{DType, Layout};
pub use graph::{Graph, Input, InputKind, Node, Output, TensorType, ValueId};
pub use infer::InferError;
pub use kv::{KvCode, KvType};
pub use op::{
    Alibi, AttentionAttrs, Binary, Comparison, Groups, Literal, Op, Reduction, RopeScaling,
    RopeTable, Unary,
};
pub use recurrent::{ConvAttrs, DeltaAttrs, RecurrentResult, SsmAttrs};
pub use verify::VerifyError;
