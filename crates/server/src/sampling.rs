//! Sampling values: read from a request, completed from the server's flags, the model's own
//! generation defaults, and the built-in values, in that order (A45).

use std::collections::HashSet;

use serde_json::Value;
use tyto_engine::{Dry, SamplingParams, Xtc};
use tyto_text::GenerationDefaults;

use crate::api_error::ApiError;
use crate::fields::{Fields, bad_token_id};

/// The sampling values that someone chose; `None` leaves the choice to the next in line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SamplingChoice {
    /// 0 takes the most likely token.
    pub temperature: Option<f32>,
    /// Only the `k` most likely tokens; 0 keeps all.
    pub top_k: Option<u32>,
    /// Only the most likely tokens whose probabilities add up to this.
    pub top_p: Option<f32>,
    /// Only tokens at least this fraction as likely as the most likely one.
    pub min_p: Option<f32>,
    /// Divides the scores of tokens already in the prompt or the answer.
    pub repetition_penalty: Option<f32>,
    /// Subtracted once from the score of a token already in the answer.
    pub presence_penalty: Option<f32>,
    /// Subtracted from the score of a token for each time it is in the answer.
    pub frequency_penalty: Option<f32>,
}

impl SamplingChoice {
    /// Reads the sampling fields of a request.
    pub(crate) fn parse(fields: &mut Fields) -> Result<Self, ApiError> {
        Ok(Self {
            temperature: fields.number("temperature", 0.0..=2.0)?,
            top_k: parse_top_k(fields)?,
            top_p: fields.number("top_p", 0.0..=1.0)?,
            min_p: fields.number("min_p", 0.0..=1.0)?,
            repetition_penalty: fields.number("repetition_penalty", 0.01..=10.0)?,
            presence_penalty: fields.number("presence_penalty", -2.0..=2.0)?,
            frequency_penalty: fields.number("frequency_penalty", -2.0..=2.0)?,
        })
    }

    /// This choice, with what it leaves open taken from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            temperature: self.temperature.or(other.temperature),
            top_k: self.top_k.or(other.top_k),
            top_p: self.top_p.or(other.top_p),
            min_p: self.min_p.or(other.min_p),
            repetition_penalty: self.repetition_penalty.or(other.repetition_penalty),
            presence_penalty: self.presence_penalty.or(other.presence_penalty),
            frequency_penalty: self.frequency_penalty.or(other.frequency_penalty),
        }
    }

    /// The values to sample with: what is still open gets the built-in value.
    pub fn resolve(self) -> SamplingParams {
        SamplingParams {
            temperature: self.temperature.unwrap_or(1.0),
            top_k: self.top_k.filter(|&k| k > 0),
            top_p: self.top_p.unwrap_or(1.0),
            min_p: self.min_p.unwrap_or(0.0),
            seed: None,
            repetition_penalty: self.repetition_penalty.unwrap_or(1.0),
            presence_penalty: self.presence_penalty.unwrap_or(0.0),
            frequency_penalty: self.frequency_penalty.unwrap_or(0.0),
            logit_bias: Vec::new(),
            ..SamplingParams::greedy()
        }
    }
}

impl From<&GenerationDefaults> for SamplingChoice {
    fn from(defaults: &GenerationDefaults) -> Self {
        Self {
            temperature: defaults.temperature,
            top_k: defaults.top_k,
            top_p: defaults.top_p,
            min_p: defaults.min_p,
            repetition_penalty: defaults.repetition_penalty,
            presence_penalty: None,
            frequency_penalty: None,
        }
    }
}

/// Reads `logit_bias`: `{"token id": bias}`, biases from -100 to 100.
pub(crate) fn parse_logit_bias(
    fields: &mut Fields,
    vocab_size: usize,
) -> Result<Vec<(u32, f32)>, ApiError> {
    let entries = fields.object("logit_bias")?.unwrap_or_default();
    let mut biases = Vec::with_capacity(entries.len());
    let mut known = HashSet::with_capacity(entries.len());
    for (key, value) in &entries {
        let id = key.parse::<u32>().ok().filter(|&id| (id as usize) < vocab_size);
        let Some(id) = id else {
            return Err(bad_token_id("logit_bias", &Value::from(key.as_str()), vocab_size));
        };
        if !known.insert(id) {
            let message = format!("`logit_bias` has the id {id} twice, once as {key:?}");
            return Err(ApiError::invalid("logit_bias", message).with_code("invalid_value"));
        }
        match value.as_f64() {
            Some(bias) if (-100.0..=100.0).contains(&bias) => biases.push((id, bias as f32)),
            _ => {
                let name = format!("logit_bias[{key}]");
                return Err(ApiError::wrong_value(&name, "a number from -100 to 100", value));
            }
        }
    }
    Ok(biases)
}

/// Reads the samplers that llama-server has beyond OpenAI's: typical, XTC and DRY.
pub(crate) fn parse_more_samplers(
    fields: &mut Fields,
    params: &mut SamplingParams,
) -> Result<(), ApiError> {
    if let Some(typical_p) = fields.number("typical_p", 0.0..=1.0)? {
        params.typical_p = typical_p;
    }
    params.xtc = Xtc {
        probability: fields.number("xtc_probability", 0.0..=1.0)?.unwrap_or(Xtc::OFF.probability),
        threshold: fields.number("xtc_threshold", 0.0..=1.0)?.unwrap_or(Xtc::OFF.threshold),
    };
    let off = Dry::off();
    let length = fields.integer("dry_allowed_length", 0..=i64::from(u32::MAX))?;
    let last_n = fields.integer("dry_penalty_last_n", -1..=i64::from(u32::MAX))?;
    params.dry = Dry {
        multiplier: fields.number("dry_multiplier", 0.0..=100.0)?.unwrap_or(off.multiplier),
        base: fields.number("dry_base", 1.0..=100.0)?.unwrap_or(off.base),
        allowed_length: length.and_then(|n| u32::try_from(n).ok()).unwrap_or(off.allowed_length),
        // -1 looks at everything.
        last_n: last_n.and_then(|n| u32::try_from(n).ok()),
        sequence_breakers: parse_breakers(fields)?.unwrap_or(off.sequence_breakers),
    };
    Ok(())
}

