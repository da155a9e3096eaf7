//! Any bytes as GGUF files, with everything read out of them. Run with `cargo fuzz run gguf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tyto_checkpoint::fuzz::gguf(bytes));
