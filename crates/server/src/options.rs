//! What a server can be told.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::auth::ApiKeys;
use crate::body::BodyLimits;
use crate::connections::ConnectionLimits;
use crate::sampling::SamplingChoice;
use crate::tls::TlsFiles;
use crate::traces::TraceOptions;

/// How to serve. [`ServerOptions::default`] suits one person's own machine.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Where to listen. Port 0 lets the system choose; [`Server::address`](crate::Server::address)
    /// then says which.
    pub listen: SocketAddr,
    /// A Unix socket to listen on in place of a port.
    pub unix_socket: Option<PathBuf>,
    /// The model's name in requests and replies; `None` takes the artifact's.
    pub model_name: Option<String>,
    /// The memory that the one model takes, for its card; 0 where it is not known.
    pub model_memory_bytes: u64,
    /// Keys that open the API; none leaves it open.
    pub api_keys: ApiKeys,
    /// Web origins that may use the server; `*` allows all of them. Empty allows none: any web
    /// page could otherwise drive a model on its reader's machine.
    pub cors_origins: Vec<String>,
    /// Certificate and key, to speak TLS.
    pub tls: Option<TlsFiles>,
    /// How long connections may do nothing.
    pub connections: ConnectionLimits,
    /// Limits of a request's body.
    pub body: BodyLimits,
    /// How long a stream may be silent before a comment line is sent to keep it open.
    pub keep_alive: Duration,
    /// How long running answers may go on after the server was told to stop.
    pub grace: Duration,
    /// How long a server whose device is lost goes on to say so before it ends.
    pub after_loss: Duration,
    /// Sampling values over the model's own, under the request's.
    pub sampling: SamplingChoice,
    /// Where traces of requests are sent; `None` makes none.
    pub traces: Option<TraceOptions>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            unix_socket: None,
            model_name: None,
            model_memory_bytes: 0,
            api_keys: ApiKeys::default(),
            cors_origins: Vec::new(),
            tls: None,
            connections: ConnectionLimits {
                head: Duration::from_secs(30),
                stall: Duration::from_secs(120),
            },
            body: BodyLimits { bytes: 16 << 20, time: Duration::from_secs(60) },
            keep_alive: Duration::from_secs(10),
            grace: Duration::from_secs(30),
            after_loss: Duration::from_secs(2),
            sampling: SamplingChoice::default(),
            traces: None,
        }
    }
}
