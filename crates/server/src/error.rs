//! Why a server cannot start or go on.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A server that cannot be started, or stopped on its own.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another program has the port.
    #[error(
        "{address} is in use by another program: stop that program, or choose another port \
         (port 0 takes any free one)"
    )]
    PortInUse {
        /// The address asked for.
        address: SocketAddr,
    },
    /// The system does not let this user listen there.
    #[error("listening on {address} is not allowed: choose a port above 1023")]
    PortNotAllowed {
        /// The address asked for.
        address: SocketAddr,
    },
    /// Any other reason why the address cannot be taken.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address asked for.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The socket cannot be taken.
    #[error("cannot listen on the socket {}: {source}", path.display())]
    Socket {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An allowed origin that no browser would send.
    #[error(
        "the allowed origin `{found}` is no origin: expected `*` or a scheme and a host such as \
         `http://localhost:3000`, with no path"
    )]
    Origin {
        /// The origin as given.
        found: String,
    },
    /// The device that the model runs on is lost, or hangs.
    #[error("{reason}. The model has to be loaded again: start the server anew")]
    DeviceLost {
        /// What the engine found.
        reason: String,
    },
    /// Two models of one name.
    #[error("two models have the name `{name}`: give one of them another with --name")]
    ModelTwice {
        /// The name.
        name: String,
    },
    /// A model that can never be loaded.
    #[error(
        "the model `{name}` needs {needed} bytes of memory, and all models together may have {room} \
         (--models-memory)"
    )]
    ModelTooLarge {
        /// Its name.
        name: String,
        /// The memory that it needs.
        needed: u64,
        /// The memory that models may have.
        room: u64,
    },
    /// A certificate or key that cannot be used.
    #[error("{}: {message}", path.display())]
    Tls {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A setting of traces that cannot be followed.
    #[error("{name} is {found:?}; expected {expected}")]
    Trace {
        /// The option or environment variable.
        name: String,
        /// What it says.
        found: String,
        /// What it could say.
        expected: &'static str,
    },
    /// No HTTP client for traces.
    #[error("traces cannot be sent: {message}")]
    TraceClient {
        /// What is missing.
        message: String,
    },
    /// The server stopped without being asked to.
    #[error("the server stopped: {source}")]
    Serve {
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn bind(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => Self::PortInUse { address },
            io::ErrorKind::PermissionDenied => Self::PortNotAllowed { address },
            _ => Self::Bind { address, source },
        }
    }
}
