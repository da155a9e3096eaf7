//! Model files to graphs: reads a configuration strictly, traces the architecture's forward
//! pass into a [`tyto_graph::Graph`], and says which bytes of the checkpoint each weight is.
//!
//! [`open`] picks the architecture ([`registry`]); a model file in [`models`] reads its part
//! of `config.json` ([`config`]), its rotary embedding ([`rope`]) and writes its maths with
//! the tracing API ([`trace`]), shared layers ([`nn`]) and what decoders have in common
//! ([`decoder`]), in mixtures of experts ([`experts`]) or in layers with a state ([`recurrent`], [`hybrid`]). [`fuse`] joins matrices that multiply the same operand; [`quantize`] puts
//! plain ones into blocks; [`weights`] makes the bytes.
//!
//! **Invariant:** nothing here knows of MLIR, IREE or a target. A field of the configuration
//! that may change the maths is read or refused by name, never skipped.

pub mod both_ways;
pub mod catalog;
pub mod classic;
pub mod config;
pub mod decoder;
mod error;
pub mod experts;
pub mod fuse;
pub mod hybrid;
pub mod latent;
pub mod memory;
pub mod models;
mod moves;
pub mod nn;
pub mod purpose;
pub mod quantize;
pub mod recurrent;
pub mod registry;
pub mod rope;
mod stored;
#[cfg(feature = "testing")]
pub mod testing;
mod tie;
pub mod trace;
pub mod weights;

pub use error::{Error, TraceError};
pub use memory::{KvLayer, LayerMemory, RecurrentLayer};
pub use purpose::{Head, Purpose};
pub use quantize::{Kept, Loss, Quantization};
pub use registry::{LoadedModel, ModelFacts, open};
pub use trace::{StepShape, TraceOptions, Traced};
pub use weights::{
    Every, Halves, Materialized, Pairs, Part, Reading, WeightUse, materialize, materialize_measured,
};
