//! A method's settings in JSON, read field by field.

use std::path::Path;

use serde_json::{Map, Value};

use crate::error::Error;
use crate::json;

/// An object of settings and where it stands.
pub(super) struct Settings<'a> {
    pub(super) file: &'a Path,
    /// Its field; empty at the top of a file.
    place: String,
    pub(super) fields: &'a Map<String, Value>,
}

impl<'a> Settings<'a> {
    pub(super) fn new(file: &'a Path, place: &str, fields: &'a Map<String, Value>) -> Settings<'a> {
        Settings { file, place: place.to_owned(), fields }
    }

    /// A field that is there and not null.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// The object in a field, if there is one.
    pub(super) fn object(&self, name: &str) -> Result<Option<Settings<'a>>, Error> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => {
                Ok(Some(Settings { file: self.file, place: self.path(name), fields }))
            }
            Some(other) => Err(self.wrong(name, json::kind(other), "an object")),
        }
    }

    /// A text, in lower case; `absent` where there is none.
    pub(super) fn text(&self, name: &str, absent: &str) -> Result<String, Error> {
        match self.get(name) {
            None => Ok(absent.to_owned()),
            Some(Value::String(text)) => Ok(text.to_lowercase()),
            Some(other) => Err(self.wrong(name, other, "a string")),
        }
    }

    /// A flag; `absent` where there is none.
    pub(super) fn flag(&self, name: &str, absent: bool) -> Result<bool, Error> {
        match self.get(name) {
            None => Ok(absent),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(name, other, "true or false")),
        }
    }

    /// A whole number from 1 to 65535.
    pub(super) fn number(&self, name: &str) -> Result<usize, Error> {
        let value = self.get(name);
        let number = value.and_then(Value::as_u64).filter(|number| (1..1 << 16).contains(number));
        number.map(|number| number as usize).ok_or_else(|| {
            let found = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
            self.wrong(name, found, "a whole number from 1 to 65535")
        })
    }

    /// Columns under one scale; `None` where -1 says whole rows.
    pub(super) fn group(&self, name: &str) -> Result<Option<usize>, Error> {
        match self.get(name).and_then(Value::as_i64) {
            Some(-1) => Ok(None),
            _ => self.number(name).map(Some),
        }
    }

    /// Two whole numbers, of rows and columns, if there are any.
    pub(super) fn pair(&self, name: &str) -> Result<Option<[usize; 2]>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = |value: &Value| value.as_u64().filter(|n| (1..1 << 16).contains(n));
        match value.as_array().map(|list| list.iter().map(number).collect::<Vec<_>>()) {
            Some(list) if list.len() == 2 => match (list[0], list[1]) {
                (Some(rows), Some(columns)) => Ok(Some([rows as usize, columns as usize])),
                _ => Err(self.wrong(name, value, "two whole numbers, rows and columns")),
            },
            _ => Err(self.wrong(name, value, "two whole numbers, rows and columns")),
        }
    }

    /// A list of texts; empty where there is none.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, Error> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let list = value.as_array().and_then(|list| list.iter().map(text).collect());
        list.ok_or_else(|| self.wrong(name, value, "a list of strings"))
    }

    /// Refuses a field that is there with another value than one of `known`.
    pub(super) fn one_of(&self, name: &str, absent: &str, known: &[&str]) -> Result<String, Error> {
        let text = self.text(name, absent)?;
        if known.contains(&text.as_str()) {
            return Ok(text);
        }
        Err(self.wrong(name, format!("{text:?}"), &format!("one of {}", known.join(", "))))
    }

    /// Refuses fields that are none of `known`: they may say what the tensors mean. Null says nothing.
    pub(super) fn only(&self, known: &[&[&str]]) -> Result<(), Error> {
        let is_known = |name: &str| known.iter().any(|names| names.contains(&name));
        match self.fields.iter().find(|(name, value)| !is_known(name) && !value.is_null()) {
            None => Ok(()),
            Some((name, value)) => {
                let expected = "only fields that are known here: others may change what the \
                                tensors mean";
                Err(self.wrong(name, value, expected))
            }
        }
    }

    /// The refusal of a field.
    pub(super) fn wrong(&self, name: &str, found: impl ToString, expected: &str) -> Error {
        let mut found = found.to_string();
        if found.chars().count() > 100 {
            found = found.chars().take(100).chain("...".chars()).collect();
        }
        Error::Malformed {
            file: self.file.to_path_buf(),
            field: format!("field {}", self.path(name)),
            found,
            expected: expected.to_owned(),
        }
    }

    fn path(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }
}
