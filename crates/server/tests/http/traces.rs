//! Traces of requests, as a collector gets them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tyto_engine::{Pooled, PooledKind, Pooling};
use tyto_server::TraceOptions;

use crate::support::{Setup, TestServer, ok, streamed};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// What a collector got: its headers and its body.
type Message = (HeaderMap, Value);

/// A collector on a free port, that answers with `status` and `reply` as soon as `gate` lets it.
struct Collector {
    base: String,
    messages: UnboundedReceiver<Message>,
}

#[derive(Clone)]
struct Desk {
    sender: UnboundedSender<Message>,
    status: StatusCode,
    reply: &'static str,
    gate: Option<Arc<Notify>>,
}

async fn take(State(desk): State<Desk>, headers: HeaderMap, body: String) -> (StatusCode, String) {
    let body = serde_json::from_str(&body).expect("a message is JSON");
    // Who has seen enough is gone.
    let _ = desk.sender.send((headers, body));
    if let Some(gate) = desk.gate {
        gate.notified().await;
    }
    (desk.status, desk.reply.to_owned())
}

impl Collector {
    async fn start(status: StatusCode, reply: &'static str, gate: Option<Arc<Notify>>) -> Self {
        let (sender, messages) = unbounded_channel();
        let desk = Desk { sender, status, reply, gate };
        let app = Router::new().route("/v1/traces", post(take)).with_state(desk);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { base, messages }
    }

    async fn good() -> Self {
        Self::start(StatusCode::OK, "{}", None).await
    }

    /// Every span that has come, once the server has stopped.
    fn spans(&mut self) -> Vec<Value> {
        let mut spans = Vec::new();
        while let Ok((_, body)) = self.messages.try_recv() {
            spans.extend(spans_of(&body));
        }
        spans
    }
}

fn spans_of(body: &Value) -> Vec<Value> {
    body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().expect("spans").clone()
}

async fn traced(setup: Setup, options: TraceOptions) -> TestServer {
    let mut setup = setup;
    setup.options.traces = Some(options);
    setup.start().await
}

fn options(base: &str) -> TraceOptions {
    TraceOptions::new(base).expect("a good address")
}

/// Stops the server, which sends what it has.
async fn stop(server: TestServer) {
    drop(server.stop);
    server.running.await.expect("no panic").expect("a good end");
}

/// A span's attributes by their names, with plain values.
fn attributes(span: &Value) -> BTreeMap<String, Value> {
    let list = span["attributes"].as_array().expect("a list");
    let plain = |attribute: &Value| {
        let (kind, value) = attribute["value"].as_object()?.iter().next()?;
        let value = match kind.as_str() {
            "intValue" => json!(value.as_str()?.parse::<i64>().ok()?),
            "arrayValue" => {
                let first = |one: &Value| one["stringValue"].as_str().map(str::to_owned);
                json!(value["values"].as_array()?.iter().map(first).collect::<Vec<_>>())
            }
            _ => value.clone(),
        };
        Some((attribute["key"].as_str()?.to_owned(), value))
    };
    list.iter().map(|attribute| plain(attribute).expect("an attribute")).collect()
}

fn named<'a>(spans: &'a [Value], name: &str) -> Vec<&'a Value> {
    spans.iter().filter(|span| span["name"] == name).collect()
}

fn time(span: &Value, edge: &str) -> u64 {
    span[edge].as_str().and_then(|text| text.parse().ok()).expect("nanoseconds")
}

fn start_of(span: &Value) -> u64 {
    time(span, "startTimeUnixNano")
}

fn end_of(span: &Value) -> u64 {
    time(span, "endTimeUnixNano")
}

