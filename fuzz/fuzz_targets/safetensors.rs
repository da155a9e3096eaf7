//! Any bytes as safetensors headers. Run with `cargo fuzz run safetensors`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tyto_checkpoint::fuzz::safetensors(bytes));
