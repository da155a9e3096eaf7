//! `/metrics` in Prometheus' text format, and `/slots`.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Value, json};
use tyto_engine::EngineStats;

use crate::app::App;

/// One figure: name, kind, what it is, and where it comes from.
type Figure = (&'static str, &'static str, &'static str, fn(&EngineStats) -> f64);

const FIGURES: [Figure; 18] = [
    ("tyto_requests_running", "gauge", "Requests that own blocks of the cache.", |s| {
        s.running as f64
    }),
    ("tyto_requests_waiting", "gauge", "Requests that wait for a step.", |s| s.queued as f64),
    ("tyto_cache_blocks", "gauge", "Blocks that requests can own.", |s| s.total_blocks as f64),
    ("tyto_cache_blocks_free", "gauge", "Blocks that nobody owns.", |s| s.free_blocks as f64),
    ("tyto_cache_blocks_kept", "gauge", "Free blocks that hold a text.", |s| {
        s.cached_blocks as f64
    }),
    ("tyto_cache_usage_ratio", "gauge", "Owned blocks of all, 0 to 1.", usage),
    ("tyto_steps_total", "counter", "Steps run.", |s| s.steps as f64),
    ("tyto_prompt_tokens_total", "counter", "Tokens of prompts.", |s| s.prompt_tokens as f64),
    ("tyto_prompt_tokens_cached_total", "counter", "Of these, found in the cache.", |s| {
        s.cached_prompt_tokens as f64
    }),
    ("tyto_generated_tokens_total", "counter", "Tokens generated.", |s| s.generated_tokens as f64),
    ("tyto_drafted_tokens_total", "counter", "Tokens guessed ahead.", |s| s.drafted_tokens as f64),
    ("tyto_accepted_tokens_total", "counter", "Of these, right.", |s| s.accepted_tokens as f64),
    ("tyto_preemptions_total", "counter", "Requests put back to wait.", |s| s.preempted as f64),
    ("tyto_requests_finished_total", "counter", "Requests with an answer.", |s| s.finished as f64),
    ("tyto_requests_failed_total", "counter", "Requests that failed.", |s| s.failed as f64),
    ("tyto_requests_cancelled_total", "counter", "Requests nobody waited for.", |s| {
        s.cancelled as f64
    }),
    ("tyto_requests_timed_out_total", "counter", "Requests out of time.", |s| s.timed_out as f64),
    ("tyto_requests_total", "counter", "Requests that have ended.", |s| {
        (s.finished + s.failed + s.cancelled + s.timed_out) as f64
    }),
];

fn usage(stats: &EngineStats) -> f64 {
    if stats.total_blocks == 0 {
        return 0.0;
    }
    1.0 - stats.free_blocks as f64 / stats.total_blocks as f64
}

/// Answers `GET /metrics`.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    let stats = app.engine.stats();
    let model = label(app.model_name());
    let mut text = String::new();
    for (name, kind, help, value) in FIGURES {
        write!(
            text,
            "# HELP {name} {help}\n# TYPE {name} {kind}\n{name}{{model=\"{model}\"}} {}\n",
            value(&stats)
        )
        .expect("writing to a string works");
    }
    let ready = u8::from(app.is_ready());
    let help = "# HELP tyto_ready Whether requests are taken.\n# TYPE tyto_ready gauge\n";
    writeln!(text, "{help}tyto_ready{{model=\"{model}\"}} {ready}")
        .expect("writing to a string works");
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Answers `GET /slots`: an entry for every request that runs or waits.
pub async fn slots(State(app): State<Arc<App>>) -> Json<Value> {
    let stats = app.engine.stats();
    let slot = |id: usize| {
        json!({
            "id": id, "is_processing": id < stats.running,
            "n_ctx": app.limits().context_length,
        })
    };
    Json((0..stats.running + stats.queued).map(slot).collect())
}

/// A label's value, escaped.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
