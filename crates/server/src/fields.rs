//! Reading a request's JSON object, one field at a time.
//!
//! Not a serde derive: a derive can say neither which field was wrong, nor that `null` means
//! absent everywhere (clients replay objects with every optional field as null), nor which
//! fields nobody read.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::api_error::ApiError;

/// A request's fields. Reading one takes it out; what is left at the end had no effect.
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Starts reading `object`.
    pub fn new(object: Map<String, Value>) -> Self {
        Self(object)
    }

    /// The field's value; `null` is the same as absent.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name).filter(|value| !value.is_null())
    }

    /// A string.
    pub fn string(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(ApiError::wrong_value(name, "a string", &other)),
        }
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(value)),
            Some(other) => Err(ApiError::wrong_value(name, "true or false", &other)),
        }
    }

    /// A whole number within `range`. `4.0` is refused: a limit with a fraction is a mistake.
    pub fn integer(
        &mut self,
        name: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, ApiError> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        match value.as_i64() {
            Some(number) if range.contains(&number) => Ok(Some(number)),
            _ => {
                let expected = match range.end() {
                    &i64::MAX => format!("a whole number, at least {}", range.start()),
                    end => format!("a whole number from {} to {end}", range.start()),
                };
                Err(ApiError::wrong_value(name, &expected, &value))
            }
        }
    }

    /// A number within `range`, whole or not.
    pub fn number(
        &mut self,
        name: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f32>, ApiError> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        match value.as_f64() {
            // Cast last: the range is checked before f32 could round a value over its edge.
            Some(number) if range.contains(&number) => Ok(Some(number as f32)),
            _ => {
                let expected = format!("a number from {} to {}", range.start(), range.end());
                Err(ApiError::wrong_value(name, &expected, &value))
            }
        }
    }

    /// An object.
    pub fn object(&mut self, name: &str) -> Result<Option<Map<String, Value>>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(ApiError::wrong_value(name, "an object", &other)),
        }
    }

    /// A list of token ids, each below `vocab_size`.
    pub fn token_ids(
        &mut self,
        name: &str,
        vocab_size: usize,
    ) -> Result<Option<Vec<u32>>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Array(items)) => token_ids(name, &items, vocab_size).map(Some),
            Some(other) => Err(ApiError::wrong_value(name, "a list of token ids", &other)),
        }
    }

    /// The names of the fields that nobody took: they had no effect.
    pub fn ignored(self) -> Vec<String> {
        let given = |(name, value): (String, Value)| (!value.is_null()).then_some(name);
        self.0.into_iter().filter_map(given).collect()
    }
}

/// Reads `items` as token ids below `vocab_size`; an error names the item.
pub fn token_ids(name: &str, items: &[Value], vocab_size: usize) -> Result<Vec<u32>, ApiError> {
    let read = |(index, item): (usize, &Value)| {
        token_id(item, vocab_size)
            .ok_or_else(|| bad_token_id(&format!("{name}[{index}]"), item, vocab_size))
    };
    items.iter().enumerate().map(read).collect()
}

/// The error for an id that is no token of this model.
pub fn bad_token_id(name: &str, found: &Value, vocab_size: usize) -> ApiError {
    let expected = format!("a token id below the vocabulary size, {vocab_size}");
    ApiError::wrong_value(name, &expected, found)
}

fn token_id(item: &Value, vocab_size: usize) -> Option<u32> {
    let id = u32::try_from(item.as_u64()?).ok()?;
    ((id as usize) < vocab_size).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        let Value::Object(object) = value else {
            panic!("the test gives an object");
        };
        Fields::new(object)
    }

    #[test]
    fn null_is_absent_for_every_kind_c24() {
        let mut fields = fields(json!({"a": null, "b": null, "c": null, "d": null, "e": null}));
        assert_eq!(fields.string("a"), Ok(None));
        assert_eq!(fields.boolean("b"), Ok(None));
        assert_eq!(fields.integer("c", 0..=1), Ok(None));
        assert_eq!(fields.number("d", 0.0..=1.0), Ok(None));
        assert_eq!(fields.token_ids("e", 10), Ok(None));
        assert!(fields.ignored().is_empty());
    }

    #[test]
    fn a_limit_that_is_not_a_whole_number_in_range_names_its_field_c13() {
        for bad in
            [json!(-1), json!(-2), json!(1e30), json!(2.5), json!(3.0), json!("7"), json!([])]
        {
            let mut fields = fields(json!({"max_tokens": bad}));
            let error = fields.integer("max_tokens", 0..=100).expect_err("refused");
            assert_eq!(error.param(), Some("max_tokens"), "{bad}");
            assert!(error.message().contains("from 0 to 100"), "{}", error.message());
        }
    }

    #[test]
    fn an_integer_serves_as_a_number() {
        let mut fields = fields(json!({"temperature": 1}));
        assert_eq!(fields.number("temperature", 0.0..=2.0), Ok(Some(1.0)));
    }

    #[test]
    fn a_token_id_outside_the_vocabulary_names_its_place_c19() {
        let mut fields = fields(json!({"stop_token_ids": [1, 10]}));
        let error = fields.token_ids("stop_token_ids", 10).expect_err("refused");
        assert_eq!(error.param(), Some("stop_token_ids[1]"));
        assert!(error.message().contains("10"), "{}", error.message());
    }

    #[test]
    fn fields_that_nobody_took_are_listed_unless_null() {
        let mut fields = fields(json!({"model": "m", "user": "u", "store": null}));
        assert_eq!(fields.string("model"), Ok(Some("m".to_owned())));
        assert_eq!(fields.ignored(), ["user"]);
    }
}
