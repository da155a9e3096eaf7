//! Runs gfx11 code objects on the CPU, instruction by instruction.
//!
//! It is a test bench: no product crate depends on it. Load a code object with [`Code::load`], put data into
//! [`Memory`], and run a kernel with [`launch`]. Every access is checked; a fault names kernel, workgroup, wave, lane
//! and instruction. [`Options`] choose the order of waves, the detection of races and of unwritten memory, and the
//! numerics.
//!
//! Host memory may be mapped into [`Memory`] ([`Region`]), and [`dispatch`] runs what a queue's packet describes: on these
//! two stands `tools/rdna-emu-runtime`, the drivers' libraries. [`Counters`] say what kernels did.
//!
//! [`decode::decode`] turns machine code into instructions, whose `Display` is LLVM's syntax.

mod arguments;
mod counters;
pub mod decode;
mod fault;
pub mod gate;
mod launch;
mod machine;
mod memory;
pub mod object;
mod print;
mod run;
mod schedule;
mod start;

pub use arguments::{Value, block as argument_block, check_grid};
pub use counters::{Class, Counters, Counts};
pub use fault::{Fault, FaultKind, LaunchError};
pub use launch::{Code, Dispatch, Grid, Options, Races, Report, dispatch, launch};
pub use machine::Numerics;
pub use memory::{AccessError, Memory, Place, Region, View};
pub use schedule::Schedule;
pub use start::{Pointers, packet as dispatch_packet};
