//! The few operations on a disk that writing needs, behind a trait so that a full
//! disk can be tested without filling one.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Where an artifact is written.
pub trait Disk: Send + Sync {
    /// Creates a file that does not exist yet.
    fn create(&self, path: &Path) -> io::Result<Box<dyn OpenedFile>>;
}

/// A file being written.
pub trait OpenedFile: Write + Send {
    /// Returns once everything written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The real disk.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn OpenedFile>> {
        Ok(Box::new(File::create_new(path)?))
    }
}

impl OpenedFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Makes the names in a directory durable.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    // Only Unix lets a directory be opened and synced.
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
