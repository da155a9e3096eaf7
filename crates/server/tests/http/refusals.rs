//! Requests that are refused: each with its status, its field, and a server that goes on.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{Setup, TestServer, error, ok};

async fn send(
    server: &TestServer,
    content_type: &str,
    body: impl Into<reqwest::Body>,
) -> reqwest::Response {
    let request = server.client.post(format!("{}/v1/chat/completions", server.base));
    request.header("content-type", content_type).body(body).send().await.expect("a reply")
}

#[tokio::test]
async fn a_body_that_is_no_json_object_is_400() {
    let server = Setup::answering("abc").start().await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bodies: [&[u8]; 9] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\"messages\"",
        b"{\"messages\": [}",
        b"{\"max_tokens\": 1e999}",
        b"{\"a\": \"\xff\"}",
        deep.as_bytes(),
    ];
    for body in bodies {
        let reply = send(&server, "application/json", body.to_vec()).await;
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        assert_eq!(error["type"], "invalid_request_error");
    }
    server.chat(json!({})).await;
}

#[tokio::test]
async fn a_body_of_another_type_is_415_and_a_large_one_413() {
    let mut setup = Setup::answering("abc");
    setup.options.body.bytes = 10_000;
    let server = setup.start().await;
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
        let reply = send(&server, content_type, "{}").await;
        error(reply, StatusCode::UNSUPPORTED_MEDIA_TYPE).await;
    }
    let large = json!({"messages": [{"role": "user", "content": "x".repeat(20_000)}]});
    let reply = server.send_chat(large).await;
    let error = error(reply, StatusCode::PAYLOAD_TOO_LARGE).await;
    assert!(error["message"].as_str().is_some_and(|message| message.contains("10000")));
    server.chat(json!({})).await;
}

#[tokio::test]
async fn a_body_that_does_not_come_is_408() {
    let mut setup = Setup::answering("abc");
    setup.options.body.time = std::time::Duration::ZERO;
    let server = setup.start().await;
    let mut socket = tokio::net::TcpStream::connect(server.address).await.expect("a connection");
    let head = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\n\r\n{\"prompt\": ";
    socket.write_all(head.as_bytes()).await.expect("the server reads");
    let mut reply = vec![0; 12];
    socket.read_exact(&mut reply).await.expect("the server answers");
    assert_eq!(reply, b"HTTP/1.1 408");
}

#[tokio::test]
async fn messages_that_are_none_are_400_c21() {
    let server = Setup::answering("abc").start().await;
    for messages in [
        json!([]),
        json!(null),
        json!("hi"),
        json!({}),
        json!([null]),
        json!(["hi"]),
        json!([{"role": "user"}]),
        json!([{"content": "hi"}]),
        json!([{"role": 1, "content": "hi"}]),
        json!([{"role": "user", "content": 7}]),
        json!([{"role": "user", "content": [{"type": "text"}]}]),
        json!([{"role": "user", "content": ["hi"]}]),
    ] {
        let error = server.refused_chat(json!({ "messages": messages })).await;
        let param = error["param"].as_str().expect("a field is named");
        assert!(param.starts_with("messages"), "{param}");
    }
    let image = json!([{"role": "user", "content": [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    ]}]);
    let error = server.refused_chat(json!({ "messages": image })).await;
    assert_eq!(error["param"], "messages[0].content[1]");
    server.chat(json!({})).await;
}

#[tokio::test]
async fn a_template_that_raises_is_400_with_its_words_b9() {
    let server = Setup::answering("abc").start().await;
    let messages =
        json!([{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}]);
    for stream in [false, true] {
        let error = server.refused_chat(json!({"messages": messages, "stream": stream})).await;
        assert_eq!(error["message"], "System role not supported");
        assert_eq!(error["param"], "messages");
        assert_eq!(error["code"], "chat_template_error");
    }
}

#[tokio::test]
async fn a_model_without_a_template_says_where_to_go() {
    let mut setup = Setup::answering("abc");
    setup.text_model = tyto_engine::testing::byte_text_model();
    let server = setup.start().await;
    let error = server.refused_chat(json!({})).await;
    assert!(error["message"].as_str().is_some_and(|message| message.contains("/v1/completions")));
    server.complete(json!({})).await;
}

#[tokio::test]
async fn a_template_that_does_not_end_is_400() {
    let mut setup = Setup::answering("abc");
    // Endless for long conversations only, so that the model loads at once.
    let squared = "{% for a in messages %}{% for b in range(99999) %}{% for c in range(99999) %}\
                   {% if messages | length < 2 %}{% break %}{% endif %}\
                   {% endfor %}{% endfor %}{% endfor %}{{ messages[0].content }}";
    setup.text_model = tyto_engine::testing::text_model_with(&[], Some(squared));
    let server = setup.start().await;
    let turn = json!({"role": "user", "content": "hi"});
    let error = server.refused_chat(json!({"messages": [turn, turn]})).await;
    assert_eq!(error["code"], "chat_template_error");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|message| message.contains("more than 10000000 steps"))
    );
    // The server is well.
    server.complete(json!({})).await;
}

