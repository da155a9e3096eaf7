//! The HTTP server: OpenAI's API, and Anthropic's, over one engine.
//!
//! ```text
//! request -> body -> chat | completion (validate) -> prompt (render, encode, compile, submit)
//!         -> answer (whole) | stream (server-sent events) -> reply objects
//! responses, messages: a request as a chat; its generation as their own objects and events
//! ```
//!
//! Handlers own nothing of a running text but its [`tyto_engine::Generation`]: when a client
//! goes away its response is dropped, the generation with it, and the engine stops working on
//! it. Every refusal is an [`ApiError`] made where the fault is known, with the field's name.

mod answer;
mod api_error;
mod app;
mod auth;
mod base64;
mod body;
mod chat;
mod collect;
mod completion;
mod connections;
mod constraint;
mod controls;
mod delta;
mod embeddings;
mod error;
mod fields;
mod follow;
#[doc(hidden)]
pub mod fuzz;
mod grammars;
mod listener;
mod logprobs;
mod messages;
mod metrics;
mod models;
mod observe;
mod options;
mod output_rule;
mod page;
mod pieces;
mod prompt;
mod reply;
mod rerank;
mod responses;
mod sampling;
mod stalls;
mod stream;
mod strict_json;
mod thinking;
mod tls;
mod tokens;
mod tools;
mod traces;
mod unsupported;
mod usage;
mod vectors;
mod workers;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::serve::{Listener, ListenerExt};
use tokio::sync::watch;
use tyto_engine::{Engine, SamplingParams, ShutdownReport};
use tyto_text::TextModel;

pub use api_error::ApiError;
pub use auth::ApiKeys;
pub use body::BodyLimits;
pub use connections::ConnectionLimits;
pub use error::Error;
pub use models::{LoadedModel, ModelRoom, ModelSource};
pub use options::ServerOptions;
pub use sampling::SamplingChoice;
pub use tls::TlsFiles;
pub use traces::{Sampler, TraceOptions};

use app::App;
use listener::{Place, Taken};
use models::{Model, Shelf};
use tls::Tls;
use traces::Tracer;

/// After the engine has stopped, how long clients may take to read the last bytes.
const LAST_BYTES: Duration = Duration::from_secs(2);

/// A server that holds its port, or its socket, and does not answer yet.
pub struct Server {
    taken: Taken,
    tls: Option<Arc<Tls>>,
    app: Arc<App>,
}

/// Reads a server's certificate and key again.
#[derive(Debug, Clone)]
pub struct TlsReload(Arc<Tls>);

impl TlsReload {
    /// Connections from now on use what the files say. Nothing changes when they are wrong.
    pub fn reload(&self) -> Result<(), Error> {
        self.0.reload()
    }
}

impl Server {
    /// A server of one model, which is always loaded. Takes the port or the socket. Fails when it
    /// is in use or may not be taken, or an option is wrong.
    pub async fn bind(
        engine: Engine,
        text_model: Arc<TextModel>,
        options: ServerOptions,
    ) -> Result<Self, Error> {
        let name = options.model_name.clone().unwrap_or_else(|| engine.card().name.clone());
        let model = Model::new(name, LoadedModel { engine, text_model }, options.sampling);
        let shelf = Shelf::of_one(model, options.model_memory_bytes);
        Self::bind_shelf(shelf, options).await
    }

    /// A server of several models, each loaded when a request names it. Fails as [`bind`](Self::bind)
    /// does, and when two models have one name or one needs more memory than there may be.
    pub async fn bind_models(
        sources: Vec<ModelSource>,
        room: ModelRoom,
        options: ServerOptions,
    ) -> Result<Self, Error> {
        check_sources(&sources, room)?;
        let shelf = Shelf::of_sources(sources, room, options.sampling);
        Self::bind_shelf(shelf, options).await
    }

    async fn bind_shelf(shelf: Arc<Shelf>, options: ServerOptions) -> Result<Self, Error> {
        check_origins(&options.cors_origins)?;
        let tls = options.tls.clone().map(Tls::read).transpose()?.map(Arc::new);
        let taken = Taken::take(&options).await?;
        let tracer = options.traces.as_ref().map(|traces| Tracer::start(traces, tls.is_some()));
        let tracer = tracer.transpose()?;
        Ok(Self { taken, tls, app: App::new(shelf, options, tracer) })
    }

    /// Where it listens, with the port that the system chose if port 0 was asked for; `None` on a
    /// Unix socket.
    pub fn address(&self) -> Option<SocketAddr> {
        match &self.taken.place {
            Place::Port(address) => Some(*address),
            Place::Socket(..) => None,
        }
    }

    /// For reading the certificate again; `None` without TLS.
    pub fn tls_reload(&self) -> Option<TlsReload> {
        self.tls.clone().map(TlsReload)
    }

    /// Where it listens, as a URL: `http://ADDRESS`, `https://ADDRESS` or `unix:PATH`.
    pub fn url(&self) -> String {
        match &self.taken.place {
            Place::Port(address) if self.tls.is_some() => format!("https://{address}"),
            Place::Port(address) => format!("http://{address}"),
            Place::Socket(path, _) => format!("unix:{}", path.display()),
        }
    }

