//! The port or the socket that the server listens on.

use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tokio::net::{TcpListener, UnixListener, UnixStream};

use crate::error::Error;
use crate::options::ServerOptions;

/// A listener and where it is.
pub struct Taken {
    /// What accepts connections.
    pub listener: Either,
    /// Where.
    pub place: Place,
}

/// What accepts connections.
pub enum Either {
    /// A TCP port.
    Port(TcpListener),
    /// A Unix socket.
    Socket(UnixListener),
}

/// Where a server listens. A socket's file goes when this is dropped.
pub enum Place {
    /// An address.
    Port(SocketAddr),
    /// A file, with the device and number that tell it from another of its name.
    Socket(PathBuf, Option<(u64, u64)>),
}

impl Drop for Place {
    fn drop(&mut self) {
        // A server that stops no longer answers, so the next one may have put its own there.
        if let Self::Socket(path, file) = self
            && file_of(path) == *file
            && let Err(error) = std::fs::remove_file(&*path)
        {
            tracing::debug!(%error, path = %path.display(), "the socket's file was not removed");
        }
    }
}

impl Taken {
    /// Takes what the options ask for.
    pub async fn take(options: &ServerOptions) -> Result<Self, Error> {
        match &options.unix_socket {
            Some(path) => take_socket(path).await,
            None => take_port(options.listen).await,
        }
    }
}

async fn take_port(address: SocketAddr) -> Result<Taken, Error> {
    let listener =
        TcpListener::bind(address).await.map_err(|source| Error::bind(address, source))?;
    let address = listener.local_addr().map_err(|source| Error::Serve { source })?;
    Ok(Taken { listener: Either::Port(listener), place: Place::Port(address) })
}

/// A socket's file outlives a server that was killed: one that nobody answers on is taken over.
async fn take_socket(path: &Path) -> Result<Taken, Error> {
    let failed = |source| Error::Socket { path: path.to_owned(), source };
    let listener = match UnixListener::bind(path) {
        Ok(listener) => listener,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_abandoned(path).await => {
            std::fs::remove_file(path).map_err(failed)?;
            UnixListener::bind(path).map_err(failed)?
        }
        Err(error) => return Err(failed(error)),
    };
    let place = Place::Socket(path.to_owned(), file_of(path));
    Ok(Taken { listener: Either::Socket(listener), place })
}

fn file_of(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Only a socket refuses connections; any other file stays.
async fn is_abandoned(path: &Path) -> bool {
    let refused = UnixStream::connect(path).await.err().map(|error| error.kind());
    let is_socket = std::fs::symlink_metadata(path)
        .is_ok_and(|metadata| std::os::unix::fs::FileTypeExt::is_socket(&metadata.file_type()));
    is_socket && refused == Some(io::ErrorKind::ConnectionRefused)
}
