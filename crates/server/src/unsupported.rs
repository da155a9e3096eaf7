//! Fields that would change what the answer means and that this server does not implement.
//!
//! Ignoring one of them would give a wrong answer with status 200, so each is refused by name.
//! A value that asks for nothing (an empty list, the default) passes.

use serde_json::{Map, Value, json};

use crate::api_error::ApiError;

/// Refuses the first unsupported field of a request for text; takes the harmless ones out of it.
pub fn refuse_unsupported(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    refuse(object, UNSUPPORTED)
}

/// The same of a request for vectors.
pub fn refuse_for_vectors(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    refuse(object, OF_VECTORS)
}

/// The same of a request to rank documents.
pub fn refuse_for_rerank(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    refuse(object, OF_VECTORS)?;
    refuse(object, OF_RERANK)
}

fn refuse(object: &mut Map<String, Value>, unsupported: &[Unsupported]) -> Result<(), ApiError> {
    for (name, harmless, reason) in unsupported {
        let Some(value) = object.shift_remove(*name) else {
            continue;
        };
        if !harmless.covers(&value) {
            return Err(ApiError::unsupported(name, reason));
        }
    }
    Ok(())
}

/// The values of an unsupported field that ask for nothing. Null always does.
enum Harmless {
    /// No value but null.
    Null,
    /// `[]`, `{}` and `""`.
    Empty,
    /// `false`.
    False,
    /// `true`.
    True,
    /// This whole or decimal number.
    Number(f64),
    /// One of these strings.
    Words(&'static [&'static str]),
    /// `["text"]`.
    TextOnly,
}

impl Harmless {
    fn covers(&self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) => true,
            (Self::Empty, Value::Array(items)) => items.is_empty(),
            (Self::Empty, Value::Object(entries)) => entries.is_empty(),
            (Self::Empty, Value::String(text)) => text.is_empty(),
            (Self::False, Value::Bool(value)) => !value,
            (Self::True, Value::Bool(value)) => *value,
            (Self::Number(number), Value::Number(found)) => found.as_f64() == Some(*number),
            (Self::Words(words), Value::String(text)) => words.contains(&text.as_str()),
            (Self::TextOnly, value) => *value == json!(["text"]),
            _ => false,
        }
    }
}

const OLD_TOOLS: &str = "use `tools` and `tool_choice`, which took its place";
const NO_LAZY: &str = "a grammar holds from the answer's first character";
const NO_SAMPLER: &str = "this sampling method is not implemented; leave it out";
const NO_RANKING: &str = "answers are not ranked; ask for several with `n`";

const NO_CUT: &str = "no text is cut silently; one that is too long is an error";

/// Field, the values that ask for nothing, and why any other is refused.
type Unsupported = (&'static str, Harmless, &'static str);

/// Of both routes that compute vectors.
const OF_VECTORS: &[Unsupported] = &[
    ("truncate_prompt_tokens", Harmless::Null, NO_CUT),
    ("stream", Harmless::False, "the reply comes as a whole"),
];

/// Of `/v1/rerank` besides.
const OF_RERANK: &[Unsupported] = &[
    ("max_tokens_per_doc", Harmless::Null, NO_CUT),
    ("rank_fields", Harmless::TextOnly, "a document is its `text`"),
];

/// Of routes that write text.
const UNSUPPORTED: &[Unsupported] = &[
    ("functions", Harmless::Empty, OLD_TOOLS),
    ("function_call", Harmless::Words(&["none", "auto"]), OLD_TOOLS),
    ("grammar_lazy", Harmless::False, NO_LAZY),
    ("grammar_triggers", Harmless::Empty, NO_LAZY),
    ("guided_whitespace_pattern", Harmless::Null, "white space in JSON has one rule here"),
    ("best_of", Harmless::Number(1.0), NO_RANKING),
    ("use_beam_search", Harmless::False, NO_SAMPLER),
    ("mirostat", Harmless::Number(0.0), NO_SAMPLER),
    ("top_n_sigma", Harmless::Number(-1.0), NO_SAMPLER),
    ("bad_words", Harmless::Empty, "use `logit_bias` with the ids of the tokens instead"),
    ("echo", Harmless::False, "the prompt is not repeated in the answer"),
    ("suffix", Harmless::Empty, "text is only continued at its end"),
    ("prompt_logprobs", Harmless::Null, "only the answer's tokens have log probabilities"),
    ("prompt_embeds", Harmless::Null, "a prompt is text or token ids"),
    ("truncate_prompt_tokens", Harmless::Null, "a prompt is never cut silently"),
    ("include_stop_str_in_output", Harmless::False, "a stop string is never part of the answer"),
    ("skip_special_tokens", Harmless::True, "control tokens are never part of the answer"),
    ("chat_template", Harmless::Null, "the model's own template is used"),
    ("documents", Harmless::Empty, "put the documents into a message"),
    ("modalities", Harmless::TextOnly, "the answer is text"),
    ("audio", Harmless::Null, "the answer is text"),
    ("web_search_options", Harmless::Null, "this server does not search the web"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: Value) -> Result<(), ApiError> {
        let Value::Object(mut object) = request else {
            panic!("the test gives an object");
        };
        refuse_unsupported(&mut object)
    }

    #[test]
    fn each_field_is_refused_by_its_name() {
        for (name, harmless, _) in UNSUPPORTED {
            // A value that no row lets pass.
            let value = match harmless {
                Harmless::True => json!(false),
                _ => json!([{"x": 1}]),
            };
            let error = check(json!({ *name: value })).expect_err(name);
            assert_eq!(error.param(), Some(*name));
            assert_eq!(error.status().as_u16(), 400);
        }
    }

    #[test]
    fn null_asks_for_nothing_c24() {
        for (name, _, _) in UNSUPPORTED {
            assert_eq!(check(json!({ *name: null })), Ok(()), "{name}");
        }
    }

    #[test]
    fn defaults_spelled_out_pass() {
        let request = json!({
            "best_of": 1, "functions": [], "function_call": "auto", "echo": false, "suffix": "",
            "modalities": ["text"], "skip_special_tokens": true, "mirostat": 0,
        });
        assert_eq!(check(request), Ok(()));
    }
}
