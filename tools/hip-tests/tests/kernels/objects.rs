//! The kernels' code objects, as the build made them.

/// The code object for gfx1151 that has `kernel`.
pub fn object_of(kernel: &str) -> &'static [u8] {
    let file = tyto_native_rocm::file_of(kernel);
    let file = file.unwrap_or_else(|| panic!("no file of kernels-hip declares {kernel}"));
    tyto_native_rocm::object("gfx1151", file).expect("no file leaves out gfx1151")
}
