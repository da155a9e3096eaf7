//! The repository as its own tests see it: files, sources, cargo's metadata.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("tests/ lies in the repository")
}

/// The text of a file, by its path from the root.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// Every file below `folder` with that extension, as paths from the root, sorted; build outputs and
/// hidden folders left out.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder's entry can be read").path();
            let name =
                path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !matches!(name.as_str(), "target" | "models") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path.strip_prefix(&root).expect("below the root").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The code of a source file, line by line and numbered from 1, without line comments.
pub fn code_lines(path: &Path) -> Vec<(usize, String)> {
    let without_comment = |line: &str| match line.find("//") {
        // A URL in a string keeps its slashes.
        Some(at) if !line[..at].ends_with(':') => line[..at].to_owned(),
        _ => line.to_owned(),
    };
    read(path).lines().enumerate().map(|(index, line)| (index + 1, without_comment(line))).collect()
}

/// The folder of the crate a source file belongs to: `graph` for `crates/graph/src/lib.rs`.
pub fn crate_of(path: &Path) -> Option<String> {
    let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    (parts.next()? == "crates").then(|| parts.next()).flatten()
}

/// `cargo metadata` of the workspace, from what is on this machine.
pub fn metadata(arguments: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs, since it runs this test");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}