fn parse_breakers(fields: &mut Fields) -> Result<Option<Vec<String>>, ApiError> {
    let name = "dry_sequence_breakers";
    let wrong = |value: &Value| ApiError::wrong_value(name, "a list of strings, none empty", value);
    match fields.take(name) {
        None => Ok(None),
        Some(Value::Array(items)) if items.len() <= 64 => {
            let text = |item: Value| match item {
                Value::String(text) if !text.is_empty() && text.len() <= 64 => Ok(text),
                other => Err(wrong(&other)),
            };
            items.into_iter().map(text).collect::<Result<_, _>>().map(Some)
        }
        Some(other) => Err(wrong(&other)),
    }
}

/// Reads `seed`. Clients send any 64-bit number, negative ones too: each is its own seed.
pub(crate) fn parse_seed(fields: &mut Fields) -> Result<Option<u64>, ApiError> {
    let Some(value) = fields.take("seed") else {
        return Ok(None);
    };
    // llama-server and vLLM take it for no seed, and their clients send it by default.
    if value.as_i64() == Some(-1) {
        return Ok(None);
    }
    match value.as_u64().or_else(|| value.as_i64().map(i64::cast_unsigned)) {
        Some(seed) => Ok(Some(seed)),
        None => Err(ApiError::wrong_value("seed", "a whole number of 64 bits", &value)),
    }
}

/// Both -1 and 0 are in use for "keep all".
fn parse_top_k(fields: &mut Fields) -> Result<Option<u32>, ApiError> {
    let given = fields.integer("top_k", -1..=i64::from(u32::MAX))?;
    Ok(given.map(|k| u32::try_from(k).unwrap_or(0)))
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
    fn request_before_flag_before_model_before_built_in_a45() {
        let at = |temperature| SamplingChoice { temperature, ..SamplingChoice::default() };
        let (request, flag, model) = (at(Some(0.1)), at(Some(0.2)), at(Some(0.3)));
        let none = SamplingChoice::default();
        let table = [
            (request, flag, model, 0.1),
            (none, flag, model, 0.2),
            (none, none, model, 0.3),
            (none, none, none, 1.0),
        ];
        for (request, flag, model, expected) in table {
            assert_eq!(request.or(flag).or(model).resolve().temperature, expected);
        }
    }

    #[test]
    fn each_value_falls_through_on_its_own_e11() {
        let request = SamplingChoice { temperature: Some(0.0), ..SamplingChoice::default() };
        let model = SamplingChoice { top_p: Some(0.9), ..SamplingChoice::default() };
        let values = request.or(model).resolve();
        assert_eq!((values.temperature, values.top_p), (0.0, 0.9));
    }

    #[test]
    fn each_range_names_its_field() {
        for (name, bad) in [
            ("temperature", json!(-0.1)),
            ("temperature", json!(2.1)),
            ("temperature", json!("warm")),
            ("top_p", json!(1.5)),
            ("top_k", json!(-2)),
            ("top_k", json!(1.5)),
            ("min_p", json!(-1)),
            ("repetition_penalty", json!(0)),
            ("presence_penalty", json!(3)),
            ("frequency_penalty", json!(-3)),
        ] {
            let error = SamplingChoice::parse(&mut fields(json!({ name: bad }))).expect_err(name);
            assert_eq!(error.param(), Some(name));
        }
    }

    #[test]
    fn top_k_off_is_spelled_two_ways() {
        for off in [-1, 0] {
            let choice = SamplingChoice::parse(&mut fields(json!({"top_k": off}))).expect("valid");
            // Chosen, so that the model's own default does not apply.
            assert_eq!(choice.top_k, Some(0));
            assert_eq!(choice.resolve().top_k, None);
        }
    }

    #[test]
    fn a_bias_outside_the_vocabulary_or_the_range_is_refused_c17() {
        let read = |value| parse_logit_bias(&mut fields(json!({"logit_bias": value})), 100);
        assert_eq!(read(json!({"99": -100})), Ok(vec![(99, -100.0)]));
        for bad in [
            json!({"191222": -100}),
            json!({"-1": 1}),
            json!({"the": 1}),
            json!({"1": 1, "01": -1}),
        ] {
            assert_eq!(read(bad).expect_err("refused").param(), Some("logit_bias"));
        }
        assert_eq!(read(json!({"5": 101})).expect_err("refused").param(), Some("logit_bias[5]"));
    }

    #[test]
    fn seeds_of_all_64_bits_are_distinct() {
        let read = |value| parse_seed(&mut fields(json!({"seed": value})));
        assert_eq!(read(json!(u64::MAX)), Ok(Some(u64::MAX)));
        assert_eq!(read(json!(-2)), Ok(Some(u64::MAX - 1)));
        assert_eq!(read(json!(-1)), Ok(None), "no seed, as llama-server and vLLM have it");
        assert_eq!(read(json!(0.5)).expect_err("refused").param(), Some("seed"));
    }
}
