//! `/v1/messages`: Anthropic's API over the same engine.
//!
//! A request becomes a chat request ([`request`]), which validates it; the reply has Anthropic's
//! objects and events, and so have errors.

mod reply;
pub(crate) mod request;
mod stream;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::app::{App, Opened, mark_ignored};
use crate::chat::ChatRequest;
use crate::collect::collect;
use crate::controls::Delivery;
use crate::follow::{Follower, named_event};
use crate::models::hold;
use crate::prompt;

/// Answers `POST /v1/messages`.
pub async fn create(State(app): State<Arc<App>>, request: Request) -> Response {
    answer(&app, request).await.unwrap_or_else(|error| failure(&error))
}

/// Answers `POST /v1/messages/count_tokens`.
pub async fn count_tokens(State(app): State<Arc<App>>, request: Request) -> Response {
    count(&app, request).await.unwrap_or_else(|error| failure(&error))
}

async fn answer(app: &Arc<App>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open(request).await?;
    let mut request = parse(&mut opened, true)?;
    opened.sign(&mut request.controls);
    let loan = opened.loan;
    let prepared = app.prepare_chat(&loan, request, opened.bytes).await;
    let (request, prepared) = prepared.map_err(in_own_words)?;
    let ChatRequest { mut controls, ignored, thinking, .. } = request;
    controls.control_tokens = prepared.control_tokens;
    let mut generations = prompt::submit(&loan.engine, &controls, "messages", &prepared)?;
    let generation = generations.pop().expect("one prompt and one answer");
    let frame = reply::Frame {
        id: format!("msg_{:032x}", rand::random::<u128>()),
        model: loan.name.clone(),
        stops: controls.stop_strings.clone(),
        max_tokens: controls.max_tokens,
        text_model: loan.text_model.clone(),
        show_reasoning: thinking.show,
    };
    let mut response = match controls.delivery {
        Delivery::Whole => {
            let said = collect(generation, &prepared.reading).await?;
            ([(header::CONTENT_TYPE, "application/json")], frame.whole(said).to_string())
                .into_response()
        }
        Delivery::Stream { .. } => {
            let follower = Follower::new(generation, &prepared.reading);
            let prompt_tokens = prepared.prompts[0].len();
            let ping = named_event(&json!({"type": "ping"}));
            let keep_alive = KeepAlive::new().interval(app.options.keep_alive).event(ping);
            let events = stream::events(follower, frame, prompt_tokens);
            hold(Sse::new(events).keep_alive(keep_alive).into_response(), loan)
        }
    };
    mark_ignored(&mut response, &ignored);
    Ok(response)
}

async fn count(app: &Arc<App>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open(request).await?;
    let mut request = parse(&mut opened, false)?;
    opened.sign(&mut request.controls);
    let prepared = app.prepare_chat(&opened.loan, request, opened.bytes).await;
    let (_, prepared) = prepared.map_err(in_own_words)?;
    Ok(Json(json!({"input_tokens": prepared.prompts[0].len()})).into_response())
}

fn parse(opened: &mut Opened, needs_limit: bool) -> Result<ChatRequest, ApiError> {
    let limits = &opened.loan.limits;
    let object = std::mem::take(&mut opened.object);
    let object = request::to_chat(object, needs_limit, limits.context_length)?;
    let mut request = ChatRequest::parse(object, limits).map_err(in_own_words)?;
    request.thinking.is_hint = true;
    Ok(request)
}

/// An error about a chat request as one about the request that it was made of.
fn in_own_words(error: ApiError) -> ApiError {
    let names = [
        ("stop", "stop_sequences"),
        ("reasoning_budget", "thinking.budget_tokens"),
        ("reasoning_effort", "output_config.effort"),
        ("response_format", "output_config.format"),
    ];
    error.renamed(&names).with_flat_tools("input_schema")
}

/// An error as Anthropic's clients read it; its status stays.
fn failure(error: &ApiError) -> Response {
    let (status, body) = (error.status(), error_body(error));
    let mut response = error.clone().into_response();
    *response.body_mut() = body.to_string().into();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    debug_assert_eq!(response.status(), status);
    response
}

fn error_body(error: &ApiError) -> Value {
    let kind = match error.status().as_u16() {
        401 => "authentication_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 => "overloaded_error",
        504 => "timeout_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    json!({"type": "error", "error": {"type": kind, "message": error.message()}})
}
