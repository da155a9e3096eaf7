//! The span of one request, from its head to the last of its answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::MatchedPath;
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use serde_json::json;
use tyto_engine::Usage;

use super::context::Parent;
use super::export::{Exporter, SpanFigures};
use super::settings::{Sampler, TraceOptions};
use super::span::{Attribute, Kind, Span};
use crate::controls::Controls;
use crate::error::Error;

/// Routes that machines ask every few seconds, and that say nothing of a model's work.
const NOT_TRACED: [&str; 3] = ["/health", "/ready", "/metrics"];
/// The longest path and name of a program, in characters.
const MAX_TEXT: usize = 256;

/// Makes traces, and owns the way out.
#[derive(Debug)]
pub(crate) struct Tracer {
    exporter: Exporter,
    sampler: Sampler,
    scheme: &'static str,
}

impl Tracer {
    /// Of a server that speaks TLS, or not. Fails when no HTTP client can be made.
    pub(crate) fn start(options: &TraceOptions, has_tls: bool) -> Result<Arc<Self>, Error> {
        let exporter = Exporter::start(options)?;
        let scheme = if has_tls { "https" } else { "http" };
        Ok(Arc::new(Self { exporter, sampler: options.sampler, scheme }))
    }

    /// The trace of a request that has just come; `None` if it has none.
    pub(crate) fn begin(self: &Arc<Self>, request: &Request) -> Option<Trace> {
        let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
        if route.is_some_and(|route| NOT_TRACED.contains(&route)) {
            return None;
        }
        let parent = Parent::of(request.headers());
        let trace_id = parent.as_ref().map_or_else(new_trace_id, |parent| parent.trace_id);
        let decided = parent.as_ref().map(|parent| parent.is_sampled);
        if !self.sampler.takes(decided, trace_id) {
            return None;
        }
        let method = known_method(request.method());
        let name = match route {
            Some(route) => format!("{} {route}", if method == "_OTHER" { "HTTP" } else { method }),
            None => method.to_owned(),
        };
        let mut attributes = vec![
            ("http.request.method", json!(method)),
            ("url.path", json!(cut(request.uri().path()))),
            ("url.scheme", json!(self.scheme)),
        ];
        attributes.extend(route.map(|route| ("http.route", json!(route))));
        let program =
            request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        attributes.extend(program.map(|program| ("user_agent.original", json!(cut(program)))));
        if let Some(operation) = route.and_then(operation) {
            attributes.push(("gen_ai.operation.name", json!(operation)));
            attributes.push(("gen_ai.provider.name", json!("tyto")));
        }
        Some(Trace(Arc::new(Open {
            tracer: self.clone(),
            trace_id,
            id: new_span_id(),
            parent,
            name,
            clock: Clock::now(),
            facts: Mutex::new(Facts { attributes, ..Facts::default() }),
        })))
    }

    /// How many spans went where.
    pub(crate) fn figures(&self) -> SpanFigures {
        self.exporter.figures()
    }

    /// Sends what waits, for so long at most.
    pub(crate) async fn close(&self, limit: Duration) {
        self.exporter.close(limit).await;
    }
}

/// A request's span. It ends when the last clone is dropped: when the reply is there, or, of a
/// stream, when its last answer has ended or nobody reads it any more.
#[derive(Debug, Clone)]
pub(crate) struct Trace(Arc<Open>);

#[derive(Debug)]
struct Open {
    tracer: Arc<Tracer>,
    trace_id: u128,
    id: u64,
    parent: Option<Parent>,
    name: String,
    clock: Clock,
    facts: Mutex<Facts>,
}

/// What is known so far.
#[derive(Debug, Default)]
struct Facts {
    attributes: Vec<Attribute>,
    status: Option<u16>,
    /// Texts given to the engine.
    texts: usize,
    /// Texts that have ended.
    ended: usize,
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
    finish_reasons: Vec<&'static str>,
    /// Why the first text that failed did.
    failure: Option<&'static str>,
}

impl Trace {
    /// Ties log lines to it.
    pub(crate) fn id(&self) -> String {
        format!("{:032x}", self.0.trace_id)
    }

    /// The request's number in the log.
    pub(crate) fn note_request_id(&self, id: &str) {
        self.facts().attributes.push(("tyto.request.id", json!(id)));
    }

    /// The model that the request is for.
    pub(crate) fn note_model(&self, name: &str) {
        let names = ["gen_ai.request.model", "gen_ai.response.model"];
        self.facts().attributes.extend(names.map(|key| (key, json!(name))));
    }

    /// What the request asks for, as far as it is numbers.
    pub(crate) fn note_controls(&self, controls: &Controls) {
        let sampling = &controls.sampling;
        let number = |value: f32| json!(f64::from(value));
        let choices = Some(controls.answers).filter(|answers| *answers > 1);
        let asked = [
            ("gen_ai.request.max_tokens", controls.max_tokens.map(|most| json!(most))),
            ("gen_ai.request.choice.count", choices.map(|choices| json!(choices))),
            ("gen_ai.request.temperature", Some(number(sampling.temperature))),
            ("gen_ai.request.top_p", Some(number(sampling.top_p))),
            ("gen_ai.request.top_k", sampling.top_k.map(|k| json!(k))),
            ("gen_ai.request.seed", sampling.seed.map(|seed| json!(seed as i64))),
            ("gen_ai.request.presence_penalty", Some(number(sampling.presence_penalty))),
            ("gen_ai.request.frequency_penalty", Some(number(sampling.frequency_penalty))),
        ];
        let given = asked.into_iter().filter_map(|(name, value)| Some((name, value?)));
        self.facts().attributes.extend(given);
    }

