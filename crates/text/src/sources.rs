//! The files that a [`TextModel`](crate::TextModel) is made of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;

/// The text files of a model, read and parsed as far as JSON goes.
///
/// Made by [`read`](Self::read) from a directory, or filled in by hand by a
/// reader of a format that keeps them elsewhere (GGUF).
#[derive(Debug, Clone, Default)]
pub struct TextSources {
    /// Where they come from; file names in errors are below this path.
    pub origin: PathBuf,
    /// tokenizer.json, as bytes.
    pub tokenizer: Vec<u8>,
    /// tokenizer_config.json, or null.
    pub tokenizer_config: Value,
    /// special_tokens_map.json, or null.
    pub special_tokens_map: Value,
    /// generation_config.json, or null.
    pub generation_config: Value,
    /// config.json, or null; only its token ids are read here.
    pub config: Value,
    /// The chat templates; empty when the model has none.
    pub chat_templates: Vec<ChatTemplateSource>,
}

/// One chat template as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatTemplateSource {
    /// `default`, `tool_use`, or another name the model gives it.
    pub name: String,
    /// The file it came from, for errors.
    pub file: PathBuf,
    /// The Jinja source.
    pub source: String,
}

impl TextSources {
    /// Reads a directory. Only tokenizer.json must exist.
    ///
    /// `chat_template.jinja` and `additional_chat_templates/NAME.jinja` win over
    /// `chat_template.json`, which wins over a template in tokenizer_config.json,
    /// as in transformers.
    pub fn read(directory: &Path) -> Result<Self, Error> {
        let path = directory.join("tokenizer.json");
        let tokenizer = read_optional(&path)?.ok_or(Error::Missing { path })?;
        let tokenizer_config = read_json(&directory.join("tokenizer_config.json"))?;
        let chat_templates = read_templates(directory, &tokenizer_config)?;
        Ok(Self {
            origin: directory.to_owned(),
            tokenizer,
            tokenizer_config,
            special_tokens_map: read_json(&directory.join("special_tokens_map.json"))?,
            generation_config: read_json(&directory.join("generation_config.json"))?,
            config: read_json(&directory.join("config.json"))?,
            chat_templates,
        })
    }

    /// Fills [`chat_templates`](Self::chat_templates) from a `chat_template` value:
    /// a string, or a list of objects with `name` and `template`.
    pub fn templates_from(value: &Value, file: &Path) -> Result<Vec<ChatTemplateSource>, Error> {
        let one = |name: &str, source: &str| ChatTemplateSource {
            name: name.to_owned(),
            file: file.to_owned(),
            source: source.to_owned(),
        };
        let wrong = || Error::Field {
            path: file.to_owned(),
            field: "chat_template".to_owned(),
            found: shorten(value),
            expected: "a string, or a list of objects with name and template",
        };
        match value {
            Value::Null => Ok(Vec::new()),
            Value::String(source) => Ok(vec![one("default", source)]),
            Value::Array(list) => list
                .iter()
                .map(|entry| match (entry["name"].as_str(), entry["template"].as_str()) {
                    (Some(name), Some(source)) => Ok(one(name, source)),
                    _ => Err(wrong()),
                })
                .collect(),
            _ => Err(wrong()),
        }
    }
}

/// A JSON value, short enough for an error message.
pub(crate) fn shorten(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn read_optional(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
    }
}

fn read_text(path: &Path) -> Result<Option<String>, Error> {
    let decode = |bytes| {
        String::from_utf8(bytes).map_err(|error| Error::Read {
            path: path.to_owned(),
            source: std::io::Error::new(std::io::ErrorKind::InvalidData, error),
        })
    };
    read_optional(path)?.map(decode).transpose()
}

/// A JSON object, or null when the file is absent.
fn read_json(path: &Path) -> Result<Value, Error> {
    let Some(bytes) = read_optional(path)? else {
        return Ok(Value::Null);
    };
    let value = parse(&bytes)
        .map_err(|error| Error::Json { path: path.to_owned(), message: error.to_string() })?;
    if value.is_object() {
        return Ok(value);
    }
    Err(Error::Field {
        path: path.to_owned(),
        field: "the whole file".to_owned(),
        found: shorten(&value),
        expected: "a JSON object",
    })
}

/// Python writes `Infinity`, `-Infinity` and `NaN` bare, which JSON forbids; the config.json of Mamba-2
/// has one. They become null: nothing that is read here is such a number.
fn parse(bytes: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(bytes).or_else(|error| match std::str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(&without_bare_words(text)).map_err(|_| error),
        Err(_) => Err(error),
    })
}

fn without_bare_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut in_string, mut escaped) = (text, false, false);
    while let Some(first) = rest.chars().next() {
        let is_next = |word: &&str| !in_string && rest.starts_with(*word);
        let word = ["-Infinity", "Infinity", "NaN"].into_iter().find(is_next);
        let taken = word.map_or(first.len_utf8(), str::len);
        out.push_str(word.map_or(&rest[..taken], |_| "null"));
        in_string ^= first == '"' && !escaped;
        escaped = in_string && first == '\\' && !escaped;
        rest = &rest[taken..];
    }
    out
}

fn read_templates(
    directory: &Path,
    tokenizer_config: &Value,
) -> Result<Vec<ChatTemplateSource>, Error> {
    let mut templates = Vec::new();
    let file = directory.join("chat_template.jinja");
    if let Some(source) = read_text(&file)? {
        templates.push(ChatTemplateSource { name: "default".to_owned(), file, source });
    }
    for (name, file) in named_template_files(directory)? {
        if let Some(source) = read_text(&file)? {
            templates.push(ChatTemplateSource { name, file, source });
        }
    }
    if !templates.is_empty() {
        return Ok(templates);
    }
    let file = directory.join("chat_template.json");
    let json = read_json(&file)?;
    if !json.is_null() {
        return TextSources::templates_from(&json["chat_template"], &file);
    }
    TextSources::templates_from(
        &tokenizer_config["chat_template"],
        &directory.join("tokenizer_config.json"),
    )
}

/// The files of `additional_chat_templates/`, by name, in order.
fn named_template_files(directory: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let folder = directory.join("additional_chat_templates");
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(source) => return Err(Error::Read { path: folder, source }),
    };
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(|source| Error::Read { path: folder.clone(), source })?.path();
        let is_template = path.extension().is_some_and(|extension| extension == "jinja");
        if let (true, Some(name)) = (is_template, path.file_stem().and_then(|stem| stem.to_str())) {
            files.insert(name.to_owned(), path.clone());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pythons_words_for_what_is_no_number_are_null_outside_of_strings() {
        let text =
            r#"{"limit": [0.0, Infinity, -Infinity], "n": NaN, "s": "NaN \" Infinity", "é": -1}"#;
        let expected =
            json!({"limit": [0.0, null, null], "n": null, "s": "NaN \" Infinity", "é": -1});
        assert_eq!(parse(text.as_bytes()).expect("it is read"), expected);
        let error = parse(b"{\n\"n\": Infinite}").expect_err("no such word");
        assert_eq!(error.line(), 2);
    }
}
