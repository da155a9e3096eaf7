//! Where IREE's compiler library may be.

use std::env;
use std::path::{Path, PathBuf};

use crate::Error;

const FILE: &str = "libIREECompiler.so";
const VARIABLE: &str = "TYTO_IREE_COMPILER";
const INSTALL: &str = "pip install iree-base-compiler==3.13.0";

/// The library: the named file or directory, or the first that exists of the usual places.
pub(crate) fn library(explicit: Option<&Path>) -> Result<PathBuf, Error> {
    let named = explicit.map(Path::to_owned).or_else(|| env::var_os(VARIABLE).map(PathBuf::from));
    let candidates = match named {
        // A name is a decision: nothing else is taken in its place.
        Some(path) if path.is_dir() => vec![path.join(FILE)],
        Some(path) => vec![path],
        None => usual_places(),
    };
    match candidates.iter().find(|path| path.is_file()) {
        Some(found) => Ok(found.clone()),
        None => Err(Error::CompilerMissing { tried: candidates, install: INSTALL }),
    }
}

/// Beside the executable, then virtual environments: the active one, the working directory's,
/// and those above the executable.
fn usual_places() -> Vec<PathBuf> {
    let executable = env::current_exe().ok();
    let mut places = Vec::new();
    if let Some(directory) = executable.as_deref().and_then(Path::parent) {
        places.push(directory.join("../lib").join(FILE));
    }
    let mut environments: Vec<PathBuf> = Vec::new();
    environments.extend(env::var_os("VIRTUAL_ENV").map(PathBuf::from));
    environments.extend(env::current_dir().ok().map(|d| d.join(".venv")));
    let above = executable.iter().flat_map(|e| e.ancestors().skip(1)).map(|d| d.join(".venv"));
    environments.extend(above);
    environments.dedup();
    places.extend(environments.iter().flat_map(|e| in_environment(e)));
    places
}

/// The library's place in a Python environment, for each Python version there.
fn in_environment(environment: &Path) -> Vec<PathBuf> {
    let inside = |python: &Path| python.join("site-packages/iree/compiler/_mlir_libs").join(FILE);
    let lib = environment.join("lib");
    let mut pythons: Vec<PathBuf> = std::fs::read_dir(&lib)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| {
            path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b"python3"))
        })
        .collect();
    pythons.sort();
    if pythons.is_empty() {
        pythons.push(lib.join("python3*"));
    }
    pythons.iter().map(|p| inside(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_is_searched_for_every_python() {
        let environment = tempfile::tempdir().expect("creates");
        let root = environment.path();
        let [missing] = &in_environment(root)[..] else { panic!("one place") };
        assert!(missing.starts_with(root.join("lib/python3*")), "{missing:?}");
        let inside = root.join("lib/python3.11/site-packages/iree/compiler/_mlir_libs");
        std::fs::create_dir_all(&inside).expect("creates");
        std::fs::create_dir_all(root.join("lib/python3.12")).expect("creates");
        assert_eq!(in_environment(root).len(), 2);
        assert_eq!(in_environment(root)[0], inside.join(FILE));
        // A named directory is searched for the file; a name never falls through.
        assert!(
            matches!(library(Some(&inside)), Err(Error::CompilerMissing { tried, .. }) if tried == [inside.join(FILE)])
        );
        std::fs::write(inside.join(FILE), b"").expect("writes");
        assert_eq!(library(Some(&inside)).expect("exists"), inside.join(FILE));
    }

    #[test]
    fn usual_places_include_environments_above_the_executable() {
        let executable = env::current_exe().expect("Linux has it");
        let above = executable.ancestors().nth(3).expect("target/release/deps").join(".venv");
        assert!(usual_places().iter().any(|p| p.starts_with(&above)), "{:?}", usual_places());
    }
}
