//! JSON as model files use it: no key twice, and Python's `Infinity` and `NaN` understood.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::Error;

/// Marks a duplicate key inside a parser message, so that it becomes its own error.
const DUPLICATE: &str = "duplicate key ";

/// Reads a JSON object whose keys are unique at every depth.
pub(crate) fn parse_object(file: &Path, bytes: &[u8]) -> Result<Map<String, Value>, Error> {
    let text = std::str::from_utf8(bytes).map_err(|problem| Error::Json {
        file: file.to_path_buf(),
        problem: format!("not UTF-8: {problem}"),
    })?;
    let text = name_non_finite(text.strip_prefix('\u{feff}').unwrap_or(text));
    let UniqueValue(value) =
        serde_json::from_str(&text).map_err(|problem| parse_error(file, &problem))?;
    match value {
        Value::Object(map) => Ok(map),
        other => Err(Error::Malformed {
            file: file.to_path_buf(),
            field: "top level".into(),
            found: kind(&other).into(),
            expected: "an object".into(),
        }),
    }
}

/// Turns a parser message into the crate's error; duplicates get their own variant.
pub(crate) fn parse_error(file: &Path, problem: &serde_json::Error) -> Error {
    let message = problem.to_string();
    if let Some(at) = message.find(DUPLICATE) {
        let rest = &message[at + DUPLICATE.len()..];
        // The key was printed as a JSON string; the parser's position follows it.
        let mut keys = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        if let Some(Ok(key)) = keys.next() {
            let place = rest[keys.byte_offset()..].trim_start_matches(" at ");
            return Error::DuplicateKey { file: file.to_path_buf(), key, place: place.into() };
        }
    }
    Error::Json { file: file.to_path_buf(), problem: message }
}

/// The parser error for a key that was seen before.
pub(crate) fn duplicate_key<E: serde::de::Error>(key: &str) -> E {
    E::custom(format!("{DUPLICATE}{}", Value::from(key)))
}

/// The JSON name of a value's kind.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Python writes `Infinity`, `-Infinity` and `NaN` bare, which JSON forbids. They become the object
/// that transformers 5 writes for them, `{"__float__": "Infinity"}`.
fn name_non_finite(text: &str) -> Cow<'_, str> {
    if !text.contains("Infinity") && !text.contains("NaN") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find(['"', '-', 'I', 'N']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let word = ["-Infinity", "Infinity", "NaN"].into_iter().find(|word| rest.starts_with(word));
        let taken = match word {
            Some(word) => {
                out.push_str(&format!("{{\"__float__\":\"{word}\"}}"));
                word.len()
            }
            None => {
                let length = if rest.starts_with('"') { string_length(rest) } else { 1 };
                out.push_str(&rest[..length]);
                length
            }
        };
        rest = &rest[taken..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Bytes of the JSON string that `text` starts with, quotes included; all of it if it never ends.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A JSON value whose objects have no key twice; serde_json's own keeps the last one silently.
struct UniqueValue(Value);

impl<'de> Deserialize<'de> for UniqueValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UniqueSeed.deserialize(deserializer).map(UniqueValue)
    }
}

struct UniqueSeed;

impl<'de> DeserializeSeed<'de> for UniqueSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for UniqueSeed {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(UniqueSeed)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(duplicate_key(&key));
            }
            let value = entries.next_value_seed(UniqueSeed)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// The entries of a JSON object in file order, each key once, each value read as `T`. A value's
/// error is prefixed with its key.
pub(crate) struct Entries<T>(pub(crate) Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Entries<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<T>, A::Error> {
                let mut entries = Vec::new();
                let mut seen = HashSet::new();
                while let Some(key) = map.next_key::<String>()? {
                    if !seen.insert(key.clone()) {
                        return Err(duplicate_key(&key));
                    }
                    let value = map
                        .next_value()
                        .map_err(|problem| A::Error::custom(format!("{key:?}: {problem}")))?;
                    entries.push((key, value));
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(EntriesVisitor(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Map<String, Value>, Error> {
        parse_object(Path::new("config.json"), text.as_bytes())
    }

    #[test]
    fn a_duplicate_key_is_named_at_any_depth() {
        for text in [r#"{"a":1,"a":2}"#, r#"{"b":{"x":[{"a":1,"a":1}]}}"#] {
            match parse(text) {
                Err(Error::DuplicateKey { key, .. }) => assert_eq!(key, "a"),
                other => panic!("expected a duplicate key, got {other:?}"),
            }
        }
    }

    #[test]
    fn python_infinities_are_kept_and_strings_are_left_alone() {
        let map = parse(
            r#"{"limit":[0.0, Infinity], "x":-Infinity, "n":NaN, "s":"NaN \" Infinity", "d":-1}"#,
        )
        .expect("valid");
        assert_eq!(map["limit"][1]["__float__"], "Infinity");
        assert_eq!(map["x"]["__float__"], "-Infinity");
        assert_eq!(map["n"]["__float__"], "NaN");
        assert_eq!(map["s"], "NaN \" Infinity");
        assert_eq!(map["d"], -1);
    }

    #[test]
    fn not_an_object_and_not_json_are_told_apart() {
        assert!(matches!(parse("[1]"), Err(Error::Malformed { .. })));
        assert!(matches!(parse("{"), Err(Error::Json { .. })));
        assert!(matches!(parse(""), Err(Error::Json { .. })));
    }
}
