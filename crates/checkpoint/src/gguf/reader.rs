//! The GGUF container, versions 2 and 3, little-endian. Counts and lengths are compared with the
//! bytes that are left before anything is allocated for them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::value::{Array, Kind, Metadata, Value};
use crate::dtype::StoredType;
use crate::error::Error;

/// Arrays of arrays deeper than this are refused: no writer makes them, and each level recurses.
const MAX_NESTING: usize = 4;
/// The most dimensions that ggml's tensors have.
const MAX_DIMENSIONS: u32 = 4;
/// The longest key that the format allows.
const MAX_KEY: usize = 65_535;
const DEFAULT_ALIGNMENT: u64 = 32;

/// One tensor as the file names it.
#[derive(Debug)]
pub(crate) struct StoredTensor {
    pub(crate) name: String,
    pub(crate) dtype: StoredType,
    /// Row-major: the file's dimensions reversed.
    pub(crate) shape: Vec<usize>,
    pub(crate) range: Range<usize>,
}

/// Reads and checks everything but the weights of a file's `bytes`.
pub(crate) fn parse(file: &Path, bytes: &[u8]) -> Result<(Metadata, Vec<StoredTensor>), Error> {
    let mut cursor = Cursor { file, bytes, at: 0, field: "header".into() };
    let (tensor_count, value_count) = cursor.preamble()?;
    let metadata = cursor.metadata(value_count)?;
    let alignment = alignment(&metadata)?;
    let raw = cursor.tensor_infos(tensor_count)?;
    let data_start = (cursor.at as u64).next_multiple_of(alignment);
    let tensors = place(file, raw, data_start, alignment, bytes.len() as u64)?;
    Ok((metadata, tensors))
}

/// A tensor before its offset is checked against the file.
struct RawTensor {
    name: String,
    dtype: StoredType,
    dimensions: Vec<u64>,
    offset: u64,
    bytes: u64,
}

struct Cursor<'a> {
    file: &'a Path,
    bytes: &'a [u8],
    at: usize,
    /// What is being read, for errors.
    field: String,
}

impl<'a> Cursor<'a> {
    /// Magic, version and the two counts.
    fn preamble(&mut self) -> Result<(u64, u64), Error> {
        self.field = "version".into();
        self.take(4)?;
        let version = self.u32()?;
        match version {
            2 | 3 => {}
            _ if matches!(version.swap_bytes(), 1..=16) => {
                let found = format!("{} in big-endian order", version.swap_bytes());
                return Err(self.malformed(found, "a little-endian file of version 2 or 3"));
            }
            1 => return Err(self.malformed("1".into(), "2 or 3: convert the model again")),
            _ => return Err(self.malformed(version.to_string(), "2 or 3")),
        }
        let tensor_count = self.u64()?;
        let value_count = self.u64()?;
        // An entry's least size: name length, one dimension count, type and offset.
        self.check_count("tensor count", tensor_count, 8 + 4 + 4 + 8)?;
        // Key length, type, and a value of one byte.
        self.check_count("metadata count", value_count, 8 + 4 + 1)?;
        Ok((tensor_count, value_count))
    }

    fn metadata(&mut self, count: u64) -> Result<Metadata, Error> {
        let (mut keys, mut values) = (Vec::new(), HashMap::new());
        for number in 0..count {
            self.field = format!("key of metadata entry {number} of {count}");
            let key = self.name(MAX_KEY)?;
            self.field = format!("metadata {key:?}");
            let kind = self.kind()?;
            let value = self.value(kind, 0)?;
            if values.insert(key.clone(), value).is_some() {
                return Err(self.duplicate(key, "the metadata"));
            }
            keys.push(key);
        }
        Ok(Metadata { file: self.file.to_path_buf(), keys, values })
    }

    fn tensor_infos(&mut self, count: u64) -> Result<Vec<RawTensor>, Error> {
        let (mut tensors, mut seen) = (Vec::new(), HashSet::new());
        for number in 0..count {
            self.field = format!("name of tensor {number} of {count}");
            let name = self.name(MAX_KEY)?;
            self.field = format!("tensor {name:?}");
            let rank = self.u32()?;
            if rank > MAX_DIMENSIONS {
                let expected = format!("at most {MAX_DIMENSIONS}");
                return Err(self.malformed(format!("{rank} dimensions"), &expected));
            }
            let dimensions = (0..rank).map(|_| self.u64()).collect::<Result<Vec<_>, _>>()?;
            let type_id = self.u32()?;
            let offset = self.u64()?;
            if !seen.insert(name.clone()) {
                return Err(self.duplicate(name, "the tensor list"));
            }
            let dtype = self.dtype(&name, type_id)?;
            let bytes = self.size(&name, dtype, &dimensions)?;
            tensors.push(RawTensor { name, dtype, dimensions, offset, bytes });
        }
        Ok(tensors)
    }