#[tokio::test]
async fn a_chat_is_a_span_with_its_parts_below_the_callers() {
    let mut collector = Collector::good().await;
    let server = traced(Setup::answering("Hey"), options(&collector.base)).await;
    let body = json!({
        "messages": [{"role": "user", "content": "a secret"}], "temperature": 0, "max_tokens": 9,
        "stop": ["another secret"],
    });
    let request = server.post("/v1/chat/completions", &body);
    let request = request.header("traceparent", format!("00-{TRACE}-{PARENT}-01"));
    let reply = request.header("tracestate", "a=1").header("x-request-id", "r1").send().await;
    let usage = ok(reply.expect("a reply")).await["usage"].clone();
    stop(server).await;
    let mut spans = Vec::new();
    while let Ok((headers, body)) = collector.messages.try_recv() {
        assert_eq!(headers["content-type"], "application/json");
        let text = body.to_string();
        assert!(!text.contains("secret") && !text.contains("Hey"), "{text}");
        assert_eq!(attributes(&body["resourceSpans"][0]["resource"])["service.name"], "tyto");
        spans.extend(spans_of(&body));
    }
    let (spans, text) = (&spans[..], json!(spans).to_string());
    assert_eq!(spans.len(), 5, "{text}");
    assert!(spans.iter().all(|span| span["traceId"] == TRACE && span["traceState"] == "a=1"));

    let [root] = named(spans, "POST /v1/chat/completions")[..] else { panic!("one: {text}") };
    assert_eq!(root["parentSpanId"], PARENT);
    assert_eq!((&root["kind"], &root["flags"]), (&json!(2), &json!(0x301)));
    assert!(root.get("status").is_none(), "a good end says nothing");
    let said = attributes(root);
    for (name, value) in [
        ("http.request.method", json!("POST")),
        ("http.route", json!("/v1/chat/completions")),
        ("url.path", json!("/v1/chat/completions")),
        ("url.scheme", json!("http")),
        ("http.response.status_code", json!(200)),
        ("tyto.request.id", json!("r1")),
        ("gen_ai.operation.name", json!("chat")),
        ("gen_ai.provider.name", json!("tyto")),
        ("gen_ai.request.model", json!("test-model")),
        ("gen_ai.request.max_tokens", json!(9)),
        ("gen_ai.request.temperature", json!(0.0)),
        ("gen_ai.usage.input_tokens", usage["prompt_tokens"].clone()),
        ("gen_ai.usage.output_tokens", usage["completion_tokens"].clone()),
        ("gen_ai.usage.cache_read.input_tokens", json!(0)),
        ("gen_ai.response.finish_reasons", json!(["stop"])),
    ] {
        assert_eq!(said.get(name), Some(&value), "{name}");
    }

    // One part begins where the one before ends, and none is outside the whole.
    let mut at = start_of(root);
    for name in ["prepare", "queue", "prompt", "answer"] {
        let [part] = named(spans, name)[..] else { panic!("one {name}: {text}") };
        assert_eq!(part["parentSpanId"], root["spanId"]);
        assert_eq!((&part["kind"], &part["flags"]), (&json!(1), &json!(0x101)));
        let (start, end) = (start_of(part), end_of(part));
        // Seconds of the engine are f64: a nanosecond may be rounded away.
        let is_next = if name == "prepare" { start >= at } else { start.abs_diff(at) <= 2 };
        assert!(is_next && end >= start, "{name}: {text}");
        at = end;
    }
    assert!(at <= end_of(root) + 2, "{text}");
    let prompt = attributes(named(spans, "prompt")[0]);
    assert_eq!(prompt["tyto.tokens"], usage["prompt_tokens"]);
    assert_eq!(prompt["tyto.tokens.cached"], 0);
    let answer = attributes(named(spans, "answer")[0]);
    assert_eq!(answer["tyto.tokens"], usage["completion_tokens"]);
    assert_eq!(answer["tyto.finish_reason"], "stop");
    assert!(answer.contains_key("tyto.tokens.accepted"));
}

