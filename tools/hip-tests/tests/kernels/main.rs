//! Phase programs for GPUs, launch by launch on the emulator, against the graph's interpreter.

mod attention;
mod attention_case;
mod digest;
mod embedding;
mod export;
mod gemm;
mod graphs;
mod linear;
mod machine;
mod models;
mod objects;
mod recurrent;
mod routed;
mod runner;
mod sweep;

use tyto_kernel_cases::{matrix, random};
