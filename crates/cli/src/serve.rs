//! `tyto serve`: the model over HTTP, until a signal ends it.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tyto_server::{ApiKeys, BodyLimits, SamplingChoice, Server, ServerOptions};

use crate::args::ServeArgs;
use crate::error::Error;
use crate::interrupt::{Signal, Signals};
use crate::model::{self, Needs};

/// Runs the command.
pub fn run(args: &ServeArgs) -> Result<(), Error> {
    let needs = Needs { sequences: None, max_queued: Some(args.queue as usize) };
    let opened = model::open(&args.engine, needs)?;
    let options = options(args)?;
    if let Some(problem) = opened.text.template_problem() {
        tracing::warn!(%problem, "chats will fail, completions work");
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::ours)?;
    let served = runtime.block_on(async {
        let server =
            Server::bind(opened.engine, opened.text, options).await.map_err(server_error)?;
        // Before the address is out: who reads it may end the server at once.
        let signals = Signals::listen().map_err(Error::ours)?;
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

fn options(args: &ServeArgs) -> Result<ServerOptions, Error> {
    if let Some(empty) = args.api_keys.iter().find(|key| key.trim().is_empty()) {
        return Err(Error::user(format!(
            "--api-key is {empty:?}; expected a key that is not empty"
        )));
    }
    let defaults = ServerOptions::default();
    let bytes = usize::try_from(args.max_body).unwrap_or(usize::MAX);
    Ok(ServerOptions {
        listen: SocketAddr::from((args.host, args.port)),
        unix_socket: args.unix_socket.clone(),
        model_name: args.name.clone(),
        api_keys: ApiKeys::new(args.api_keys.iter().map(String::as_str)),
        cors_origins: args.cors_origins.clone(),
        body: BodyLimits { bytes, ..defaults.body },
        grace: Duration::from_secs(args.grace),
        sampling: SamplingChoice::from(&args.sampling),
        ..defaults
    })
}

/// The address on standard output, where a script that asked for port 0 reads it.
fn announce(server: &Server) -> Result<(), Error> {
    let models = server.model_names().join(", ");
    if let Some((tools, reasoning, sampling)) = server.abilities() {
        let tools = tools.unwrap_or("none");
        tracing::info!(model = models, ?sampling, tools, reasoning, "serving");
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
        tyto_server::Error::Serve { .. } => Error::ours(error),
        _ => Error::user_from(error),
    }
}
