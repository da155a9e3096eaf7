//! Gives the library the name by which drivers that have loaded it find it again.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhsa-runtime64.so.1");
    println!("cargo::rerun-if-changed=build.rs");
}
