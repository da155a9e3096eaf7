//! The routes and what they share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{OriginalUri, Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde_json::{Map, Value, json};
use tyto_engine::PooledKind;

use crate::answer::Answer;
use crate::api_error::ApiError;
use crate::auth::{self, require_key};
use crate::body::read_object;
use crate::chat::ChatRequest;
use crate::completion::CompletionRequest;
use crate::controls::{Controls, Delivery};
use crate::embeddings;
use crate::messages;
use crate::metrics;
use crate::models::{Loan, Model, Shelf, Standing, hold};
use crate::observe;
use crate::options::ServerOptions;
use crate::page;
use crate::prompt::{self, Prepared};
use crate::reply::{Dialect, Identity, unix_seconds};
use crate::rerank;
use crate::responses;
use crate::stream;
use crate::tokens;
use crate::traces::{Trace, Tracer, Watched};
use crate::vectors::Origin;
use crate::workers::{Work, Workers};

/// Names the request's fields that had no effect, so that a typing mistake can be seen.
pub const IGNORED_FIELDS: HeaderName = HeaderName::from_static("x-tyto-ignored-fields");
/// The most field names that the header lists.
const MAX_IGNORED_NAMES: usize = 32;

/// What every handler sees.
pub struct App {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) options: ServerOptions,
    pub(crate) workers: Workers,
    /// Makes traces, if they are asked for.
    pub(crate) tracer: Option<Arc<Tracer>>,
    /// In seconds since 1970.
    started: u64,
    stopping: AtomicBool,
}

/// A request's body and the model that it is for.
pub(crate) struct Opened {
    /// The body's fields.
    pub object: Map<String, Value>,
    /// Of the body.
    pub bytes: usize,
    /// The model.
    pub loan: Loan,
    /// Whose request it is.
    client: Option<String>,
    /// When the body was here in full.
    arrived: Instant,
    /// Its trace, if it has one.
    trace: Option<Trace>,
}

impl Opened {
    /// What it knows of the request's origin, for texts that become vectors.
    pub(crate) fn origin(&self, timeout: Option<Duration>) -> Origin {
        let (client, arrived, trace) = (self.client.clone(), self.arrived, self.trace.clone());
        Origin { client, arrived, timeout, trace }
    }

    /// Gives the request what it knows of its origin.
    pub(crate) fn sign(&self, controls: &mut Controls) {
        controls.client.clone_from(&self.client);
        controls.arrived = self.arrived;
        controls.trace.clone_from(&self.trace);
    }
}

impl App {
    pub(crate) fn new(
        shelf: Arc<Shelf>,
        options: ServerOptions,
        tracer: Option<Arc<Tracer>>,
    ) -> Arc<Self> {
        let (workers, started) = (Workers::default(), unix_seconds());
        let stopping = AtomicBool::new(false);
        Arc::new(Self { shelf, options, workers, tracer, started, stopping })
    }

