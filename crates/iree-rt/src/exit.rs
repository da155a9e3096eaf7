//! Ending a process whose GPU's driver cannot be taken down.

use std::ffi::c_int;

unsafe extern "C" {
    fn _exit(code: c_int) -> !;
}

/// Ends the process at once: no destructor runs, neither Rust's nor those of libraries.
///
/// After a device was lost or hangs, IREE's drivers and ROCm's libraries wait in their destructors
/// for work that never ends, or free what they freed before. What the process wrote and did not
/// flush is lost.
pub fn exit_without_destructors(code: u8) -> ! {
    // SAFETY: the call does not return, and takes any number.
    unsafe { _exit(c_int::from(code)) }
}
