//! The face of HSA as a driver uses it: packets and doorbells in memory, few calls.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod driver;
mod faults;
mod functions;
mod launches;
mod memory;