#[tokio::test]
async fn a_stream_ends_its_span_and_several_answers_count_their_prompt_once() {
    let mut collector = Collector::good().await;
    let server = traced(Setup::answering("Hey"), options(&collector.base)).await;
    let body = json!({"prompt": "hi", "n": 2, "stream": true, "max_tokens": 64});
    streamed(server.send_completion(body).await).await;
    let responses = json!({"input": "hi", "stream": true});
    let reply = server.post("/v1/responses", &responses).send().await.expect("a reply");
    reply.text().await.expect("a whole stream");
    stop(server).await;
    let spans = collector.spans();
    let [root] = named(&spans, "POST /v1/completions")[..] else { panic!("one: {spans:?}") };
    // No caller: the trace begins here.
    assert!(root.get("parentSpanId").is_none());
    assert_eq!(root["flags"], 0x101);
    let said = attributes(root);
    assert_eq!(said["gen_ai.operation.name"], "text_completion");
    assert_eq!(said["gen_ai.request.choice.count"], 2);
    assert_eq!(said["gen_ai.usage.input_tokens"], 2);
    assert_eq!(said["gen_ai.usage.output_tokens"], 8);
    let own = |span: &&&Value| span["parentSpanId"] == root["spanId"];
    let answers = named(&spans, "answer");
    let mut indices: Vec<i64> = answers
        .iter()
        .filter(own)
        .filter_map(|span| attributes(span)["tyto.text.index"].as_i64())
        .collect();
    indices.sort_unstable();
    assert_eq!(indices, [0, 1]);
    let [other] = named(&spans, "POST /v1/responses")[..] else { panic!("one: {spans:?}") };
    assert_ne!(other["traceId"], root["traceId"]);
    assert_eq!(attributes(other)["gen_ai.usage.output_tokens"], 4);
    assert!(end_of(other) > start_of(other));
}

#[tokio::test]
async fn refusals_faults_and_clients_that_leave_are_told_apart() {
    let mut collector = Collector::good().await;
    let server = traced(Setup::endless(), options(&collector.base)).await;
    let refused = server.post("/v1/chat/completions", &json!({"messages": 7})).send().await;
    assert_eq!(refused.expect("a reply").status(), 400);
    assert_eq!(server.get("/nowhere").send().await.expect("a reply").status(), 404);
    let late = json!({"prompt": "hi", "timeout": 0.001, "max_tokens": 30_000});
    assert_eq!(server.send_completion(late).await.status(), 504);
    let body = json!({"prompt": "hi", "stream": true, "max_tokens": 30_000});
    let mut reply = server.send_completion(body).await;
    reply.chunk().await.expect("the stream is open").expect("it has a beginning");
    drop(reply);
    server.until(|stats| stats.cancelled == 1 && stats.running == 0).await;
    stop(server).await;
    let spans = collector.spans();
    let [chat] = named(&spans, "POST /v1/chat/completions")[..] else { panic!("one: {spans:?}") };
    assert!(chat.get("status").is_none(), "the caller's fault");
    assert_eq!(attributes(chat)["http.response.status_code"], 400);
    let [unknown] = named(&spans, "GET")[..] else { panic!("one: {spans:?}") };
    assert!(!attributes(unknown).contains_key("http.route"));
    let ends: Vec<_> = named(&spans, "POST /v1/completions")
        .into_iter()
        .map(|span| (attributes(span)["error.type"].clone(), span["status"]["code"].clone()))
        .collect();
    assert_eq!(ends, [(json!("504"), json!(2)), (json!("cancelled"), json!(2))]);
}

#[tokio::test]
async fn vectors_have_parts_up_to_a_number_and_all_are_counted() {
    let mut collector = Collector::good().await;
    let mut setup = Setup::of(tyto_engine::testing::TableExecutor::new(
        tyto_engine::ExecutorLimits {
            vector_width: Some(1),
            max_drafts: 0,
            ..crate::support::limits()
        },
        |text| vec![text.len() as f32],
    ));
    setup.config.pooled = Some(Pooled {
        kind: PooledKind::Embedding,
        pooling: Pooling::Last,
        width: 1,
        normalize: false,
        whole: false,
        segments: 1,
        logistic: false,
        prompts: Default::default(),
        default_prompt: None,
    });
    let server = traced(setup, options(&collector.base)).await;
    let body = json!({"input": vec!["ab"; 40]});
    ok(server.post("/v1/embeddings", &body).send().await.expect("a reply")).await;
    stop(server).await;
    let spans = collector.spans();
    let [root] = named(&spans, "POST /v1/embeddings")[..] else { panic!("one: {spans:?}") };
    assert_eq!(attributes(root)["gen_ai.operation.name"], "embeddings");
    assert_eq!(attributes(root)["gen_ai.usage.input_tokens"], 80);
    let counts = ["prepare", "queue", "prompt", "answer"].map(|name| named(&spans, name).len());
    assert_eq!(counts, [1, 32, 32, 0]);
}

