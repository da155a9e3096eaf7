//! Phase programs for GPUs, launch by launch on the emulator, against the graph's interpreter.

#[path = "../../../../crates/native-cpu/tests/kernels/blocks.rs"]
mod blocks;
#[path = "../../../../crates/native-cpu/tests/kernels/matrix.rs"]
#[allow(dead_code, reason = "the CPU's tests use the rest")]
mod matrix;
#[path = "../../../../crates/native-cpu/tests/kernels/random.rs"]
#[allow(dead_code, reason = "the CPU's tests use the rest")]
mod random;

mod embedding;
mod export;
mod gemm;
mod linear;
mod machine;
mod models;
mod objects;
mod routed;
#[allow(dead_code, reason = "cases that are still to come use the rest")]
mod runner;
