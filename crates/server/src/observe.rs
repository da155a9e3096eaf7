//! Around every request: an id, a log line, a trace, CORS headers, and a reply even after a panic.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tracing::Instrument;

use crate::api_error::ApiError;
use crate::app::IGNORED_FIELDS;
use crate::traces::Tracer;

/// Ties a reply to its log lines. A client may choose it.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest request id taken from a client.
const MAX_REQUEST_ID_BYTES: usize = 128;

/// Adds the layers to `router`, outermost last.
pub(crate) fn layers<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    cors_origins: &[String],
    tracer: Option<Arc<Tracer>>,
) -> Router<S> {
    router
        .layer(CatchPanicLayer::custom(panic_reply))
        .layer(cors(cors_origins))
        .layer(from_fn_with_state(tracer, observe))
}

/// Answers preflights itself, before any key is asked for, and marks every reply, errors and
/// streams too (C35). With no origins it allows none, which browsers take as a refusal.
fn cors(origins: &[String]) -> CorsLayer {
    let allowed = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()))
    };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST])
        // The official clients send several headers of their own.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([REQUEST_ID, IGNORED_FIELDS, header::RETRY_AFTER])
}

fn panic_reply(_: Box<dyn std::any::Any + Send>) -> Response {
    ApiError::internal("the server failed on this request; its log says where").into_response()
}

async fn observe(
    State(tracer): State<Option<Arc<Tracer>>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let id = request_id(&request);
    let shown = id.to_str().unwrap_or_default();
    let span = tracing::info_span!("request", id = shown, trace_id = tracing::field::Empty);
    let trace = tracer.and_then(|tracer| tracer.begin(&request));
    if let Some(trace) = &trace {
        trace.note_request_id(shown);
        span.record("trace_id", trace.id());
        request.extensions_mut().insert(trace.clone());
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let start = Instant::now();
    async move {
        let mut response = next.run(request).await;
        if let Some(trace) = trace {
            trace.note_status(response.status());
        }
        let status = response.status().as_u16();
        let milliseconds = start.elapsed().as_millis();
        // For a stream this is the time to its headers.
        tracing::info!(%method, path, status, milliseconds, "replied");
        response.headers_mut().insert(REQUEST_ID, id);
        response
    }
    .instrument(span)
    .await
}

fn request_id(request: &Request<Body>) -> HeaderValue {
    let given = request.headers().get(REQUEST_ID);
    let usable = |id: &&HeaderValue| id.len() <= MAX_REQUEST_ID_BYTES && id.to_str().is_ok();
    given.filter(usable).cloned().unwrap_or_else(|| {
        let id = format!("{:032x}", rand::random::<u128>());
        HeaderValue::try_from(id).expect("hexadecimal digits make a header")
    })
}
