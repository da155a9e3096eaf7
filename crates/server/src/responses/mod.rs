//! `/v1/responses`: OpenAI's newer API, without its memory: nothing is stored between requests.

mod reply;
mod request;
mod stream;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;
use crate::app::{App, client_of, mark_ignored};
use crate::body::read_object;
use crate::chat::ChatRequest;
use crate::collect::collect;
use crate::controls::Delivery;
use crate::follow::Follower;
use crate::prompt;

/// Answers `POST /v1/responses`.
pub async fn create(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    app.require_ready()?;
    let client = client_of(&request);
    let (object, echo) = request::to_chat(read_object(request, app.options.body).await?)?;
    let mut request = ChatRequest::parse(object, app.limits())?;
    app.require_model(request.controls.model.as_deref())?;
    request.controls.client = client;
    let (request, prepared) = app.prepare_chat(request).await?;
    let ChatRequest { mut controls, ignored, thinking, .. } = request;
    controls.control_tokens = prepared.control_tokens;
    let mut generations = prompt::submit(&app.engine, &controls, "input", &prepared)?;
    let generation = generations.pop().expect("one prompt and one answer");
    let frame = reply::Frame::new(app.model_name(), echo, &controls.sampling, thinking.show);
    let mut response = match controls.delivery {
        Delivery::Whole => {
            let said = collect(generation, &prepared.reading).await?;
            ([(header::CONTENT_TYPE, "application/json")], frame.whole(said).to_string())
                .into_response()
        }
        Delivery::Stream { .. } => {
            let follower = Follower::new(generation, &prepared.reading);
            let keep_alive = KeepAlive::new().interval(app.options.keep_alive).text("keep-alive");
            Sse::new(stream::events(follower, frame)).keep_alive(keep_alive).into_response()
        }
    };
    mark_ignored(&mut response, &ignored);
    Ok(response)
}
