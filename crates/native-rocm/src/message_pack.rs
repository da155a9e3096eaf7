//! As much of MessagePack as the notes of code objects use.

/// A value; texts are borrowed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Unsigned(u64),
    Text(&'a str),
    List(Vec<Value<'a>>),
    Map(Vec<(Value<'a>, Value<'a>)>),
    /// Something that no reader here asks for.
    Other,
}

/// How deep lists and maps may nest.
const DEPTH: usize = 16;

impl<'a> Value<'a> {
    /// The value at the begin of `bytes`; `None` if they end in it or are no MessagePack.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        Reader { bytes }.value(DEPTH)
    }

    /// The value of a map's key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value<'a>> {
        let Self::Map(pairs) = self else { return None };
        pairs.iter().find(|(name, _)| *name == Value::Text(key)).map(|(_, value)| value)
    }

    /// The number of a map's key.
    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        match self.get(key)? {
            Self::Unsigned(number) => Some(*number),
            _ => None,
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: usize) -> Option<Value<'a>> {
        let depth = depth.checked_sub(1)?;
        let tag = self.take(1)?[0];
        Some(match tag {
            0x00..=0x7f => Value::Unsigned(tag.into()),
            0x80..=0x8f => self.map(u64::from(tag & 15), depth)?,
            0x90..=0x9f => self.list(u64::from(tag & 15), depth)?,
            0xa0..=0xbf => self.text(u64::from(tag & 31))?,
            0xcc..=0xcf => Value::Unsigned(self.unsigned(1 << (tag - 0xcc))?),
            0xd9..=0xdb => {
                let length = self.unsigned(1 << (tag - 0xd9))?;
                self.text(length)?
            }
            0xdc | 0xdd => {
                let count = self.unsigned(2 << (tag - 0xdc))?;
                self.list(count, depth)?
            }
            0xde | 0xdf => {
                let count = self.unsigned(2 << (tag - 0xde))?;
                self.map(count, depth)?
            }
            // Nothing, no, yes, and small negative numbers.
            0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => Value::Other,
            // Signed numbers and floats.
            0xd0..=0xd3 => self.skip(1 << (tag - 0xd0))?,
            0xca | 0xcb => self.skip(4 << (tag - 0xca))?,
            _ => return None,
        })
    }

    fn map(&mut self, count: u64, depth: usize) -> Option<Value<'a>> {
        let pairs = (0..count).map(|_| Some((self.value(depth)?, self.value(depth)?)));
        pairs.collect::<Option<_>>().map(Value::Map)
    }

    fn list(&mut self, count: u64, depth: usize) -> Option<Value<'a>> {
        (0..count).map(|_| self.value(depth)).collect::<Option<_>>().map(Value::List)
    }

    fn text(&mut self, length: u64) -> Option<Value<'a>> {
        let bytes = self.take(usize::try_from(length).ok()?)?;
        std::str::from_utf8(bytes).ok().map(Value::Text)
    }

    fn skip(&mut self, length: usize) -> Option<Value<'a>> {
        self.take(length).map(|_| Value::Other)
    }

    /// A number of so many bytes, the highest first.
    fn unsigned(&mut self, length: usize) -> Option<u64> {
        let bytes = self.take(length)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_form_are_read() {
        let bytes = [
            0x83, 0xa1, b'a', 0xcd, 1, 2, 0xd9, 1, b'b', 0x92, 7, 0xc3, 0xa1, b'c', 0xdc, 0, 1,
            0xd1, 0, 1,
        ];
        let value = Value::read(&bytes).expect("well-formed");
        assert_eq!(value.number("a"), Some(0x102));
        assert_eq!(value.get("b"), Some(&Value::List(vec![Value::Unsigned(7), Value::Other])));
        assert_eq!(value.get("c"), Some(&Value::List(vec![Value::Other])));
        assert_eq!((value.number("b"), value.get("d")), (None, None));
    }

    #[test]
    fn what_ends_early_or_nests_without_end_is_refused() {
        let whole = [0x81, 0xa1, b'a', 0xcd, 1, 2];
        assert!((0..whole.len()).all(|length| Value::read(&whole[..length]).is_none()));
        assert_eq!(Value::read(&[0x91; 1000]), None);
        assert_eq!(Value::read(&[0xdf, 255, 255, 255, 255]), None);
        assert_eq!(Value::read(&[0xc1]), None);
    }
}
