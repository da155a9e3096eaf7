//! The emulator against LLVM, and kernels on it against Rust.
//! One program: several would each link what all need.

#[path = "../common/mod.rs"]
mod common;

mod disassembly;
mod dispatch;
mod faults;
mod gate;
mod instructions;
mod kernels;
mod model_kernels;
mod products;
mod robustness;
mod swift;
