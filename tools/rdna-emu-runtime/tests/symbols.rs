//! The library has every symbol that IREE's driver resolves when it is created, of the very version that is pinned.

use std::ffi::CString;
use std::path::PathBuf;
use std::process::Command;

use tyto_rdna_emu_runtime as _;

/// The folder of the driver's sources, in the unpacked package that carries IREE.
fn driver_sources() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs, since it runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let package = packages.iter().find(|package| package["name"] == "eerie-sys");
    let manifest = package.expect("the workspace depends on it")["manifest_path"].as_str();
    let folder = PathBuf::from(manifest.expect("a path")).with_file_name("iree");
    folder.join("runtime/src/iree/hal/drivers/amdgpu")
}

/// The names in a table of C macros: the third argument of each entry.
fn names(table: &str) -> Vec<String> {
    let without_comments: String =
        table.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let entries = without_comments.split("IREE_HAL_AMDGPU_LIBHSA_PFN(").skip(1);
    let third = |entry: &str| Some(entry.split(',').nth(2)?.trim().to_owned());
    entries.filter_map(third).filter(|name| name.starts_with("hsa_")).collect()
}

#[test]
fn every_function_of_the_drivers_table_is_there() {
    let table = driver_sources().join("util/libhsa_tables.h");
    let table = std::fs::read_to_string(&table)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", table.display()));
    let names = names(&table);
    assert!(names.len() > 100, "the table is read wrongly: {names:?}");
    let test = std::env::current_exe().expect("Linux has it");
    let library = test.parent().expect("a folder").join("libtyto_rdna_emu_runtime.so");
    let path = CString::new(library.to_str().expect("text")).expect("no zero inside");
    // SAFETY: the library is this crate's; its beginning only registers what runs at its end.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!handle.is_null(), "cannot load {}", library.display());
    let is_missing = |name: &&String| {
        let symbol = CString::new(name.as_str()).expect("no zero inside");
        // SAFETY: the handle is a library's, and the name has an end. The address is not called.
        unsafe { libc::dlsym(handle, symbol.as_ptr()) }.is_null()
    };
    let missing: Vec<&String> = names.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
