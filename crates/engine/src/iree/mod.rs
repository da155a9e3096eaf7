//! The executors that run an artifact's targets: plain compiled code, and phase programs.

mod buckets;
mod call;
mod device;
mod executor;
mod load;
mod phases;

pub use device::Device;
pub(crate) use device::{Chosen, GpuOptions, Refusal, Wanted, choose, open as open_gpu};
pub use executor::IreeExecutor;
pub use load::LoadOptions;
pub use phases::PhasesExecutor;
