//! Traces of requests, sent to a collector by OTLP: JSON over HTTP.
//!
//! ```text
//! request -> Trace (its span, which ends with its last holder)
//!         -> Watched generations (a span each for what they waited for) -> Exporter (a bounded queue,
//!            one task, one request at a time)
//! ```
//!
//! **Invariant:** nothing here waits for the collector but the exporter's own task; what it does not
//! take is dropped and counted. Spans hold names, numbers and times, never a text of a client or a model.
//!
//! OpenTelemetry's own crates would bring protobuf, a second HTTP client and a thread; of the protocol
//! only this one message is needed.

mod context;
mod export;
mod settings;
mod span;
mod trace;
mod watched;

pub use settings::{Sampler, TraceOptions};

pub(crate) use export::SpanFigures;
pub(crate) use trace::{Trace, Tracer};
pub(crate) use watched::Watched;
