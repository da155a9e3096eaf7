//! Lists the kernels of code objects with their resources, and the instructions that cannot be run.
//!
//! `cargo run --release -p tyto-rdna-emu --example gate -- [--strict] kernels.co …`
//!
//! Fails when there are such instructions; with `--strict` also when a kernel spills registers or uses scratch.

use std::path::Path;
use std::process::ExitCode;

use tyto_rdna_emu::{Code, Memory, gate};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_strict = arguments.iter().any(|argument| argument == "--strict");
    let files: Vec<&String> = arguments.iter().filter(|argument| *argument != "--strict").collect();
    if files.is_empty() {
        eprintln!("usage: gate [--strict] CODE-OBJECT...");
        return ExitCode::FAILURE;
    }
    let failures: Vec<String> =
        files.into_iter().flat_map(|file| check(Path::new(file), is_strict)).collect();
    failures.iter().for_each(|failure| eprintln!("{failure}"));
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a file's kernels. Returns what is wrong with them.
fn check(path: &Path, is_strict: bool) -> Vec<String> {
    let file = match std::fs::read(path) {
        Ok(file) => file,
        Err(error) => return vec![format!("cannot read {}: {error}", path.display())],
    };
    let code = match Code::load(&file, &Memory::new()) {
        Ok(code) => code,
        Err(error) => return vec![format!("{}: {error}", path.display())],
    };
    println!("{}\n{}", path.display(), gate::HEADER);
    code.module.kernels.iter().for_each(|kernel| println!("{}", gate::row(kernel)));
    gate::failures(&code, is_strict)
}
