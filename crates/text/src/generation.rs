//! generation_config.json: sampling defaults and the ids that end a text.

use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::sources::shorten;

/// The sampling defaults that a model ships with. A request's own value, then a
/// server flag, come before them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GenerationDefaults {
    /// Softmax temperature.
    pub temperature: Option<f32>,
    /// How many of the most likely tokens are kept.
    pub top_k: Option<u32>,
    /// The probability mass that is kept.
    pub top_p: Option<f32>,
    /// The least probability, relative to the most likely token's.
    pub min_p: Option<f32>,
    /// Divides the logits of tokens seen before.
    pub repetition_penalty: Option<f32>,
}

impl GenerationDefaults {
    /// Reads the fields that are there; null counts as absent.
    pub(crate) fn read(config: &Value, path: &Path) -> Result<Self, Error> {
        let number = |field| read_number(config, path, field);
        Ok(Self {
            temperature: number("temperature")?,
            top_k: read_ids(&config["top_k"], path, "top_k")?.first().copied(),
            top_p: number("top_p")?,
            min_p: number("min_p")?,
            repetition_penalty: number("repetition_penalty")?,
        })
    }
}

fn read_number(config: &Value, path: &Path, field: &str) -> Result<Option<f32>, Error> {
    let value = &config[field];
    if value.is_null() {
        return Ok(None);
    }
    // Sampling is done in f32.
    match value.as_f64().map(|number| number as f32) {
        Some(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
        _ => Err(Error::Field {
            path: path.to_owned(),
            field: field.to_owned(),
            found: shorten(value),
            expected: "a number that is not negative",
        }),
    }
}

/// One id, a list of ids, or null: as `eos_token_id` is written.
pub(crate) fn read_ids(value: &Value, path: &Path, field: &str) -> Result<Vec<u32>, Error> {
    let wrong = || Error::Field {
        path: path.to_owned(),
        field: field.to_owned(),
        found: shorten(value),
        expected: "a whole number from 0 to 4294967295, or a list of them",
    };
    let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok()).ok_or_else(wrong);
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => list.iter().map(id).collect(),
        one => Ok(vec![id(one)?]),
    }
}
