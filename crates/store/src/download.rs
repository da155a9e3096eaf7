//! One file on its way: what is there of it, and whether it is what it should be.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{RequestBuilder, Response, StatusCode};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::hub::network;
use crate::name::HubName;
use crate::selection::RemoteFile;
use crate::store::StoredFile;

/// A file and where it belongs.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) name: &'a HubName,
    pub(crate) file: &'a RemoteFile,
    pub(crate) folder: &'a Path,
}

impl Target<'_> {
    fn path(&self) -> PathBuf {
        self.folder.join(&self.file.name)
    }

    /// Wherever a file is not complete, it has another name.
    fn part_path(&self) -> PathBuf {
        self.folder.join(format!("{}.part", self.file.name))
    }

    /// Checks a complete file against what the hub says.
    fn check(&self, bytes: u64, sha256: &str) -> Result<(), Error> {
        let damaged = |found: String, expected: String| {
            let (name, file) = (self.name.to_string(), self.file.name.clone());
            Err(Error::Damaged { name, file, found, expected })
        };
        match (self.file.bytes, &self.file.sha256) {
            (Some(expected), _) if expected != bytes => {
                damaged(format!("{bytes} bytes"), format!("{expected}"))
            }
            (_, Some(expected)) if expected != sha256 => {
                damaged(format!("the SHA-256 {sha256}"), expected.clone())
            }
            _ => Ok(()),
        }
    }
}

/// The file, if it is complete from an earlier time and right.
pub(crate) fn is_there(target: Target<'_>) -> Result<Option<StoredFile>, Error> {
    let path = target.path();
    let Ok(mut file) = File::open(&path) else { return Ok(None) };
    let mut hash = Sha256::new();
    let bytes = hash_rest(&mut file, &mut hash, &path)?;
    let sha256 = hexadecimal(&hash);
    if target.check(bytes, &sha256).is_err() {
        fs::remove_file(&path).map_err(Error::io(&path))?;
        return Ok(None);
    }
    Ok(Some(StoredFile { name: target.file.name.clone(), bytes, sha256 }))
}

/// A file that is not complete.
pub(crate) struct Part<'a> {
    target: Target<'a>,
    path: PathBuf,
    file: File,
    bytes: u64,
    /// Of what is there.
    hash: Sha256,
}

impl<'a> Part<'a> {
    /// Opens what an earlier try has left, or an empty file.
    pub(crate) fn open(target: Target<'a>) -> Result<Self, Error> {
        let path = target.part_path();
        // A module's file has a folder of its own.
        let folder = path.parent().unwrap_or(target.folder);
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::io(&path))?;
        let mut hash = Sha256::new();
        let bytes = hash_rest(&mut file, &mut hash, &path)?;
        let mut part = Self { target, path, file, bytes, hash };
        if target.file.bytes.is_some_and(|all| bytes > all) {
            part.start_over()?;
        }
        Ok(part)
    }

    /// Bytes that are there.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Asks for the rest only.
    pub(crate) fn range(&self, request: RequestBuilder) -> RequestBuilder {
        match self.bytes {
            0 => request,
            bytes => request.header(RANGE, format!("bytes={bytes}-")),
        }
    }

    /// Writes a reply's body behind what is there.
    pub(crate) async fn take(
        &mut self,
        mut reply: Response,
        tell: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let what = format!("loading {}", self.target.file.name);
        match reply.status() {
            // Nothing is left to be sent.
            StatusCode::RANGE_NOT_SATISFIABLE if self.target.file.bytes == Some(self.bytes) => {
                return Ok(());
            }
            StatusCode::PARTIAL_CONTENT if starts_at(&reply, self.bytes) => {}
            // The whole file, or a part that does not fit.
            StatusCode::OK => self.start_over()?,
            status => {
                self.start_over()?;
                let message = format!("the hub answers {status} with another part of the file");
                return Err(Error::Network { name: self.target.name.to_string(), what, message });
            }
        }
        let name = self.target.name;
        while let Some(chunk) = reply.chunk().await.map_err(|error| network(name, &what, &error))? {
            self.file.write_all(&chunk).map_err(Error::io(&self.path))?;
            self.hash.update(&chunk);
            self.bytes += chunk.len() as u64;
            tell(self.bytes);
        }
        match self.target.file.bytes.filter(|all| self.bytes < *all) {
            Some(all) => {
                let message = format!("it ended after {} of {all} bytes", self.bytes);
                Err(Error::Network { name: name.to_string(), what, message })
            }
            None => Ok(()),
        }
    }

    /// Checks the file and puts it in its place. A wrong one is removed.
    pub(crate) fn complete(self) -> Result<StoredFile, Error> {
        let Self { target, path, file, bytes, hash } = self;
        let sha256 = hexadecimal(&hash);
        if let Err(error) = target.check(bytes, &sha256) {
            fs::remove_file(&path).map_err(Error::io(&path))?;
            return Err(error);
        }
        file.sync_all().map_err(Error::io(&path))?;
        fs::rename(&path, target.path()).map_err(Error::io(&path))?;
        Ok(StoredFile { name: target.file.name.clone(), bytes, sha256 })
    }

    fn start_over(&mut self) -> Result<(), Error> {
        self.file.set_len(0).map_err(Error::io(&self.path))?;
        self.file.seek(SeekFrom::Start(0)).map_err(Error::io(&self.path))?;
        self.bytes = 0;
        self.hash = Sha256::new();
        Ok(())
    }
}

/// Whether a reply's part of the file begins at this byte.
fn starts_at(reply: &Response, byte: u64) -> bool {
    let range = reply.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
    let start = range.and_then(|range| range.strip_prefix("bytes ")?.split('-').next());
    start.and_then(|start| start.parse().ok()) == Some(byte)
}

fn hash_rest(file: &mut File, hash: &mut Sha256, path: &Path) -> Result<u64, Error> {
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer).map_err(Error::io(path))? {
            0 => return Ok(bytes),
            count => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
}

fn hexadecimal(hash: &Sha256) -> String {
    hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