    fn dtype(&self, tensor: &str, id: u32) -> Result<StoredType, Error> {
        StoredType::from_gguf(id).ok_or_else(|| {
            let known = (0..64).filter_map(StoredType::from_gguf).map(StoredType::name);
            Error::UnsupportedType {
                file: self.file.to_path_buf(),
                tensor: tensor.into(),
                found: unsupported_name(id)
                    .map_or(format!("{id}"), |name| format!("{name} ({id})")),
                expected: known.collect::<Vec<_>>().join(" "),
            }
        })
    }

    /// The tensor's size; its rows must fill whole blocks.
    fn size(&self, tensor: &str, dtype: StoredType, dimensions: &[u64]) -> Result<u64, Error> {
        let row = dimensions.first().copied().unwrap_or(1);
        let block = dtype.block_elements() as u64;
        let elements = dimensions.iter().try_fold(1u64, |product, &n| product.checked_mul(n));
        let bytes = elements.and_then(|elements| dtype.bytes_for(elements));
        match bytes {
            Some(bytes) if row.is_multiple_of(block) => Ok(bytes),
            _ => Err(Error::TensorBytes {
                file: self.file.to_path_buf(),
                tensor: tensor.into(),
                found: format!("dimensions {dimensions:?} of {}", dtype.name()),
                expected: format!(
                    "rows of a multiple of {block} elements, in fewer than 2^64 bytes"
                ),
            }),
        }
    }

    fn value(&mut self, kind: Kind, depth: usize) -> Result<Value, Error> {
        match kind {
            Kind::String => Ok(Value::String(self.string()?)),
            Kind::Array => Ok(Value::Array(self.array(depth)?)),
            scalar => {
                let bytes = self.take(scalar.min_bytes())?;
                Ok(scalar.scalar(bytes).expect("neither a string nor an array"))
            }
        }
    }

    /// Walks an array so that later readers may rely on every element lying within it.
    fn array(&mut self, depth: usize) -> Result<Array, Error> {
        if depth == MAX_NESTING {
            let expected = format!("at most {MAX_NESTING} levels");
            return Err(self.malformed("arrays nested deeper".into(), &expected));
        }
        let kind = self.kind()?;
        let length = self.u64()?;
        let least = kind.min_bytes();
        if length > (self.remaining() / least) as u64 {
            let expected =
                format!("at most {}, all that the file can hold", self.remaining() / least);
            return Err(self.malformed(format!("an array of {length} elements"), &expected));
        }
        let (length, start) = (length as usize, self.at);
        match kind {
            Kind::String => {
                for _ in 0..length {
                    self.string()?;
                }
            }
            Kind::Array => {
                for _ in 0..length {
                    self.array(depth + 1)?;
                }
            }
            _ => {
                self.take(length * least)?;
            }
        }
        Ok(Array { kind, length, range: start..self.at })
    }

    fn kind(&mut self) -> Result<Kind, Error> {
        let id = self.u32()?;
        Kind::from_id(id)
            .ok_or_else(|| self.malformed(format!("value type {id}"), "a type from 0 to 12"))
    }

    fn name(&mut self, longest: usize) -> Result<String, Error> {
        let range = self.string()?;
        if range.len() > longest {
            let expected = format!("at most {longest}");
            return Err(self.malformed(format!("a name of {} bytes", range.len()), &expected));
        }
        let text = std::str::from_utf8(&self.bytes[range]);
        text.map(str::to_owned).map_err(|problem| self.malformed(problem.to_string(), "UTF-8 text"))
    }

    fn string(&mut self) -> Result<Range<usize>, Error> {
        let length = self.u64()?;
        if length > self.remaining() as u64 {
            let expected = format!("at most {}, the bytes left in the file", self.remaining());
            return Err(self.malformed(format!("a string of {length} bytes"), &expected));
        }
        let start = self.at;
        self.at += length as usize;
        Ok(start..self.at)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    fn u64(&mut self) -> Result<u64, Error> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes were taken")))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let Some(bytes) = self.bytes[self.at..].get(..count) else {
            let found = format!("the end of the file at byte {}", self.bytes.len());
            let expected = format!("{count} more bytes at byte {}", self.at);
            return Err(self.malformed(found, &expected));
        };
        self.at += count;
        Ok(bytes)
    }

    fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn check_count(&mut self, field: &str, count: u64, least: usize) -> Result<(), Error> {
        let most = (self.remaining() / least) as u64;
        if count <= most {
            return Ok(());
        }
        self.field = field.into();
        Err(self
            .malformed(count.to_string(), &format!("at most {most}, all that the file can hold")))
    }

    fn malformed(&self, found: String, expected: &str) -> Error {
        Error::Malformed {
            file: self.file.to_path_buf(),
            field: self.field.clone(),
            found,
            expected: expected.into(),
        }
    }

    fn duplicate(&self, key: String, place: &str) -> Error {
        Error::DuplicateKey { file: self.file.to_path_buf(), key, place: place.into() }
    }
}

