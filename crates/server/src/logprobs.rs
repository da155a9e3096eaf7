//! Log probabilities in the two forms that the endpoints use.

use serde::Serialize;
use serde_json::{Map, Value};
use tyto_engine::TokenInfo;
use tyto_text::TextModel;

/// What stands for minus infinity, which JSON cannot hold (OpenAI's value).
const IMPOSSIBLE: f32 = -9999.0;

/// `logprobs` of a chat choice.
#[derive(Debug, Serialize)]
pub struct ChatLogprobs {
    content: Vec<ChatEntry>,
    refusal: Option<Vec<ChatEntry>>,
}

#[derive(Debug, Serialize)]
struct ChatEntry {
    token: String,
    logprob: f32,
    bytes: Vec<u8>,
    top_logprobs: Vec<ChatAlternative>,
}

#[derive(Debug, Serialize)]
struct ChatAlternative {
    token: String,
    logprob: f32,
    bytes: Vec<u8>,
}

impl ChatLogprobs {
    /// One entry for each of `tokens`.
    pub fn new(text_model: &TextModel, tokens: &[TokenInfo]) -> Self {
        let entry = |token: &TokenInfo| ChatEntry {
            token: text_model.token_text(token.id),
            logprob: finite(token.logprob),
            bytes: text_model.token_bytes(token.id),
            top_logprobs: token.top.iter().map(|top| alternative(text_model, top)).collect(),
        };
        Self { content: tokens.iter().map(entry).collect(), refusal: None }
    }
}

fn alternative(
    text_model: &TextModel,
    (id, text, logprob): &(u32, String, f32),
) -> ChatAlternative {
    ChatAlternative {
        token: text.clone(),
        logprob: finite(Some(*logprob)),
        bytes: text_model.token_bytes(*id),
    }
}

/// `logprobs` of a text completion choice: four lists of the same length.
#[derive(Debug, Serialize)]
pub struct CompletionLogprobs {
    tokens: Vec<String>,
    token_logprobs: Vec<f32>,
    top_logprobs: Vec<Map<String, Value>>,
    text_offset: Vec<usize>,
}

impl CompletionLogprobs {
    /// One entry for each of `tokens`; the first begins `text_offset` characters into the answer.
    pub fn new(text_model: &TextModel, tokens: &[TokenInfo], mut text_offset: usize) -> Self {
        let mut lists = Self {
            tokens: Vec::with_capacity(tokens.len()),
            token_logprobs: Vec::with_capacity(tokens.len()),
            top_logprobs: Vec::with_capacity(tokens.len()),
            text_offset: Vec::with_capacity(tokens.len()),
        };
        for token in tokens {
            lists.tokens.push(text_model.token_text(token.id));
            lists.token_logprobs.push(finite(token.logprob));
            lists.top_logprobs.push(alternatives_by_text(token));
            lists.text_offset.push(text_offset);
            // Of the answer: a token that it leaves out does not move it.
            text_offset += token.text.chars().count();
        }
        lists
    }
}

/// Two tokens of the same text (parts of characters) share a key: the likelier one stays.
fn alternatives_by_text(token: &TokenInfo) -> Map<String, Value> {
    let mut map = Map::new();
    for (_, text, logprob) in &token.top {
        map.entry(text.clone()).or_insert_with(|| Value::from(finite(Some(*logprob))));
    }
    map
}

/// The engine gives every token a log probability when the request asks for them.
fn finite(logprob: Option<f32>) -> f32 {
    logprob.unwrap_or(IMPOSSIBLE).max(IMPOSSIBLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tyto_engine::testing::{END, byte_text_model};

    fn token(id: u32, text: &str, logprob: f32) -> TokenInfo {
        let top = vec![(id, text.to_owned(), logprob), (2, "z".to_owned(), f32::NEG_INFINITY)];
        TokenInfo { id, text: text.to_owned(), logprob: Some(logprob), top }
    }

    #[test]
    fn completion_lists_run_in_step() {
        let tokens =
            [token(b'a'.into(), "a", -0.5), token(END, "", -1.0), token(b'b'.into(), "b", -2.0)];
        let logprobs = CompletionLogprobs::new(&byte_text_model(), &tokens, 10);
        let value = serde_json::to_value(&logprobs).expect("plain JSON");
        assert_eq!(value["tokens"], json!(["a", "<|end|>", "b"]));
        assert_eq!(value["text_offset"], json!([10, 11, 11]));
        assert_eq!(value["token_logprobs"], json!([-0.5, -1.0, -2.0]));
        assert_eq!(value["top_logprobs"][0], json!({"a": -0.5, "z": -9999.0}));
    }

    #[test]
    fn a_token_that_the_answer_leaves_out_is_named() {
        let logprobs = ChatLogprobs::new(&byte_text_model(), &[token(END, "", -1.0)]);
        let value = serde_json::to_value(&logprobs).expect("plain JSON");
        assert_eq!(value["content"][0]["token"], "<|end|>");
        assert_eq!(value["content"][0]["bytes"], json!(b"<|end|>"));
    }
}
