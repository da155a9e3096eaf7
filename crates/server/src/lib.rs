//! The HTTP server: OpenAI's API over one engine.
//!
//! ```text
//! request -> body -> chat | completion (validate) -> prompt (render, encode, submit)
//!         -> answer (whole) | stream (server-sent events) -> reply objects
//! ```
//!
//! Handlers own nothing of a running text but its [`tyto_engine::Generation`]: when a client
//! goes away its response is dropped, the generation with it, and the engine stops working on
//! it. Every refusal is an [`ApiError`] made where the fault is known, with the field's name.

mod answer;
mod api_error;
mod app;
mod auth;
mod body;
mod chat;
mod completion;
mod controls;
mod error;
mod fields;
mod logprobs;
mod observe;
mod options;
mod prompt;
mod reply;
mod sampling;
mod stream;
mod unsupported;

use std::future::{Future, IntoFuture};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tyto_engine::{Engine, ShutdownReport};
use tyto_text::TextModel;

pub use api_error::ApiError;
pub use auth::ApiKeys;
pub use body::BodyLimits;
pub use error::Error;
pub use options::ServerOptions;
pub use sampling::SamplingChoice;

use app::App;

/// After the engine has stopped, how long clients may take to read the last bytes.
const LAST_BYTES: Duration = Duration::from_secs(2);

/// A server that holds its port and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Takes the port. Fails when it is in use or may not be taken, or an option is wrong.
    pub async fn bind(
        engine: Engine,
        text_model: Arc<TextModel>,
        options: ServerOptions,
    ) -> Result<Self, Error> {
        check_origins(&options.cors_origins)?;
        let listener = TcpListener::bind(options.listen)
            .await
            .map_err(|source| Error::bind(options.listen, source))?;
        let address = listener.local_addr().map_err(|source| Error::Serve { source })?;
        Ok(Self { listener, address, app: App::new(engine, text_model, options) })
    }

    /// Where it listens; with the port that the system chose if port 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The model's name in requests and replies.
    pub fn model_name(&self) -> &str {
        self.app.model_name()
    }

    /// The values that a request without sampling fields is sampled with.
    pub fn default_sampling(&self) -> tyto_engine::SamplingParams {
        self.app.limits().sampling.resolve()
    }

    /// Answers requests until `stop` is ready. Then it accepts no more, lets running answers
    /// finish within the grace time, cuts the rest with an error, and stops the engine.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) -> Result<ShutdownReport, Error> {
        let Self { listener, app, .. } = self;
        // A token is a small packet: waiting to fill a larger one would delay it.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY was not set");
            }
        });
        let (close, closed) = oneshot::channel::<()>();
        let serving = axum::serve(listener, app::router(app.clone()))
            .with_graceful_shutdown(async move { drop(closed.await) });
        let mut serving = tokio::spawn(serving.into_future());
        tokio::select! {
            () = stop => {}
            ended = &mut serving => return Err(serve_error(ended)),
        }
        app.begin_stopping();
        drop(close);
        let report = stop_engine(&app).await;
        match tokio::time::timeout(LAST_BYTES, &mut serving).await {
            Ok(Ok(Ok(()))) => {}
            Ok(ended) => return Err(serve_error(ended)),
            Err(_) => serving.abort(),
        }
        Ok(report)
    }
}

/// `shutdown` waits on the engine's thread, so it may not run on one of ours.
async fn stop_engine(app: &Arc<App>) -> ShutdownReport {
    let app = app.clone();
    tokio::task::spawn_blocking(move || app.engine.shutdown(app.options.grace))
        .await
        .expect("stopping the engine does not panic")
}

fn serve_error(ended: Result<std::io::Result<()>, tokio::task::JoinError>) -> Error {
    let source = match ended {
        Ok(Err(source)) => source,
        Ok(Ok(())) => std::io::Error::other("the listener closed"),
        Err(error) => std::io::Error::other(error),
    };
    Error::Serve { source }
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
