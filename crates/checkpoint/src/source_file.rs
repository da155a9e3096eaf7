//! One file's bytes, mapped into memory or read into it.

use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::checkpoint::Access;
use crate::error::Error;

/// A file that stays readable for the life of the checkpoint.
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    bytes: Bytes,
}

enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl SourceFile {
    /// Opens `path`; `access` decides between a mapping and a copy in memory.
    pub(crate) fn open(path: &Path, access: Access) -> Result<SourceFile, Error> {
        let io = |action| move |source| Error::Io { file: path.to_path_buf(), action, source };
        let mut file = File::open(path).map_err(io("open"))?;
        let size = file.metadata().map_err(io("read its size"))?.len();
        let bytes = match access {
            // An empty file cannot be mapped everywhere, and needs no mapping.
            Access::Mapped if size > 0 => {
                // SAFETY: the mapping is read-only and private to this process. The bytes would only
                // change under us if another process rewrote the model while it is in use, which
                // every engine that maps weights excludes by contract (see `Access::Mapped`);
                // nothing here relies on two reads giving the same value for memory safety.
                let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io("map into memory"))?;
                Bytes::Mapped(map)
            }
            _ => {
                let mut owned = Vec::new();
                file.read_to_end(&mut owned).map_err(io("read"))?;
                Bytes::Owned(owned)
            }
        };
        Ok(SourceFile { path: path.to_path_buf(), bytes })
    }

    /// A file that exists only in memory.
    pub(crate) fn from_bytes(path: &Path, bytes: Vec<u8>) -> SourceFile {
        SourceFile { path: path.to_path_buf(), bytes: Bytes::Owned(bytes) }
    }

    /// The file's name without its directory, for messages and listings.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

impl Deref for SourceFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Owned(owned) => owned,
        }
    }
}
