//! `/v1/embeddings`: vectors of texts, as OpenAI's API has them.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Json, Response};
use serde::Serialize;
use serde_json::{Map, Value};
use tyto_engine::{Pooled, PooledKind};
use tyto_text::TextModel;

use crate::api_error::ApiError;
use crate::app::{App, mark_ignored};
use crate::base64;
use crate::controls::{Limits, parse_timeout};
use crate::fields::{Fields, token_ids};
use crate::prompt;
use crate::unsupported::refuse_for_vectors;
use crate::vectors::{Vectors, vectors};
use crate::workers::Work;

/// The most texts of one request (OpenAI's limit).
const MAX_TEXTS: usize = 2048;

/// Answers `POST /v1/embeddings`.
pub async fn create(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open_for(request, Some(PooledKind::Embedding)).await?;
    let object = std::mem::take(&mut opened.object);
    let pooled = opened.loan.engine.card().pooled.clone();
    let pooled = pooled.expect("the model's kind was asked for");
    let EmbeddingRequest { texts, prefix, form, timeout, ignored } =
        EmbeddingRequest::parse(object, &opened.loan.limits, &pooled)?;
    let origin = opened.origin(timeout);
    let (loan, work) = (opened.loan, Work::of(false, opened.bytes));
    let (model, limits) = (loan.text_model.clone(), loan.limits);
    let encode = move || encode_all(&model, &limits, texts, &prefix);
    let texts = app.workers.run(work, origin.remaining(), encode).await??;
    let vectors = vectors(&loan.engine, "input", texts, &origin).await?;
    let mut response = Json(reply(vectors, &form, loan.name.clone())).into_response();
    mark_ignored(&mut response, &ignored);
    Ok(response)
}

/// What a text's vector looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    /// How many of its numbers are given, the first ones.
    dimensions: usize,
    /// Whether what is given is divided by its length.
    normalize: bool,
    /// As the bytes of little-endian f32 in base64, and not as a list of numbers.
    base64: bool,
}

/// One text of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Input {
    Text(String),
    Ids(Vec<u32>),
}

/// A valid request.
#[derive(Debug)]
struct EmbeddingRequest {
    /// With the names that they have in errors.
    texts: Vec<(String, Input)>,
    /// What stands before every text that is no list of ids.
    prefix: String,
    form: Form,
    timeout: Option<Duration>,
    ignored: Vec<String>,
}

impl EmbeddingRequest {
    fn parse(
        mut object: Map<String, Value>,
        limits: &Limits,
        pooled: &Pooled,
    ) -> Result<Self, ApiError> {
        refuse_for_vectors(&mut object)?;
        let mut fields = Fields::new(object);
        // It was read before the model was there.
        fields.take("model");
        let texts = parse_input(&mut fields, limits)?;
        let width = i64::try_from(pooled.width).unwrap_or(i64::MAX);
        let dimensions = fields.integer("dimensions", 1..=width)?;
        let dimensions = dimensions.and_then(|count| usize::try_from(count).ok());
        let base64 = match fields.string("encoding_format")?.as_deref() {
            None | Some("float") => false,
            Some("base64") => true,
            Some(other) => {
                let expected = "`float` or `base64`";
                return Err(ApiError::wrong_value("encoding_format", expected, &other.into()));
            }
        };
        Ok(Self {
            texts,
            prefix: parse_prefix(&mut fields, pooled)?,
            form: Form {
                dimensions: dimensions.unwrap_or(pooled.width),
                normalize: pooled.normalize,
                base64,
            },
            timeout: parse_timeout(&mut fields)?,
            ignored: fields.ignored(),
        })
    }
}

/// `"text"`, `["text", …]`, `[1, 2, …]` or `[[1, 2], …]`.
fn parse_input(fields: &mut Fields, limits: &Limits) -> Result<Vec<(String, Input)>, ApiError> {
    let input = fields.take("input");
    let parse = |name: String, item| {
        let text = parse_text(&name, item, limits)?;
        Ok((name, text))
    };
    let texts = match input {
        None => return Err(ApiError::invalid("input", "`input` is missing")),
        Some(Value::Array(items)) if matches!(items.first(), Some(Value::Number(_))) => {
            vec![parse("input".to_owned(), Value::Array(items))?]
        }
        Some(Value::Array(items)) => {
            let parse = |(index, item)| parse(format!("input[{index}]"), item);
            items.into_iter().enumerate().map(parse).collect::<Result<_, ApiError>>()?
        }
        Some(other) => vec![parse("input".to_owned(), other)?],
    };
    match texts.len() {
        0 => Err(ApiError::invalid("input", "`input` is an empty list")),
        1..=MAX_TEXTS => Ok(texts),
        count => {
            let message =
                format!("`input` has {count} texts; at most {MAX_TEXTS} are taken in a request");
            Err(ApiError::invalid("input", message))
        }
    }
}

