//! From a model directory to answers, with the binary alone. Needs IREE's compiler library,
//! which `tools/setup` installs.
#![cfg(feature = "compile")]

#[allow(dead_code, reason = "the store's own tests break their hub in more ways")]
#[path = "../../../store/tests/hub/mod.rs"]
mod hub;

mod answers;
mod common;
mod compile;
mod first_use;
mod guesses;
mod served;
mod vectors;
