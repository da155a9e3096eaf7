//! The routes and what they share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{OriginalUri, Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tyto_engine::Engine;
use tyto_text::TextModel;
use tyto_text::answer::CallFormat;

use crate::answer::Answer;
use crate::api_error::ApiError;
use crate::auth::{self, require_key};
use crate::body::read_object;
use crate::chat::ChatRequest;
use crate::completion::CompletionRequest;
use crate::controls::{Controls, Delivery, Limits};
use crate::grammars::GrammarShelf;
use crate::messages;
use crate::metrics;
use crate::observe;
use crate::options::ServerOptions;
use crate::prompt::{self, Prepared};
use crate::reply::{Dialect, Identity};
use crate::responses;
use crate::sampling::SamplingChoice;
use crate::stream;
use crate::tokens;
use crate::workers::{Work, Workers};

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
    grammars: Arc<GrammarShelf>,
    pub(crate) workers: Workers,
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
        let grammars = Arc::new(GrammarShelf::new(text_model.clone(), card.vocab_size));
        let workers = Workers::default();
        Arc::new(Self {
            engine,
            text_model,
            options,
            model_name,
            limits,
            grammars,
            workers,
            stopping,
        })
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

    /// The form of the model's tool calls.
    pub(crate) fn call_format(&self) -> Option<&'static str> {
        self.text_model.answer_format(true).calls.map(CallFormat::name)
    }

    /// Whether the model tells its reasoning apart from its answer.
    pub(crate) fn reasons(&self) -> bool {
        let format = self.text_model.answer_format(false);
        format.reasoning.is_some() || format.calls == Some(CallFormat::Harmony)
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

    /// Whether requests are taken.
    pub(crate) fn is_ready(&self) -> bool {
        self.state() == "ok"
    }

    pub(crate) fn require_ready(&self) -> Result<(), ApiError> {
        match self.state() {
            "ok" => Ok(()),
            state => Err(ApiError::unavailable(format!("the server is {state}"))),
        }
    }

    pub(crate) fn require_model(&self, named: Option<&str>) -> Result<(), ApiError> {
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
        .route("/v1/responses", post(responses::create))
        .route("/v1/messages", post(messages::create))
        .route("/v1/messages/count_tokens", post(messages::count_tokens))
        .route("/tokenize", post(tokens::tokenize))
        .route("/detokenize", post(tokens::detokenize))
        .route("/apply-template", post(tokens::apply_template))
        .route("/slots", get(metrics::slots))
        .route("/metrics", get(metrics::metrics))
        .layer(axum::middleware::from_fn_with_state(app.options.api_keys.clone(), require_key));
    let router = Router::new()
        .route("/health", get(health))
        .route("/ready", get(ready))
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

async fn ready(State(app): State<Arc<App>>) -> Response {
    let state = app.state();
    let status = if state == "ok" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "status": state }))).into_response()
}

async fn list_models(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({"object": "list", "data": [model_card(&app)]}))
}

async fn show_model(
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Value>, ApiError> {
    // A name that is no UTF-8 is no model's either.
    let id = id.map_or_else(|_| "\u{FFFD}".to_owned(), |Path(id)| id);
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
        "max_model_len": app.limits.context_length,
        "tool_call_format": app.call_format(),
        "reasoning": app.reasons(),
    })
}

async fn chat(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    app.require_ready()?;
    let client = client_of(&request);
    let object = read_object(request, app.options.body).await?;
    let mut request = ChatRequest::parse(object, app.limits())?;
    app.require_model(request.controls.model.as_deref())?;
    request.controls.client = client;
    let (request, prepared) = app.prepare_chat(request).await?;
    let ChatRequest { mut controls, ignored, thinking, .. } = request;
    controls.control_tokens = prepared.control_tokens;
    let generations = prompt::submit(&app.engine, &controls, "messages", &prepared)?;
    let identity = Identity::new(Dialect::Chat, app.model_name.clone());
    let answer = app.answer(identity, &controls, prepared, generations, thinking.show);
    reply(&app, answer, &controls, &ignored).await
}

async fn complete(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    app.require_ready()?;
    let client = client_of(&request);
    let object = read_object(request, app.options.body).await?;
    let request = CompletionRequest::parse(object, app.limits())?;
    app.require_model(request.controls.model.as_deref())?;
    let (mut controls, ignored) = (request.controls.clone(), request.ignored.clone());
    controls.client = client;
    let (model, grammars, limits) = (app.text_model.clone(), app.grammars.clone(), app.limits);
    let work = if request.rule.is_some() { Work::Grammar } else { Work::Text };
    let prepare = move || prompt::prepare_completion(&model, &grammars, &limits, request);
    let prepared = app.workers.run(work, controls.remaining(), prepare).await??;
    let generations = prompt::submit(&app.engine, &controls, "prompt", &prepared)?;
    let identity = Identity::new(Dialect::Completion, app.model_name.clone());
    let answer = app.answer(identity, &controls, prepared, generations, true);
    reply(&app, answer, &controls, &ignored).await
}

impl App {
    /// Renders, encodes and compiles; gives the request back.
    pub(crate) async fn prepare_chat(
        &self,
        request: ChatRequest,
    ) -> Result<(ChatRequest, Prepared), ApiError> {
        let (model, grammars, limits) =
            (self.text_model.clone(), self.grammars.clone(), self.limits);
        let has_grammar = request.rule.is_some() || request.tools.is_some();
        let work = if has_grammar { Work::Grammar } else { Work::Text };
        let remaining = request.controls.remaining();
        let prepare = move || {
            let prepared = prompt::prepare_chat(&model, &grammars, &limits, &request)?;
            Ok::<_, ApiError>((request, prepared))
        };
        self.workers.run(work, remaining, prepare).await?
    }

    fn answer(
        &self,
        identity: Identity,
        controls: &Controls,
        prepared: Prepared,
        generations: Vec<tyto_engine::Generation>,
        show_reasoning: bool,
    ) -> Answer {
        Answer {
            identity,
            text_model: self.text_model.clone(),
            generations,
            answers: controls.answers,
            logprobs: controls.logprobs.is_some(),
            reading: prepared.reading,
            show_reasoning,
        }
    }
}

async fn reply(
    app: &App,
    answer: Answer,
    controls: &Controls,
    ignored: &[String],
) -> Result<Response, ApiError> {
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
    mark_ignored(&mut response, ignored);
    Ok(response)
}

/// Names the fields that had no effect in a header of the reply.
pub(crate) fn mark_ignored(response: &mut Response, ignored: &[String]) {
    if let Some(names) = ignored_header(ignored) {
        response.headers_mut().insert(IGNORED_FIELDS, names);
    }
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

/// Whose request it is, for turns in the queue: the key's hash, which no log shows.
pub(crate) fn client_of(request: &Request) -> Option<String> {
    auth::key_of(request).map(|key| blake3::hash(key.as_bytes()).to_hex()[..16].to_owned())
}

async fn unknown_route(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    ApiError::unknown_route(method.as_str(), uri.path())
}

async fn wrong_method(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    ApiError::wrong_method(method.as_str(), uri.path())
}
