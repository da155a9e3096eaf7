//! The executor that runs an artifact's compiled code.

mod buckets;
mod call;
mod executor;

pub use executor::{IreeExecutor, LoadOptions};
