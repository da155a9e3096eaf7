//! Clients that leave, queues that fill, servers that stop.

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::support::{Setup, error, ok, streamed};

fn body(stream: bool) -> Value {
    json!({"messages": [{"role": "user", "content": "hi"}], "stream": stream, "temperature": 0})
}

#[tokio::test]
async fn a_client_that_leaves_a_stream_frees_the_engine_d15() {
    let server = Setup::endless().start().await;
    let idle = server.engine.stats();
    for round in 1..=20 {
        let mut reply = server.send_chat(body(true)).await;
        reply.chunk().await.expect("the stream is open").expect("it has a beginning");
        drop(reply);
        server.until(|stats| stats.cancelled == round && stats.running == 0).await;
    }
    assert_eq!(server.engine.stats().free_blocks, idle.free_blocks);
    let reply = server.chat(json!({"max_tokens": 3})).await;
    assert_eq!(reply["choices"][0]["message"]["content"], "aaa");
}

#[tokio::test]
async fn a_client_that_leaves_while_it_waits_frees_the_engine_d15() {
    let server = Setup::endless().start().await;
    let request = server.post("/v1/chat/completions", &body(false));
    let waiting = tokio::spawn(request.send());
    server.steps_begun(1).await;
    waiting.abort();
    server.until(|stats| stats.cancelled == 1 && stats.running == 0).await;
    ok(server.send_chat(with_limit(body(false), 3)).await).await;
}

fn with_limit(mut body: Value, max_tokens: u32) -> Value {
    body["max_tokens"] = json!(max_tokens);
    body
}

#[tokio::test]
async fn a_full_queue_is_429_and_empties_again() {
    let mut setup = Setup::answering("abc");
    setup.config.max_queued = 0;
    let server = setup.start().await;
    server.control.hold();
    // The executor takes four rows; the queue takes none.
    let mut running = Vec::new();
    for _ in 0..4 {
        running.push(server.send_chat(body(true)).await);
    }
    for stream in [false, true] {
        let reply = server.send_chat(body(stream)).await;
        // How many depends on how long those that run have taken.
        let seconds =
            reply.headers()["retry-after"].to_str().ok().and_then(|text| text.parse().ok());
        assert!(seconds.is_some_and(|seconds: u32| seconds >= 1), "{seconds:?}");
        let full = error(reply, StatusCode::TOO_MANY_REQUESTS).await;
        assert_eq!(full["type"], "rate_limit_error");
    }
    server.control.release();
    for reply in running {
        assert_eq!(streamed(reply).await.text(0), "abc");
    }
    ok(server.send_chat(body(false)).await).await;
}

#[tokio::test]
async fn several_prompts_that_do_not_all_fit_leave_nothing_behind() {
    let mut setup = Setup::answering("abc");
    setup.config.max_queued = 0;
    let server = setup.start().await;
    let prompts = |count: usize, stream: bool| {
        let prompts: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        json!({"prompt": prompts, "temperature": 0, "stream": stream})
    };
    // More than the queue ever holds.
    let never =
        error(server.send_completion(prompts(5, false)).await, StatusCode::BAD_REQUEST).await;
    assert_eq!(never["param"], "prompt");
    server.control.hold();
    let three = server.send_completion(prompts(3, true)).await;
    error(server.send_completion(prompts(2, false)).await, StatusCode::TOO_MANY_REQUESTS).await;
    server.control.release();
    assert_eq!(crate::support::streamed(three).await.reasons(2), ["stop"]);
    server.until(|stats| stats.running == 0 && stats.queued == 0).await;
    let four = json!({"prompt": ["1", "2", "3", "4"], "temperature": 0});
    let reply = ok(server.send_completion(four).await).await;
    assert_eq!(reply["choices"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn requests_at_once_get_the_answers_that_they_get_alone() {
    let server = Setup::hashing().start().await;
    let ask = async |n: usize| {
        let fields = json!({"prompt": format!("question {n}"), "max_tokens": 40});
        server.complete(fields).await["choices"].clone()
    };
    let mut alone = Vec::new();
    for n in 0..8 {
        alone.push(ask(n).await);
    }
    let together = tokio::join!(ask(0), ask(1), ask(2), ask(3), ask(4), ask(5), ask(6), ask(7));
    let (a, b, c, d, e, f, g, h) = together;
    assert_eq!([a, b, c, d, e, f, g, h].to_vec(), alone);
}

/// Waits, without a clock, until the server takes no more connections.
async fn closed(address: SocketAddr) {
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_stopping_server_finishes_what_it_has_begun() {
    let server = Setup::answering("abc").start().await;
    server.control.hold();
    let reply = server.send_chat(body(true)).await;
    server.steps_begun(1).await;
    server.stop.send(()).expect("the server runs");
    closed(server.address).await;
    server.control.release();
    assert_eq!(streamed(reply).await.text(0), "abc");
    let report = server.running.await.expect("no panic").expect("a clean end");
    // Whether it counts as finished depends on what the engine's thread reads first.
    assert_eq!(report.cut, 0);
}

#[tokio::test]
async fn what_does_not_finish_in_time_is_cut_with_an_error() {
    let mut setup = Setup::endless();
    setup.options.grace = Duration::ZERO;
    let server = setup.start().await;
    let mut reply = server.send_chat(body(true)).await;
    reply.chunk().await.expect("the stream is open").expect("it has a beginning");
    server.stop.send(()).expect("the server runs");
    let mut text = String::from("data: {}\n\n");
    while let Some(bytes) = reply.chunk().await.expect("the stream ends in order") {
        text.push_str(std::str::from_utf8(&bytes).expect("JSON is UTF-8"));
    }
    assert!(text.ends_with("data: [DONE]\n\n"));
    let events: Vec<&str> = text.split("\n\n").collect();
    let last = events[events.len() - 3].strip_prefix("data: ").expect("an event");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert!(last["error"]["message"].as_str().is_some_and(|message| message.contains("stopping")));
    let report = server.running.await.expect("no panic").expect("a clean end");
    assert_eq!(report.cut, 1);
}

#[tokio::test]
async fn a_server_without_requests_stops_at_once() {
    let server = Setup::answering("abc").start().await;
    ok(server.get("/health").send().await.expect("a reply")).await;
    server.stop.send(()).expect("the server runs");
    let report = server.running.await.expect("no panic").expect("a clean end");
    assert_eq!((report.finished, report.cut), (0, 0));
}
