//! Requests that cost more than they look, or came in an unusual form.

use reqwest::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{Setup, error, ok};

#[tokio::test]
async fn a_compressed_body_is_415_and_says_what_to_do() {
    let server = Setup::answering("abc").start().await;
    let body = json!({"messages": [{"role": "user", "content": "hi"}]});
    for (encoding, status) in
        [("gzip", 415), ("br", 415), ("gzip, identity", 415), ("identity", 200)]
    {
        let request = server.post("/v1/chat/completions", &body);
        let reply = request.header("content-encoding", encoding).send().await.expect("a reply");
        assert_eq!(reply.status().as_u16(), status, "{encoding}");
        if status == 415 {
            let error = error(reply, StatusCode::UNSUPPORTED_MEDIA_TYPE).await;
            assert!(error["message"].as_str().is_some_and(|text| text.contains("compression")));
        }
    }
}

#[tokio::test]
async fn a_models_name_that_is_no_text_is_a_json_404() {
    let server = Setup::answering("abc").start().await;
    for path in ["/v1/models/%ff", "/v1/models/other", "/v1/models/a/b"] {
        let reply = server.get(path).send().await.expect("a reply");
        assert_eq!(error(reply, StatusCode::NOT_FOUND).await["code"], "model_not_found", "{path}");
    }
}

#[tokio::test]
async fn a_text_that_cannot_fit_is_refused_before_it_is_encoded() {
    let server = Setup::answering("abc").start().await;
    let long = "x".repeat(1 << 20);
    let messages = json!([{"role": "user", "content": long}]);
    for (error, param) in [
        (server.refused_completion(json!({ "prompt": long })).await, "prompt"),
        (server.refused_chat(json!({ "messages": messages })).await, "messages"),
        (
            server.refused_chat(json!({"messages": messages, "parse_special": true})).await,
            "messages",
        ),
        (
            server.refused_chat(json!({"messages": messages, "add_special_tokens": true})).await,
            "messages",
        ),
    ] {
        assert_eq!(
            (&error["code"], &error["param"]),
            (&json!("context_length_exceeded"), &json!(param))
        );
        assert!(error["message"].as_str().is_some_and(|text| text.contains("bytes")), "{error}");
    }
}

#[tokio::test]
async fn an_answer_goes_on_with_what_the_client_has_begun() {
    let server = Setup::answering("abc").start().await;
    let messages =
        json!([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "I "}]);
    let body = json!({"messages": messages, "continue_final_message": true});
    let rendered = ok(server.post("/apply-template", &body).send().await.expect("a reply")).await;
    assert_eq!(rendered["prompt"], "[user]hi[assistant]I ");
    let body = json!({"messages": messages, "max_tokens": 9});
    let reply = ok(server.post("/v1/messages", &body).send().await.expect("a reply")).await;
    assert_eq!(reply["usage"]["input_tokens"], "[user]hi[assistant]I ".len());
    assert_eq!(reply["content"][0]["text"], "abc");
    for wrong in [
        json!({"messages": [{"role": "user", "content": "hi"}], "continue_final_message": true}),
        json!({"messages": messages, "continue_final_message": true, "add_generation_prompt": true}),
        json!({"messages": messages, "continue_final_message": 1}),
    ] {
        assert_eq!(server.refused_chat(wrong).await["param"], "continue_final_message");
    }
}

#[tokio::test]
async fn a_request_without_time_is_504_before_its_grammar_is_compiled() {
    let server = Setup::answering("abc").start().await;
    for fields in [json!({"timeout": 0}), json!({"timeout": 0, "guided_regex": "a"})] {
        let mut body = json!({"messages": [{"role": "user", "content": "hi"}]});
        body.as_object_mut()
            .expect("an object")
            .extend(fields.as_object().expect("an object").clone());
        let reply = server.send_chat(body).await;
        assert_eq!(error(reply, StatusCode::GATEWAY_TIMEOUT).await["code"], "timeout");
    }
}

/// Reads until the server closes.
async fn rest(mut socket: TcpStream) -> String {
    let mut text = Vec::new();
    // A server that closes with bytes of ours unread resets the connection.
    let _ = socket.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed_and_so_is_one_that_is_done() {
    let mut setup = Setup::answering("abc");
    setup.options.connections.head = Duration::from_millis(50);
    let server = setup.start().await;
    for head in ["", "GET /health HTTP/1.1\r\nHost: "] {
        let mut socket = TcpStream::connect(server.address).await.expect("a connection");
        socket.write_all(head.as_bytes()).await.expect("the server reads");
        assert!(!rest(socket).await.contains("200 OK"));
    }
    let mut socket = TcpStream::connect(server.address).await.expect("a connection");
    socket.write_all(b"GET /ready HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("the server reads");
    assert!(rest(socket).await.starts_with("HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn a_head_without_end_is_431() {
    let server = Setup::answering("abc").start().await;
    let request = server.get("/ready").header("x-long", "x".repeat(200_000));
    assert_eq!(request.send().await.map(|reply| reply.status().as_u16()).unwrap_or(431), 431);
}

#[tokio::test]
async fn strict_arguments_follow_their_schema_once_a_call_begins() {
    let call =
        "So.<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Rom\"}}\n</tool_call>";
    let server = Setup::agent(call).start().await;
    let parameters = json!({"type": "object", "properties": {"city": {"enum": ["Köln", "Bonn"]}}, "required": ["city"], "additionalProperties": false});
    let ask = async |strict: bool| {
        let tool = json!({"type": "function", "function": {"name": "weather", "strict": strict, "parameters": parameters}});
        let reply = server.chat(json!({"tools": [tool], "max_tokens": 90})).await;
        let message = &reply["choices"][0]["message"];
        assert!(
            message["content"].as_str().is_some_and(|text| text.starts_with("So.")),
            "{message}"
        );
        let arguments = message["tool_calls"][0]["function"]["arguments"].as_str();
        let arguments: Value = serde_json::from_str(arguments.expect("a call")).expect("JSON");
        arguments["city"].as_str().expect("a city").to_owned()
    };
    assert_eq!(ask(false).await, "Rom");
    let city = ask(true).await;
    assert!(["Köln", "Bonn"].contains(&city.as_str()), "{city}");
}
