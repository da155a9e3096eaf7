//! `tyto serve`: the model over HTTP, until a signal ends it.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tyto_engine::Opened;
use tyto_server::{
    ApiKeys, BodyLimits, LoadedModel, ModelRoom, ModelSource, SamplingChoice, Server,
    ServerOptions, TlsFiles, TlsReload, TraceOptions,
};

use crate::args::{EngineArgs, ServeArgs};
use crate::error::Error;
use crate::interrupt::{Signal, Signals};
use crate::model::{self, Needs, Outline};
use crate::source;

/// Runs the command.
pub fn run(args: &ServeArgs) -> Result<(), Error> {
    let options = options(args)?;
    let models = Models::find(args)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads_of_connections())
        .enable_all()
        .build()
        .map_err(Error::ours)?;
    let served = runtime.block_on(async {
        let server = models.bind(options).await.map_err(server_error)?;
        // Before the address is out: who reads it may end the server at once.
        let signals = Signals::listen().map_err(Error::ours)?;
        if let Some(tls) = server.tls_reload() {
            tokio::spawn(reload(tls, signal(SignalKind::hangup()).map_err(Error::ours)?));
        }
        announce(&server)?;
        let interrupted = AtomicBool::new(false);
        let report = server.run(stop(signals, &interrupted)).await.map_err(server_error)?;
        tracing::info!(report.finished, report.cut, "stopped");
        match interrupted.load(Ordering::Relaxed) {
            true => Err(Error::Interrupted),
            false => Ok(()),
        }
    });
    // A grammar that is still being compiled has no reader left: the process does not wait for it.
    runtime.shutdown_background();
    served
}

/// Threads that read requests and write answers. The processors belong to the model's threads, which wait for each other
/// when one of them is interrupted, and a token that wakes one thread of several wakes a second to look for more work.
fn threads_of_connections() -> usize {
    const PROCESSORS_A_THREAD: usize = 4;
    std::thread::available_parallelism()
        .map_or(1, |count| count.get().div_ceil(PROCESSORS_A_THREAD))
}

/// What is served.
enum Models {
    /// One, which is loaded.
    One(Box<Opened>),
    /// One or several, each loaded when a request names it.
    OnDemand(Vec<ModelSource>, ModelRoom),
}

impl Models {
    fn find(args: &ServeArgs) -> Result<Self, Error> {
        let max_queued = Some(args.queue as usize);
        let needs = Needs { max_queued, tries_one_token: true, ..Needs::default() };
        let count = 1 + args.more.len();
        if !args.names.is_empty() && args.names.len() != count {
            let names = args.names.len();
            return Err(Error::user(format!(
                "there are {count} models and {names} times --name; give a name for each model"
            )));
        }
        let one = count == 1 && args.models_memory.is_none() && args.models_idle.is_none();
        if let Some(draft) = args.engine.draft.as_ref().filter(|_| !one) {
            return Err(Error::user(format!(
                "--draft {} guesses for one model that stays loaded; leave out other models, \
                 --models-memory and --models-idle",
                draft.display()
            )));
        }
        let room = ModelRoom {
            bytes: args.models_memory,
            idle: args.models_idle.map(Duration::from_secs),
        };
        if one {
            let opened = model::open(&args.engine, needs)?;
            let writes = opened.engine.card().pooled.is_none();
            if let Some(problem) = opened.text.template_problem().filter(|_| writes) {
                tracing::warn!(%problem, "chats will fail, completions work");
            }
            return Ok(Self::One(Box::new(opened)));
        }
        let paths = std::iter::once(&args.engine.model).chain(&args.more);
        let sources = paths.enumerate().map(|(index, path)| {
            let artifact = source::artifact(path, &args.engine)?;
            let outline = model::outline(&artifact, &args.engine, needs)?;
            let name = args.names.get(index).cloned().unwrap_or(outline.name);
            // Whatever is to be verified has been, before anybody is served.
            let engine = EngineArgs { verify: false, ..args.engine.clone() };
            let load = move || {
                let opened = model::open_artifact(&artifact, &engine, needs, None);
                let Opened { engine, text, .. } = opened.map_err(|error| error.text())?;
                Ok(LoadedModel { engine, text_model: text })
            };
            let Outline { kind, context_length, memory_bytes, .. } = outline;
            Ok(ModelSource { name, kind, context_length, memory_bytes, load: Box::new(load) })
        });
        Ok(Self::OnDemand(sources.collect::<Result<_, Error>>()?, room))
    }

