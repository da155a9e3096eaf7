//! Opening, checking and using an artifact.

use std::cmp::Ordering;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::check::check_manifest;
use crate::error::Error;
use crate::host::HostTarget;
use crate::manifest::{FileEntry, Manifest, SCHEMA_VERSION, Target};
use crate::mapping::MappedWeights;
use crate::paths;

pub(crate) const MANIFEST: &str = "manifest.json";
/// BLAKE3 of manifest.json, in hexadecimal; the manifest cannot hold its own.
pub(crate) const MANIFEST_HASH: &str = "manifest.blake3";

/// Bytes read at a time when a file is hashed or copied.
const PIECE: usize = 1 << 20;

/// An artifact whose manifest was read and whose files are all there in full size.
#[derive(Debug, Clone)]
pub struct Artifact {
    path: PathBuf,
    manifest: Manifest,
}

/// How far a verification is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The file being read.
    pub file: String,
    /// Bytes of all files checked.
    pub done_bytes: u64,
    /// Bytes of all files.
    pub total_bytes: u64,
}

/// What serving takes, apart from the program itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryNeeded {
    /// Weights, mapped from their file.
    pub weights_bytes: u64,
    /// The key and value cache.
    pub kv_bytes: u64,
    /// Copies of recurrent states, beside the cache.
    pub snapshot_bytes: u64,
    /// On a GPU, what must be there beside both: scratch of phase programs and logits; with plain
    /// compiled code also a second copy of the matrices, in the order in which its products read
    /// them. Its other intermediate results are not in it. 0 on a processor.
    pub workspace_bytes: u64,
}

impl MemoryNeeded {
    /// All of it.
    pub fn total_bytes(&self) -> u64 {
        let parts = [self.kv_bytes, self.snapshot_bytes, self.workspace_bytes];
        parts.into_iter().fold(self.weights_bytes, u64::saturating_add)
    }

    /// The same, with room for so many copies of the target's recurrent states.
    #[must_use]
    pub fn with_snapshots(self, target: &Target, snapshots: usize) -> Self {
        let snapshot_bytes = target.phases.map_or(0, |phases| phases.snapshot_bytes(snapshots));
        Self { snapshot_bytes, ..self }
    }
}

