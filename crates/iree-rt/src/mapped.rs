//! Files mapped into memory.

use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::{Mmap, MmapMut, MmapOptions};

use crate::Error;

/// A whole file mapped into memory. Clones share the mapping; it goes with the last user,
/// which may be a program that holds parameters in it.
///
/// Pages are shared with the page cache, so mapping costs no memory of its own. The mapping is
/// private: should a program ever write into it, the file is not changed. The file must not be
/// truncated while mapped.
#[derive(Debug, Clone)]
pub struct MappedFile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    map: Map,
}

#[derive(Debug)]
enum Map {
    Private(MmapMut),
    ReadOnly(Mmap),
}

impl MappedFile {
    /// Maps the file at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<MappedFile, Error> {
        let path = path.as_ref();
        let failed = |source| Error::Map { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        // Writable, so that a stray write of compiled code to an imported parameter is a
        // private page and not a crash; without reservation, so that a model larger than
        // memory can still be mapped.
        // SAFETY: the mapping is private; that others do not truncate the file is the
        // documented condition of this type.
        let map = unsafe { MmapOptions::new().no_reserve_swap().map_copy(&file) };
        let map = map.map_err(failed)?;
        Ok(MappedFile(Arc::new(Inner { path: path.to_owned(), map: Map::Private(map) })))
    }

    /// The same without the right to write. A driver that prepares writable private pages for a GPU
    /// makes each a page of its own, which is a copy; these it uses as they are, or refuses.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<MappedFile, Error> {
        let path = path.as_ref();
        let failed = |source| Error::Map { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        // SAFETY: nobody writes through it; that others do not truncate the file is the documented
        // condition of this type.
        let map = unsafe { MmapOptions::new().map(&file) }.map_err(failed)?;
        Ok(MappedFile(Arc::new(Inner { path: path.to_owned(), map: Map::ReadOnly(map) })))
    }

    /// Tells the system that all of the file will be used, soon and again and again. It reads
    /// ahead what is not in memory yet, in huge pages where it can; this does not wait for it.
    pub fn will_need(&self) {
        // Advice: without it, small pages come when they are touched.
        #[cfg(target_os = "linux")]
        self.advise(memmap2::Advice::HugePage);
        #[cfg(unix)]
        self.advise(memmap2::Advice::WillNeed);
    }

    #[cfg(unix)]
    fn advise(&self, advice: memmap2::Advice) {
        let _ = match &self.0.map {
            Map::Private(map) => map.advise(advice),
            Map::ReadOnly(map) => map.advise(advice),
        };
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl Deref for MappedFile {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &self.0.map {
            Map::Private(map) => map,
            Map::ReadOnly(map) => map,
        }
    }
}
