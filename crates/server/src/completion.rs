//! A text completion request: one prompt or several, as text or as token ids.

use serde_json::{Map, Value};

use crate::api_error::ApiError;
use crate::controls::{Controls, Limits, MAX_TOP_LOGPROBS, parse_max_tokens};
use crate::fields::{Fields, token_ids};
use crate::output_rule::OutputRule;
use crate::unsupported::refuse_unsupported;

/// The answer's length when the request gives none: OpenAI's value for this endpoint.
const DEFAULT_MAX_TOKENS: u32 = 16;

/// One prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// To be encoded.
    Text(String),
    /// Encoded by the client; every id is in the vocabulary.
    Tokens(Vec<u32>),
}

/// A valid completion request.
#[derive(Debug, Clone)]
pub struct CompletionRequest {
    /// At least one; the answer to the nth is the choice with index n.
    pub prompts: Vec<Prompt>,
    /// Whether the tokenizer adds its own special tokens to text prompts.
    pub add_special_tokens: bool,
    /// What the answer must follow.
    pub rule: Option<OutputRule>,
    /// Everything else.
    pub controls: Controls,
    /// Fields that had no effect.
    pub ignored: Vec<String>,
}

impl CompletionRequest {
    /// Validates `object` completely; nothing after this finds a fault in a field's kind.
    pub fn parse(mut object: Map<String, Value>, limits: &Limits) -> Result<Self, ApiError> {
        refuse_unsupported(&mut object)?;
        let mut fields = Fields::new(object);
        let prompts = parse_prompts(&mut fields, limits.vocab_size)?;
        let max_tokens = parse_max_tokens(&mut fields, limits)?;
        let max_tokens = max_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
        let logprobs = fields.integer("logprobs", 0..=MAX_TOP_LOGPROBS)?;
        let logprobs = logprobs.map(|top| u32::try_from(top).expect("the range is 0 to 20"));
        let controls = Controls::parse(&mut fields, limits, Some(max_tokens), logprobs)?;
        Ok(Self {
            prompts,
            rule: OutputRule::parse(&mut fields)?,
            add_special_tokens: fields.boolean("add_special_tokens")?.unwrap_or(true),
            controls,
            ignored: fields.ignored(),
        })
    }
}

/// `"text"`, `["text", …]`, `[1, 2, …]` or `[[1, 2], …]`.
fn parse_prompts(fields: &mut Fields, vocab_size: usize) -> Result<Vec<Prompt>, ApiError> {
    let items = match fields.take("prompt") {
        None => return Err(ApiError::invalid("prompt", "`prompt` is missing")),
        Some(Value::String(text)) => return Ok(vec![Prompt::Text(text)]),
        Some(Value::Array(items)) => items,
        Some(other) => return Err(wrong_prompt("prompt", &other)),
    };
    match items.first() {
        None => Err(ApiError::invalid("prompt", "`prompt` is an empty list")),
        Some(Value::Number(_)) => Ok(vec![parse_ids("prompt", &items, vocab_size)?]),
        Some(_) => {
            let parse = |(index, item)| parse_prompt(&format!("prompt[{index}]"), item, vocab_size);
            items.into_iter().enumerate().map(parse).collect()
        }
    }
}

fn parse_prompt(name: &str, item: Value, vocab_size: usize) -> Result<Prompt, ApiError> {
    match item {
        Value::String(text) => Ok(Prompt::Text(text)),
        Value::Array(items) => parse_ids(name, &items, vocab_size),
        other => Err(wrong_prompt(name, &other)),
    }
}

fn parse_ids(name: &str, items: &[Value], vocab_size: usize) -> Result<Prompt, ApiError> {
    token_ids(name, items, vocab_size).map(Prompt::Tokens)
}

fn wrong_prompt(name: &str, found: &Value) -> ApiError {
    ApiError::wrong_value(name, "a string, a list of token ids, or a list of these", found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::SamplingChoice;
    use serde_json::json;

    fn parse(value: Value) -> Result<CompletionRequest, ApiError> {
        let Value::Object(object) = value else {
            panic!("the test gives an object");
        };
        let sampling = SamplingChoice::default();
        CompletionRequest::parse(object, &Limits { vocab_size: 100, context_length: 64, sampling })
    }

    fn prompts(value: Value) -> Vec<Prompt> {
        parse(json!({ "prompt": value })).expect("valid").prompts
    }

    #[test]
    fn a_prompt_has_four_forms() {
        let text = |text: &str| Prompt::Text(text.to_owned());
        assert_eq!(prompts(json!("a")), [text("a")]);
        assert_eq!(prompts(json!(["a", "b"])), [text("a"), text("b")]);
        assert_eq!(prompts(json!([1, 2])), [Prompt::Tokens(vec![1, 2])]);
        assert_eq!(
            prompts(json!([[1], [2, 3]])),
            [Prompt::Tokens(vec![1]), Prompt::Tokens(vec![2, 3])]
        );
    }

    #[test]
    fn a_bad_prompt_is_refused_at_its_place() {
        for (bad, param) in [
            (json!(null), "prompt"),
            (json!([]), "prompt"),
            (json!(7), "prompt"),
            (json!({}), "prompt"),
            (json!([1, 100]), "prompt[1]"),
            (json!([1, -1]), "prompt[1]"),
            (json!([1, "a"]), "prompt[1]"),
            (json!(["a", 1]), "prompt[1]"),
            (json!([[1], [2, 1.5]]), "prompt[1][1]"),
        ] {
            let error = parse(json!({ "prompt": bad })).expect_err("refused");
            assert_eq!(error.param(), Some(param), "{bad}");
        }
    }

    #[test]
    fn the_default_length_is_openais() {
        assert_eq!(parse(json!({"prompt": "a"})).expect("valid").controls.max_tokens, Some(16));
    }

    #[test]
    fn both_names_of_the_limit_are_known() {
        let limit = |request| parse(request).map(|request| request.controls.max_tokens);
        assert_eq!(limit(json!({"prompt": "a", "max_completion_tokens": 4})), Ok(Some(4)));
        let both = json!({"prompt": "a", "max_completion_tokens": 4, "max_tokens": 5});
        assert_eq!(limit(both).expect_err("refused").param(), Some("max_completion_tokens"));
    }

    #[test]
    fn logprobs_is_a_count_here() {
        let logprobs = |value| parse(json!({"prompt": "a", "logprobs": value}));
        assert_eq!(logprobs(json!(0)).expect("valid").controls.logprobs, Some(0));
        for bad in [json!(true), json!(21), json!(-1)] {
            assert_eq!(logprobs(bad).expect_err("refused").param(), Some("logprobs"));
        }
    }

    #[test]
    fn echo_is_refused_c12() {
        let request = json!({"prompt": "a", "echo": true, "logprobs": 1, "max_tokens": 0});
        assert_eq!(parse(request).expect_err("refused").param(), Some("echo"));
    }
}
