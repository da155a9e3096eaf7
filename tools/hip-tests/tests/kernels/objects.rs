//! The kernels' code objects.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The code object that has `kernel`: its file is compiled at the first use.
pub fn object_of(kernel: &str) -> &'static [u8] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    let files = FILES.get_or_init(files);
    let found = files.iter().find(|file| declares(&file.text, kernel));
    let file = found.unwrap_or_else(|| panic!("no file of kernels-hip declares {kernel}"));
    file.object.get_or_init(|| compile(&file.path))
}

/// A file of kernels.
struct File {
    path: PathBuf,
    text: String,
    object: OnceLock<Vec<u8>>,
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels-hip");
    let paths = std::fs::read_dir(&folder).expect("the kernels' folder");
    let paths = paths.map(|entry| entry.expect("an entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "hip"));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("text");
        File { path, text, object: OnceLock::new() }
    };
    sources.map(read).collect()
}

/// Whether a file's text declares the kernel, itself or by a macro of its family.
fn declares(source: &str, kernel: &str) -> bool {
    let macros: HashMap<&str, &str> = HashMap::from([
        ("TY_KERNEL(", ""),
        ("TY_MATVEC(", "ty_matvec_ ty_matvec8_"),
        ("TY_DECODE(", "ty_decode_"),
        ("TY_PREFILL(", "ty_prefill_"),
        ("TY_EXPERTS(", "ty_experts_"),
    ]);
    source.lines().any(|line| {
        macros.iter().any(|(name, prefixes)| {
            let Some(rest) = line.strip_prefix(name) else { return false };
            let word: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            match *prefixes {
                "" => word == kernel,
                many => many.split(' ').any(|prefix| format!("{prefix}{word}") == kernel),
            }
        })
    })
}

fn compile(source: &Path) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let object = folder.path().join("kernels.co");
    let output = Command::new("clang-22")
        .args(["-x", "hip", "--offload-arch=gfx1151", "--offload-device-only", "-nogpulib"])
        .args(["-nogpuinc", "-ffreestanding", "-ffp-contract=off", "-O3", "-std=c++17"])
        .args(["--no-gpu-bundle-output", "-o"])
        .args([&object, source])
        .output()
        .expect("clang-22 runs: tools/setup installs it");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", source.display());
    std::fs::read(&object).expect("clang wrote it")
}
