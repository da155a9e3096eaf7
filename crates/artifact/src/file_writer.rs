//! One file of an artifact being written: hashed, counted and cancellable.

use std::path::PathBuf;

use crate::disk::OpenedFile;
use crate::error::Error;
use crate::manifest::FileEntry;
use crate::writer::{ArtifactWriter, WriteProgress};

/// Bytes between two looks at the cancel flag.
const CHUNK: usize = 1 << 20;

/// Writes one file; made by [`ArtifactWriter::file`].
///
/// The file belongs to the artifact after [`finish`](Self::finish); dropped before
/// that, it is removed.
pub struct FileWriter<'a> {
    writer: &'a mut ArtifactWriter,
    name: String,
    path: PathBuf,
    file: Option<Box<dyn OpenedFile>>,
    hasher: blake3::Hasher,
    written: u64,
    announced: u64,
}

impl<'a> FileWriter<'a> {
    pub(crate) fn create(
        writer: &'a mut ArtifactWriter,
        name: &str,
        path: PathBuf,
        announced: u64,
    ) -> Result<Self, Error> {
        let created = writer.disk().create(&path);
        let file = created.map_err(|error| failed(&path, "cannot be created", error, announced))?;
        Ok(Self {
            writer,
            name: name.to_owned(),
            path,
            file: Some(file),
            hasher: blake3::Hasher::new(),
            written: 0,
            announced,
        })
    }

    /// Appends bytes. Fails when the disk is full or writing was cancelled.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for chunk in bytes.chunks(CHUNK) {
            self.writer.check_cancelled()?;
            let file = self.file.as_mut().expect("the file is open until it is finished");
            let needed = self.announced.max(self.written + bytes.len() as u64) - self.written;
            file.write_all(chunk)
                .map_err(|error| failed(&self.path, "cannot be written", error, needed))?;
            self.hasher.update(chunk);
            self.written += chunk.len() as u64;
            self.writer.report(WriteProgress {
                file: self.name.clone(),
                file_bytes: self.written,
                announced_bytes: self.announced.max(self.written),
            });
        }
        Ok(())
    }

    /// Bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The file on the disk, for errors.
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// Puts the file on the disk for good and into the artifact.
    pub fn finish(mut self) -> Result<FileEntry, Error> {
        let file = self.file.as_mut().expect("the file is open until it is finished");
        // A full disk may only show when delayed writes are forced out.
        let needed = self.announced.max(self.written);
        let flushed = file.flush().and_then(|()| file.sync());
        flushed.map_err(|error| failed(&self.path, "cannot be written", error, needed))?;
        self.file = None;
        let blake3 = self.hasher.finalize().to_hex().to_string();
        let entry = FileEntry { bytes: self.written, blake3 };
        self.writer.add_entry(&self.name, entry.clone());
        Ok(entry)
    }
}

impl Drop for FileWriter<'_> {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // The whole directory goes away if this fails.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl std::fmt::Debug for FileWriter<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("FileWriter")
            .field("path", &self.path)
            .field("written", &self.written)
            .finish()
    }
}

/// An error of the system while writing; `needed` bytes were still to come.
pub(crate) fn failed(
    path: &std::path::Path,
    action: &'static str,
    error: std::io::Error,
    needed: u64,
) -> Error {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            Error::DiskFull { path: path.to_owned(), needed }
        }
        _ => Error::io(path, action, error),
    }
}
