//! Metadata values: scalars by value, arrays as ranges of the file that are read when asked for.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A metadata value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    /// Bytes of the file; UTF-8 is checked when the text is asked for.
    String(Range<usize>),
    Array(Array),
}

/// An array whose elements were walked once and lie within the file.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) kind: Kind,
    pub(crate) length: usize,
    pub(crate) range: Range<usize>,
}

/// A value's type, by GGUF's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64,
}

impl Kind {
    pub(crate) fn from_id(id: u32) -> Option<Kind> {
        use Kind::*;
        [U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64]
            .get(id as usize)
            .copied()
    }

    /// The fewest bytes that one value takes in a file.
    pub(crate) fn min_bytes(self) -> usize {
        match self {
            Kind::U8 | Kind::I8 | Kind::Bool => 1,
            Kind::U16 | Kind::I16 => 2,
            Kind::U32 | Kind::I32 | Kind::F32 => 4,
            Kind::U64 | Kind::I64 | Kind::F64 | Kind::String => 8,
            Kind::Array => 12,
        }
    }

    /// A scalar from exactly [`Kind::min_bytes`] little-endian bytes; `None` for strings and arrays.
    pub(crate) fn scalar(self, bytes: &[u8]) -> Option<Value> {
        let mut wide = [0u8; 8];
        wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let word = u64::from_le_bytes(wide);
        Some(match self {
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => Value::Unsigned(word),
            Kind::I8 => Value::Signed(i64::from(word as i8)),
            Kind::I16 => Value::Signed(i64::from(word as i16)),
            Kind::I32 => Value::Signed(i64::from(word as i32)),
            Kind::I64 => Value::Signed(word as i64),
            Kind::F32 => Value::Float(f64::from(f32::from_bits(word as u32))),
            Kind::F64 => Value::Float(f64::from_bits(word)),
            Kind::Bool => Value::Bool(word != 0),
            Kind::String | Kind::Array => return None,
        })
    }
}

/// All metadata of a file, with the file's name for errors. Strings and arrays are looked up in the
/// file's bytes, which every accessor takes.
#[derive(Debug)]
pub(crate) struct Metadata {
    pub(crate) file: PathBuf,
    pub(crate) keys: Vec<String>,
    pub(crate) values: HashMap<String, Value>,
}

impl Metadata {
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    pub(crate) fn unsigned(&self, key: &str) -> Result<Option<u64>, Error> {
        self.typed(key, "a whole number of zero or more", |value| match value {
            Value::Unsigned(n) => Some(*n),
            Value::Signed(n) => u64::try_from(*n).ok(),
            _ => None,
        })
    }

    pub(crate) fn float(&self, key: &str) -> Result<Option<f64>, Error> {
        self.typed(key, "a finite number", |value| match value {
            Value::Float(x) if x.is_finite() => Some(*x),
            Value::Unsigned(n) => Some(*n as f64),
            _ => None,
        })
    }

    pub(crate) fn boolean(&self, key: &str) -> Result<Option<bool>, Error> {
        self.typed(key, "a boolean", |value| match value {
            Value::Bool(b) => Some(*b),
            _ => None,
        })
    }

    pub(crate) fn string<'a>(&self, bytes: &'a [u8], key: &str) -> Result<Option<&'a str>, Error> {
        self.typed(key, "a UTF-8 string", |value| match value {
            Value::String(range) => std::str::from_utf8(&bytes[range.clone()]).ok(),
            _ => None,
        })
    }

    /// An array of strings.
    pub(crate) fn strings<'a>(
        &self,
        bytes: &'a [u8],
        key: &str,
    ) -> Result<Option<Vec<&'a str>>, Error> {
        self.typed(key, "an array of UTF-8 strings", |value| match value {
            Value::Array(array) if array.kind == Kind::String => array_strings(bytes, array),
            _ => None,
        })
    }

    /// An array of numbers.
    pub(crate) fn numbers(&self, bytes: &[u8], key: &str) -> Result<Option<Vec<f64>>, Error> {
        self.typed(key, "an array of numbers", |value| match value {
            Value::Array(array) => array_numbers(bytes, array),
            _ => None,
        })
    }

    /// The value as a person would read it, shortened.
    pub(crate) fn show(&self, bytes: &[u8], key: &str) -> String {
        match self.get(key) {
            None => "nothing".into(),
            Some(Value::Unsigned(n)) => n.to_string(),
            Some(Value::Signed(n)) => n.to_string(),
            Some(Value::Float(x)) => x.to_string(),
            Some(Value::Bool(b)) => b.to_string(),
            Some(Value::String(range)) => {
                let text = String::from_utf8_lossy(&bytes[range.clone()]);
                format!("{:?}", text.chars().take(60).collect::<String>())
            }
            Some(Value::Array(array)) => format!("an array of {} {:?}", array.length, array.kind),
        }
    }

    fn typed<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(Error::Malformed {
                file: self.file.clone(),
                field: format!("metadata {key:?}"),
                found: match value {
                    Value::String(_) => "a string".into(),
                    Value::Array(array) => format!("an array of {:?}", array.kind),
                    other => format!("{other:?}"),
                },
                expected: expected.into(),
            }),
        }
    }
}

fn array_strings<'a>(bytes: &'a [u8], array: &Array) -> Option<Vec<&'a str>> {
    let mut rest = &bytes[array.range.clone()];
    let mut strings = Vec::with_capacity(array.length);
    for _ in 0..array.length {
        let (length, tail) = rest.split_first_chunk::<8>()?;
        let (text, tail) = tail.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        strings.push(std::str::from_utf8(text).ok()?);
        rest = tail;
    }
    Some(strings)
}

fn array_numbers(bytes: &[u8], array: &Array) -> Option<Vec<f64>> {
    let elements = bytes[array.range.clone()].chunks_exact(array.kind.min_bytes());
    elements
        .map(|element| match array.kind.scalar(element)? {
            Value::Unsigned(n) => Some(n as f64),
            Value::Signed(n) => Some(n as f64),
            Value::Float(x) => Some(x),
            _ => None,
        })
        .collect()
}
