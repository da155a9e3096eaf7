//! The executors that run an artifact's targets: plain compiled code, and phase programs
//! of the processor and of GPUs.

mod ahead;
mod buckets;
mod call;
mod device;
mod executor;
mod gpu_phases;
mod guard;
mod load;
mod phases;
mod pieces;
mod snapshots;

pub use device::Device;
pub(crate) use device::{Chosen, GpuOptions, Refusal, Wanted, choose, open as open_gpu};
pub use executor::IreeExecutor;
pub use gpu_phases::GpuPhasesExecutor;
pub(crate) use guard::{Guarded, OnGpu};
pub use load::LoadOptions;
pub use phases::PhasesExecutor;
pub use snapshots::DEFAULT_SNAPSHOTS;
