//! Runs gfx11 code objects on the CPU, instruction by instruction.
//!
//! It is a test bench: no product crate depends on it. Load a code object with [`Code::load`], put data into
//! [`Memory`], and run a kernel with [`launch`]. Every access is checked; a fault names kernel, workgroup, wave, lane
//! and instruction. [`Options`] choose the order of waves, the detection of races and of unwritten memory, and the
//! numerics.
//!
//! [`decode::decode`] turns machine code into instructions, whose `Display` is LLVM's syntax.

mod arguments;
pub mod decode;
mod fault;
mod launch;
mod machine;
mod memory;
pub mod object;
mod print;
mod schedule;
mod start;

pub use arguments::Value;
pub use fault::{Fault, FaultKind, LaunchError};
pub use launch::{Code, Grid, Options, Races, Report, launch};
pub use machine::Numerics;
pub use memory::{AccessError, Memory};
pub use schedule::Schedule;
