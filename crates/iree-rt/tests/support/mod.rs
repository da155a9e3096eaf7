//! What the tests of this crate share: compiling a small program and running it.
#![allow(dead_code, reason = "each test file uses its part")]

use tyto_iree_rt::{Code, Compiler, Parameters, Program, Runtime, RuntimeOptions};
// The library is this crate's, built beside the test.
#[cfg(feature = "amdgpu")]
use tyto_rdna_emu_runtime as _;

/// The compiler; its absence fails the test with the command that installs it.
pub fn compiler() -> Compiler {
    Compiler::find(None).unwrap_or_else(|error| panic!("{error}"))
}

/// Compiles for this machine's CPU.
pub fn compile(source: &str) -> Vec<u8> {
    compile_with(source, &[])
}

/// Compiles for this machine's CPU, for asynchronous calls.
pub fn compile_async(source: &str) -> Vec<u8> {
    compile_with(source, &["--iree-execution-model=async-external"])
}

pub fn cpu_flags(more: &[&str]) -> Vec<String> {
    let base = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"];
    base.iter().chain(more).map(|f| f.to_string()).collect()
}

pub fn compile_with(source: &str, more: &[&str]) -> Vec<u8> {
    let compiled = compiler().compile(source.as_bytes(), &cpu_flags(more));
    compiled.unwrap_or_else(|error| panic!("{error}"))
}

pub fn runtime() -> Runtime {
    let options = RuntimeOptions { threads: Some(2), ..Default::default() };
    Runtime::new(&options).expect("the CPU is always there")
}

pub fn load(runtime: &Runtime, code: Vec<u8>, parameters: &[Parameters]) -> Program {
    let program = Program::load(runtime, [Code::from(code)], parameters);
    program.unwrap_or_else(|error| panic!("{error}"))
}

/// A folder with the emulator under the name that the driver looks for.
#[cfg(feature = "amdgpu")]
pub fn emulator() -> &'static std::path::Path {
    use std::path::PathBuf;
    use std::sync::OnceLock;

    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("iree-rt-emulator");
        std::fs::create_dir_all(&folder).expect("a folder");
        let test = std::env::current_exe().expect("Linux has it");
        let built = test.parent().expect("a file has a folder").join("libtyto_rdna_emu_runtime.so");
        std::fs::copy(built, folder.join("libhsa-runtime64.so.1"))
            .expect("cargo has built the emulator");
        folder
    })
}
