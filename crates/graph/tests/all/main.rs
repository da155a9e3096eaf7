//! Ops: their inference, their evaluation, their decomposition.
//! One program: several would each link what all need.

mod attention;
mod blocks;
mod common;
mod composites;
mod decompose;
mod experts;
mod interpreter;
mod labels;
mod numbers;
mod recurrent;
mod verify;
