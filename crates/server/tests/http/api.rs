//! Around the endpoints: routes, methods, keys, origins, request ids, ports.

use reqwest::{Method, Response, StatusCode};
use serde_json::json;
use tyto_server::{ApiKeys, Error, Server};

use crate::support::{Setup, TestServer, error, ok};

#[tokio::test]
async fn the_served_model_is_listed_and_shown() {
    let mut setup = Setup::answering("abc");
    setup.options.model_name = Some("org/name".to_owned());
    let server = setup.start().await;
    let list = ok(server.get("/v1/models").send().await.expect("a reply")).await;
    assert_eq!(list["object"], "list");
    let model = &list["data"][0];
    assert_eq!((&model["id"], &model["object"]), (&json!("org/name"), &json!("model")));
    assert_eq!(model["context_length"], 256);
    assert!(model["created"].is_u64() && model["owned_by"].is_string());
    for path in ["/v1/models/org/name", "/v1/models/org%2Fname"] {
        assert_eq!(ok(server.get(path).send().await.expect("a reply")).await, *model);
    }
    let reply = server.get("/v1/models/other").send().await.expect("a reply");
    assert_eq!(error(reply, StatusCode::NOT_FOUND).await["code"], "model_not_found");
}

#[tokio::test]
async fn unknown_routes_are_404_and_wrong_methods_405() {
    let server = Setup::answering("abc").start().await;
    let reply = server.post("/v1/audio/speech", &json!({})).send().await.expect("a reply");
    let unknown = error(reply, StatusCode::NOT_FOUND).await;
    assert!(
        unknown["message"].as_str().is_some_and(|message| message.contains("/v1/audio/speech"))
    );
    for (method, path, allowed) in [
        (Method::GET, "/v1/chat/completions", "POST"),
        (Method::DELETE, "/v1/completions", "POST"),
        (Method::POST, "/v1/models", "GET,HEAD"),
        (Method::POST, "/health", "GET,HEAD"),
    ] {
        let request = server.client.request(method, format!("{}{path}", server.base));
        let reply = request.send().await.expect("a reply");
        assert_eq!(reply.headers()["allow"], allowed, "{path}");
        error(reply, StatusCode::METHOD_NOT_ALLOWED).await;
    }
}

#[tokio::test]
async fn with_a_key_only_health_is_open() {
    let mut setup = Setup::answering("abc");
    setup.options.api_keys = ApiKeys::new(["secret"]);
    let server = setup.start().await;
    let body = json!({"messages": [{"role": "user", "content": "hi"}]});
    for key in [None, Some("Bearer wrong"), Some("Basic secret"), Some("secret")] {
        let mut request = server.post("/v1/chat/completions", &body);
        if let Some(key) = key {
            request = request.header("authorization", key);
        }
        let reply = request.send().await.expect("a reply");
        assert_eq!(reply.headers()["www-authenticate"], "Bearer");
        let refused = error(reply, StatusCode::UNAUTHORIZED).await;
        assert_eq!(refused["code"], "invalid_api_key");
    }
    let reply = server.get("/v1/models").send().await.expect("a reply");
    error(reply, StatusCode::UNAUTHORIZED).await;
    ok(server.get("/health").send().await.expect("a reply")).await;
    let request = server.post("/v1/chat/completions", &body).bearer_auth("secret");
    ok(request.send().await.expect("a reply")).await;
}

const PAGE: &str = "http://localhost:3000";

async fn preflight(server: &TestServer, origin: &str) -> Response {
    let url = format!("{}/v1/chat/completions", server.base);
    let request = server.client.request(Method::OPTIONS, url).header("origin", origin);
    let request = request
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,x-stainless-os");
    request.send().await.expect("a reply")
}

#[tokio::test]
async fn an_allowed_page_may_ask_everything_and_read_every_reply_c35() {
    let mut setup = Setup::answering("abc");
    setup.options.cors_origins = vec![PAGE.to_owned()];
    setup.options.api_keys = ApiKeys::new(["secret"]);
    let server = setup.start().await;
    let allowed = |reply: &Response| {
        let value = reply.headers().get("access-control-allow-origin");
        value.is_some_and(|origin| origin == PAGE)
    };
    let reply = preflight(&server, PAGE).await;
    assert!(reply.status().is_success() && allowed(&reply));
    let headers = reply.headers()["access-control-allow-headers"].to_str().expect("text");
    assert!(headers.contains("authorization") && headers.contains("x-stainless-os"), "{headers}");
    let body =
        |stream: bool| json!({"messages": [{"role": "user", "content": "hi"}], "stream": stream});
    let chat = |stream| server.post("/v1/chat/completions", &body(stream)).bearer_auth("secret");
    for (request, status) in [
        (server.get("/health"), 200),
        (server.get("/v1/models"), 401),
        (server.get("/nowhere"), 404),
        (server.get("/v1/completions").bearer_auth("secret"), 405),
        (server.post("/v1/completions", &json!({})).bearer_auth("secret"), 400),
        (chat(false), 200),
        (chat(true), 200),
    ] {
        let reply = request.header("origin", PAGE).send().await.expect("a reply");
        assert_eq!(reply.status(), status);
        assert!(allowed(&reply), "the reply with {status} does not allow the page");
    }
}

