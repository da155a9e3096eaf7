//! Puts the library into a folder under the names by which drivers look for ROCm's.
//!
//! `cargo run --release -p tyto-rdna-emu-runtime --example install -- FOLDER`
//!
//! The library is one file; the other names are links to it, so that a process that loads two of them has one device.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The file, and the links to it.
const FILE: &str = "libhsa-runtime64.so.1";
const LINKS: [&str; 3] = ["libhsa-runtime64.so", "libamdhip64.so", "libamdhip64.so.6"];

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: install FOLDER");
        return ExitCode::FAILURE;
    };
    match install(&folder) {
        Ok(()) => {
            println!("{}", folder.join(FILE).display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot install into {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn install(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    // Cargo builds the library beside its examples' folder.
    let here = std::env::current_exe()?;
    let built =
        here.ancestors().nth(2).unwrap_or(Path::new("")).join("libtyto_rdna_emu_runtime.so");
    std::fs::copy(built, folder.join(FILE))?;
    for link in LINKS.map(|name| folder.join(name)) {
        match std::fs::remove_file(&link) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => std::os::unix::fs::symlink(FILE, link)?,
        }
    }
    Ok(())
}
