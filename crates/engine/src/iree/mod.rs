//! The executors that run an artifact's targets: plain compiled code, and phase programs.

mod buckets;
mod call;
mod executor;
mod load;
mod phases;

pub use executor::IreeExecutor;
pub use load::LoadOptions;
pub use phases::PhasesExecutor;
