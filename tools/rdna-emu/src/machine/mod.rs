//! Waves and what they run.

pub mod access;
mod address;
mod alu;
mod atomic;
mod compare;
#[cfg(test)]
mod coverage;
mod division;
mod dot;
mod env;
pub mod execute;
mod float;
mod lanes;
mod lower;
mod operation;
mod products;
pub mod program;
pub mod race;
mod scalar;
mod source;
mod swift;
pub mod trouble;
mod watch;
pub mod wave;
mod wide;

pub use env::{Env, LANES, Numerics};
pub use operation::{Op, Space};
