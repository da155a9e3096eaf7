//! Lists the kernels of a code object with their resources, and the instructions that cannot be run.
//!
//! `cargo run -p tyto-rdna-emu --example gate -- kernels.co`

use std::process::ExitCode;

use tyto_rdna_emu::{Code, Memory};

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: gate CODE-OBJECT");
        return ExitCode::FAILURE;
    };
    let memory = Memory::new();
    let file = match std::fs::read(&path) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("cannot read {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    };
    let code = match Code::load(&file, &memory) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    };
    println!("kernel                                    VGPR SGPR spills scratch    LDS");
    for kernel in &code.module.kernels {
        let (metadata, descriptor) = (&kernel.metadata, &kernel.descriptor);
        println!(
            "{:40} {:5} {:4} {:6} {:7} {:6}",
            metadata.name,
            metadata.vgprs,
            metadata.sgprs,
            metadata.vgpr_spills + metadata.sgpr_spills,
            descriptor.scratch_size,
            descriptor.lds_size
        );
    }
    let unknown = code.unknown();
    for (offset, text, reason) in &unknown {
        println!("{offset:#x} `{text}`: {reason}");
    }
    if unknown.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
