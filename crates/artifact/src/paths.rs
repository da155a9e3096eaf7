//! Paths inside an artifact: relative, plain, and never leading out of it.

use std::path::{Component, Path, PathBuf};

use crate::error::Error;

/// The file of a path as the manifest writes it.
///
/// Refuses absolute paths, `..`, `.`, backslashes, empty parts and NUL, whatever
/// the system makes of them. Symbolic links are refused where files are opened.
pub(crate) fn resolve(artifact: &Path, path: &str) -> Result<PathBuf, Error> {
    let plain = |part: &str| {
        let mut components = Path::new(part).components();
        matches!(components.next(), Some(Component::Normal(_))) && components.next().is_none()
    };
    let safe = !path.contains(['\\', '\0', ':']) && path.split('/').all(plain);
    if !safe {
        return Err(Error::UnsafePath { artifact: artifact.to_owned(), path: path.to_owned() });
    }
    Ok(artifact.join(path))
}

/// Checks that no directory between the artifact and a file is a link, and that
/// the file is one. Returns its length.
pub(crate) fn check_plain(artifact: &Path, path: &str) -> Result<u64, Error> {
    let file = resolve(artifact, path)?;
    let mut current = artifact.to_owned();
    let parts: Vec<&str> = path.split('/').collect();
    for (index, part) in parts.iter().enumerate() {
        current.push(part);
        let metadata = match std::fs::symlink_metadata(&current) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => return Err(Error::MissingFile { path: file }),
            Err(error) => return Err(Error::io(current, "cannot be looked at", error)),
        };
        let is_last = index + 1 == parts.len();
        let found = match metadata.file_type() {
            kind if kind.is_symlink() => "a symbolic link",
            kind if is_last && kind.is_file() => return Ok(metadata.len()),
            kind if !is_last && kind.is_dir() => continue,
            kind if kind.is_dir() => "a directory",
            _ => "something else",
        };
        return Err(Error::NotAPlainFile { path: current, found });
    }
    Err(Error::MissingFile { path: file })
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_resolve() {
        let artifact = Path::new("/models/a.tyto");
        assert_eq!(
            resolve(artifact, "code/cpu/module.vmfb").expect("a plain path"),
            Path::new("/models/a.tyto/code/cpu/module.vmfb")
        );
        for path in [
            "",
            "/etc/passwd",
            "..",
            "../b",
            "a/../../b",
            "a/./b",
            ".",
            "a//b",
            "a/",
            "a\\..\\b",
            "C:x",
            "a\0b",
        ] {
            assert!(matches!(resolve(artifact, path), Err(Error::UnsafePath { .. })), "{path:?}");
        }
    }
}