fn alignment(metadata: &Metadata) -> Result<u64, Error> {
    let key = "general.alignment";
    let alignment = metadata.unsigned(key)?.unwrap_or(DEFAULT_ALIGNMENT);
    if alignment.is_power_of_two() && alignment <= 1 << 20 {
        return Ok(alignment);
    }
    Err(Error::Malformed {
        file: metadata.file.clone(),
        field: format!("metadata {key:?}"),
        found: alignment.to_string(),
        expected: "a power of two up to 2^20".into(),
    })
}

/// Tensors lie one after another, each at the next aligned offset, and end where the file ends. That
/// is how every writer lays them out; anything else means that a count or an offset lies.
fn place(
    file: &Path,
    raw: Vec<RawTensor>,
    data_start: u64,
    alignment: u64,
    file_bytes: u64,
) -> Result<Vec<StoredTensor>, Error> {
    let data_bytes = file_bytes.saturating_sub(data_start);
    let mut order: Vec<usize> = (0..raw.len()).collect();
    order.sort_by_key(|&at| (raw[at].offset, raw[at].bytes));
    let (mut position, mut before) = (0u64, None::<usize>);
    let name = |at: Option<usize>| {
        at.map_or("the header".into(), |at: usize| format!("{:?}", raw[at].name))
    };
    for &at in &order {
        let tensor = &raw[at];
        let end = tensor.offset.checked_add(tensor.bytes).filter(|&end| end <= data_bytes);
        let Some(end) = end else {
            return Err(Error::TensorBytes {
                file: file.to_path_buf(),
                tensor: tensor.name.clone(),
                found: format!("offset {} with {} bytes", tensor.offset, tensor.bytes),
                expected: format!("an end within the {data_bytes} data bytes of the file"),
            });
        };
        if tensor.offset < position {
            let first = before.map_or_else(String::new, |at| raw[at].name.clone());
            let second = tensor.name.clone();
            return Err(Error::Overlap { file: file.into(), first, second, at: tensor.offset });
        }
        let expected = position.next_multiple_of(alignment);
        if tensor.offset != expected {
            if !tensor.offset.is_multiple_of(alignment) {
                return Err(Error::TensorBytes {
                    file: file.to_path_buf(),
                    tensor: tensor.name.clone(),
                    found: format!("offset {}", tensor.offset),
                    expected: format!("a multiple of the alignment, {alignment}"),
                });
            }
            let place = format!("between {} and {:?}", name(before), tensor.name);
            return Err(unclaimed(file, position, tensor.offset - position, place));
        }
        (position, before) = (end, Some(at));
    }
    if data_bytes.saturating_sub(position) >= alignment {
        let place = format!("after {}, the last; the tensor count may be wrong", name(before));
        return Err(unclaimed(file, position, data_bytes - position, place));
    }
    raw.into_iter().map(|tensor| placed(file, tensor, data_start, file_bytes)).collect()
}

fn unclaimed(file: &Path, at: u64, bytes: u64, place: String) -> Error {
    Error::UnclaimedBytes { file: PathBuf::from(file), at, bytes, place }
}

fn placed(
    file: &Path,
    raw: RawTensor,
    data_start: u64,
    file_bytes: u64,
) -> Result<StoredTensor, Error> {
    let RawTensor { name, dtype, dimensions, offset, bytes } = raw;
    let shape = dimensions.iter().rev().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>();
    let Ok(shape) = shape else {
        return Err(Error::TensorBytes {
            file: file.to_path_buf(),
            tensor: name,
            found: format!("dimensions {dimensions:?}"),
            expected: "dimensions that fit in memory".into(),
        });
    };
    // The end was checked against the length of a slice in memory, so both ends fit a usize. A tensor
    // without bytes may start in padding that the file does not have.
    let start = (data_start + offset).min(file_bytes) as usize;
    Ok(StoredTensor { name, dtype, shape, range: start..start + bytes as usize })
}

/// The name of a ggml type that is not read here, so that the refusal can say it.
fn unsupported_name(id: u32) -> Option<&'static str> {
    Some(match id {
        4 => "Q4_2",
        5 => "Q4_3",
        9 => "Q8_1",
        15 => "Q8_K",
        16 => "IQ2_XXS",
        17 => "IQ2_XS",
        18 => "IQ3_XXS",
        19 => "IQ1_S",
        21 => "IQ3_S",
        22 => "IQ2_S",
        29 => "IQ1_M",
        34 => "TQ1_0",
        35 => "TQ2_0",
        40 => "NVFP4",
        41 => "Q1_0",
        _ => return None,
    })
}