fn parse_text(name: &str, item: Value, limits: &Limits) -> Result<Input, ApiError> {
    let empty = |what| Err(ApiError::invalid(name, format!("`{name}` is an empty {what}")));
    match item {
        Value::String(text) if text.is_empty() => empty("text"),
        Value::String(text) => Ok(Input::Text(text)),
        Value::Array(items) if items.is_empty() => empty("list"),
        Value::Array(items) => token_ids(name, &items, limits.vocab_size).map(Input::Ids),
        other => {
            let expected = "a string, a list of token ids, or a list of these";
            Err(ApiError::wrong_value(name, expected, &other))
        }
    }
}

/// The model's own text before others: the one that is named, or the one that it takes by default.
fn parse_prefix(fields: &mut Fields, pooled: &Pooled) -> Result<String, ApiError> {
    let named = fields.string("prompt_name")?;
    let Some(name) = named.as_ref().or(pooled.default_prompt.as_ref()) else {
        return Ok(String::new());
    };
    pooled.prompts.get(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = pooled.prompts.keys().map(String::as_str).collect();
        let expected = match known.as_slice() {
            [] => "absent: the model has no prompts".to_owned(),
            known => format!("one of the model's prompts: {}", known.join(", ")),
        };
        ApiError::wrong_value("prompt_name", &expected, &name.as_str().into())
    })
}

/// The ids of all texts, each of which must fit.
fn encode_all(
    model: &TextModel,
    limits: &Limits,
    texts: Vec<(String, Input)>,
    prefix: &str,
) -> Result<Vec<Vec<u32>>, ApiError> {
    let encode = |(name, text): (String, Input)| match text {
        Input::Text(text) => encode_text(model, limits, &name, &format!("{prefix}{text}")),
        Input::Ids(ids) => check_tokens(limits, &name, ids),
    };
    texts.into_iter().map(encode).collect()
}

/// The ids of a text, which must fit.
fn encode_text(
    model: &TextModel,
    limits: &Limits,
    param: &str,
    text: &str,
) -> Result<Vec<u32>, ApiError> {
    let most = limits.context_length.saturating_mul(model.longest_token());
    if text.len() > most {
        let least = text.len().div_ceil(model.longest_token());
        return Err(ApiError::input_too_long(param, least, true, limits.context_length));
    }
    check_tokens(limits, param, prompt::encode(model, param, text, true)?)
}

/// Refuses a text without tokens, and one that does not fit.
fn check_tokens(limits: &Limits, param: &str, ids: Vec<u32>) -> Result<Vec<u32>, ApiError> {
    match ids.len() {
        0 => Err(ApiError::invalid(param, format!("`{param}` is a text without any token"))),
        count if count > limits.context_length => {
            Err(ApiError::input_too_long(param, count, false, limits.context_length))
        }
        _ => Ok(ids),
    }
}

#[derive(Debug, Serialize)]
struct Reply {
    object: &'static str,
    data: Vec<Item>,
    model: String,
    usage: EmbeddingUsage,
}

#[derive(Debug, Serialize)]
struct Item {
    object: &'static str,
    index: usize,
    embedding: Shown,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Shown {
    Numbers(Vec<f32>),
    Base64(String),
}

/// Tokens of all texts together.
#[derive(Debug, Serialize)]
pub(crate) struct EmbeddingUsage {
    prompt_tokens: usize,
    total_tokens: usize,
}

impl EmbeddingUsage {
    pub(crate) fn of(tokens: usize) -> Self {
        Self { prompt_tokens: tokens, total_tokens: tokens }
    }
}

fn reply(vectors: Vectors, form: &Form, model: String) -> Reply {
    let item = |(index, values)| Item { object: "embedding", index, embedding: form.show(values) };
    Reply {
        object: "list",
        data: vectors.values.into_iter().enumerate().map(item).collect(),
        model,
        usage: EmbeddingUsage::of(vectors.tokens),
    }
}

impl Form {
    fn show(&self, values: Vec<f32>) -> Shown {
        let values = self.shape(values);
        if self.base64 {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            return Shown::Base64(base64::encode(&bytes));
        }
        Shown::Numbers(values)
    }

    /// First cut, then divided by the length of what is left, as Matryoshka models are used.
    fn shape(&self, mut values: Vec<f32>) -> Vec<f32> {
        values.truncate(self.dimensions);
        let squares: f64 = values.iter().map(|value| f64::from(*value).powi(2)).sum();
        if self.normalize && squares > 0.0 {
            let length = squares.sqrt();
            values.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_cut_before_it_is_divided_by_its_length() {
        let form = Form { dimensions: 2, normalize: true, base64: false };
        assert_eq!(form.shape(vec![3.0, 4.0, 12.0]), [0.6, 0.8]);
        let plain = Form { normalize: false, ..form };
        assert_eq!(plain.shape(vec![3.0, 4.0, 12.0]), [3.0, 4.0]);
        // Nothing to divide by.
        assert_eq!(form.shape(vec![0.0, 0.0, 1.0]), [0.0, 0.0]);
    }
}
