//! Requests in, token events out: the engine owns the model and runs it step by step.
//!
//! ```text
//! Engine::submit -> Command -> run_loop (one thread owns everything below)
//!     scheduler.plan -> executor.step -> Sampler -> OutputStream -> Event -> scheduler.commit
//! ```
//!
//! The [`Executor`] is what runs the model; whoever starts an [`Engine`] brings one.
//!
//! **Invariant:** all mutable state of running texts belongs to one thread, so nothing on
//! the way of a token takes a lock except the snapshot of the figures, and a profile where one is
//! asked for.

mod admission;
mod api;
mod budget;
mod chunks;
mod commands;
mod constraint;
mod draft;
mod drafts;
mod engine;
mod error;
mod executor;
pub mod iree;
mod logits;
mod open;
mod output;
mod pace;
mod params;
mod perplexity;
mod place;
mod pooled;
mod profile;
mod request;
mod rows;
mod run_loop;
mod sampling;
mod shared;
#[doc(hidden)]
pub mod testing;
mod watchdog;

pub use api::{
    EmbedRequest, EngineStats, Event, FinishReason, GenerateRequest, Generation, ModelCard,
    ShutdownReport, SubmitError, Task, TokenInfo, Usage,
};
pub use budget::DeviceMemory;
pub use constraint::{Constraint, ConstraintError, TokenMask};
pub use engine::{Engine, EngineConfig, Executors, Speculate};
pub use error::Error;
pub use executor::{Executor, ExecutorError, ExecutorLimits, Positions, StateMove, StepRow};
pub use logits::StepLogits;
pub use open::{OpenError, OpenOptions, Opened, OpenedExecutor, open, open_executor};
pub use params::{Dry, InvalidField, SamplingParams, Xtc};
pub use perplexity::{Perplexity, Windows, perplexity};
pub use place::Place;
pub use pooled::purpose;
pub use profile::{CallTimes, KernelTime, StepProfile};
pub use tyto_artifact::{Pooled, PooledKind, Pooling};

pub use shared::{device_is_lost, ends_without_destructors, lost_device};
