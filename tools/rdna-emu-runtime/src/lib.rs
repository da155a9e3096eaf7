//! Stands in for ROCm's libraries: drivers of AMD GPUs load it, and kernels run in the emulator.
//!
//! It is one shared library with the symbols of `libhsa-runtime64.so.1` ([`hsa`]) and `libamdhip64.so` ([`hip`]);
//! `examples/install.rs` puts it into a folder under these names. What kernels may touch, code objects, faults to inject
//! and the report are in [`device`].

pub mod device;
pub mod hip;
pub mod hsa;