    /// From here on, new requests are answered with 503.
    pub(crate) fn begin_stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> &'static str {
        if self.stopping.load(Ordering::Relaxed) {
            "stopping"
        } else if self.shelf.is_healthy() {
            "ok"
        } else {
            "unhealthy"
        }
    }

    /// Whether requests are taken.
    pub(crate) fn is_ready(&self) -> bool {
        self.state() == "ok"
    }

    /// Reads a request that wants an answer in words, and borrows its model.
    pub(crate) async fn open(&self, request: Request) -> Result<Opened, ApiError> {
        self.open_for(request, None).await
    }

    /// Reads a request for a model that makes this of a text, and borrows it; `None` stands for
    /// more text.
    pub(crate) async fn open_for(
        &self,
        request: Request,
        kind: Option<PooledKind>,
    ) -> Result<Opened, ApiError> {
        match self.state() {
            "ok" => self.read_for(request, Some(kind)).await,
            state => Err(ApiError::unavailable(format!("the server is {state}"))),
        }
    }

    /// Reads a request that needs no engine, and borrows its model, of whatever kind.
    pub(crate) async fn read(&self, request: Request) -> Result<Opened, ApiError> {
        self.read_for(request, None).await
    }

    async fn read_for(
        &self,
        request: Request,
        kind: Option<Option<PooledKind>>,
    ) -> Result<Opened, ApiError> {
        let client = client_of(&request);
        let trace = request.extensions().get::<Trace>().cloned();
        let (object, bytes) = read_object(request, self.options.body).await?;
        let arrived = Instant::now();
        let named = match object.get("model") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name.as_str()),
            Some(other) => return Err(ApiError::wrong_value("model", "a string", other)),
        };
        if let Some(kind) = kind {
            self.shelf.check_kind(named, kind)?;
        }
        // Whether it is a good number is seen where the field is read.
        let timeout = object.get("timeout").and_then(Value::as_f64);
        let timeout = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let borrowing = self.shelf.borrow(named);
        let loan = match timeout {
            None => borrowing.await?,
            Some(timeout) => {
                let loan = tokio::time::timeout(timeout, borrowing).await;
                loan.map_err(|_| ApiError::timed_out())??
            }
        };
        if let Some(trace) = &trace {
            trace.note_model(&loan.name);
        }
        Ok(Opened { object, bytes, loan, client, arrived, trace })
    }

    /// Renders, encodes and compiles; gives the request back. Its body had so many `bytes`.
    pub(crate) async fn prepare_chat(
        &self,
        model: &Model,
        request: ChatRequest,
        bytes: usize,
    ) -> Result<(ChatRequest, Prepared), ApiError> {
        let (text_model, limits) = (model.text_model.clone(), model.limits);
        let grammars = model.grammars.clone();
        let has_grammar = request.rule.is_some() || request.tools.is_some();
        let work = Work::of(has_grammar, bytes);
        let remaining = request.controls.remaining();
        let prepare = move || {
            let prepared = prompt::prepare_chat(&text_model, &grammars, &limits, &request)?;
            Ok::<_, ApiError>((request, prepared))
        };
        self.workers.run(work, remaining, prepare).await?
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
        .route("/v1/responses/input_tokens", post(responses::count_tokens))
        .route("/v1/embeddings", post(embeddings::create))
        .route("/v1/rerank", post(rerank::create))
        .route("/v1/messages", post(messages::create))
        .route("/v1/messages/count_tokens", post(messages::count_tokens))
        .route("/tokenize", post(tokens::tokenize))
        .route("/detokenize", post(tokens::detokenize))
        .route("/apply-template", post(tokens::apply_template))
        .route("/slots", get(metrics::slots))
        .route("/metrics", get(metrics::metrics))
        .layer(axum::middleware::from_fn_with_state(app.options.api_keys.clone(), require_key));
    let router = Router::new()
        .route("/", get(page::html))
        .route("/page.css", get(page::style))
        .route("/page.js", get(page::script))
        .route("/health", get(health))
        .route("/ready", get(ready))
        .merge(api)
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method);
    observe::layers(router, &app.options.cors_origins, app.tracer.clone()).with_state(app)
}

async fn health(State(app): State<Arc<App>>) -> Response {
    let state = app.state();
    let status = if state == "ok" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let standings = app.shelf.standings();
    let mut body = json!({
        "status": state, "running": 0, "queued": 0, "free_blocks": 0, "total_blocks": 0,
    });
    let mut add = |name: &str, count: usize| {
        body[name] = json!(body[name].as_u64().unwrap_or(0) + count as u64);
    };
    for stats in standings.iter().filter_map(Standing::stats) {
        add("running", stats.running);
        add("queued", stats.queued);
        add("free_blocks", stats.free_blocks);
        add("total_blocks", stats.total_blocks);
    }
    match standings.as_slice() {
        [one] => body["model"] = json!(one.name),
        several => {
            let state = |standing: &Standing| (standing.name.clone(), json!(standing.state));
            body["models"] = Value::Object(several.iter().map(state).collect());
        }
    }
    (status, Json(body)).into_response()
}

