//! Gives the library the name by which drivers that have loaded it find it again, and has it stay in
//! the process: threads that have called it run the destructors of its thread locals when they end,
//! and the driver may have closed it before.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhsa-runtime64.so.1");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
