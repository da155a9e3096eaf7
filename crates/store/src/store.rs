//! The folder of models.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::name::HubName;

/// The file that says what a folder holds. It is written last.
const RECORD: &str = "tyto.json";

/// A folder of models.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// A complete model in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredModel {
    /// Its name, with the revision that was asked for.
    pub name: HubName,
    /// What the revision was.
    pub commit: String,
    /// The model directory, or the GGUF file.
    pub path: PathBuf,
    /// Its files.
    pub files: Vec<StoredFile>,
    /// When it was loaded, in seconds since 1970.
    pub pulled: u64,
    folder: PathBuf,
}

/// A file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
}

#[derive(Serialize, Deserialize)]
struct Record {
    repository: String,
    revision: Option<String>,
    file: Option<String>,
    commit: String,
    pulled: u64,
    files: Vec<StoredFile>,
}

impl StoredModel {
    /// The bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

impl Store {
    /// The store in this folder, which need not be there yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The store of the person who runs this: in `TYTO_HOME`, else in the folder `tyto` of
    /// `XDG_CACHE_HOME` or of `~/.cache`.
    pub fn of_user() -> Result<Self, Error> {
        let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty());
        let root = match (folder("TYTO_HOME"), folder("XDG_CACHE_HOME"), folder("HOME")) {
            (Some(home), _, _) => PathBuf::from(home),
            (None, Some(cache), _) => PathBuf::from(cache).join("tyto"),
            (None, None, Some(home)) => PathBuf::from(home).join(".cache/tyto"),
            (None, None, None) => return Err(Error::NoHome),
        };
        Ok(Self::at(root))
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The newest model of this name.
    pub fn find(&self, name: &HubName) -> Result<Option<StoredModel>, Error> {
        let mut all = self.of_repository(&self.folder(name))?;
        all.retain(|model| model.name.file == name.file && is_revision(model, name.revision()));
        Ok(all.into_iter().max_by_key(|model| model.pulled))
    }

    /// All models, by name.
    pub fn list(&self) -> Result<Vec<StoredModel>, Error> {
        let mut all = Vec::new();
        for folder in folders(&self.root.join("models"))? {
            all.extend(self.of_repository(&folder)?);
        }
        all.sort_by_key(|model| (model.name.to_string(), model.pulled));
        Ok(all)
    }

    /// Removes the models of this name, every revision and file where it says none, and what was
    /// loaded of incomplete ones. Gives those that were complete.
    pub fn remove(&self, name: &HubName) -> Result<Vec<StoredModel>, Error> {
        let folder = self.folder(name);
        let mut removed = self.of_repository(&folder)?;
        removed.retain(|model| {
            (name.file.is_none() || model.name.file == name.file)
                && (name.revision.is_none() || is_revision(model, name.revision()))
        });
        for model in &removed {
            fs::remove_dir_all(&model.folder).map_err(Error::io(&model.folder))?;
        }
        let is_whole = name.file.is_none() && name.revision.is_none();
        if removed.is_empty() && !(is_whole && folder.is_dir()) {
            return Err(Error::Absent { name: name.to_string() });
        }
        if is_whole {
            fs::remove_dir_all(&folder).map_err(Error::io(&folder))?;
        }
        Ok(removed)
    }

    /// The folder of a repository.
    pub(crate) fn folder(&self, name: &HubName) -> PathBuf {
        self.root.join("models").join(name.folder())
    }

    /// The folder of one commit, and of one GGUF file of it.
    pub(crate) fn commit_folder(&self, name: &HubName, commit: &str) -> PathBuf {
        let file = name.file.as_ref().map(|file| format!("--{file}")).unwrap_or_default();
        self.folder(name).join(format!("{commit}{file}"))
    }

    /// Says that a folder is complete.
    pub(crate) fn record(
        &self,
        name: &HubName,
        commit: &str,
        files: Vec<StoredFile>,
    ) -> Result<StoredModel, Error> {
        let folder = self.commit_folder(name, commit);
        // A clock before 1970 is a broken clock.
        let pulled = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
        let record = Record {
            repository: name.repository(),
            revision: name.revision.clone(),
            file: name.file.clone(),
            commit: commit.to_owned(),
            pulled,
            files,
        };
        let text = serde_json::to_vec_pretty(&record).expect("a record is plain JSON");
        let (path, new) = (folder.join(RECORD), folder.join(format!("{RECORD}.new")));
        fs::write(&new, text).map_err(Error::io(&new))?;
        fs::rename(&new, &path).map_err(Error::io(&path))?;
        Ok(stored(record, folder).expect("the record was just made of a good name"))
    }

    /// The complete models in a repository's folder.
    fn of_repository(&self, folder: &Path) -> Result<Vec<StoredModel>, Error> {
        let read = |folder: PathBuf| {
            let text = fs::read(folder.join(RECORD)).ok()?;
            stored(serde_json::from_slice(&text).ok()?, folder)
        };
        Ok(folders(folder)?.into_iter().filter_map(read).collect())
    }
}

/// Keeps other processes from loading into the same repository; ends with the file.
pub(crate) fn lock(folder: &Path) -> Result<File, Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(Error::io(&path))?;
    file.lock().map_err(Error::io(&path))?;
    Ok(file)
}

fn stored(record: Record, folder: PathBuf) -> Option<StoredModel> {
    let mut name: HubName = record.repository.parse().ok()?;
    name.revision = record.revision;
    name.file = record.file;
    let path = match record.files.as_slice() {
        [one] if one.name.ends_with(".gguf") => folder.join(&one.name),
        _ => folder.clone(),
    };
    let is_there = record.files.iter().all(|file| {
        fs::metadata(folder.join(&file.name)).is_ok_and(|found| found.len() == file.bytes)
    });
    let Record { commit, files, pulled, .. } = record;
    is_there.then_some(StoredModel { name, commit, path, files, pulled, folder })
}

/// Whether a model is of a branch, a tag or a commit, which may be shortened.
fn is_revision(model: &StoredModel, revision: &str) -> bool {
    model.name.revision() == revision || (revision.len() >= 7 && model.commit.starts_with(revision))
}

/// The folders in a folder; none if it is not there.
fn folders(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io(path)(error)),
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(Error::io(path))?;
    paths.retain(|path| path.is_dir());
    Ok(paths)
}
