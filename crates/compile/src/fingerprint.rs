//! Names for contents: equal inputs give equal names, so that work is reused safely.

use std::path::Path;

use crate::Error;

/// Hashes named parts so that no two different sequences of parts are hashed alike.
#[derive(Default)]
pub(crate) struct Fingerprint(blake3::Hasher);

impl Fingerprint {
    /// Adds a part.
    pub(crate) fn add(&mut self, name: &str, content: &[u8]) -> &mut Self {
        for part in [name.as_bytes(), content] {
            self.0.update(&(part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
        self
    }

    /// Adds a whole file.
    pub(crate) fn add_file(&mut self, path: &Path) -> Result<&mut Self, Error> {
        let mut hasher = blake3::Hasher::new();
        let read = hasher.update_mmap_rayon(path);
        read.map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(self.add(&name, hasher.finalize().as_bytes()))
    }

    /// 128 bits in hexadecimal: enough that a collision is no concern, short in a file name.
    pub(crate) fn name(&self) -> String {
        self.0.finalize().to_hex()[..32].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let name = |parts: &[(&str, &str)]| {
            let mut print = Fingerprint::default();
            for (name, content) in parts {
                print.add(name, content.as_bytes());
            }
            print.name()
        };
        assert_ne!(name(&[("a", "bc")]), name(&[("ab", "c")]));
        assert_ne!(name(&[("a", "b"), ("c", "")]), name(&[("a", "bc")]));
        assert_eq!(name(&[("a", "b")]), name(&[("a", "b")]));
        assert_eq!(name(&[]).len(), 32);
    }
}