#[tokio::test]
async fn a_template_that_does_not_parse_is_our_fault_and_says_so() {
    let mut setup = Setup::answering("abc");
    setup.text_model = tyto_engine::testing::text_model_with(&[], Some("{% if %}"));
    let server = setup.start().await;
    let reply = server.send_chat(json!({"messages": [{"role": "user", "content": "hi"}]})).await;
    let error = error(reply, StatusCode::INTERNAL_SERVER_ERROR).await;
    assert_eq!(error["type"], "server_error");
    server.complete(json!({})).await;
}

#[tokio::test]
async fn what_would_change_the_answers_meaning_is_refused_by_name_c8_c12_c29() {
    let server = Setup::answering("abc").start().await;
    for (name, value) in [
        ("functions", json!([{"name": "f"}])),
        ("function_call", json!({"name": "f"})),
        ("best_of", json!(2)),
        ("mirostat", json!(2)),
        ("grammar_lazy", json!(true)),
        ("prompt_logprobs", json!(1)),
        ("audio", json!({"voice": "x"})),
    ] {
        let error = server.refused_chat(json!({ name: value })).await;
        assert_eq!(error["param"], name);
        assert_eq!(error["code"], "unsupported_parameter");
    }
    for (name, value) in [("best_of", json!(2)), ("suffix", json!("end")), ("echo", json!(true))] {
        let fields = json!({name: value, "logprobs": 1, "max_tokens": 0});
        assert_eq!(server.refused_completion(fields).await["param"], name);
    }
}

#[tokio::test]
async fn other_models_are_404_and_the_own_one_may_be_left_out() {
    let mut setup = Setup::answering("abc");
    setup.options.model_name = Some("org/name".to_owned());
    let server = setup.start().await;
    for path in ["/v1/chat/completions", "/v1/completions"] {
        let body = json!({"model": "gpt-9", "prompt": "hi", "messages": [{"role": "user", "content": "hi"}]});
        let reply = server.post(path, &body).send().await.expect("a reply");
        let error = error(reply, StatusCode::NOT_FOUND).await;
        assert_eq!(error["code"], "model_not_found");
        assert!(error["message"].as_str().is_some_and(|message| message.contains("org/name")));
    }
    assert_eq!(server.chat(json!({"model": "org/name"})).await["model"], "org/name");
    assert_eq!(server.chat(json!({})).await["model"], "org/name");
    let wrong = server.refused_chat(json!({"model": 7})).await;
    assert_eq!(wrong["param"], "model");
}

#[tokio::test]
async fn a_failed_step_is_500_for_its_requests_only() {
    let server = Setup::answering("abc").start().await;
    server.control.fail_next(tyto_engine::ExecutorError::new("the step broke"));
    let body = json!({"messages": [{"role": "user", "content": "hi"}]});
    let error =
        error(server.send_chat(body.clone()).await, StatusCode::INTERNAL_SERVER_ERROR).await;
    assert!(error["message"].as_str().is_some_and(|message| message.contains("the step broke")));

    server.control.fail_next(tyto_engine::ExecutorError::new("the step broke"));
    let mut body = body;
    body["stream"] = json!(true);
    let stream = crate::support::streamed(server.send_chat(body).await).await;
    let last = stream.chunks.last().expect("a chunk");
    assert_eq!(last["error"]["type"], "server_error");
    assert!(stream.reasons(0).is_empty());

    assert_eq!(server.chat(json!({})).await["choices"][0]["message"]["content"], "abc");
}

#[tokio::test]
async fn a_lost_device_makes_the_server_unhealthy() {
    let server = Setup::answering("abc").start().await;
    assert_eq!(ok(server.get("/health").send().await.expect("a reply")).await["status"], "ok");
    server.control.fail_next(tyto_engine::ExecutorError::fatal("the device is lost"));
    let body = json!({"messages": [{"role": "user", "content": "hi"}]});
    error(server.send_chat(body.clone()).await, StatusCode::INTERNAL_SERVER_ERROR).await;
    // The engine says so by the time its next request is refused.
    let refused = error(server.send_chat(body).await, StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(refused["type"], "server_error");
    let health = server.get("/health").send().await.expect("a reply");
    assert_eq!(health.status(), StatusCode::SERVICE_UNAVAILABLE);
    let health: Value = health.json().await.expect("JSON");
    assert_eq!(health["status"], "unhealthy");
}
