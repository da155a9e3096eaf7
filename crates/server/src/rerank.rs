//! `/v1/rerank`: how well documents answer a query, as Jina's and Cohere's APIs and llama-server have it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Json, Response};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tyto_engine::{Pooled, PooledKind};
use tyto_text::TextModel;

use crate::api_error::ApiError;
use crate::app::{App, mark_ignored};
use crate::controls::{Limits, parse_timeout};
use crate::embeddings::EmbeddingUsage;
use crate::fields::Fields;
use crate::prompt;
use crate::unsupported::refuse_for_rerank;
use crate::vectors::vectors;
use crate::workers::Work;

/// The most documents of one request.
const MAX_DOCUMENTS: usize = 2048;

/// Answers `POST /v1/rerank`.
pub async fn create(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open_for(request, Some(PooledKind::Rerank)).await?;
    let request = RerankRequest::parse(std::mem::take(&mut opened.object))?;
    let origin = opened.origin(request.timeout);
    let (loan, work) = (opened.loan, Work::of(false, opened.bytes));
    let pooled = loan.engine.card().pooled.clone().expect("the model's kind was asked for");
    let (model, limits, segments) = (loan.text_model.clone(), loan.limits, pooled.segments);
    let encode = move || {
        let pairs = encode_pairs(&model, &limits, segments, &request)?;
        Ok::<_, ApiError>((request, pairs))
    };
    let (request, pairs) = app.workers.run(work, origin.remaining(), encode).await??;
    let scored = vectors(&loan.engine, "documents", pairs, &origin).await?;
    let scores = scored.values.iter().map(|row| score(row, &pooled)).collect();
    let reply = Reply {
        model: loan.name.clone(),
        results: request.results(scores),
        usage: EmbeddingUsage::of(scored.tokens),
    };
    let mut response = Json(reply).into_response();
    mark_ignored(&mut response, &request.ignored);
    Ok(response)
}

/// A valid request.
#[derive(Debug)]
struct RerankRequest {
    query: String,
    documents: Vec<String>,
    /// How many results are given, the best ones.
    most: usize,
    shows_documents: bool,
    timeout: Option<Duration>,
    ignored: Vec<String>,
}

impl RerankRequest {
    fn parse(mut object: Map<String, Value>) -> Result<Self, ApiError> {
        refuse_for_rerank(&mut object)?;
        let mut fields = Fields::new(object);
        // It was read before the model was there.
        fields.take("model");
        let query = fields.string("query")?;
        let query = query.ok_or_else(|| ApiError::invalid("query", "`query` is missing"))?;
        if query.is_empty() {
            return Err(ApiError::invalid("query", "`query` is an empty text"));
        }
        let documents = parse_documents(&mut fields)?;
        let most = fields.integer("top_n", 1..=i64::MAX)?;
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        Ok(Self {
            query,
            most: most.min(documents.len()),
            documents,
            shows_documents: fields.boolean("return_documents")?.unwrap_or(false),
            timeout: parse_timeout(&mut fields)?,
            ignored: fields.ignored(),
        })
    }

    /// The best documents, the best one first; of equal ones the first.
    fn results(&self, scores: Vec<f32>) -> Vec<Value> {
        let mut ranked: Vec<(usize, f32)> = scores.into_iter().enumerate().collect();
        ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let result = |(index, score): (usize, f32)| {
            let mut result = json!({"index": index, "relevance_score": score});
            if self.shows_documents {
                result["document"] = json!({"text": self.documents[index]});
            }
            result
        };
        ranked.into_iter().take(self.most).map(result).collect()
    }
}

/// A list of texts, or of objects with a `text`.
fn parse_documents(fields: &mut Fields) -> Result<Vec<String>, ApiError> {
    let items = match fields.take("documents") {
        None => return Err(ApiError::invalid("documents", "`documents` is missing")),
        Some(Value::Array(items)) => items,
        Some(other) => {
            return Err(ApiError::wrong_value("documents", "a list of texts", &other));
        }
    };
    if !(1..=MAX_DOCUMENTS).contains(&items.len()) {
        let found = items.len();
        let message = format!("`documents` has {found} texts; expected 1 to {MAX_DOCUMENTS}");
        return Err(ApiError::invalid("documents", message));
    }
    let text = |(index, item): (usize, Value)| match item {
        Value::String(text) => Ok(text),
        Value::Object(mut object) if object.contains_key("text") => {
            match object.remove("text").expect("it is there") {
                Value::String(text) => Ok(text),
                other => {
                    let name = format!("documents[{index}].text");
                    Err(ApiError::wrong_value(&name, "a text", &other))
                }
            }
        }
        other => {
            let name = format!("documents[{index}]");
            Err(ApiError::wrong_value(&name, "a text, or an object with a `text`", &other))
        }
    };
    items.into_iter().enumerate().map(text).collect()
}

/// The ids of the query beside each document, each pair of which must fit. Ids of the second text are
/// counted from the vocabulary's size on, where the model tells the two apart.
fn encode_pairs(
    model: &TextModel,
    limits: &Limits,
    segments: usize,
    request: &RerankRequest,
) -> Result<Vec<Vec<u32>>, ApiError> {
    let vocabulary = u32::try_from(limits.vocab_size).unwrap_or(u32::MAX);
    let last = u32::try_from(segments.saturating_sub(1)).unwrap_or(u32::MAX);
    check_query(model, limits, &request.query)?;
    let (context, longest) = (limits.context_length, model.longest_token());
    let encode = |(index, document): (usize, &String)| {
        let name = format!("documents[{index}]");
        let bytes = request.query.len() + document.len();
        if bytes > context.saturating_mul(longest) {
            return Err(ApiError::pair_too_long(&name, bytes.div_ceil(longest), true, context));
        }
        let pair = model.encode_pair(&request.query, document);
        let pair = pair.map_err(|error| ApiError::invalid(&name, error.to_string()))?;
        match pair.len() {
            0 => {
                let message = format!("`query` and `{name}` together are without any token");
                Err(ApiError::invalid(&name, message))
            }
            count if count > context => Err(ApiError::pair_too_long(&name, count, false, context)),
            _ => Ok(pair.into_iter().map(|(id, text)| id + vocabulary * text.min(last)).collect()),
        }
    };
    request.documents.iter().enumerate().map(encode).collect()
}

/// Refuses a query that is too long by itself: no document is to blame for it.
fn check_query(model: &TextModel, limits: &Limits, query: &str) -> Result<(), ApiError> {
    let (context, longest) = (limits.context_length, model.longest_token());
    if query.len() > context.saturating_mul(longest) {
        let least = query.len().div_ceil(longest);
        return Err(ApiError::input_too_long("query", least, true, context));
    }
    match prompt::encode(model, "query", query, true)?.len() {
        count if count > context => Err(ApiError::input_too_long("query", count, false, context)),
        _ => Ok(()),
    }
}

/// The score that a row of one number stands for.
fn score(row: &[f32], pooled: &Pooled) -> f32 {
    let score = f64::from(row[0]);
    (if pooled.logistic { 1.0 / (1.0 + (-score).exp()) } else { score }) as f32
}

#[derive(Debug, Serialize)]
struct Reply {
    model: String,
    results: Vec<Value>,
    usage: EmbeddingUsage,
}
