//! Reading small files of the kernel below a root.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// A file that is there and could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    /// The file, without the root.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// The root, and what could not be read so far.
pub(crate) struct Source {
    root: PathBuf,
    unreadable: RefCell<Vec<Unreadable>>,
}

impl Source {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), unreadable: RefCell::default() }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    /// The file's text without surrounding space; `None` if there is no such file.
    pub(crate) fn text(&self, file: &str) -> Option<String> {
        match std::fs::read(self.path(file)) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                self.note(file, error.to_string());
                None
            }
        }
    }

    /// The file's text as `parse` understands it; `expected` says what that is.
    pub(crate) fn value<T>(
        &self,
        file: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(file)?;
        let value = parse(&text);
        if value.is_none() {
            let found: String = text.chars().take(40).collect();
            self.note(file, format!("found {found:?}, expected {expected}"));
        }
        value
    }

    /// A decimal number.
    pub(crate) fn number(&self, file: &str) -> Option<u64> {
        self.value(file, "a number", |text| text.parse().ok())
    }

    /// A number such as `0x1002`.
    pub(crate) fn hexadecimal(&self, file: &str) -> Option<u64> {
        self.value(file, "a hexadecimal number", |text| {
            u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
        })
    }

    /// The names in a directory, sorted; none if there is no such directory.
    pub(crate) fn names(&self, directory: &str) -> Vec<String> {
        let entries = match std::fs::read_dir(self.path(directory)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.note(directory, error.to_string());
                return Vec::new();
            }
        };
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().ok();
        let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
        names.sort();
        names
    }

    pub(crate) fn note(&self, file: &str, reason: String) {
        self.unreadable.borrow_mut().push(Unreadable { file: format!("/{file}"), reason });
    }

    pub(crate) fn unreadable(&self) -> Vec<Unreadable> {
        self.unreadable.borrow().clone()
    }
}
