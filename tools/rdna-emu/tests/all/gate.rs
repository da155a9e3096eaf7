//! The gate over the kernels of these tests: what may pass passes, and what spills or cannot be run is named.

use crate::common;
use tyto_rdna_emu::{Code, Memory, gate};

fn code(file: &str) -> Code {
    Code::load(&common::compile(file, "gfx1151"), &Memory::new()).unwrap()
}

#[test]
fn kernels_without_spills_and_scratch_pass() {
    for file in ["floats", "matrix", "model"] {
        assert_eq!(gate::failures(&code(file), true), [""; 0], "{file}");
    }
}

#[test]
fn a_row_has_a_kernels_resources() {
    let code = code("model");
    let kernel = code.module.kernel("staged_product").unwrap();
    let row = gate::row(kernel);
    let row: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(row.len(), gate::HEADER.split_whitespace().count());
    assert_eq!(row[0], "staged_product");
    assert_eq!(row[3..], ["0", "0", "512", "16"], "spills, scratch, LDS, waves");
}

#[test]
fn scratch_and_instructions_that_cannot_be_run_do_not_pass() {
    let code = code("basic");
    let strict = gate::failures(&code, true).join("\n");
    assert!(strict.contains("`histogram_in_scratch` uses 272 bytes of scratch"), "{strict}");
    assert!(strict.contains("`s_trap 2`"), "{strict}");
    assert!(!strict.contains("`vector_add`"), "{strict}");
    let lenient = gate::failures(&code, false).join("\n");
    assert!(!lenient.contains("scratch") && lenient.contains("`s_trap 2`"), "{lenient}");
}
