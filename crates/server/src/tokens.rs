//! `/tokenize`, `/detokenize` and `/apply-template`, as llama-server and vLLM have them.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Json, Response};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use tyto_text::TextModel;

use crate::api_error::ApiError;
use crate::app::{App, Opened};
use crate::chat::ChatRequest;
use crate::fields::Fields;
use crate::models::Loan;
use crate::prompt;
use crate::workers::Work;

/// `{"content" | "prompt": text}` or a chat; gives ids.
pub async fn tokenize(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let Opened { mut object, bytes, loan, .. } = app.read(request).await?;
    let with_pieces = Fields::new(take(&mut object, &["with_pieces"])).boolean("with_pieces")?;
    let (model, limits, work) = (loan.text_model.clone(), loan.limits, Work::of(false, bytes));
    let reply = move |model: &TextModel, ids: &[u32]| {
        let model = with_pieces.unwrap_or(false).then_some(model);
        let count = ids.len();
        let tokens = Tokens { ids, model };
        let reply = TokensReply { tokens, count, max_model_len: limits.context_length };
        serde_json::to_string(&reply).expect("numbers and texts are JSON")
    };
    let json = if object.contains_key("messages") {
        check_template(&loan)?;
        let request = ChatRequest::parse(object, &limits)?;
        let remaining = request.controls.remaining();
        let encode = move || {
            let ids = prompt::encode_chat(&model, &limits, &request)?;
            Ok::<_, ApiError>(reply(&model, &ids))
        };
        app.workers.run(work, remaining, encode).await??
    } else {
        let (text, add_special) = read_text(object)?;
        let encode = move || {
            let ids = prompt::encode(&model, "prompt", &text, add_special)?;
            Ok::<_, ApiError>(reply(&model, &ids))
        };
        app.workers.run(work, None, encode).await??
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

#[derive(Serialize)]
struct TokensReply<'a> {
    tokens: Tokens<'a>,
    count: usize,
    max_model_len: usize,
}

/// Ids, with their pieces where there is a model to ask. They are written one after the other: a tree
/// of JSON values takes many times the memory of a long text.
struct Tokens<'a> {
    ids: &'a [u32],
    model: Option<&'a TextModel>,
}

impl Serialize for Tokens<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.model {
            None => out.collect_seq(self.ids),
            Some(model) => out.collect_seq(self.ids.iter().map(|&id| piece(model, id))),
        }
    }
}

/// `{"tokens": [id, …]}`; gives the text.
pub async fn detokenize(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Value>, ApiError> {
    let Opened { object, bytes, loan, .. } = app.read(request).await?;
    let mut fields = Fields::new(object);
    let Some(ids) = fields.token_ids("tokens", loan.limits.vocab_size)? else {
        return Err(ApiError::invalid("tokens", "`tokens` is missing"));
    };
    let model = loan.text_model.clone();
    let work = Work::of(false, bytes);
    let text = app.workers.run(work, None, move || model.decode(&ids, false)).await?;
    Ok(Json(json!({"content": text, "prompt": text})))
}

/// A chat; gives the text that the model's template makes of it.
pub async fn apply_template(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Value>, ApiError> {
    let Opened { object, bytes, loan, .. } = app.read(request).await?;
    check_template(&loan)?;
    let request = ChatRequest::parse(object, &loan.limits)?;
    let model = loan.text_model.clone();
    let remaining = request.controls.remaining();
    let render = move || prompt::render_chat(&model, &request);
    let text = app.workers.run(Work::of(false, bytes), remaining, render).await??;
    Ok(Json(json!({ "prompt": text })))
}

/// Refuses chats where there is no template and no text is written either: no other route would take
/// them, so none is named.
fn check_template(loan: &Loan) -> Result<(), ApiError> {
    if loan.engine.card().pooled.is_some() && loan.text_model.template().is_none() {
        return Err(ApiError::invalid("messages", "this model has no chat template"));
    }
    Ok(())
}

/// The text and whether the tokenizer adds its own tokens: llama-server's names and defaults with
/// `content`, vLLM's with `prompt`.
fn read_text(object: Map<String, Value>) -> Result<(String, bool), ApiError> {
    let mut fields = Fields::new(object);
    if !fields.boolean("parse_special")?.unwrap_or(true) {
        let reason = "a text's control tokens are control tokens here";
        return Err(ApiError::unsupported("parse_special", reason));
    }
    let older = fields.boolean("add_special")?;
    let newer = fields.boolean("add_special_tokens")?;
    if let Some(text) = fields.string("content")? {
        return Ok((text, older.or(newer).unwrap_or(false)));
    }
    match fields.string("prompt")? {
        Some(text) => Ok((text, newer.or(older).unwrap_or(true))),
        None => Err(ApiError::invalid("prompt", "`prompt`, `content` or `messages` is missing")),
    }
}

/// A token that is no text by itself is shown as its bytes.
fn piece(model: &TextModel, id: u32) -> Value {
    let bytes = model.token_bytes(id);
    match String::from_utf8(bytes) {
        Ok(text) => json!({"id": id, "piece": text}),
        Err(error) => json!({"id": id, "piece": error.into_bytes()}),
    }
}

fn take(object: &mut Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let name = |name: &&str| Some(((*name).to_owned(), object.shift_remove(*name)?));
    names.iter().filter_map(name).collect()
}