impl Artifact {
    /// Reads the manifest and looks at every file it lists, not into them: a missing
    /// file, one of another size, a link, a path that leads outside, a damaged
    /// manifest and another schema are refused here. Costs the same for any size.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let manifest = read_manifest(path)?;
        check_manifest(path, &manifest)?;
        for (name, entry) in &manifest.files {
            let found = paths::check_plain(path, name)?;
            if found != entry.bytes {
                let path = path.join(name);
                return Err(Error::WrongSize { path, found, expected: entry.bytes });
            }
        }
        Ok(Self { path: path.to_owned(), manifest })
    }

    /// The artifact's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is inside.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Reads every file and compares its hash; the first damaged one is the error.
    pub fn verify(&self, mut progress: impl FnMut(Progress)) -> Result<(), Error> {
        let total_bytes = self.manifest.files.values().map(|entry| entry.bytes).sum();
        let mut done_bytes = 0;
        for name in self.manifest.files.keys() {
            self.verify_file(name, |bytes| {
                done_bytes += bytes;
                progress(Progress { file: name.clone(), done_bytes, total_bytes });
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Checks one file, calling `piece` with the length of each piece read.
    pub(crate) fn verify_file(
        &self,
        name: &str,
        mut piece: impl FnMut(u64) -> Result<(), Error>,
    ) -> Result<FileEntry, Error> {
        let path = self.file_path(name)?;
        let entry = &self.manifest.files[name];
        let mut file = std::fs::File::open(&path)
            .map_err(|error| Error::io(&path, "cannot be read", error))?;
        let mut hasher = blake3::Hasher::new();
        read_pieces(&mut file, &path, |bytes| {
            hasher.update(bytes);
            piece(bytes.len() as u64)
        })?;
        let found = hasher.finalize().to_hex().to_string();
        if found != entry.blake3 {
            return Err(Error::WrongHash { path, found, expected: entry.blake3.clone() });
        }
        Ok(entry.clone())
    }

    /// The best target this machine can run: the one that uses most of its
    /// features. The refusal names the targets and the machine.
    pub fn select_target(&self, host: &HostTarget) -> Result<&Target, Error> {
        let fitting =
            self.manifest.targets.iter().filter(|target| host.missing_for(target).is_empty());
        // max_by_key takes the last of equals; the first listed is preferred.
        fitting
            .rev()
            .max_by_key(|target| target.cpu_features.len())
            .ok_or_else(|| self.no_target(host))
    }

    /// A target by name, if this machine can run it.
    pub fn target(&self, name: &str, host: &HostTarget) -> Result<&Target, Error> {
        let named = self.manifest.targets.iter().find(|target| target.name == name);
        named
            .filter(|target| host.missing_for(target).is_empty())
            .ok_or_else(|| self.no_target(host))
    }

    /// The path of a file that the manifest lists.
    pub fn file_path(&self, name: &str) -> Result<PathBuf, Error> {
        let path = paths::resolve(&self.path, name)?;
        if self.manifest.files.contains_key(name) {
            Ok(path)
        } else {
            Err(Error::MissingFile { path })
        }
    }

    /// Reads a whole file that the manifest lists, such as a module.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let path = self.file_path(name)?;
        std::fs::read(&path).map_err(|error| Error::io(path, "cannot be read", error))
    }

    /// The directory with the tokenizer and its companions.
    pub fn tokenizer_directory(&self) -> PathBuf {
        self.path.join("tokenizer")
    }

    /// The memory that serving a target with so many cache blocks takes; a target that is compiled
    /// for a number of its own has that.
    pub fn memory_needed(&self, target: &Target, blocks: usize) -> MemoryNeeded {
        let weights_bytes = self.manifest.files.get(&target.weights).map_or(0, |entry| entry.bytes);
        let sequences = target.entries.iter().map(|entry| entry.batch).max().unwrap_or(0);
        let (block_bytes, slot_blocks) = match &target.phases {
            Some(phases) => (phases.block_bytes, phases.slot_blocks(sequences)),
            None => {
                let bytes = self.manifest.model.kv_block_bytes();
                (bytes.expect("the cache's type was checked when the artifact was opened"), 0)
            }
        };
        let blocks = slot_blocks.saturating_add(target.cache_blocks.unwrap_or(blocks) as u64);
        let kv_bytes = block_bytes.saturating_mul(blocks);
        let workspace_bytes = if target.is_gpu() { self.gpu_workspace(target) } else { 0 };
        MemoryNeeded { weights_bytes, kv_bytes, snapshot_bytes: 0, workspace_bytes }
    }

    fn gpu_workspace(&self, target: &Target) -> u64 {
        let rows = target.entries.iter().map(|entry| entry.rows as u64).max().unwrap_or(0);
        let logits = rows.saturating_mul(self.manifest.model.vocab_size as u64).saturating_mul(4);
        let beside = match (&target.phases, self.manifest.weight_file(&target.weights)) {
            (Some(phases), _) => phases.shared_bytes,
            (None, None) => 0,
            (None, Some(file)) => {
                let matrices = file.tensors.iter().filter(|tensor| tensor.shape.len() > 1);
                matrices.map(|tensor| tensor.bytes).fold(0, u64::saturating_add)
            }
        };
        logits.saturating_add(beside)
    }

    /// Maps a target's weights.
    pub fn map_weights(&self, target: &Target) -> Result<MappedWeights, Error> {
        let file = self.manifest.weight_file(&target.weights);
        let file = file.expect("a target's weight file was looked up when the artifact was opened");
        MappedWeights::map(self.file_path(&file.path)?, file)
    }

    fn no_target(&self, host: &HostTarget) -> Error {
        let describe = |target: &Target| {
            let missing = host.missing_for(target);
            match missing.is_empty() {
                true => target.name.clone(),
                false => format!("{} (needs {})", target.name, missing.join(", ")),
            }
        };
        let available: Vec<String> = self.manifest.targets.iter().map(describe).collect();
        Error::NoTarget {
            path: self.path.clone(),
            available: if available.is_empty() {
                "nothing".to_owned()
            } else {
                available.join(", ")
            },
            host: host.to_string(),
            hint: format!(
                "Compile the model for this machine with --target {host}, or run it on one of those"
            ),
        }
    }
}

/// What every version of the manifest has.
#[derive(Deserialize)]
struct AnyManifest {
    schema_version: u64,
    #[serde(default)]
    tyto_version: String,
}

fn read_manifest(artifact: &Path) -> Result<Manifest, Error> {
    if !artifact.exists() {
        return Err(Error::NoArtifact { path: artifact.to_owned() });
    }
    let json = match read_plain(artifact, MANIFEST) {
        Err(Error::MissingFile { .. }) => {
            return Err(Error::NoManifest { path: artifact.to_owned() });
        }
        read => read?,
    };
    let path = artifact.join(MANIFEST);
    let bad = |error: serde_json::Error| Error::BadManifest {
        path: path.clone(),
        message: error.to_string(),
    };
    let any: AnyManifest = serde_json::from_slice(&json).map_err(bad)?;
    refuse_other_schema(artifact, any)?;
    let found = format!("{}\n", blake3::hash(&json).to_hex());
    let expected = String::from_utf8_lossy(&read_plain(artifact, MANIFEST_HASH)?).into_owned();
    if found != expected {
        return Err(Error::WrongHash {
            path,
            found: found.trim().to_owned(),
            expected: expected.trim().to_owned(),
        });
    }
    serde_json::from_slice(&json).map_err(bad)
}

/// An older form is not read either: what it lacks decides how its code is called.
fn refuse_other_schema(artifact: &Path, any: AnyManifest) -> Result<(), Error> {
    let (path, found, written_by) = (artifact.to_owned(), any.schema_version, any.tyto_version);
    let (supported, reader) = (SCHEMA_VERSION, env!("CARGO_PKG_VERSION"));
    match found.cmp(&u64::from(SCHEMA_VERSION)) {
        Ordering::Less => Err(Error::OlderSchema { path, found, supported, written_by, reader }),
        Ordering::Greater => Err(Error::NewerSchema { path, found, supported, written_by, reader }),
        Ordering::Equal => Ok(()),
    }
}

fn read_plain(artifact: &Path, name: &str) -> Result<Vec<u8>, Error> {
    paths::check_plain(artifact, name)?;
    let path = artifact.join(name);
    std::fs::read(&path).map_err(|error| Error::io(path, "cannot be read", error))
}

/// Reads a file to its end in pieces.
pub(crate) fn read_pieces(
    file: &mut impl Read,
    path: &Path,
    mut piece: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut buffer = vec![0; PIECE];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => piece(&buffer[..length])?,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(path, "cannot be read", error)),
        }
    }
}
