//! `/v1/responses`: OpenAI's newer API, without its memory: nothing is stored between requests.

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
use crate::follow::Follower;
use crate::models::hold;
use crate::prompt;
use request::Echo;

/// Answers `POST /v1/responses`.
pub async fn create(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open(request).await?;
    let (request, echo) = parse(&mut opened)?;
    let loan = opened.loan;
    let prepared = app.prepare_chat(&loan, request, opened.bytes).await;
    let (request, prepared) = prepared.map_err(in_own_words)?;
    let ChatRequest { mut controls, ignored, thinking, .. } = request;
    controls.control_tokens = prepared.control_tokens;
    let mut generations = prompt::submit(&loan.engine, &controls, "input", &prepared)?;
    let generation = generations.pop().expect("one prompt and one answer");
    let frame = reply::Frame::new(&loan.name, echo, &controls.sampling, thinking.show);
    let mut response = match controls.delivery {
        Delivery::Whole => {
            let said = collect(generation, &prepared.reading).await?;
            ([(header::CONTENT_TYPE, "application/json")], frame.whole(said).to_string())
                .into_response()
        }
        Delivery::Stream { .. } => {
            let follower = Follower::new(generation, &prepared.reading);
            let keep_alive = KeepAlive::new().interval(app.options.keep_alive).text("keep-alive");
            let events = Sse::new(stream::events(follower, frame)).keep_alive(keep_alive);
            hold(events.into_response(), loan)
        }
    };
    mark_ignored(&mut response, &ignored);
    Ok(response)
}

/// Answers `POST /v1/responses/input_tokens`.
pub async fn count_tokens(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Value>, ApiError> {
    let mut opened = app.open(request).await?;
    let (request, _) = parse(&mut opened)?;
    let prepared = app.prepare_chat(&opened.loan, request, opened.bytes).await;
    let (_, prepared) = prepared.map_err(in_own_words)?;
    let tokens = prepared.prompts[0].len();
    Ok(Json(json!({"object": "response.input_tokens", "input_tokens": tokens})))
}

fn parse(opened: &mut Opened) -> Result<(ChatRequest, Echo), ApiError> {
    let (object, echo) = request::to_chat(std::mem::take(&mut opened.object))?;
    let parsed = ChatRequest::parse(object, &opened.loan.limits);
    let mut request = parsed.map_err(in_own_words)?;
    opened.sign(&mut request.controls);
    Ok((request, echo))
}

/// An error about a chat request as one about the request that it was made of.
fn in_own_words(error: ApiError) -> ApiError {
    let names = [
        ("messages", "input"),
        ("max_completion_tokens", "max_output_tokens"),
        ("reasoning_effort", "reasoning.effort"),
        ("response_format", "text.format"),
    ];
    error.renamed(&names).with_flat_tools("parameters")
}