    /// The reply's status.
    pub(crate) fn note_status(&self, status: StatusCode) {
        self.facts().status = Some(status.as_u16());
    }

    /// One more text is given to the engine; gives its number, from 0.
    pub(super) fn add_text(&self) -> usize {
        let mut facts = self.facts();
        facts.texts += 1;
        facts.texts - 1
    }

    /// A text has ended by itself. A prompt with several answers counts once.
    pub(super) fn add_usage(&self, usage: &Usage, counts_prompt: bool, reason: &'static str) {
        let mut facts = self.facts();
        facts.ended += 1;
        if counts_prompt {
            facts.input_tokens += u64::from(usage.prompt_tokens);
            facts.cached_tokens += u64::from(usage.cached_tokens);
        }
        facts.output_tokens += u64::from(usage.completion_tokens);
        if !facts.finish_reasons.contains(&reason) {
            facts.finish_reasons.push(reason);
        }
    }

    /// A text has not come to its end.
    pub(super) fn fail(&self, reason: &'static str) {
        self.facts().failure.get_or_insert(reason);
    }

    /// A part of the request that is over.
    pub(super) fn add_part(
        &self,
        name: &'static str,
        (start, end): (Instant, Instant),
        attributes: Vec<Attribute>,
    ) {
        let open = &*self.0;
        open.tracer.exporter.take(Span {
            trace_id: open.trace_id,
            id: new_span_id(),
            parent: Some(open.id),
            is_parent_remote: false,
            state: open.state(),
            name: name.to_owned(),
            kind: Kind::Internal,
            start: open.clock.unix(start),
            end: open.clock.unix(end),
            attributes,
            is_error: false,
        });
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.0.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn state(&self) -> String {
        self.parent.as_ref().map(|parent| parent.state.clone()).unwrap_or_default()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let end = self.clock.unix(Instant::now());
        let facts = std::mem::take(self.facts.get_mut().unwrap_or_else(PoisonError::into_inner));
        let error = facts.error();
        let mut attributes = facts.attributes();
        attributes.extend(error.as_ref().map(|error| ("error.type", json!(error))));
        self.tracer.exporter.take(Span {
            trace_id: self.trace_id,
            id: self.id,
            parent: self.parent.as_ref().map(|parent| parent.span_id),
            is_parent_remote: self.parent.is_some(),
            state: self.state(),
            name: std::mem::take(&mut self.name),
            kind: Kind::Server,
            start: self.clock.unix,
            end,
            attributes,
            is_error: error.is_some(),
        });
    }
}

impl Facts {
    /// What went wrong on our side, or that the client went away. A refusal is neither.
    fn error(&self) -> Option<String> {
        match self.status {
            Some(status) if status >= 500 => Some(status.to_string()),
            Some(status) if status >= 400 => None,
            Some(_) => self.failure.map(str::to_owned),
            None => Some("cancelled".to_owned()),
        }
    }

    fn attributes(self) -> Vec<Attribute> {
        let mut all = self.attributes;
        all.extend(self.status.map(|status| ("http.response.status_code", json!(status))));
        if self.ended > 0 {
            all.push(("gen_ai.usage.input_tokens", json!(self.input_tokens)));
            all.push(("gen_ai.usage.cache_read.input_tokens", json!(self.cached_tokens)));
            all.push(("gen_ai.usage.output_tokens", json!(self.output_tokens)));
            all.push(("gen_ai.response.finish_reasons", json!(self.finish_reasons)));
        }
        all
    }
}

/// Times of the engine, which no change of the clock disturbs, as times of the day.
#[derive(Debug, Clone, Copy)]
struct Clock {
    start: Instant,
    /// The same moment, in nanoseconds since 1970.
    unix: u64,
}

impl Clock {
    fn now() -> Self {
        // A clock before 1970 is a broken clock; spans then begin in 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { start: Instant::now(), unix: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX) }
    }

    fn unix(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.start).as_nanos();
        self.unix.saturating_add(u64::try_from(since).unwrap_or(u64::MAX))
    }
}

/// What a route does, in the words of the conventions where they have one.
fn operation(route: &str) -> Option<&'static str> {
    match route {
        "/v1/chat/completions" | "/v1/responses" | "/v1/messages" => Some("chat"),
        "/v1/completions" => Some("text_completion"),
        "/v1/embeddings" => Some("embeddings"),
        "/v1/rerank" => Some("rerank"),
        _ => None,
    }
}

/// A method that HTTP has; any other may be a client's invention.
fn known_method(method: &Method) -> &'static str {
    let known = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("_OTHER")
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

fn new_trace_id() -> u128 {
    rand::random_range(1..=u128::MAX)
}

fn new_span_id() -> u64 {
    rand::random_range(1..=u64::MAX)
}
