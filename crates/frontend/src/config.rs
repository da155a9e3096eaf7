//! Strict reading of `config.json`.
//!
//! [`Fields`] remembers what a model reads. What is left in the end is refused by name,
//! unless it is known to be [harmless](HARMLESS) or says nothing: null, false, or an empty
//! text, list or object. A field that is null is as good as absent.

#[cfg(feature = "testing")]
mod recorded;
mod sizes;
mod text;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::Error;

#[cfg(feature = "testing")]
pub use recorded::recorded;
pub use sizes::{
    SizeDefaults, Sizes, further_layers, late_windows, layer_windows, layers_of_two_kinds,
    sizes_text, window,
};
pub use text::{of_text, of_text_with};

/// Fields that do not change what a model computes, whatever their value: bookkeeping, ids
/// that the tokenizer and the generation settings use, and what matters in training only
/// (dropout is the identity when a model runs). Names that begin with an underscore are the
/// writer's own notes and are harmless too.
pub const HARMLESS: &[&str] = &[
    "architectures",
    "attention_dropout",
    "attn_implementation",
    "attn_pdrop",
    "auto_map",
    "begin_suppress_tokens",
    "bos_token_id",
    "cache_implementation",
    "chunk_size_feed_forward",
    "dtype",
    "embd_pdrop",
    "eos_token_id",
    "finetuning_task",
    "gradient_checkpointing",
    "hidden_dropout",
    "id2label",
    "initializer_range",
    "is_llama_config",
    "label2id",
    "model_type",
    "num_labels",
    "output_attentions",
    "output_hidden_states",
    "output_router_logits",
    "pad_token_id",
    "pretraining_tp",
    "problem_type",
    "resid_pdrop",
    "return_dict",
    "router_aux_loss_coef",
    "router_jitter_noise",
    "sep_token_id",
    "suppress_tokens",
    "task_specific_params",
    "tokenizer_class",
    "torch_dtype",
    "transformers.js_config",
    "transformers_version",
    "unk_token_id",
    "unsloth_fixed",
    "unsloth_version",
    "use_cache",
];

/// The fields of one JSON object, and which of them have been read.
pub struct Fields<'a> {
    file: PathBuf,
    prefix: String,
    /// Whether these are the fields of a configuration, not of an object inside one.
    whole: bool,
    map: &'a Map<String, Value>,
    read: RefCell<HashSet<String>>,
    others: Cell<OtherNames>,
}

/// Names of fields, each with another that files have for it.
type OtherNames = &'static [(&'static str, &'static str)];

impl<'a> Fields<'a> {
    /// The fields of a whole configuration.
    pub fn new(file: &Path, map: &'a Map<String, Value>) -> Self {
        let (file, prefix) = (file.into(), String::new());
        Self { file, prefix, whole: true, map, read: RefCell::default(), others: Cell::default() }
    }

    /// From here on a field that does not stand in the file is looked for under its other name.
    pub fn also_called(&self, others: OtherNames) {
        self.others.set(others);
    }