#[tokio::test]
async fn other_pages_are_allowed_nothing_and_by_default_all_are_other_c35() {
    let mut setup = Setup::answering("abc");
    setup.options.cors_origins = vec![PAGE.to_owned()];
    let restricted = setup.start().await;
    let default = Setup::answering("abc").start().await;
    for server in [restricted, default] {
        let reply = preflight(&server, "http://evil.example").await;
        let allowed = reply.headers().get("access-control-allow-origin");
        assert!(allowed.is_none_or(|origin| origin == PAGE), "{allowed:?}");
        let request = server.get("/v1/models").header("origin", "http://evil.example");
        let reply = request.send().await.expect("a reply");
        let allowed = reply.headers().get("access-control-allow-origin");
        assert!(allowed.is_none_or(|origin| origin == PAGE), "{allowed:?}");
    }
}

#[tokio::test]
async fn all_pages_are_allowed_by_a_star() {
    let mut setup = Setup::answering("abc");
    setup.options.cors_origins = vec!["*".to_owned()];
    let server = setup.start().await;
    let reply = preflight(&server, "http://anywhere.example").await;
    assert_eq!(reply.headers()["access-control-allow-origin"], "*");
}

#[tokio::test]
async fn every_reply_has_a_request_id_and_a_client_may_choose_it() {
    let server = Setup::answering("abc").start().await;
    let id = |reply: Response| reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let first = id(server.get("/health").send().await.expect("a reply"));
    let second = id(server.get("/nowhere").send().await.expect("a reply"));
    assert_ne!(first, second);
    let request = server.get("/health").header("x-request-id", "mine-1");
    assert_eq!(id(request.send().await.expect("a reply")), "mine-1");
    let long = "x".repeat(500);
    let request = server.get("/health").header("x-request-id", &long);
    assert_ne!(id(request.send().await.expect("a reply")), long);
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let server = Setup::answering("abc").start().await;
    let mut second = Setup::answering("abc");
    second.options.listen = server.address;
    let text_model = second.text_model.clone();
    let refused = Server::bind(server.engine.clone(), text_model, second.options).await;
    let Err(found @ Error::PortInUse { .. }) = refused else {
        panic!("two servers on one port");
    };
    assert!(found.to_string().contains(&server.address.to_string()), "{found}");
}

#[tokio::test]
async fn an_origin_that_no_browser_sends_is_refused_at_the_start() {
    let server = Setup::answering("abc").start().await;
    for bad in ["localhost:3000", "http://localhost/page", "", "http://a b"] {
        let mut setup = Setup::answering("abc");
        setup.options.cors_origins = vec![bad.to_owned()];
        let text_model = setup.text_model.clone();
        let refused = Server::bind(server.engine.clone(), text_model, setup.options).await;
        assert!(matches!(refused, Err(Error::Origin { .. })), "{bad:?}");
    }
}

#[tokio::test]
async fn a_unix_socket_answers_and_leaves_no_file() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tyto.sock");
    let other = Setup::answering("abc").start().await;
    let engine = other.engine.clone();
    // Left behind by a server that was killed.
    drop(tokio::net::UnixListener::bind(&path).expect("a socket"));
    let bind = async |path: &std::path::Path| {
        let mut setup = Setup::answering("abc");
        setup.options.unix_socket = Some(path.to_owned());
        Server::bind(engine.clone(), setup.text_model, setup.options).await
    };
    let server = bind(&path).await.expect("an abandoned socket is taken over");
    assert_eq!((server.address(), server.url()), (None, format!("unix:{}", path.display())));
    assert!(matches!(bind(&path).await, Err(Error::Socket { .. })), "it is in use");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
    let mut stream = tokio::net::UnixStream::connect(&path).await.expect("a connection");
    let request = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await.expect("the server reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.expect("the server answers");
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    drop(stop);
    running.await.expect("no panic").expect("a graceful end");
    assert!(!path.exists());
    // So does the socket of the server that takes the place of one that stops.
    let server = bind(&path).await.expect("the path is free");
    std::fs::remove_file(&path).expect("the file is there");
    let next = tokio::net::UnixListener::bind(&path).expect("the path is free");
    server.run(async {}).await.expect("a graceful end");
    assert!(path.exists());
    drop(next);
    std::fs::remove_file(&path).expect("the file is there");
    // A file that is no socket stays.
    std::fs::write(&path, "mine").expect("a file");
    assert!(matches!(bind(&path).await, Err(Error::Socket { .. })));
    assert_eq!(std::fs::read(&path).expect("the file"), b"mine");
}

#[tokio::test]
async fn the_card_says_what_the_model_can_do() {
    let plain = Setup::answering("abc").start().await;
    let card = ok(plain.get("/v1/models/test-model").send().await.expect("a reply")).await;
    assert_eq!((&card["tool_call_format"], &card["reasoning"]), (&json!(null), &json!(false)));
    assert_eq!(card["max_model_len"], 256);
    let mut setup = Setup::answering("abc");
    let template = "{{ tools }}{{ messages[0].content }}<tool_call></think>";
    setup.text_model = tyto_engine::testing::text_model_with(&[], Some(template));
    let server = setup.start().await;
    let card = ok(server.get("/v1/models/test-model").send().await.expect("a reply")).await;
    assert_eq!((&card["tool_call_format"], &card["reasoning"]), (&json!("hermes"), &json!(true)));
}
