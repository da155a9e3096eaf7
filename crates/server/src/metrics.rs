//! `/metrics` in Prometheus' text format, and `/slots`.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Value, json};
use tyto_engine::EngineStats;

use crate::app::App;
use crate::models::{LoadFigures, Standing};
use crate::traces::SpanFigures;

/// One figure: name, kind, what it is, and where it comes from.
type Figure = (&'static str, &'static str, &'static str, fn(&EngineStats) -> f64);

const FIGURES: [Figure; 23] = [
    ("tyto_requests_running", "gauge", "Requests that own blocks of the cache.", |s| {
        s.running as f64
    }),
    ("tyto_requests_waiting", "gauge", "Requests that wait for a step.", |s| s.queued as f64),
    ("tyto_cache_blocks", "gauge", "Blocks that requests can own.", |s| s.total_blocks as f64),
    ("tyto_cache_blocks_free", "gauge", "Blocks that nobody owns.", |s| s.free_blocks as f64),
    ("tyto_cache_blocks_kept", "gauge", "Free blocks that hold a text.", |s| {
        s.cached_blocks as f64
    }),
    ("tyto_state_snapshots", "gauge", "Copies of recurrent states that are kept.", |s| {
        s.snapshots as f64
    }),
    ("tyto_state_snapshot_places", "gauge", "Copies of recurrent states there is room for.", |s| {
        s.total_snapshots as f64
    }),
    ("tyto_state_restores_total", "counter", "Prompts that went on from such a copy.", |s| {
        s.restored_states as f64
    }),
    ("tyto_cache_usage_ratio", "gauge", "Owned blocks of all, 0 to 1.", usage),
    ("tyto_steps_total", "counter", "Steps run.", |s| s.steps as f64),
    ("tyto_prompt_tokens_total", "counter", "Tokens of prompts.", |s| s.prompt_tokens as f64),
    ("tyto_prompt_tokens_cached_total", "counter", "Of these, found in the cache.", |s| {
        s.cached_prompt_tokens as f64
    }),
    ("tyto_generated_tokens_total", "counter", "Tokens generated.", |s| s.generated_tokens as f64),
    ("tyto_choices_by_digest_total", "counter", "Tokens chosen from a GPU's digest.", |s| {
        s.digest_choices as f64
    }),
    ("tyto_choices_by_row_total", "counter", "Tokens chosen from a whole row of logits.", |s| {
        s.row_choices as f64
    }),
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

/// One figure of loading.
type LoadFigure = (&'static str, &'static str, &'static str, fn(&LoadFigures) -> f64);

const LOADING: [LoadFigure; 4] = [
    ("tyto_requests_loading", "gauge", "Requests that wait for a model.", |f| f.waiting as f64),
    ("tyto_model_loads_total", "counter", "Models loaded.", |f| f.loads as f64),
    ("tyto_model_load_failures_total", "counter", "Loads that failed.", |f| f.failures as f64),
    ("tyto_model_unloads_total", "counter", "Models unloaded.", |f| f.departures as f64),
];

/// Answers `GET /metrics`.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    let standings = app.shelf.standings();
    let loaded: Vec<(String, EngineStats)> = standings
        .iter()
        .filter_map(|standing| Some((label(&standing.name), standing.stats()?)))
        .collect();
    let mut text = String::new();
    for (name, kind, help, value) in FIGURES {
        let values = loaded.iter().map(|(model, stats)| (model.clone(), value(stats)));
        write_figure(&mut text, name, kind, help, values);
    }
    let all = |value: fn(&Standing) -> bool, ready: bool| {
        let value = move |standing: &Standing| f64::from(u8::from(ready && value(standing)));
        standings.iter().map(move |standing| (label(&standing.name), value(standing)))
    };
    let help = "Whether the model is loaded.";
    let is_loaded = |standing: &Standing| standing.state == "loaded";
    write_figure(&mut text, "tyto_model_loaded", "gauge", help, all(is_loaded, true));
    let help = "Whether requests are taken.";
    write_figure(&mut text, "tyto_ready", "gauge", help, all(|_| true, app.is_ready()));
    let figures = app.shelf.figures();
    for (name, kind, help, value) in LOADING {
        let value = value(&figures);
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}")
            .expect("writing to a string works");
    }
    if let Some(tracer) = &app.tracer {
        let SpanFigures { exported, dropped } = tracer.figures();
        for (name, help, value) in [
            ("tyto_trace_spans_exported_total", "Spans that the collector took.", exported),
            ("tyto_trace_spans_dropped_total", "Spans that it did not take.", dropped),
        ] {
            writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}")
                .expect("writing to a string works");
        }
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

fn write_figure(
    text: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    values: impl Iterator<Item = (String, f64)>,
) {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
        .expect("writing to a string works");
    for (model, value) in values {
        writeln!(text, "{name}{{model=\"{model}\"}} {value}").expect("writing to a string works");
    }
}

/// Answers `GET /slots`: an entry for every request that runs or waits.
pub async fn slots(State(app): State<Arc<App>>) -> Json<Value> {
    let mut slots = Vec::new();
    for standing in app.shelf.standings() {
        let Some(stats) = standing.stats() else { continue };
        slots.extend((0..stats.running + stats.queued).map(|index| {
            json!({
                "id": index, "is_processing": index < stats.running,
                "n_ctx": standing.context_length, "model": standing.name,
            })
        }));
    }
    Json(Value::Array(slots))
}

/// A label's value, escaped.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