    /// The name that the file has for a field.
    fn own_name<'n>(&self, name: &'n str) -> &'n str {
        let other = self.others.get().iter().find(|(own, _)| *own == name);
        match other {
            Some((_, other)) if !self.map.contains_key(name) => other,
            _ => name,
        }
    }

    /// Whether the field stands in the file, even as null.
    pub fn stands(&self, name: &str) -> bool {
        self.map.contains_key(self.own_name(name))
    }

    /// The value, unless absent or null.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        #[cfg(feature = "testing")]
        recorded::note(&self.prefix, name);
        let name = self.own_name(name);
        self.read.borrow_mut().insert(name.to_owned());
        #[cfg(feature = "testing")]
        recorded::note(&self.prefix, name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// A size from 1 to `most` that must be there.
    pub fn size(&self, name: &str, most: usize) -> Result<usize, Error> {
        self.optional_size(name, most)?.ok_or_else(|| self.missing(name, &range(most)))
    }

    /// A size from 1 to `most`.
    pub fn optional_size(&self, name: &str, most: usize) -> Result<Option<usize>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
        match size {
            Some(size) if (1..=most).contains(&size) => Ok(Some(size)),
            _ => Err(self.wrong(name, &range(most))),
        }
    }

    /// A number from 0 to `most` that may be absent.
    pub fn optional_count(&self, name: &str, most: usize) -> Result<Option<usize>, Error> {
        if self.get(name).and_then(Value::as_u64) == Some(0) {
            return Ok(Some(0));
        }
        self.optional_size(name, most)
    }

    /// A finite number above zero that must be there.
    pub fn positive(&self, name: &str) -> Result<f64, Error> {
        self.optional_positive(name)?.ok_or_else(|| self.missing(name, "a number above 0"))
    }

    /// A finite number above zero.
    pub fn optional_positive(&self, name: &str) -> Result<Option<f64>, Error> {
        match self.optional_number(name)? {
            Some(number) if number <= 0.0 => Err(self.wrong(name, "a number above 0")),
            number => Ok(number),
        }
    }

    /// A finite number.
    pub fn optional_number(&self, name: &str) -> Result<Option<f64>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_f64().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| self.wrong(name, "a finite number"))
    }

    /// True or false.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, Error> {
        let Some(value) = self.get(name) else { return Ok(default) };
        value.as_bool().ok_or_else(|| self.wrong(name, "true or false"))
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| self.wrong(name, "a text"))
    }

    /// A list of texts.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<&'a str>>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let texts = value.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
        texts.map(Some).ok_or_else(|| self.wrong(name, "a list of texts"))
    }

    /// A list of numbers from 0 to `most`; an empty one where the field is absent.
    pub fn counts(&self, name: &str, most: usize) -> Result<Vec<usize>, Error> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        let count = |value: &Value| {
            let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
            count.filter(|count| *count <= most)
        };
        let counts = value.as_array().and_then(|list| list.iter().map(count).collect());
        counts.ok_or_else(|| self.wrong(name, &format!("a list of numbers from 0 to {most}")))
    }

    /// A list of `count` finite numbers above zero that must be there.
    pub fn positives(&self, name: &str, count: usize) -> Result<Vec<f64>, Error> {
        let expected = format!("a list of {count} numbers above 0");
        let Some(value) = self.get(name) else { return Err(self.missing(name, &expected)) };
        let number = |value: &Value| value.as_f64().filter(|n| n.is_finite() && *n > 0.0);
        let numbers: Option<Vec<f64>> =
            value.as_array().and_then(|list| list.iter().map(number).collect());
        match (numbers, value.as_array()) {
            (Some(numbers), _) if numbers.len() == count => Ok(numbers),
            (Some(numbers), _) => {
                Err(self.wrong_as(name, format!("a list of {}", numbers.len()), &expected))
            }
            _ => Err(self.wrong(name, &expected)),
        }
    }

    /// The fields of an object; the caller ends it with [`Fields::refuse_unread`].
    pub fn object(&self, name: &str) -> Result<Option<Fields<'a>>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let map = value.as_object().ok_or_else(|| self.wrong(name, "an object"))?;
        Ok(Some(Fields {
            file: self.file.clone(),
            prefix: format!("{}{name}.", self.prefix),
            whole: false,
            map,
            read: RefCell::default(),
            others: Cell::default(),
        }))
    }

    /// The configuration of a part of the model, which may have the bookkeeping of a whole one; the
    /// caller ends it with [`Fields::refuse_unread`].
    pub fn part(&self, name: &str) -> Result<Option<Fields<'a>>, Error> {
        Ok(self.object(name)?.map(|fields| Fields { whole: true, ..fields }))
    }

    /// Whether the object has no fields but nulls.
    pub fn is_empty(&self) -> bool {
        self.map.values().all(Value::is_null)
    }

    /// Whether two objects say the same, nulls aside.
    pub fn agrees(&self, other: &Fields<'_>) -> bool {
        let said = |fields: &Fields<'_>| -> Vec<(String, Value)> {
            let mut said: Vec<_> = (fields.map.iter())
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            said.sort_by(|a, b| a.0.cmp(&b.0));
            said
        };
        said(self) == said(other)
    }

    /// Refuses what has not been read, unless it is harmless or says nothing.
    pub fn refuse_unread(&self, architecture: &'static str) -> Result<(), Error> {
        let read = self.read.borrow();
        let harmless =
            |name: &str| self.whole && (name.starts_with('_') || HARMLESS.contains(&name));
        let unread = self
            .map
            .iter()
            .find(|(name, value)| !read.contains(*name) && !harmless(name) && !says_nothing(value));
        let Some((name, value)) = unread else { return Ok(()) };
        Err(Error::UnreadField {
            file: self.file.clone(),
            field: format!("{}{name}", self.prefix),
            found: shortened(value),
            architecture,
        })
    }

    /// That a field is absent.
    pub fn missing(&self, name: &str, expected: &str) -> Error {
        Error::MissingField {
            file: self.file.clone(),
            field: format!("{}{name}", self.prefix),
            expected: expected.into(),
        }
    }

    /// That a field's value is not `expected`.
    pub fn wrong(&self, name: &str, expected: &str) -> Error {
        let name = self.own_name(name);
        let found = self.map.get(name).map_or_else(|| "missing".to_owned(), shortened);
        self.wrong_as(name, found, expected)
    }

    /// As [`Fields::wrong`], with what was found in other words.
    pub fn wrong_as(&self, name: &str, found: String, expected: &str) -> Error {
        Error::WrongField {
            file: self.file.clone(),
            field: format!("{}{name}", self.prefix),
            found,
            expected: expected.into(),
        }
    }
}

fn range(most: usize) -> String {
    format!("a size from 1 to {most}")
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
    }
}

/// A value short enough for an error's line.
fn shortened(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}
