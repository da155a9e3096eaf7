//! How much one value of a template may hold. Fuel bounds a template's steps, and one step can ask for
//! a text or a list of any length.
//!
//! What minijinja's operators make cannot be seen from here: `~` and `+` join two values, a `set` block
//! takes what is written in it. It bounds `text * number` (100 MB) and `range` (100,000) itself.

use minijinja::value::{Rest, ValueKind};
use minijinja::{Error, ErrorKind, Value};

/// Bytes of one text, and of all that a rendering gives: several times the text of the longest contexts.
pub(super) const MOST_BYTES: usize = 64 << 20;
/// Items of one list.
pub(super) const MOST_ITEMS: usize = 1 << 20;

/// How deep a value may be nested that is written out: several times what JSON of a request may be.
pub(super) const DEEPEST: usize = 500;
/// Decimal places of a number: Rust formats no more.
const MOST_PLACES: usize = u16::MAX as usize;

/// Why a value was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TooLarge {
    #[error("makes a text of more than {} MiB", MOST_BYTES >> 20)]
    Text,
    #[error("makes or goes through a list of more than {MOST_ITEMS} items at once")]
    List,
    #[error("writes out a value that is nested more than {DEEPEST} deep")]
    Depth,
    #[error("asks for more than {MOST_PLACES} decimal places")]
    Places,
}

impl From<TooLarge> for Error {
    fn from(large: TooLarge) -> Self {
        Self::new(ErrorKind::InvalidOperation, large.to_string()).with_source(large)
    }
}

/// Refuses to make a text of so many bytes.
pub(super) fn check_bytes(bytes: usize) -> Result<(), Error> {
    if bytes > MOST_BYTES { Err(TooLarge::Text.into()) } else { Ok(()) }
}

/// Refuses a list that is too long to be gone through at once. A repeated list knows its length only as
/// far as it fits a number, so it is counted.
pub(super) fn check_list(value: &Value) -> Result<(), Error> {
    let length = match value.kind() {
        ValueKind::Seq => value.len().unwrap_or(0),
        ValueKind::Iterable => value.try_iter()?.take(MOST_ITEMS + 1).count(),
        _ => 0,
    };
    check_items(length)
}

/// Refuses to make a list of so many items.
pub(super) fn check_items(items: usize) -> Result<(), Error> {
    if items > MOST_ITEMS { Err(TooLarge::List.into()) } else { Ok(()) }
}

/// Refuses to write out what is so deep in a value.
pub(super) fn check_depth(depth: usize) -> Result<(), Error> {
    if depth > DEEPEST { Err(TooLarge::Depth.into()) } else { Ok(()) }
}

/// The items of a list, or the keys of a mapping.
pub(super) fn items(value: &Value) -> Result<Vec<Value>, Error> {
    check_list(value)?;
    Ok(value.try_iter()?.collect())
}

/// `text` with `old` replaced, `count` times at most.
pub(super) fn replaced(text: &str, old: &str, new: &str, count: usize) -> Result<String, Error> {
    if new.len() > old.len() {
        let found = text.matches(old).take(count).count();
        check_bytes(text.len().saturating_add(found.saturating_mul(new.len() - old.len())))?;
    }
    Ok(text.replacen(old, new, count))
}

/// The parts with a separator between them.
pub(super) fn joined(parts: &[String], separator: &str) -> Result<String, Error> {
    let texts = parts.iter().map(String::len).fold(0, usize::saturating_add);
    check_bytes(texts.saturating_add(parts.len().saturating_mul(separator.len())))?;
    Ok(parts.join(separator))
}

/// So many of one character.
pub(super) fn repeated(fill: char, count: usize) -> Result<String, Error> {
    check_bytes(count.saturating_mul(fill.len_utf8()))?;
    Ok(std::iter::repeat_n(fill, count).collect())
}

/// Refuses a format that could make too long a text of its arguments: every number in it may be a width,
/// and every sign may stand for the longest argument.
pub(super) fn check_format(format: &str, arguments: &[Value]) -> Result<(), Error> {
    let numbers = format.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let widths = numbers.map(|digits| digits.parse().unwrap_or(usize::MAX));
    let widths = widths.fold(0, usize::saturating_add);
    let signs = format.matches(['%', '{']).count();
    let mut longest = 0;
    for argument in arguments {
        longest = longest.max(super::python::str(argument)?.len());
    }
    check_bytes(format.len().saturating_add(widths).saturating_add(signs.saturating_mul(longest)))?;
    let places = format.split('.').skip(1).map(|rest| {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().unwrap_or(if digits > 0 { usize::MAX } else { 0 })
    });
    if places.max().is_some_and(|places| places > MOST_PLACES) {
        return Err(TooLarge::Places.into());
    }
    Ok(())
}

/// The parts of a text, as many as a list may have.
pub(super) fn parts<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>, Error> {
    let parts: Vec<&str> = parts.take(MOST_ITEMS + 1).collect();
    check_items(parts.len())?;
    Ok(parts)
}

/// Refuses what a filter would go through: its value and its list arguments.
pub(super) fn check_lists(value: &Value, others: &Rest<Value>) -> Result<(), Error> {
    std::iter::once(value).chain(&others.0).try_for_each(check_list)
}