    async fn bind(self, options: ServerOptions) -> Result<Server, tyto_server::Error> {
        match self {
            Self::One(opened) => {
                let options =
                    ServerOptions { model_memory_bytes: model::memory(&opened), ..options };
                Server::bind(opened.engine, opened.text, options).await
            }
            Self::OnDemand(sources, room) => Server::bind_models(sources, room, options).await,
        }
    }
}

/// Reads certificate and key again at every SIGHUP.
async fn reload(tls: TlsReload, mut hangups: tokio::signal::unix::Signal) {
    while hangups.recv().await.is_some() {
        match tls.reload() {
            Ok(()) => tracing::info!("certificate and key were read again"),
            Err(error) => tracing::error!(%error, "the certificate stays as it was"),
        }
    }
}

fn options(args: &ServeArgs) -> Result<ServerOptions, Error> {
    if let Some(empty) = args.api_keys.iter().find(|key| key.trim().is_empty()) {
        return Err(Error::user(format!(
            "--api-key is {empty:?}; expected a key that is not empty"
        )));
    }
    // What is no UTF-8 is not passed over: it is a value that cannot be followed.
    let variable =
        |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let traces = TraceOptions::choose(args.otlp_endpoint.as_deref(), variable);
    let defaults = ServerOptions::default();
    let bytes = usize::try_from(args.max_body).unwrap_or(usize::MAX);
    Ok(ServerOptions {
        listen: SocketAddr::from((args.host, args.port)),
        unix_socket: args.unix_socket.clone(),
        model_name: args.names.first().cloned(),
        tls: args
            .tls_cert
            .clone()
            .zip(args.tls_key.clone())
            .map(|(certificate, key)| TlsFiles { certificate, key }),
        api_keys: ApiKeys::new(args.api_keys.iter().map(String::as_str)),
        cors_origins: args.cors_origins.clone(),
        body: BodyLimits { bytes, ..defaults.body },
        grace: Duration::from_secs(args.grace),
        after_loss: args.after_loss,
        sampling: SamplingChoice::from(&args.sampling),
        traces: traces.map_err(server_error)?,
        ..defaults
    })
}

/// The address on standard output, where a script that asked for port 0 reads it.
fn announce(server: &Server) -> Result<(), Error> {
    let models = server.model_names().join(", ");
    match server.abilities() {
        Some((tools, reasoning, sampling)) => {
            let tools = tools.unwrap_or("none");
            tracing::info!(model = models, ?sampling, tools, reasoning, "serving");
        }
        None => tracing::info!(models, "serving; each is loaded when a request names it"),
    }
    let mut output = std::io::stdout().lock();
    writeln!(output, "listening on {}", server.url())?;
    Ok(output.flush()?)
}

/// Ready at the first signal; the second ends the process at once.
async fn stop(mut signals: Signals, interrupted: &AtomicBool) {
    let signal = signals.next().await;
    interrupted.store(signal == Signal::Interrupt, Ordering::Relaxed);
    anstream::eprintln!("stopping: running answers may finish; Ctrl-C again stops at once");
    tokio::spawn(async move {
        signals.next().await;
        std::process::exit(130);
    });
}

fn server_error(error: tyto_server::Error) -> Error {
    match error {
        tyto_server::Error::Serve { .. } | tyto_server::Error::DeviceLost { .. } => {
            Error::ours(error)
        }
        _ => Error::user_from(error),
    }
}
