//! Chats to ids, with control tokens in user text made harmless on request.
//!
//! By default text such as `<|im_end|>` inside a message becomes the control
//! token, as it does in transformers by default. With `literal` set, control
//! tokens inside messages, tools and other inputs are encoded as the characters
//! they are written with; those the template writes stay control tokens.

use serde_json::Value;
use tokenizers::{
    Model, NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString,
    PreTokenizer,
};

use crate::error::Error;
use crate::model::TextModel;
use crate::template::{ChatTemplate, RenderInput, TemplateError};

/// Private-use characters around a control token that came from an input.
const START: char = '\u{F0000}';
const END: char = '\u{F0001}';

/// Why a chat did not become ids.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// The model has no chat template.
    #[error(
        "the model has no chat template; send a plain prompt, or give one with the model's files as chat_template.jinja"
    )]
    NoTemplate,
    /// The template failed or refused.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The rendered text could not be encoded.
    #[error(transparent)]
    Encode(#[from] Error),
    /// The rendered text is longer than was asked for; it was not encoded.
    #[error("the rendered conversation has {bytes} bytes")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}

/// How a conversation becomes ids.
#[derive(Debug, Clone, Copy)]
pub struct ChatEncoding {
    /// Control tokens written out in the messages, tools and extra variables stay text.
    pub literal: bool,
    /// The text ends within the last message, the assistant's, which the answer goes on with.
    pub is_open: bool,
    /// Rendered text of more bytes is refused.
    pub most_bytes: usize,
}

impl ChatEncoding {
    /// A conversation of any length, for the next turn to follow.
    pub const PLAIN: Self = Self { literal: false, is_open: false, most_bytes: usize::MAX };
}

impl TextModel {
    /// Renders a conversation and encodes it.
    pub fn encode_chat(
        &self,
        input: &RenderInput<'_>,
        encoding: ChatEncoding,
    ) -> Result<Vec<u32>, ChatError> {
        let template = self.template().ok_or(ChatError::NoTemplate)?;
        let render = |input: &RenderInput<'_>| {
            let text = if encoding.is_open {
                template.render_open(input)?
            } else {
                template.render(input)?
            };
            match unmarked(&text) > encoding.most_bytes {
                true => Err(ChatError::TooLong { bytes: unmarked(&text) }),
                false => Ok(text),
            }
        };
        if !encoding.literal {
            return Ok(self.encode(&render(input)?, false)?);
        }
        let tokens = self.control_tokens(template, input);
        let marked = |value: &Value| mark(value, &tokens);
        let extra = input.extra.iter().map(|(name, value)| (name.clone(), marked(value))).collect();
        let (messages, tools) = (marked(input.messages), input.tools.map(marked));
        let input = RenderInput {
            messages: &messages,
            tools: tools.as_ref(),
            extra: &extra,
            ..input.clone()
        };
        Ok(self.encode_marked(&render(&input)?, &tokens)?)
    }

    /// The tokens with a meaning in this chat, longest first: special ones, and
    /// other added tokens that the template's source writes (whitespace aside).
    fn control_tokens(&self, template: &ChatTemplate, input: &RenderInput<'_>) -> Vec<String> {
        let source = template.source(input);
        let added = self.tokenizer.get_added_tokens_decoder().into_values();
        let controls = added.filter(|token| {
            token.special || (source.contains(&token.content) && !token.content.trim().is_empty())
        });
        let mut tokens: Vec<String> =
            controls.map(|token| token.content).filter(|token| !token.is_empty()).collect();
        tokens.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        tokens
    }

    /// Encodes a text whose marked tokens are plain text. A lone marker, which a
    /// template's string functions can leave, only breaks the text.
    fn encode_marked(&self, chat: &str, tokens: &[String]) -> Result<Vec<u32>, Error> {
        let mut ids = Vec::new();
        let mut rest = chat;
        let mut first = true;
        loop {
            let end = rest.find([START, END]).unwrap_or(rest.len());
            let piece = &rest[..end];
            ids.extend(if first {
                self.encode(piece, false)?
            } else {
                self.encode_inside(piece, false)?
            });
            first = false;
            let Some(marker) = rest[end..].chars().next() else {
                return Ok(ids);
            };
            rest = &rest[end + marker.len_utf8()..];
            if marker == END {
                continue;
            }
            let marked = tokens.iter().find(|token| {
                rest.strip_prefix(token.as_str()).is_some_and(|after| after.starts_with(END))
            });
            if let Some(token) = marked {
                ids.extend(self.encode_literally(token)?);
                rest = &rest[token.len() + END.len_utf8()..];
            }
        }
    }

    fn encode_literally(&self, token: &str) -> Result<Vec<u32>, Error> {
        let ids = self.encode_inside(token, true)?;
        match self.token_id(token) {
            Some(id) if ids.contains(&id) => Err(Error::Sanitize { token: token.to_owned() }),
            _ => Ok(ids),
        }
    }

    /// Encodes a piece from the middle of a text: after a newline that is taken
    /// off again, so that no space is put in front as at the start of a text.
    pub(crate) fn encode_inside(&self, piece: &str, plain: bool) -> Result<Vec<u32>, Error> {
        if piece.is_empty() {
            return Ok(Vec::new());
        }
        let encode =
            |text: &str| if plain { self.encode_plain(text) } else { self.encode(text, false) };
        let newline = self.encode("\n", false)?;
        let ids = encode(&format!("\n{piece}"))?;
        match ids.strip_prefix(newline.as_slice()) {
            Some(rest) => Ok(rest.to_vec()),
            None => encode(piece),
        }
    }

    /// The tokenizer without its added tokens.
    fn encode_plain(&self, text: &str) -> Result<Vec<u32>, Error> {
        let failed = |error: tokenizers::Error| Error::Encode { message: error.to_string() };
        let mut normalized = NormalizedString::from(text);
        if let Some(normalizer) = self.tokenizer.get_normalizer() {
            normalizer.normalize(&mut normalized).map_err(failed)?;
        }
        let mut pieces = PreTokenizedString::from(normalized.get());
        if let Some(splitter) = self.tokenizer.get_pre_tokenizer() {
            splitter.pre_tokenize(&mut pieces).map_err(failed)?;
        }
        let mut ids = Vec::new();
        for (piece, _, _) in pieces.get_splits(OffsetReferential::Normalized, OffsetType::None) {
            let tokens = self.tokenizer.get_model().tokenize(piece).map_err(failed)?;
            ids.extend(tokens.into_iter().map(|token| token.id));
        }
        Ok(ids)
    }
}

/// The length of a text without its markers.
fn unmarked(text: &str) -> usize {
    text.len() - START.len_utf8() * text.matches([START, END]).count()
}

/// Wraps the control tokens in every string of a value, keys aside.
fn mark(value: &Value, tokens: &[String]) -> Value {
    match value {
        Value::String(text) => Value::String(mark_text(text, tokens)),
        Value::Array(items) => items.iter().map(|item| mark(item, tokens)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, item)| (key.clone(), mark(item, tokens))).collect()
        }
        other => other.clone(),
    }
}

fn mark_text(text: &str, tokens: &[String]) -> String {
    // Markers in the input itself could forge a marked token.
    let text = text.replace([START, END], "");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(next) = rest.chars().next() {
        match tokens.iter().find(|token| rest.starts_with(token.as_str())) {
            Some(token) => {
                out.push(START);
                out.push_str(token);
                out.push(END);
                rest = &rest[token.len()..];
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}
