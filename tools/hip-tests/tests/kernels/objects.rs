//! The kernels' code objects, as the build made them.

use tyto_rdna_emu::{Code, Memory, gate};

/// The code object for gfx1151 that has `kernel`.
pub fn object_of(kernel: &str) -> &'static [u8] {
    let file = tyto_native_rocm::file_of(kernel);
    let file = file.unwrap_or_else(|| panic!("no file of kernels-hip declares {kernel}"));
    tyto_native_rocm::object("gfx1151", file).expect("no file leaves out gfx1151")
}

/// Also of kernels that no test runs: a compiler that indexes registers by number, where a loop is not
/// unrolled, shows here. Such instructions are slow on a GPU, and the emulator has none of them.
#[test]
fn every_instruction_can_be_run() {
    for file in tyto_native_rocm::files() {
        let object = tyto_native_rocm::object("gfx1151", file).expect("no file leaves out gfx1151");
        let code = Code::load(object, &Memory::new()).expect("clang writes code objects");
        let failures = gate::failures(&code, true);
        assert!(failures.is_empty(), "{file}.hip: {failures:#?}");
    }
}
