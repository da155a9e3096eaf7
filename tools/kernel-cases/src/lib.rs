//! What the kernels of every device are tested with: random graphs with weights, arguments and
//! caches, and what the interpreter makes of them. No device is in here: `crates/native-cpu/tests`
//! and `tools/hip-tests` plan the same cases and run them.

#![allow(missing_docs, reason = "what a field or function is stands in its name, or with its type")]

pub mod attention;
pub mod blocks;
pub mod experts;
pub mod graphs;
pub mod history;
pub mod linear;
pub mod matrix;
pub mod models;
pub mod quantized;
pub mod random;
pub mod recurrent;
pub mod rows;
pub mod sketch;