    /// The models' names in requests and replies.
    pub fn model_names(&self) -> Vec<String> {
        self.app.shelf.standings().into_iter().map(|standing| standing.name).collect()
    }

    /// What is known of a model that is loaded already: the form of its tool calls, if it has one,
    /// whether it tells its reasoning apart, and the values that a request without sampling fields
    /// is sampled with.
    pub fn abilities(&self) -> Option<(Option<&'static str>, bool, SamplingParams)> {
        let loaded = self.app.shelf.standings().into_iter().find_map(|standing| standing.model);
        let model = loaded?;
        Some((model.call_format(), model.reasons(), model.limits.sampling.resolve()))
    }

    /// Answers requests until `stop` is ready. Then it accepts no more, lets running answers
    /// finish within the grace time, cuts the rest with an error, and stops the engine. A lost
    /// device ends it too, with an error, after it was told for a moment.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> Result<ShutdownReport, Error> {
        let Self { taken, tls, app } = self;
        // The socket's file is removed however this ends.
        let Taken { listener, place: _place } = taken;
        match listener {
            listener::Either::Port(listener) => {
                // A token is a small packet: waiting to fill a larger one would delay it.
                let listener = listener.tap_io(|stream| {
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "TCP_NODELAY was not set");
                    }
                });
                serve(listener, tls, app, stop).await
            }
            listener::Either::Socket(listener) => serve(listener, tls, app, stop).await,
        }
    }
}

async fn serve<L>(
    listener: L,
    tls: Option<Arc<Tls>>,
    app: Arc<App>,
    stop: impl Future<Output = ()> + Send,
) -> Result<ShutdownReport, Error>
where
    L: Listener,
    L::Addr: std::fmt::Debug,
{
    let (close, closed) = watch::channel(false);
    let keeping = tokio::spawn(app.shelf.clone().keep());
    let (router, limits) = (app::router(app.clone()), app.options.connections);
    let mut serving = tokio::spawn(connections::serve(listener, tls, router, limits, closed));
    let mut stop = std::pin::pin!(stop);
    tokio::select! {
        () = &mut stop => {}
        reason = tyto_engine::lost_device() => {
            // Clients read their errors meanwhile, and health checks learn of it.
            let said = tokio::time::sleep(app.options.after_loss);
            tokio::select! { () = said => {}, () = stop => {} }
            // Every request has its error; who waits for it shall read it whole.
            let _ = close.send(true);
            let _ = tokio::time::timeout(LAST_BYTES, &mut serving).await;
            close_traces(&app, LAST_BYTES).await;
            return Err(Error::DeviceLost { reason });
        }
        ended = &mut serving => return Err(serve_error(ended)),
    }
    app.begin_stopping();
    let stopped = Instant::now();
    // Fails when nothing serves any more, which is told below.
    let _ = close.send(true);
    let report = app.shelf.shut_down(app.options.grace).await;
    keeping.abort();
    match tokio::time::timeout(LAST_BYTES, &mut serving).await {
        Ok(Ok(())) => {}
        Ok(ended) => return Err(serve_error(ended)),
        Err(_) => serving.abort(),
    }
    // What is left of the time; the last spans have as long as the last bytes.
    let rest = app.options.grace.saturating_sub(stopped.elapsed());
    close_traces(&app, rest.max(LAST_BYTES)).await;
    Ok(report)
}

async fn close_traces(app: &App, limit: Duration) {
    if let Some(tracer) = &app.tracer {
        tracer.close(limit).await;
    }
}

fn serve_error(ended: Result<(), tokio::task::JoinError>) -> Error {
    let source = match ended {
        Ok(()) => std::io::Error::other("the listener closed"),
        Err(error) => std::io::Error::other(error),
    };
    Error::Serve { source }
}

fn check_sources(sources: &[ModelSource], room: ModelRoom) -> Result<(), Error> {
    for (index, source) in sources.iter().enumerate() {
        if sources[..index].iter().any(|other| other.name == source.name) {
            return Err(Error::ModelTwice { name: source.name.clone() });
        }
        if let Some(room) = room.bytes.filter(|room| source.memory_bytes > *room) {
            let (name, needed) = (source.name.clone(), source.memory_bytes);
            return Err(Error::ModelTooLarge { name, needed, room });
        }
    }
    Ok(())
}

fn check_origins(origins: &[String]) -> Result<(), Error> {
    match origins.iter().find(|origin| !is_origin(origin)) {
        Some(found) => Err(Error::Origin { found: found.clone() }),
        None => Ok(()),
    }
}

/// `*`, or a scheme and a host with no path, as browsers send it.
fn is_origin(text: &str) -> bool {
    let host = text.split_once("://").map_or("", |(_, host)| host);
    text == "*"
        || (!host.is_empty() && !host.contains('/') && text.bytes().all(|b| b.is_ascii_graphic()))
}
