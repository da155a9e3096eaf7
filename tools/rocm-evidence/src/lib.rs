//! What the kernels of `kernels-hip/` read and run for published models, where no time can be
//! measured: counted on the emulator and read from the compiled code.
//!
//! The models' sizes are those of their published configurations ([`shapes`]); their weights are
//! random ([`synthetic`], [`emulated`]). A few layers run, the rest is arithmetic ([`measure`]).
//! A projection from these counts is called one ([`report`]).

pub mod emulated;
pub mod kernels;
pub mod measure;
pub mod needs;
pub mod report;
pub mod shapes;
pub mod step;
pub mod synthetic;
