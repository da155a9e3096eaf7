//! The request fields that both endpoints share: limits, stops, sampling, streaming.

use std::time::{Duration, Instant};

use serde_json::Value;
use tyto_engine::{GenerateRequest, SamplingParams, Task};

use crate::api_error::ApiError;
use crate::constraint::ConstraintPlan;
use crate::fields::Fields;
use crate::sampling::{SamplingChoice, parse_logit_bias, parse_more_samplers, parse_seed};
use crate::traces::Trace;

/// The most stop strings one request may give. Each costs a comparison for every token.
const MAX_STOP_STRINGS: usize = 64;
/// The longest stop string, in bytes. The text held back grows with it.
const MAX_STOP_BYTES: usize = 4096;
/// The most answers to one prompt (OpenAI's limit).
const MAX_ANSWERS: i64 = 128;
/// The longest time that a request may ask for, in seconds.
const MAX_TIMEOUT: f64 = 86_400.0;
/// The most alternatives that a log probability lists (OpenAI's limit).
pub const MAX_TOP_LOGPROBS: i64 = 20;

/// What the model and the server's flags say, which validation needs.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Token ids are below this.
    pub vocab_size: usize,
    /// Prompt and answer together have at most this many tokens.
    pub context_length: usize,
    /// The server's flags over the model's own defaults.
    pub sampling: SamplingChoice,
}

/// How the answer is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// One JSON object at the end.
    Whole,
    /// Server-sent events; `usage` asks for the figures before the end.
    Stream {
        /// Send a chunk with the token counts before `[DONE]`.
        usage: bool,
    },
}

/// Everything of a request except its prompt.
#[derive(Debug, Clone)]
pub struct Controls {
    /// Whole or streamed.
    pub delivery: Delivery,
    /// Values to sample with, complete.
    pub sampling: SamplingParams,
    /// At most this many new tokens; `None` goes up to the context's end.
    pub max_tokens: Option<u32>,
    /// No end of sequence before this many.
    pub min_tokens: u32,
    /// Texts that end the answer and are not part of it.
    pub stop_strings: Vec<String>,
    /// Tokens that end the answer.
    pub stop_ids: Vec<u32>,
    /// Go on after the model's end-of-sequence token.
    pub ignore_eos: bool,
    /// Log probabilities with this many alternatives.
    pub logprobs: Option<u32>,
    /// Answers to each prompt, at least one.
    pub answers: usize,
    /// When the request was here in full.
    pub arrived: Instant,
    /// The answer must be complete so long after that.
    pub timeout: Option<Duration>,
    /// Whether control tokens show in the text that is read.
    pub control_tokens: bool,
    /// Whose request it is.
    pub client: Option<String>,
    /// Its trace, if it has one.
    pub(crate) trace: Option<Trace>,
}

impl Controls {
    /// Reads the shared fields. `max_tokens` has been read by the endpoint, whose names differ.
    pub fn parse(
        fields: &mut Fields,
        limits: &Limits,
        max_tokens: Option<u32>,
        logprobs: Option<u32>,
    ) -> Result<Self, ApiError> {
        let mut sampling = SamplingChoice::parse(fields)?.or(limits.sampling).resolve();
        sampling.seed = parse_seed(fields)?;
        sampling.logit_bias = parse_logit_bias(fields, limits.vocab_size)?;
        parse_more_samplers(fields, &mut sampling)?;
        // It was read before the model was there.
        fields.take("model");
        let answers = fields.integer("n", 1..=MAX_ANSWERS)?.unwrap_or(1);
        let timeout = parse_timeout(fields)?;
        Ok(Self {
            delivery: parse_delivery(fields)?,
            sampling,
            max_tokens,
            min_tokens: parse_limit(fields, "min_tokens", limits)?.unwrap_or(0),
            stop_strings: parse_stop(fields)?,
            stop_ids: fields.token_ids("stop_token_ids", limits.vocab_size)?.unwrap_or_default(),
            ignore_eos: fields.boolean("ignore_eos")?.unwrap_or(false),
            logprobs,
            answers: usize::try_from(answers).expect("the range is 1 to 128"),
            arrived: Instant::now(),
            timeout,
            control_tokens: false,
            client: None,
            trace: None,
        })
    }

    /// The engine's tasks for one prompt. Each answer has a seed of its own: the first the
    /// request's, the next the number after it.
    pub fn tasks(&self, prompt: &[u32], constraint: &ConstraintPlan) -> Vec<Task> {
        let task = |index: usize| {
            let mut request = self.request(prompt.to_vec());
            let seed = request.sampling.seed;
            request.sampling.seed = seed.map(|seed| seed.wrapping_add(index as u64));
            Task { request, constraint: constraint.start() }
        };
        (0..self.answers).map(task).collect()
    }

    /// What is left of the time for the answer.
    pub fn remaining(&self) -> Option<Duration> {
        self.timeout.map(|timeout| timeout.saturating_sub(self.arrived.elapsed()))
    }

    fn request(&self, prompt: Vec<u32>) -> GenerateRequest {
        GenerateRequest {
            sampling: self.sampling.clone(),
            max_tokens: self.max_tokens,
            min_tokens: self.min_tokens,
            stop_strings: self.stop_strings.clone(),
            stop_ids: self.stop_ids.clone(),
            ignore_eos: self.ignore_eos,
            logprobs: self.logprobs,
            timeout: self.remaining(),
            control_tokens: self.control_tokens,
            in_one_piece: self.delivery == Delivery::Whole,
            client: self.client.clone(),
            ..GenerateRequest::new(prompt)
        }
    }
}

