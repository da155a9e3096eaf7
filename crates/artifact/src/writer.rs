//! Writing an artifact so that it appears whole or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::check::check_manifest;
use crate::disk::{Disk, SystemDisk, sync_directory};
use crate::error::Error;
use crate::file_writer::{FileWriter, failed};
use crate::manifest::{FileEntry, Manifest, SCHEMA_VERSION};
use crate::partial::{self, Partial, beside, parent_of};
use crate::paths;
use crate::reader::{self, Artifact};
use crate::weights::WeightWriter;

/// Says from another thread (a Ctrl-C handler) that writing is to stop.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks for the end; the writer fails with [`Error::Cancelled`] within a megabyte.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteProgress {
    /// The file, as the manifest names it.
    pub file: String,
    /// Bytes of it written.
    pub file_bytes: u64,
    /// Bytes it will have, as far as that is known.
    pub announced_bytes: u64,
}

/// Writes an artifact into a directory beside its place and moves it there at the
/// end. Dropped before [`finish`](Self::finish), on an error or on purpose, it
/// removes what it wrote; an artifact already there stays as it was.
pub struct ArtifactWriter {
    destination: PathBuf,
    partial: Partial,
    /// What killed writers had left and is gone now.
    removed: Vec<PathBuf>,
    disk: Arc<dyn Disk>,
    cancel: CancelFlag,
    progress: Box<dyn FnMut(WriteProgress) + Send>,
    files: BTreeMap<String, FileEntry>,
}

impl ArtifactWriter {
    /// Starts an artifact that is to be at `destination` (NAME.tyto).
    ///
    /// Fails when something that is no artifact is there already.
    pub fn new(destination: &Path, cancel: CancelFlag) -> Result<Self, Error> {
        Self::on_disk(destination, cancel, Arc::new(SystemDisk))
    }

    /// Starts one that makes its files through `disk`.
    pub fn on_disk(
        destination: &Path,
        cancel: CancelFlag,
        disk: Arc<dyn Disk>,
    ) -> Result<Self, Error> {
        refuse_what_is_in_the_way(destination)?;
        let parent = parent_of(destination);
        std::fs::create_dir_all(&parent)
            .map_err(|error| failed(&parent, "cannot be created", error, 0))?;
        let removed = partial::remove_stale(destination);
        Ok(Self {
            destination: destination.to_owned(),
            partial: Partial::create(destination)?,
            removed,
            disk,
            cancel,
            progress: Box::new(|_| {}),
            files: BTreeMap::new(),
        })
    }

    /// Has `progress` called after each piece of a file that was written.
    pub fn with_progress(mut self, progress: impl FnMut(WriteProgress) + Send + 'static) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Directories that writers of this artifact had left when they were killed, and that are
    /// removed now.
    pub fn removed(&self) -> &[PathBuf] {
        &self.removed
    }

    /// Starts a file. `announced` is its size where known, 0 where not; it goes
    /// into progress and into the message of a full disk.
    pub fn file(&mut self, name: &str, announced: u64) -> Result<FileWriter<'_>, Error> {
        let path = self.place(name)?;
        FileWriter::create(self, name, path, announced)
    }

