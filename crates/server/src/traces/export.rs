//! The queue of spans that have ended, and the one task that sends them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, header};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde_json::Value;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinHandle;

use super::settings::TraceOptions;
use super::span::{Span, message};
use crate::error::Error;

/// The most spans that wait; more are dropped.
const MAX_WAITING: usize = 4096;
/// The most spans of one request to the collector.
const MAX_TOGETHER: usize = 512;
/// How long spans wait for others to go with.
const GATHERING: Duration = Duration::from_secs(1);
/// The most of a collector's reply that is read.
const MAX_REPLY_BYTES: usize = 64 << 10;

/// How many spans went where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpanFigures {
    /// The collector took them.
    pub(crate) exported: u64,
    /// It did not, or there were too many.
    pub(crate) dropped: u64,
}

/// Takes spans, and never waits.
#[derive(Debug)]
pub(super) struct Exporter {
    /// `None` once it is closed.
    sender: Mutex<Option<Sender<Span>>>,
    counts: Arc<Counts>,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Counts {
    exported: AtomicU64,
    dropped: AtomicU64,
    has_warned: AtomicBool,
}

impl Exporter {
    /// Starts the task. Fails when no HTTP client can be made.
    pub(super) fn start(options: &TraceOptions) -> Result<Self, Error> {
        let mut headers = options.headers.clone();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let client = Client::builder()
            .timeout(options.timeout)
            .redirect(Policy::none())
            .user_agent(concat!("tyto/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .build()
            .map_err(|error| Error::TraceClient { message: chain(&error) })?;
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        let counts = Arc::new(Counts::default());
        let courier = Courier { client, options: options.clone(), counts: counts.clone() };
        let task = tokio::spawn(courier.run(receiver));
        Ok(Self { sender: Mutex::new(Some(sender)), counts, task: Mutex::new(Some(task)) })
    }

    pub(super) fn take(&self, span: Span) {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        if sender.as_ref().is_none_or(|sender| sender.try_send(span).is_err()) {
            self.counts.lose(1, "spans come faster than the collector takes them");
        }
    }

    pub(super) fn figures(&self) -> SpanFigures {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        SpanFigures { exported: of(&self.counts.exported), dropped: of(&self.counts.dropped) }
    }

    /// Sends what waits, for so long at most. Spans that end later are dropped.
    pub(super) async fn close(&self, limit: Duration) {
        drop(self.sender.lock().unwrap_or_else(PoisonError::into_inner).take());
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut task) = task else { return };
        if tokio::time::timeout(limit, &mut task).await.is_err() {
            task.abort();
            tracing::warn!("the last spans were not sent: the collector took too long");
        }
    }
}

impl Counts {
    fn lose(&self, spans: usize, reason: &str) {
        self.dropped.fetch_add(spans as u64, Ordering::Relaxed);
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                reason,
                "spans are dropped; tyto_trace_spans_dropped_total counts them from now on"
            );
        }
    }
}

/// What the task owns.
struct Courier {
    client: Client,
    options: TraceOptions,
    counts: Arc<Counts>,
}

impl Courier {
    /// Until the queue is closed and empty.
    async fn run(self, mut spans: Receiver<Span>) {
        let mut batch = Vec::new();
        while spans.recv_many(&mut batch, MAX_TOGETHER).await > 0 {
            let gather = async {
                loop {
                    let room = MAX_TOGETHER - batch.len();
                    if room == 0 || spans.recv_many(&mut batch, room).await == 0 {
                        break;
                    }
                }
            };
            // Time over, the batch full, or the queue closed: it goes now.
            let _ = tokio::time::timeout(GATHERING, gather).await;
            let count = batch.len();
            match self.send(&batch).await {
                Ok(rejected) => {
                    let rejected = rejected.min(count);
                    self.counts.exported.fetch_add((count - rejected) as u64, Ordering::Relaxed);
                    if rejected > 0 {
                        self.counts.lose(rejected, "the collector rejected some");
                    }
                }
                Err(reason) => {
                    // At the end nobody waits for a second failure.
                    let is_end = spans.is_closed();
                    let rest = if is_end { spans.len() } else { 0 };
                    self.counts.lose(count + rest, &reason);
                    if is_end {
                        return;
                    }
                }
            }
            batch.clear();
        }
    }

    /// Gives how many the collector did not want, or why it took none.
    async fn send(&self, batch: &[Span]) -> Result<usize, String> {
        let body = message(&self.options.resource, batch).to_string();
        let request = self.client.post(self.options.endpoint.clone()).body(body);
        let response = request.send().await.map_err(|error| {
            format!("{}: {}", shown(&self.options.endpoint), chain(&error.without_url()))
        })?;
        match response.status() {
            status if status.is_success() => Ok(rejected(response).await),
            status => Err(format!("{} answered {status}", shown(&self.options.endpoint))),
        }
    }
}

/// What a reply says of spans that were not taken; 0 where it cannot be read: the status was good.
async fn rejected(mut response: Response) -> usize {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        if bytes.len() + chunk.len() > MAX_REPLY_BYTES {
            return 0;
        }
        bytes.extend_from_slice(&chunk);
    }
    let reply: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let count = &reply["partialSuccess"]["rejectedSpans"];
    let count = count.as_u64().or_else(|| count.as_str()?.parse().ok()).unwrap_or(0);
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// An address without what may be a secret: a password, and a query.
fn shown(endpoint: &Url) -> String {
    format!("{}{}", endpoint.origin().ascii_serialization(), endpoint.path())
}

/// An error and what caused it, on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text.push_str(&format!(": {source}"));
        next = source.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_no_password_and_no_key() {
        let endpoint = Url::parse("http://me:secret@a:4318/v1/traces?key=secret").expect("a URL");
        assert_eq!(shown(&endpoint), "http://a:4318/v1/traces");
    }
}
