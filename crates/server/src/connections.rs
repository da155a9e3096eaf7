//! Connections: accepted, served one request after the other, and closed when they are idle, slow, or
//! the server stops.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::stalls::Unstalled;
use crate::tls::Tls;

/// The longest head of a request, in bytes; more is 431.
const LONGEST_HEAD: usize = 64 << 10;

/// How long a connection may do nothing.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Until a request's head is there in full: from the connection's start (its TLS handshake has
    /// as long for itself), and from the end of the last reply.
    pub head: Duration,
    /// Until a client that reads slowly takes more of its reply.
    pub stall: Duration,
}

/// Serves what `listener` accepts until `stop` closes. Then it accepts nothing more and gives back
/// when every connection has sent its reply. Dropping the future cuts all of them.
pub async fn serve<L>(
    mut listener: L,
    tls: Option<Arc<Tls>>,
    router: Router,
    limits: ConnectionLimits,
    mut stop: watch::Receiver<bool>,
) where
    L: Listener,
    L::Addr: std::fmt::Debug,
{
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            (stream, _) = listener.accept() => {
                let (router, tls, stop) = (router.clone(), tls.clone(), stop.clone());
                connections.spawn(connect(stream, tls, router, limits, stop));
            }
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            () = stopped(&mut stop) => break,
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Ready when the server stops; also when whoever could say so is gone.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stopping| *stopping).await;
}

async fn connect<S>(
    stream: S,
    tls: Option<Arc<Tls>>,
    router: Router,
    limits: ConnectionLimits,
    stop: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let stream = Unstalled::new(stream, limits.stall);
    let Some(tls) = tls else {
        return talk(stream, router, limits, stop).await;
    };
    match tokio::time::timeout(limits.head, tls.accept(stream)).await {
        Ok(Ok(stream)) => talk(stream, router, limits, stop).await,
        Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
        Err(_) => tracing::debug!("a TLS handshake took too long"),
    }
}

async fn talk<S>(
    stream: S,
    router: Router,
    limits: ConnectionLimits,
    mut stop: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(LONGEST_HEAD);
    let talking = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut talking = pin!(talking);
    let ended = tokio::select! {
        ended = talking.as_mut() => ended,
        () = stopped(&mut stop) => {
            talking.as_mut().graceful_shutdown();
            talking.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}