#[tokio::test]
async fn what_is_not_asked_for_is_not_traced() {
    let mut collector = Collector::good().await;
    // No option: no figures, and a caller's trace changes nothing.
    let server = Setup::answering("Hey").start().await;
    let sampled = format!("00-{TRACE}-{PARENT}-01");
    let request = server.post("/v1/completions", &json!({"prompt": "hi"}));
    ok(request.header("traceparent", &sampled).send().await.expect("a reply")).await;
    let figures = server.get("/metrics").send().await.expect("a reply").text().await.expect("text");
    assert!(!figures.contains("tyto_trace"), "{figures}");
    stop(server).await;
    // A caller that does not record; and what machines ask for.
    let server = traced(Setup::answering("Hey"), options(&collector.base)).await;
    let request = server.post("/v1/completions", &json!({"prompt": "hi"}));
    let request = request.header("traceparent", format!("00-{TRACE}-{PARENT}-00"));
    ok(request.send().await.expect("a reply")).await;
    for path in ["/health", "/ready", "/metrics"] {
        assert!(server.get(path).send().await.expect("a reply").status().is_success());
    }
    stop(server).await;
    assert_eq!(collector.spans(), Vec::<Value>::new());
}

/// Asks for the figures until all spans of a request went somewhere; gives those that were taken and
/// those that were dropped.
async fn figures(server: &TestServer) -> (u64, u64) {
    loop {
        let reply = server.get("/metrics").send().await.expect("a reply");
        let text = reply.text().await.expect("text");
        let figure = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
            line.and_then(|value| value.parse::<u64>().ok()).expect("the figure is there")
        };
        let exported = figure("tyto_trace_spans_exported_total");
        let dropped = figure("tyto_trace_spans_dropped_total");
        if exported + dropped == 5 {
            return (exported, dropped);
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn spans_that_the_collector_does_not_take_are_counted_and_nothing_else_happens() {
    // Nobody listens where somebody did a moment ago.
    let gone = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let base = format!("http://{}", gone.local_addr().expect("an address"));
    drop(gone);
    let server = traced(Setup::answering("Hey"), options(&base)).await;
    server.complete(json!({})).await;
    assert_eq!(figures(&server).await, (0, 5));
    stop(server).await;

    let collector = Collector::start(StatusCode::BAD_REQUEST, "no", None).await;
    let server = traced(Setup::answering("Hey"), options(&collector.base)).await;
    server.complete(json!({})).await;
    assert_eq!(figures(&server).await, (0, 5));
    stop(server).await;

    // One of every message, however many messages the spans come in.
    let reply = r#"{"partialSuccess": {"rejectedSpans": "1", "errorMessage": "one too many"}}"#;
    let mut collector = Collector::start(StatusCode::OK, reply, None).await;
    let server = traced(Setup::answering("Hey"), options(&collector.base)).await;
    server.complete(json!({})).await;
    let (exported, dropped) = figures(&server).await;
    stop(server).await;
    let mut messages = 0;
    while collector.messages.try_recv().is_ok() {
        messages += 1;
    }
    assert!(messages > 0);
    assert_eq!((exported, dropped), (5 - messages, messages));
}

#[tokio::test]
async fn a_collector_that_does_not_answer_holds_up_no_request_and_no_end() {
    let gate = Arc::new(Notify::new());
    let mut collector = Collector::start(StatusCode::OK, "{}", Some(gate.clone())).await;
    let variable = |name: &str| match name {
        "OTEL_EXPORTER_OTLP_TIMEOUT" => Some("200".to_owned()),
        _ => None,
    };
    let options = TraceOptions::choose(Some(&collector.base), variable).expect("good values");
    let server = traced(Setup::answering("Hey"), options.expect("traces")).await;
    server.complete(json!({})).await;
    // It has them, and says nothing: requests go on.
    collector.messages.recv().await.expect("the first spans");
    for _ in 0..10 {
        server.complete(json!({})).await;
    }
    drop(server.stop);
    let end = tokio::time::timeout(Duration::from_secs(20), server.running).await;
    end.expect("it ends, though nothing is answered").expect("no panic").expect("a good end");
    gate.notify_waiters();
}
