//! Runs gfx11 code objects on the CPU, instruction by instruction.
//!
//! [`decode::decode`] turns machine code into instructions, whose `Display` is LLVM's syntax.

pub mod decode;
mod print;
