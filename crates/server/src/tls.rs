//! TLS: certificate and key from PEM files, read again on demand.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

use crate::error::Error;

/// The files of a server's identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// Its certificate and those that vouch for it, in PEM.
    pub certificate: PathBuf,
    /// The certificate's private key, in PEM.
    pub key: PathBuf,
}

/// A server's identity.
pub struct Tls {
    files: TlsFiles,
    config: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// Reads the files. Fails when they are no certificate and key, or do not belong together.
    pub fn read(files: TlsFiles) -> Result<Self, Error> {
        let config = RwLock::new(Arc::new(config(&files)?));
        Ok(Self { files, config })
    }

    /// Reads the files again: connections from now on use what they say. Nothing changes when they
    /// are wrong.
    pub fn reload(&self) -> Result<(), Error> {
        let config = Arc::new(config(&self.files)?);
        *self.config.write().expect("nothing panics while it holds this lock") = config;
        Ok(())
    }

    /// Shakes hands.
    pub async fn accept<S>(&self, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let config = self.config.read().expect("nothing panics while it holds this lock").clone();
        TlsAcceptor::from(config).accept(stream).await
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tls").field("files", &self.files).finish_non_exhaustive()
    }
}

fn config(files: &TlsFiles) -> Result<ServerConfig, Error> {
    let chain = certificates(&files.certificate)?;
    let key = key(&files.key)?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has every protocol version of rustls");
    let mut config =
        builder.with_no_client_auth().with_single_cert(chain, key).map_err(|error| {
            let certificate = files.certificate.display();
            wrong(&files.key, format!("it is not the key of {certificate}: {error}"))
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let bytes = std::fs::read(path).map_err(|error| wrong(path, error.to_string()))?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match all {
        Ok(all) if !all.is_empty() => Ok(all),
        Ok(_) => Err(wrong(path, "found no CERTIFICATE in it; expected PEM".to_owned())),
        Err(error) => Err(wrong(path, error.to_string())),
    }
}

fn key(path: &Path) -> Result<PrivateKeyDer<'static>, Error> {
    let bytes = std::fs::read(path).map_err(|error| wrong(path, error.to_string()))?;
    PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| match error {
        pem::Error::NoItemsFound => {
            wrong(path, "found no PRIVATE KEY without a password in it; expected PEM".to_owned())
        }
        error => wrong(path, error.to_string()),
    })
}

fn wrong(path: &Path, message: String) -> Error {
    Error::Tls { path: path.to_owned(), message }
}
