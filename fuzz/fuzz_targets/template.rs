//! Any bytes as a chat template and messages. Run with `cargo fuzz run template`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = tyto_text::fuzz::template(bytes);
});
