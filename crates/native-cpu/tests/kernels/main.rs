//! The kernels against the interpreter: small random graphs, planned and run on every variant
//! that this machine has, by one to four workers, with every byte of scratch and of unwritten
//! cache a NaN.

mod abi;
mod activations;
mod amx;
mod attention;
mod attention_cache;
mod attention_case;
mod embedding;
mod experts;
mod graphs;
mod joined;
mod linear;
mod recurrent;
mod rows;
mod runner;
mod team;

use tyto_kernel_cases::{matrix, random};