    /// Starts a weight file.
    pub fn weights(&mut self, name: &str, announced: u64) -> Result<WeightWriter<'_>, Error> {
        Ok(WeightWriter::new(name, self.file(name, announced)?))
    }

    /// Writes a whole file.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<FileEntry, Error> {
        let mut file = self.file(name, bytes.len() as u64)?;
        file.write(bytes)?;
        file.finish()
    }

    /// Copies a file from elsewhere.
    pub fn copy(&mut self, name: &str, source: &Path) -> Result<FileEntry, Error> {
        let unreadable = |error| Error::io(source, "cannot be read", error);
        let mut from = std::fs::File::open(source).map_err(unreadable)?;
        let bytes = from.metadata().map_err(unreadable)?.len();
        let mut file = self.file(name, bytes)?;
        reader::read_pieces(&mut from, source, |piece| file.write(piece))?;
        file.finish()
    }

    /// Takes a file over from another artifact after checking its hash: as a second
    /// name of the same bytes where the disk allows that, as a copy where not.
    pub fn reuse(&mut self, name: &str, from: &Artifact) -> Result<FileEntry, Error> {
        let entry = from.verify_file(name, |_| self.check_cancelled())?;
        let source = from.file_path(name)?;
        let place = self.place(name)?;
        if std::fs::hard_link(&source, &place).is_ok() {
            self.add_entry(name, entry.clone());
            return Ok(entry);
        }
        self.copy(name, &source)
    }

    /// Completes the manifest with the schema, the version and the files, checks it
    /// as a reader would, and puts the artifact in its place.
    pub fn finish(mut self, mut manifest: Manifest) -> Result<Artifact, Error> {
        manifest.schema_version = SCHEMA_VERSION;
        env!("CARGO_PKG_VERSION").clone_into(&mut manifest.tyto_version);
        manifest.files = self.files.clone();
        check_manifest(self.partial.path(), &manifest)?;
        let mut json =
            serde_json::to_vec_pretty(&manifest).expect("a manifest has only string keys");
        json.push(b'\n');
        let hash = format!("{}\n", blake3::hash(&json).to_hex());
        self.write_bare(reader::MANIFEST_HASH, hash.as_bytes())?;
        self.write_bare(reader::MANIFEST, &json)?;
        sync_tree(self.partial.path())?;
        self.check_cancelled()?;
        self.publish()?;
        Artifact::open(&self.destination)
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        self.disk.as_ref()
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled { path: self.destination.clone() });
        }
        Ok(())
    }

    pub(crate) fn report(&mut self, progress: WriteProgress) {
        (self.progress)(progress);
    }

    pub(crate) fn add_entry(&mut self, name: &str, entry: FileEntry) {
        self.files.insert(name.to_owned(), entry);
    }

    /// The path of a new file, its directories made.
    fn place(&mut self, name: &str) -> Result<PathBuf, Error> {
        let path = paths::resolve(self.partial.path(), name)?;
        let reserved = name == reader::MANIFEST || name == reader::MANIFEST_HASH;
        if reserved || self.files.contains_key(name) {
            return Err(Error::Duplicate { path: self.destination.clone(), name: name.to_owned() });
        }
        let parent = parent_of(&path);
        std::fs::create_dir_all(&parent)
            .map_err(|error| failed(&parent, "cannot be created", error, 0))?;
        Ok(path)
    }

    /// Writes a file that the manifest does not list.
    fn write_bare(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.partial.path().join(name);
        let mut file = FileWriter::create(self, name, path, bytes.len() as u64)?;
        file.write(bytes)?;
        file.finish()?;
        self.files.remove(name);
        Ok(())
    }

    /// Moves the finished directory to its place. The artifact that was there is
    /// moved aside first and back if the second move fails.
    fn publish(&mut self) -> Result<(), Error> {
        refuse_what_is_in_the_way(&self.destination)?;
        let old = beside(&self.destination, "old");
        let replaced = match std::fs::rename(&self.destination, &old) {
            Ok(()) => true,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
            Err(error) => return Err(Error::io(&self.destination, not_replaced(&error), error)),
        };
        if let Err(error) = std::fs::rename(self.partial.path(), &self.destination) {
            if replaced {
                std::fs::rename(&old, &self.destination)
                    .map_err(|error| Error::io(&old, "cannot be moved back to its place", error))?;
            }
            return Err(Error::io(&self.destination, "cannot be moved into place", error));
        }
        self.partial.keep();
        let parent = parent_of(&self.destination);
        sync_directory(&parent).map_err(|error| Error::io(&parent, "cannot be synced", error))?;
        if replaced {
            std::fs::remove_dir_all(&old)
                .map_err(|error| Error::io(&old, "cannot be removed", error))?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for ArtifactWriter {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ArtifactWriter")
            .field("destination", &self.destination)
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}

/// What became of an artifact that was not moved aside. Overlay file systems, as containers have them, move
/// no directory of a lower layer.
fn not_replaced(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::CrossesDevices => {
            "cannot be replaced, for it is part of a container's image: remove it first, or write to \
             another path"
        }
        _ => "cannot be replaced",
    }
}

/// Only an artifact or an empty directory may be replaced.
fn refuse_what_is_in_the_way(destination: &Path) -> Result<(), Error> {
    let in_the_way = || Error::InTheWay { path: destination.to_owned() };
    match std::fs::symlink_metadata(destination) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io(destination, "cannot be looked at", error)),
        Ok(metadata) if !metadata.is_dir() => Err(in_the_way()),
        Ok(_) => {
            let mut entries = std::fs::read_dir(destination)
                .map_err(|error| Error::io(destination, "cannot be read", error))?;
            let replaceable =
                destination.join(reader::MANIFEST).is_file() || entries.next().is_none();
            if replaceable { Ok(()) } else { Err(in_the_way()) }
        }
    }
}

/// Makes every name below a directory durable; the files themselves already are.
fn sync_tree(directory: &Path) -> Result<(), Error> {
    let unreadable = |error| Error::io(directory, "cannot be read", error);
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.file_type().map_err(unreadable)?.is_dir() {
            sync_tree(&entry.path())?;
        }
    }
    sync_directory(directory).map_err(|error| Error::io(directory, "cannot be synced", error))
}
