//! Weights as they lie in their file, mapped into memory.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::error::Error;
use crate::manifest::{WeightFile, WeightTensor};

/// A weight file mapped read-only. Pages come from the disk when they are used and
/// are shared with every other process that maps the file.
#[derive(Debug)]
pub struct MappedWeights {
    path: PathBuf,
    map: Mmap,
    tensors: Vec<WeightTensor>,
    by_name: HashMap<String, usize>,
}

impl MappedWeights {
    pub(crate) fn map(path: PathBuf, file: &WeightFile) -> Result<Self, Error> {
        let opened =
            File::open(&path).map_err(|error| Error::io(&path, "cannot be opened", error))?;
        // SAFETY: a map is only sound while nobody changes the file. Tyto never
        // writes into a file of an artifact: a new one is written beside it and
        // renamed, which leaves the mapped file as it is. The map is read-only.
        let map = unsafe { Mmap::map(&opened) }
            .map_err(|error| Error::io(&path, "cannot be mapped", error))?;
        let end = file.tensors.iter().map(|tensor| tensor.offset + tensor.bytes).max().unwrap_or(0);
        if (map.len() as u64) < end {
            return Err(Error::WrongSize { path, found: map.len() as u64, expected: end });
        }
        let by_name = file
            .tensors
            .iter()
            .enumerate()
            .map(|(index, tensor)| (tensor.name.clone(), index))
            .collect();
        Ok(Self { path, map, tensors: file.tensors.clone(), by_name })
    }

    /// The mapped file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All of the file; its start is aligned to a page.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The tensors, in the order of their offsets.
    pub fn tensors(&self) -> &[WeightTensor] {
        &self.tensors
    }

    /// A tensor and its bytes, by name.
    pub fn tensor(&self, name: &str) -> Option<(&WeightTensor, &[u8])> {
        let tensor = &self.tensors[*self.by_name.get(name)?];
        Some((tensor, self.tensor_bytes(tensor)))
    }

    fn tensor_bytes(&self, tensor: &WeightTensor) -> &[u8] {
        let start = usize::try_from(tensor.offset).expect("the map holds every tensor");
        let length = usize::try_from(tensor.bytes).expect("the map holds every tensor");
        &self.map[start..start + length]
    }
}
