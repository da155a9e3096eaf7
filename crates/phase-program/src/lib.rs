//! Graphs to phase programs: one step of a model as a list of phases that workers run
//! together in a single dispatch (`kernels-cpu/program.h` says how).
//!
//! [`plan`] walks a verified graph once. A product or an attention becomes a phase of its own;
//! everything else works on one row at a time and becomes row operations. Where rows are few
//! (decoding) they run as the prologue of the phase that needs them, by every worker for
//! itself; where rows are many (prompts) they are a phase whose chunks are rows. No pass knows
//! a model's name: an architecture made of the ops below gets its program without a word.
//!
//! **Invariant:** pure data; no file, device or instruction set.

pub mod abi;
mod cache;
mod check;
mod encode;
mod error;
mod format;
mod joined;
mod launch;
mod memory;
mod plan;
mod program;
mod rows;

pub use cache::CacheLayout;
pub use error::Unsupported;
pub use format::format_of;
pub use plan::{GpuOptions, StepSizes, plan, plan_for_gpu};
pub use program::{Launch, Program};
