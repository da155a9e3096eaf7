//! Which body serves which op on which target: pure data, one table.
//!
//! An op has up to three bodies (its decomposition, a HIP kernel, a CPU kernel). Compilation
//! asks this crate and records the answer, with the reason, in the artifact. Nothing else
//! decides how a weight is laid out or which kernel runs.

mod gpu;
mod linear;
mod native;
mod target;

pub use gpu::{GpuArch, GpuDriver, Proof};
pub use linear::{LinearBody, linear};
pub use native::{native_gpu_linear, native_linear, native_reason};
pub use target::{Target, TargetError};
