//! Any bytes as config.json and shard indexes. Run with `cargo fuzz run config`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tyto_checkpoint::fuzz::config(bytes));
