//! The directory that an artifact is written in before it has its place, and those that
//! writers left when they were killed.

use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::file_writer::failed;

/// What comes between an artifact's name and a random number in the directory's name.
const WORD: &str = "partial";

/// How often a directory is made again after another process took it for a stale one.
const ATTEMPTS: usize = 16;

/// A directory beside an artifact's place. It is locked for as long as this lives, which the
/// system ends with the process however that ends; dropped, it is removed.
#[derive(Debug)]
pub(crate) struct Partial {
    path: PathBuf,
    /// `None` where the disk has no locks: then no process can take the directory for a stale one.
    _lock: Option<File>,
    kept: bool,
}

impl Partial {
    /// Makes the directory; that beside it must exist.
    pub(crate) fn create(destination: &Path) -> Result<Self, Error> {
        for _ in 0..ATTEMPTS {
            let path = beside(destination, WORD);
            std::fs::create_dir(&path)
                .map_err(|error| failed(&path, "cannot be created", error, 0))?;
            // Between these two lines another process may find it unlocked and remove it.
            match lock(&path) {
                Ok(lock) if path.is_dir() => {
                    return Ok(Self { path, _lock: Some(lock), kept: false });
                }
                Ok(_) | Err(Busy::Locked | Busy::Gone) => {}
                Err(Busy::NoLocks) => return Ok(Self { path, _lock: None, kept: false }),
            }
        }
        let error = std::io::Error::from(std::io::ErrorKind::ResourceBusy);
        Err(Error::io(destination, "cannot be written: other processes remove what is new", error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Says that the directory has been moved to its place.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.kept {
            // Nothing can be done here if the disk refuses; the name says what it is.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Removes what writers of this artifact left that were killed, and says what that was. A
/// directory whose writer lives stays, and so does what cannot be removed.
pub(crate) fn remove_stale(destination: &Path) -> Vec<PathBuf> {
    let Some(name) = destination.file_name().and_then(|name| name.to_str()) else {
        return Vec::new();
    };
    let start = format!("{name}.{WORD}-");
    let is_ours = |name: &str| {
        let number = name.strip_prefix(&start);
        number.is_some_and(|n| n.len() == 16 && n.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let parent = parent_of(destination);
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let stale = entries.filter(|entry| {
        // A link is nothing that a writer made.
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        is_directory && entry.file_name().to_str().is_some_and(is_ours)
    });
    let removed = stale.map(|entry| entry.path()).filter(|path| {
        let lock = lock(path);
        lock.is_ok() && std::fs::remove_dir_all(path).is_ok()
    });
    removed.collect()
}

/// Why a directory was not locked.
enum Busy {
    Locked,
    Gone,
    NoLocks,
}

fn lock(path: &Path) -> Result<File, Busy> {
    let directory = File::open(path).map_err(|_| Busy::Gone)?;
    match directory.try_lock() {
        Ok(()) => Ok(directory),
        Err(TryLockError::WouldBlock) => Err(Busy::Locked),
        Err(TryLockError::Error(_)) => Err(Busy::NoLocks),
    }
}

pub(crate) fn parent_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// `NAME.tyto.WORD-RANDOM` in the same directory.
pub(crate) fn beside(destination: &Path, word: &str) -> PathBuf {
    let random = RandomState::new().build_hasher().finish();
    let mut name = destination.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{word}-{random:016x}"));
    destination.with_file_name(name)
}