async fn ready(State(app): State<Arc<App>>) -> Response {
    let state = app.state();
    let status = if state == "ok" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(json!({ "status": state }))).into_response()
}

async fn list_models(State(app): State<Arc<App>>) -> Json<Value> {
    let standings = app.shelf.standings();
    let cards: Vec<Value> = standings.iter().map(|standing| model_card(&app, standing)).collect();
    Json(json!({"object": "list", "data": cards}))
}

async fn show_model(
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Value>, ApiError> {
    // A name that is no UTF-8 is no model's either.
    let id = id.map_or_else(|_| "\u{FFFD}".to_owned(), |Path(id)| id);
    app.shelf.check(&id)?;
    let standings = app.shelf.standings();
    let standing = standings.iter().find(|standing| standing.name == id);
    Ok(Json(model_card(&app, standing.expect("the name was checked, and models stay"))))
}

/// What is only known of a model that is loaded is null for others.
fn model_card(app: &App, standing: &Standing) -> Value {
    let model = standing.model.as_deref();
    json!({
        "id": standing.name,
        "object": "model",
        "created": app.started,
        "owned_by": "tyto",
        "kind": standing.kind.map_or("text", PooledKind::name),
        "context_length": standing.context_length,
        "max_model_len": standing.context_length,
        "tool_call_format": model.and_then(Model::call_format),
        "reasoning": model.map(Model::reasons),
        "state": standing.state,
        "memory_bytes": standing.memory_bytes,
        "users": standing.users,
        "last_error": standing.last_error,
    })
}

async fn chat(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open(request).await?;
    let object = std::mem::take(&mut opened.object);
    let mut request = ChatRequest::parse(object, &opened.loan.limits)?;
    opened.sign(&mut request.controls);
    let loan = opened.loan;
    let (request, prepared) = app.prepare_chat(&loan, request, opened.bytes).await?;
    let ChatRequest { mut controls, ignored, thinking, .. } = request;
    controls.control_tokens = prepared.control_tokens;
    let generations = prompt::submit(&loan.engine, &controls, "messages", &prepared)?;
    let identity = Identity::new(Dialect::Chat, loan.name.clone());
    let answer = answer(&loan, identity, &controls, prepared, generations, thinking.show);
    reply(&app, loan, answer, &controls, &ignored).await
}

async fn complete(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let mut opened = app.open(request).await?;
    let object = std::mem::take(&mut opened.object);
    let mut request = CompletionRequest::parse(object, &opened.loan.limits)?;
    opened.sign(&mut request.controls);
    let loan = opened.loan;
    let (controls, ignored) = (request.controls.clone(), request.ignored.clone());
    // Before they are made: each has its own copy of what the request says besides.
    let count = request.prompts.len().saturating_mul(controls.answers);
    loan.engine.check_count(count).map_err(|error| prompt::submit_error("prompt", error))?;
    let (model, grammars, limits) = (loan.text_model.clone(), loan.grammars.clone(), loan.limits);
    let work = Work::of(request.rule.is_some(), opened.bytes);
    let prepare = move || prompt::prepare_completion(&model, &grammars, &limits, request);
    let prepared = app.workers.run(work, controls.remaining(), prepare).await??;
    let generations = prompt::submit(&loan.engine, &controls, "prompt", &prepared)?;
    let identity = Identity::new(Dialect::Completion, loan.name.clone());
    let answer = answer(&loan, identity, &controls, prepared, generations, true);
    reply(&app, loan, answer, &controls, &ignored).await
}

fn answer(
    model: &Model,
    identity: Identity,
    controls: &Controls,
    prepared: Prepared,
    generations: Vec<Watched>,
    show_reasoning: bool,
) -> Answer {
    Answer {
        identity,
        text_model: model.text_model.clone(),
        generations,
        answers: controls.answers,
        logprobs: controls.logprobs.is_some(),
        reading: prepared.reading,
        show_reasoning,
    }
}

async fn reply(
    app: &App,
    loan: Loan,
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
            let events = Sse::new(stream::events(answer, usage)).keep_alive(keep_alive);
            hold(events.into_response(), loan)
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
