//! Weight files: tensors one after the other, with no header; the manifest is the
//! index.

use crate::error::Error;
use crate::file_writer::FileWriter;
use crate::manifest::{WeightFile, WeightTensor};

/// Every tensor starts at a multiple of this, so that it can be used as mapped.
pub const TENSOR_ALIGNMENT: u64 = 64;

/// A weight file's length is a multiple of this, a page; its start is one too.
pub const WEIGHTS_ALIGNMENT: u64 = 4096;

/// Streams tensors into one weight file; made by
/// [`ArtifactWriter::weights`](crate::ArtifactWriter::weights).
#[derive(Debug)]
pub struct WeightWriter<'a> {
    name: String,
    file: FileWriter<'a>,
    tensors: Vec<WeightTensor>,
    /// Bytes the tensor being written still lacks.
    missing: u64,
}

impl<'a> WeightWriter<'a> {
    pub(crate) fn new(name: &str, file: FileWriter<'a>) -> Self {
        Self { name: name.to_owned(), file, tensors: Vec::new(), missing: 0 }
    }

    /// Starts a tensor of `bytes` bytes; they follow through [`write`](Self::write)
    /// in as many pieces as is convenient.
    pub fn begin(
        &mut self,
        name: &str,
        dtype: &str,
        shape: &[usize],
        bytes: u64,
        layout: &str,
    ) -> Result<(), Error> {
        self.end()?;
        if self.tensors.iter().any(|tensor| tensor.name == name) {
            return Err(Error::Duplicate {
                path: self.file.path().to_owned(),
                name: name.to_owned(),
            });
        }
        self.pad_to(TENSOR_ALIGNMENT)?;
        self.tensors.push(WeightTensor {
            name: name.to_owned(),
            dtype: dtype.to_owned(),
            shape: shape.to_vec(),
            offset: self.file.written(),
            bytes,
            layout: layout.to_owned(),
        });
        self.missing = bytes;
        Ok(())
    }

    /// Adds bytes to the tensor that was begun last.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self.missing.checked_sub(bytes.len() as u64) {
            Some(missing) => {
                self.file.write(bytes)?;
                self.missing = missing;
                Ok(())
            }
            None => Err(self.wrong_size(bytes.len() as u64)),
        }
    }

    /// Writes a whole tensor and returns its offset.
    pub fn tensor(
        &mut self,
        name: &str,
        dtype: &str,
        shape: &[usize],
        layout: &str,
        bytes: &[u8],
    ) -> Result<u64, Error> {
        self.begin(name, dtype, shape, bytes.len() as u64, layout)?;
        let offset = self.file.written();
        self.write(bytes)?;
        Ok(offset)
    }

    /// Ends the file; what is returned belongs into the manifest.
    pub fn finish(mut self) -> Result<WeightFile, Error> {
        self.end()?;
        self.pad_to(WEIGHTS_ALIGNMENT)?;
        self.file.finish()?;
        Ok(WeightFile { path: self.name, tensors: self.tensors })
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.missing == 0 { Ok(()) } else { Err(self.wrong_size(0)) }
    }

    /// The error of a tensor that would end with `more` bytes after what it has.
    fn wrong_size(&self, more: u64) -> Error {
        let (name, expected) = self
            .tensors
            .last()
            .map_or((String::new(), 0), |tensor| (tensor.name.clone(), tensor.bytes));
        let found = expected - self.missing + more;
        Error::TensorSize { path: self.file.path().to_owned(), name, found, expected }
    }

    fn pad_to(&mut self, alignment: u64) -> Result<(), Error> {
        let padding = self.file.written().next_multiple_of(alignment) - self.file.written();
        let zeros = [0u8; WEIGHTS_ALIGNMENT as usize];
        self.file.write(&zeros[..usize::try_from(padding).expect("padding is less than a page")])
    }
}
