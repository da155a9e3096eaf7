//! The safetensors header: eight bytes of length, then a JSON object that must account for every
//! byte behind it. Strict, because what this accepts is read as weights without a further check.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};

use crate::dtype::StoredType;
use crate::error::Error;
use crate::json::{Entries, duplicate_key, parse_error};

/// The reference library's cap on the header.
const MAX_HEADER: u64 = 100_000_000;

/// One tensor of a file.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) dtype: StoredType,
    pub(crate) shape: Vec<usize>,
    /// Bytes within the file.
    pub(crate) range: Range<usize>,
}

/// Reads and checks the header of a whole file's `bytes`.
pub(crate) fn parse(file: &Path, bytes: &[u8]) -> Result<Vec<Entry>, Error> {
    let (header, data_start) = header(file, bytes)?;
    let Header(raw) =
        serde_json::from_str(header).map_err(|problem| parse_error(file, &problem))?;
    let data_bytes = (bytes.len() - data_start) as u64;
    let entries = raw
        .into_iter()
        .map(|(name, raw)| entry(file, name, raw, data_start, data_bytes))
        .collect::<Result<Vec<_>, _>>()?;
    check_coverage(file, &entries, data_start, data_bytes)?;
    Ok(entries)
}

/// The header's text and where the data starts.
fn header<'a>(file: &Path, bytes: &'a [u8]) -> Result<(&'a str, usize), Error> {
    let malformed = |field: &str, found: String, expected: String| Error::Malformed {
        file: file.to_path_buf(),
        field: field.into(),
        found,
        expected,
    };
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        let found = format!("a file of {} bytes", bytes.len());
        return Err(malformed("header length", found, "at least 8 bytes".into()));
    };
    let length = u64::from_le_bytes(*length);
    if length > MAX_HEADER {
        let expected = format!("at most {MAX_HEADER} bytes");
        return Err(malformed("header length", length.to_string(), expected));
    }
    let Some(header) = rest.get(..length as usize) else {
        let expected = format!("at most the {} bytes that follow it in the file", rest.len());
        return Err(malformed("header length", length.to_string(), expected));
    };
    let header = std::str::from_utf8(header)
        .map_err(|problem| malformed("header", problem.to_string(), "UTF-8 text".into()))?;
    if !header.starts_with('{') {
        let found = header.chars().next().map_or("an empty header".into(), |c| format!("{c:?}"));
        return Err(malformed("first byte of the header", found, "'{'".into()));
    }
    Ok((header, 8 + length as usize))
}

/// Checks one tensor's type, shape and offsets against each other and the file.
fn entry(
    file: &Path,
    name: String,
    raw: RawEntry,
    data_start: usize,
    data_bytes: u64,
) -> Result<Entry, Error> {
    let Some(dtype) = StoredType::from_safetensors(&raw.dtype) else {
        let names: Vec<_> =
            StoredType::ALL.iter().filter(|t| !t.is_gguf_block()).map(|t| t.name()).collect();
        return Err(Error::UnsupportedType {
            file: file.to_path_buf(),
            tensor: name,
            found: format!("{:?}", raw.dtype),
            expected: names.join(" "),
        });
    };
    let wrong = |found: String, expected: String| Error::TensorBytes {
        file: file.to_path_buf(),
        tensor: name.clone(),
        found,
        expected,
    };
    let [begin, end] = raw.data_offsets;
    if begin > end || end > data_bytes {
        return Err(wrong(
            format!("data_offsets [{begin}, {end}]"),
            format!("begin <= end <= {data_bytes}, the data bytes in the file"),
        ));
    }
    let elements = raw.shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n));
    let needed = elements.and_then(|elements| dtype.bytes_for(elements));
    if needed != Some(end - begin) {
        let needed = needed.map_or("a whole number of bytes".into(), |n| format!("{n} bytes"));
        return Err(wrong(
            format!("data_offsets [{begin}, {end}], {} bytes", end - begin),
            format!("{needed} for {} of shape {:?}", dtype.name(), raw.shape),
        ));
    }
    // Both ends were checked against the length of a slice in memory, so they fit a usize. A shape
    // with a zero in it is bounded by no byte count.
    let range = data_start + begin as usize..data_start + end as usize;
    let shape = raw.shape.iter().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>();
    let shape = shape.map_err(|_| {
        wrong(format!("shape {:?}", raw.shape), "dimensions that fit in memory".into())
    })?;
    Ok(Entry { name, dtype, shape, range })
}

/// Every data byte must belong to exactly one tensor.
fn check_coverage(
    file: &Path,
    entries: &[Entry],
    data_start: usize,
    data_bytes: u64,
) -> Result<(), Error> {
    let mut order: Vec<&Entry> = entries.iter().collect();
    order.sort_by_key(|entry| (entry.range.start, entry.range.end));
    let (mut position, mut before) = (data_start, None::<&str>);
    for entry in order {
        let at = position.min(entry.range.start).saturating_sub(data_start) as u64;
        if entry.range.start < position {
            return Err(Error::Overlap {
                file: file.to_path_buf(),
                first: before.unwrap_or_default().into(),
                second: entry.name.clone(),
                at: (entry.range.start - data_start) as u64,
            });
        }
        if entry.range.start > position {
            let before = before.map_or("the header".into(), |name| format!("{name:?}"));
            return Err(Error::UnclaimedBytes {
                file: file.to_path_buf(),
                at,
                bytes: (entry.range.start - position) as u64,
                place: format!("between {before} and {:?}", entry.name),
            });
        }
        (position, before) = (entry.range.end, Some(entry.name.as_str()));
    }
    let end = (position - data_start) as u64;
    if end < data_bytes {
        let bytes = data_bytes - end;
        let place = before.map_or("no tensors".into(), |name| format!("after {name:?}, the last"));
        return Err(Error::UnclaimedBytes { file: file.to_path_buf(), at: end, bytes, place });
    }
    Ok(())
}

/// One tensor as the header writes it.
#[derive(Deserialize)]
struct RawEntry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// The header object: `__metadata__` is checked and dropped, everything else is a tensor.
struct Header(Vec<(String, RawEntry)>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HeaderVisitor;

        impl<'de> Visitor<'de> for HeaderVisitor {
            type Value = Header;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let (mut tensors, mut seen) = (Vec::new(), HashSet::new());
                while let Some(name) = map.next_key::<String>()? {
                    if !seen.insert(name.clone()) {
                        return Err(duplicate_key(&name));
                    }
                    let in_entry = |problem| A::Error::custom(format!("{name:?}: {problem}"));
                    if name == "__metadata__" {
                        // MLX writes null where it has none, and the reference library reads it.
                        map.next_value::<Option<Entries<String>>>().map_err(in_entry)?;
                    } else {
                        let entry = map.next_value().map_err(in_entry)?;
                        tensors.push((name, entry));
                    }
                }
                Ok(Header(tensors))
            }
        }
        deserializer.deserialize_map(HeaderVisitor)
    }
}
