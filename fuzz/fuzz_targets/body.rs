//! Any bytes as the body of a request to each API. Run with `cargo fuzz run body`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = tyto_server::fuzz::body(bytes);
});
