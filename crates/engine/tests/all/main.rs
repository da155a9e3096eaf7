//! The engine over executors that follow a table, and over compiled phase programs.
//! One program: several would each link what all need.

mod cache;
mod common;
mod constraint;
mod digests;
mod draft;
mod faults;
mod output;
mod phases;
mod pooled;
mod recurrent;
mod scheduling;
mod speculation;