/// Reads how long the answer may take.
pub fn parse_timeout(fields: &mut Fields) -> Result<Option<Duration>, ApiError> {
    let timeout = fields.number("timeout", 0.0..=MAX_TIMEOUT)?;
    Ok(timeout.map(Duration::from_secs_f32))
}

/// Reads a limit of tokens: 0 to the context length.
pub fn parse_limit(
    fields: &mut Fields,
    name: &str,
    limits: &Limits,
) -> Result<Option<u32>, ApiError> {
    let context = i64::try_from(limits.context_length).unwrap_or(i64::MAX).min(u32::MAX.into());
    let limit = fields.integer(name, 0..=context)?;
    Ok(limit.map(|tokens| u32::try_from(tokens).expect("the range ends at u32::MAX or before")))
}

/// `max_completion_tokens` is the newer name of `max_tokens`; both at once must agree.
pub fn parse_max_tokens(fields: &mut Fields, limits: &Limits) -> Result<Option<u32>, ApiError> {
    let newer = parse_limit(fields, "max_completion_tokens", limits)?;
    let older = parse_limit(fields, "max_tokens", limits)?;
    match (newer, older) {
        (Some(newer), Some(older)) if newer != older => Err(ApiError::invalid(
            "max_completion_tokens",
            format!("`max_completion_tokens` is {newer} but `max_tokens` is {older}: give one"),
        )),
        _ => Ok(newer.or(older)),
    }
}

fn parse_delivery(fields: &mut Fields) -> Result<Delivery, ApiError> {
    let stream = fields.boolean("stream")?.unwrap_or(false);
    let Some(options) = fields.object("stream_options")? else {
        return Ok(if stream { Delivery::Stream { usage: false } } else { Delivery::Whole });
    };
    if !stream {
        let message = "`stream_options` is for streamed answers: set `stream` to true";
        return Err(ApiError::invalid("stream_options", message));
    }
    let usage = match options.get("include_usage") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(usage)) => *usage,
        Some(other) => {
            let name = "stream_options.include_usage";
            return Err(ApiError::wrong_value(name, "true or false", other));
        }
    };
    Ok(Delivery::Stream { usage })
}

fn parse_stop(fields: &mut Fields) -> Result<Vec<String>, ApiError> {
    let stops = match fields.take("stop") {
        None => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(one) => vec![one],
    };
    if stops.len() > MAX_STOP_STRINGS {
        let message =
            format!("`stop` has {} strings; the limit is {MAX_STOP_STRINGS}", stops.len());
        return Err(ApiError::invalid("stop", message));
    }
    stops.into_iter().map(parse_stop_string).collect()
}

fn parse_stop_string(value: Value) -> Result<String, ApiError> {
    match value {
        Value::String(text) if (1..=MAX_STOP_BYTES).contains(&text.len()) => Ok(text),
        other => {
            let expected =
                format!("one string or a list of strings of 1 to {MAX_STOP_BYTES} bytes");
            Err(ApiError::wrong_value("stop", &expected, &other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(value: Value) -> Result<Controls, ApiError> {
        let Value::Object(object) = value else {
            panic!("the test gives an object");
        };
        let limits =
            Limits { vocab_size: 100, context_length: 64, sampling: SamplingChoice::default() };
        let mut fields = Fields::new(object);
        let max_tokens = parse_limit(&mut fields, "max_tokens", &limits)?;
        Controls::parse(&mut fields, &limits, max_tokens, None)
    }

    fn refused(value: Value) -> String {
        let error = parse(value).expect_err("refused");
        error.param().expect("a field is named").to_owned()
    }

    #[test]
    fn stop_is_one_string_or_several() {
        assert_eq!(parse(json!({"stop": "a"})).expect("valid").stop_strings, ["a"]);
        assert_eq!(parse(json!({"stop": ["a", "b"]})).expect("valid").stop_strings, ["a", "b"]);
        assert!(parse(json!({"stop": []})).expect("valid").stop_strings.is_empty());
        for bad in [json!(""), json!([""]), json!(["a", 1]), json!(7), json!(vec!["x"; 65])] {
            assert_eq!(refused(json!({ "stop": bad })), "stop");
        }
    }

    #[test]
    fn every_optional_field_may_be_null_c24() {
        let controls = parse(json!({
            "model": null, "stream": null, "stream_options": null, "max_tokens": null,
            "temperature": null, "top_p": null, "top_k": null, "min_p": null, "seed": null,
            "stop": null, "stop_token_ids": null, "logit_bias": null, "presence_penalty": null,
            "frequency_penalty": null, "repetition_penalty": null, "min_tokens": null,
            "ignore_eos": null,
        }))
        .expect("null is absent");
        assert_eq!(controls.delivery, Delivery::Whole);
        assert_eq!(controls.max_tokens, None);
    }

    #[test]
    fn usage_is_only_for_streams() {
        let usage = json!({"stream": true, "stream_options": {"include_usage": true}});
        assert_eq!(parse(usage).expect("valid").delivery, Delivery::Stream { usage: true });
        let options = json!({"include_usage": true});
        assert_eq!(refused(json!({ "stream_options": options })), "stream_options");
        let bad = json!({"stream": true, "stream_options": {"include_usage": "yes"}});
        assert_eq!(refused(bad), "stream_options.include_usage");
    }

    #[test]
    fn a_limit_beyond_the_context_is_refused_c13() {
        assert_eq!(parse(json!({"max_tokens": 64})).expect("valid").max_tokens, Some(64));
        assert_eq!(parse(json!({"max_tokens": 0})).expect("valid").max_tokens, Some(0));
        assert_eq!(refused(json!({"max_tokens": 65})), "max_tokens");
        assert_eq!(refused(json!({"min_tokens": -1})), "min_tokens");
    }
}
