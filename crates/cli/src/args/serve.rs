//! Options of `tyto serve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::engine::EngineArgs;
use super::run::SamplingArgs;
use super::seconds;
use crate::units::parse_bytes;

/// Options of `tyto serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto serve smollm2.tyto
  tyto serve smollm2.tyto --host 0.0.0.0 --port 8000 --api-key \"$KEY\"
  tyto serve small.tyto large.tyto --models-memory 8GiB --models-idle 600
  tyto serve smollm2.tyto --tls-cert cert.pem --tls-key key.pem
  curl http://127.0.0.1:8080/v1/chat/completions -H 'Content-Type: application/json' \\
    -d '{\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}'")]
pub struct ServeArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// More models. With several, each is loaded when a request names it.
    #[arg(value_name = "MODEL")]
    pub more: Vec<PathBuf>,
    /// Memory that loaded models may take together: those that were not used for longest are
    /// unloaded for others.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub models_memory: Option<u64>,
    /// Unload a model that nobody has used for so many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub models_idle: Option<u64>,
    /// The address to listen on; 0.0.0.0 is every network this machine is on.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// The port; 0 takes a free one and prints it.
    #[arg(short, long, value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
    /// Listen on this Unix socket and on no port.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["host", "port"])]
    pub unix_socket: Option<PathBuf>,
    /// The model's name in the API; without it, the artifact's. With several models, give it for
    /// each, in their order.
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Speak TLS with this certificate, and those that vouch for it, in PEM. Read again at SIGHUP.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Ask clients for this key; may be given several times.
    #[arg(
        long = "api-key",
        value_name = "KEY",
        env = "TYTO_API_KEY",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub api_keys: Vec<String>,
    /// A web origin that may use the server, or `*`; may be given several times.
    #[arg(long = "cors-origin", value_name = "ORIGIN")]
    pub cors_origins: Vec<String>,
    /// Largest request body.
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = parse_bytes)]
    pub max_body: u64,
    /// Requests that may wait; more are refused with 429.
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub queue: u32,
    /// Seconds that running answers may take when the server is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub grace: u64,
    /// Seconds that a server whose GPU is lost goes on to say so (503) before it ends with an error.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub after_loss: Duration,
    /// How log lines are written.
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// Send a trace of every request to the OpenTelemetry collector at this address (OTLP, JSON over
    /// HTTP), as http://127.0.0.1:4318. Without it, the variables OTEL_EXPORTER_OTLP_* decide.
    #[arg(long, value_name = "URL")]
    pub otlp_endpoint: Option<String>,
    /// For requests that do not say it themselves.
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}
