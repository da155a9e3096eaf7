//! MessagePack, as far as code object metadata uses it.

use super::ObjectError;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nil, a float or binary data: nothing that is read here.
    Other,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Keys and values, in order.
    Map(Vec<(Value, Value)>),
}

impl Value {
    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let Value::Map(entries) = self else { return None };
        entries.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// The integer, if it is one that fits.
    pub fn size(&self) -> Option<usize> {
        if let Value::Integer(value) = self { (*value).try_into().ok() } else { None }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Value]> {
        if let Value::List(values) = self { Some(values) } else { None }
    }
}

/// How deep lists and maps may lie in each other; metadata has four levels.
const DEEPEST: usize = 32;

/// Reads one value.
pub fn parse(bytes: &[u8]) -> Result<Value, ObjectError> {
    Parser { bytes }.value(0)
}

struct Parser<'a> {
    bytes: &'a [u8],
}

impl Parser<'_> {
    fn take(&mut self, size: usize) -> Result<&[u8], ObjectError> {
        let taken = self.bytes.get(..size).ok_or(ObjectError::Truncated("metadata"))?;
        self.bytes = &self.bytes[size..];
        Ok(taken)
    }

    /// A big-endian number.
    fn number(&mut self, size: usize) -> Result<u64, ObjectError> {
        Ok(self.take(size)?.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    fn value(&mut self, depth: usize) -> Result<Value, ObjectError> {
        if depth > DEEPEST {
            return Err(ObjectError::Unexpected {
                what: "metadata's depth",
                found: depth.to_string(),
                expected: "at most 32",
            });
        }
        let tag = self.number(1)? as u8;
        Ok(match tag {
            0x00..=0x7f => Value::Integer(tag.into()),
            0xe0..=0xff => Value::Integer(i128::from(tag as i8)),
            0x80..=0x8f => self.map((tag & 15).into(), depth)?,
            0x90..=0x9f => self.list((tag & 15).into(), depth)?,
            0xa0..=0xbf => self.text((tag & 31).into())?,
            0xc2 | 0xc3 => Value::Bool(tag == 0xc3),
            0xc4..=0xc6 => {
                let size = self.number(1 << (tag - 0xc4))?;
                self.take(size as usize)?;
                Value::Other
            }
            0xca | 0xcb => {
                self.take(if tag == 0xca { 4 } else { 8 })?;
                Value::Other
            }
            0xcc..=0xcf => Value::Integer(self.number(1 << (tag - 0xcc))?.into()),
            0xd0..=0xd3 => {
                let size = 1 << (tag - 0xd0);
                let unused = 64 - 8 * size as u32;
                Value::Integer(((self.number(size)? << unused) as i64 >> unused).into())
            }
            0xd9..=0xdb => {
                let size = self.number(1 << (tag - 0xd9))?;
                self.text(size)?
            }
            0xdc | 0xdd => {
                let count = self.number(2 << (tag - 0xdc))?;
                self.list(count, depth)?
            }
            0xde | 0xdf => {
                let count = self.number(2 << (tag - 0xde))?;
                self.map(count, depth)?
            }
            _ => Value::Other,
        })
    }

    fn text(&mut self, size: u64) -> Result<Value, ObjectError> {
        Ok(Value::Text(String::from_utf8_lossy(self.take(size as usize)?).into_owned()))
    }

    fn list(&mut self, count: u64, depth: usize) -> Result<Value, ObjectError> {
        (0..count).map(|_| self.value(depth + 1)).collect::<Result<_, _>>().map(Value::List)
    }

    fn map(&mut self, count: u64, depth: usize) -> Result<Value, ObjectError> {
        let entry = |parser: &mut Self| Ok((parser.value(depth + 1)?, parser.value(depth + 1)?));
        (0..count).map(|_| entry(self)).collect::<Result<_, _>>().map(Value::Map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind_are_read() {
        let bytes = [
            0x83, 0xa1, b'a', 0xcd, 1, 2, 0xa1, b'b', 0x93, 0xff, 0xc3, 0xd1, 0xff, 0xfe, 0xa1,
            b'c', 0xd9, 2, b'x', b'y',
        ];
        let value = parse(&bytes).unwrap();
        assert_eq!(value.get("a").unwrap().size(), Some(0x102));
        let list = [Value::Integer(-1), Value::Bool(true), Value::Integer(-2)];
        assert_eq!(value.get("b").unwrap().list(), Some(&list[..]));
        assert_eq!(value.get("c").unwrap().text(), Some("xy"));
        for end in 0..bytes.len() {
            assert_eq!(parse(&bytes[..end]), Err(ObjectError::Truncated("metadata")), "{end}");
        }
        assert!(parse(&[0x91; 1000]).is_err());
    }
}
