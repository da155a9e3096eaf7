//! Raw bindings to IREE's runtime (its C API), and the native build of it.
//!
//! The build script compiles the runtime from the sources that the `eerie-sys` package
//! carries, into one static archive, and generates these bindings from its headers. There
//! is no safe code here: `tyto-iree-rt` is the layer to use, and the only user of this one.
//!
//! **Boundary:** names are IREE's own, unchanged; their contracts are in IREE's headers.

#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unsafe_op_in_unsafe_fn,
    unnecessary_transmutes,
    rustdoc::all,
    clippy::all,
    clippy::undocumented_unsafe_blocks
)]
mod bindings {
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}
pub use bindings::*;
