//! The routes and what they share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::{OriginalUri, Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tyto_engine::Engine;
use tyto_text::TextModel;

use crate::answer::Answer;
use crate::api_error::ApiError;
use crate::auth::require_key;
use crate::body::read_object;
use crate::chat::ChatRequest;
use crate::completion::CompletionRequest;
use crate::controls::{Controls, Delivery, Limits};
use crate::observe;
use crate::options::ServerOptions;
use crate::prompt;
use crate::reply::{Dialect, Identity};
use crate::sampling::SamplingChoice;
use crate::stream;

/// Names the request's fields that had no effect, so that a typing mistake can be seen.
pub const IGNORED_FIELDS: HeaderName = HeaderName::from_static("x-tyto-ignored-fields");
/// The most field names that the header lists.
const MAX_IGNORED_NAMES: usize = 32;

/// What every handler sees.
pub struct App {
    pub(crate) engine: Engine,
    pub(crate) text_model: Arc<TextModel>,
    pub(crate) options: ServerOptions,
    model_name: String,
    limits: Limits,
    stopping: AtomicBool,
}

impl App {
    pub(crate) fn new(
        engine: Engine,
        text_model: Arc<TextModel>,
        options: ServerOptions,
    ) -> Arc<Self> {
        let card = engine.card();
        let model_name = options.model_name.clone().unwrap_or_else(|| card.name.clone());
        let model_choice = SamplingChoice::from(text_model.generation_defaults());
        let limits = Limits {
            vocab_size: card.vocab_size,
            context_length: card.context_length,
            sampling: options.sampling.or(model_choice),
        };
        let stopping = AtomicBool::new(false);
        Arc::new(Self { engine, text_model, options, model_name, limits, stopping })
    }

    /// The name that requests give and replies carry.
    pub(crate) fn model_name(&self) -> &str {
        &self.model_name
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// From here on, new requests are answered with 503.
    pub(crate) fn begin_stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> &'static str {
        if self.stopping.load(Ordering::Relaxed) {
            "stopping"
        } else if self.engine.healthy() {
            "ok"
        } else {
            "unhealthy"
        }
    }

    fn require_ready(&self) -> Result<(), ApiError> {
        match self.state() {
            "ok" => Ok(()),
            state => Err(ApiError::unavailable(format!("the server is {state}"))),
        }
    }

    fn require_model(&self, named: Option<&str>) -> Result<(), ApiError> {
        match named {
            Some(name) if name != self.model_name => {
                Err(ApiError::unknown_model(name, &self.model_name))
            }
            _ => Ok(()),
        }
    }
}

/// The whole HTTP interface.
pub(crate) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/v1/models", get(list_models))
        .route("/v1/models/{*id}", get(show_model))
        .route("/v1/chat/completions", post(chat))
        .route("/v1/completions", post(complete))
        .layer(axum::middleware::from_fn_with_state(app.options.api_keys.clone(), require_key));
    let router = Router::new()
        .route("/health", get(health))
        .merge(api)
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method);
    observe::layers(router, &app.options.cors_origins).with_state(app)
}

async fn health(State(app): State<Arc<App>>) -> Response {
    let state = app.state();
    let status = if state == "ok" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let stats = app.engine.stats();
    let body = json!({
        "status": state,
        "model": app.model_name,
        "running": stats.running,
        "queued": stats.queued,
        "free_blocks": stats.free_blocks,
        "total_blocks": stats.total_blocks,
    });
    (status, Json(body)).into_response()
}

async fn list_models(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({"object": "list", "data": [model_card(&app)]}))
}

async fn show_model(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    app.require_model(Some(&id))?;
    Ok(Json(model_card(&app)))
}

fn model_card(app: &App) -> Value {
    json!({
        "id": app.model_name,
        "object": "model",
        "created": app.engine.card().created,
        "owned_by": "tyto",
        "context_length": app.limits.context_length,
    })
}

async fn chat(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    app.require_ready()?;
    let object = read_object(request, app.options.body).await?;
    let request = ChatRequest::parse(object, app.limits())?;
    app.require_model(request.controls.model.as_deref())?;
    let ChatRequest { controls, ignored, .. } = &request;
    let (controls, ignored) = (controls.clone(), ignored.clone());
    let worker = app.clone();
    let prompt = blocking(move || prompt::render_chat(&worker.text_model, &request)).await??;
    let generations = prompt::submit_all(&app.engine, &controls, "messages", vec![prompt])?;
    reply(&app, Dialect::Chat, &controls, generations, &ignored).await
}

async fn complete(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    app.require_ready()?;
    let object = read_object(request, app.options.body).await?;
    let request = CompletionRequest::parse(object, app.limits())?;
    app.require_model(request.controls.model.as_deref())?;
    let CompletionRequest { prompts, add_special_tokens, controls, ignored } = request;
    let worker = app.clone();
    let encode = move || prompt::encode_all(&worker.text_model, prompts, add_special_tokens);
    let prompts = blocking(encode).await??;
    let generations = prompt::submit_all(&app.engine, &controls, "prompt", prompts)?;
    reply(&app, Dialect::Completion, &controls, generations, &ignored).await
}

async fn reply(
    app: &App,
    dialect: Dialect,
    controls: &Controls,
    generations: Vec<tyto_engine::Generation>,
    ignored: &[String],
) -> Result<Response, ApiError> {
    let answer = Answer {
        identity: Identity::new(dialect, app.model_name.clone()),
        text_model: app.text_model.clone(),
        generations,
        logprobs: controls.logprobs.is_some(),
    };
    let mut response = match controls.delivery {
        Delivery::Whole => {
            let json = answer.collect().await?;
            ([(header::CONTENT_TYPE, "application/json")], json).into_response()
        }
        Delivery::Stream { usage } => {
            let keep_alive = KeepAlive::new().interval(app.options.keep_alive).text("keep-alive");
            Sse::new(stream::events(answer, usage)).keep_alive(keep_alive).into_response()
        }
    };
    if let Some(names) = ignored_header(ignored) {
        response.headers_mut().insert(IGNORED_FIELDS, names);
    }
    Ok(response)
}

/// A client's field names, as far as a header can hold them.
fn ignored_header(ignored: &[String]) -> Option<HeaderValue> {
    let printable = |name: &&String| name.len() <= 64 && name.bytes().all(|b| b.is_ascii_graphic());
    let names: Vec<&str> =
        ignored.iter().filter(printable).take(MAX_IGNORED_NAMES).map(String::as_str).collect();
    if names.is_empty() {
        return None;
    }
    HeaderValue::from_str(&names.join(", ")).ok()
}

/// Rendering and encoding take as long as the prompt wants: not on the threads that serve.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| ApiError::internal("preparing the prompt failed; the server's log says why"))
}

async fn unknown_route(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    ApiError::unknown_route(method.as_str(), uri.path())
}

async fn wrong_method(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    ApiError::wrong_method(method.as_str(), uri.path())
}
