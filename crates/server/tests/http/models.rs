//! Several models in one server: loaded when they are named, and gone when others need their room.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tyto_engine::testing::{END, TableControl, TableExecutor, text_model_with};
use tyto_engine::{Engine, EngineConfig};
use tyto_server::{Error, LoadedModel, ModelRoom, ModelSource, Server, ServerOptions};

use crate::support::{TEMPLATE, error, limits, ok, streamed};

/// A model that says its own name, of 10 bytes.
fn saying(name: &'static str, loads: &Arc<AtomicUsize>) -> ModelSource {
    let loads = loads.clone();
    let load = move || {
        loads.fetch_add(1, Ordering::Relaxed);
        Ok(loaded(name).0)
    };
    source(name, load)
}

fn loaded(name: &str) -> (LoadedModel, TableControl) {
    let tokens = name.bytes().map(u32::from).chain([END]).collect();
    let executor = TableExecutor::script(limits(), tokens);
    let control = executor.control();
    let text_model = text_model_with(&[], Some(TEMPLATE));
    let engine = Engine::start(EngineConfig::new("inner"), text_model.clone(), move || {
        Ok(Box::new(executor) as _)
    });
    (LoadedModel { engine: engine.expect("it starts"), text_model }, control)
}

fn source(
    name: &str,
    load: impl Fn() -> Result<LoadedModel, String> + Send + Sync + 'static,
) -> ModelSource {
    ModelSource {
        name: name.to_owned(),
        kind: None,
        context_length: 256,
        memory_bytes: 10,
        load: Box::new(load),
    }
}

struct Running {
    client: Client,
    base: String,
    _stop: oneshot::Sender<()>,
}

async fn bind(sources: Vec<ModelSource>, room: ModelRoom) -> Result<Server, Error> {
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let options = ServerOptions { listen, grace: Duration::ZERO, ..ServerOptions::default() };
    Server::bind_models(sources, room, options).await
}

async fn start(sources: Vec<ModelSource>, bytes: Option<u64>, idle: Option<Duration>) -> Running {
    let server = bind(sources, ModelRoom { bytes, idle }).await.expect("it starts");
    let base = server.url();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(server.run(async move { drop(stopped.await) }));
    Running { client: Client::new(), base, _stop: stop }
}

impl Running {
    async fn send(&self, model: Value, stream: bool) -> Response {
        let body = json!({
            "model": model, "stream": stream, "temperature": 0,
            "messages": [{"role": "user", "content": "hi"}],
        });
        let request = self.client.post(format!("{}/v1/chat/completions", self.base)).json(&body);
        request.send().await.expect("a reply")
    }

    /// What a model answers.
    async fn ask(&self, model: &str) -> String {
        let reply = ok(self.send(json!(model), false).await).await;
        assert_eq!(reply["model"], model);
        reply["choices"][0]["message"]["content"].as_str().expect("text").to_owned()
    }

    async fn get(&self, path: &str) -> Response {
        self.client.get(format!("{}{path}", self.base)).send().await.expect("a reply")
    }

    async fn states(&self) -> Vec<String> {
        let list = ok(self.get("/v1/models").await).await;
        let state = |card: &Value| format!("{} {}", card["id"], card["state"]).replace('"', "");
        list["data"].as_array().expect("cards").iter().map(state).collect()
    }

    async fn until_states(&self, expected: &[&str]) {
        while self.states().await != expected {
            tokio::task::yield_now().await;
        }
    }

    async fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics").await.text().await.expect("text");
        let line = text.lines().find(|line| line.split(' ').next() == Some(name));
        let value = line.and_then(|line| line.rsplit(' ').next());
        value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
    }

    async fn until_metric(&self, name: &str, expected: f64) {
        while self.metric(name).await != expected {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn models_are_loaded_when_they_are_named_and_stay_while_there_is_room() {
    let loads = Arc::new(AtomicUsize::new(0));
    let server = start(vec![saying("ada", &loads), saying("bob", &loads)], None, None).await;
    assert_eq!(server.states().await, ["ada unloaded", "bob unloaded"]);
    let unnamed = error(server.send(Value::Null, false).await, StatusCode::BAD_REQUEST).await;
    assert_eq!(unnamed["param"], "model");
    let unknown = error(server.send(json!("eve"), false).await, StatusCode::NOT_FOUND).await;
    let message = unknown["message"].as_str().expect("a message");
    assert!(message.contains("ada") && message.contains("bob"), "{message}");
    error(server.send(json!(7), false).await, StatusCode::BAD_REQUEST).await;
    assert_eq!(loads.load(Ordering::Relaxed), 0);
    for name in ["ada", "bob", "ada", "bob"] {
        assert_eq!(server.ask(name).await, name);
    }
    assert_eq!(loads.load(Ordering::Relaxed), 2);
    assert_eq!(server.states().await, ["ada loaded", "bob loaded"]);
    assert_eq!(server.metric("tyto_requests_finished_total{model=\"ada\"}").await, 2.0);
    assert_eq!(server.metric("tyto_model_loaded{model=\"bob\"}").await, 1.0);
    let card = ok(server.get("/v1/models/ada").await).await;
    assert_eq!((&card["max_model_len"], &card["memory_bytes"]), (&json!(256), &json!(10)));
    let health = ok(server.get("/health").await).await;
    assert_eq!(health["models"], json!({"ada": "loaded", "bob": "loaded"}));
}

#[tokio::test]
async fn the_one_unused_for_longest_makes_room() {
    let loads = Arc::new(AtomicUsize::new(0));
    let sources = vec![saying("ada", &loads), saying("bob", &loads), saying("cyd", &loads)];
    let server = start(sources, Some(25), None).await;
    for name in ["ada", "bob", "ada", "cyd"] {
        assert_eq!(server.ask(name).await, name);
    }
    assert_eq!(server.states().await, ["ada loaded", "bob unloaded", "cyd loaded"]);
    assert_eq!(server.metric("tyto_model_unloads_total").await, 1.0);
    // Many at once, for more models than there is room for.
    let all = ["ada", "bob", "cyd", "bob", "ada", "cyd", "bob", "ada"];
    let answers = futures_util::future::join_all(all.map(|name| server.ask(name))).await;
    assert_eq!(answers, all);
}

/// A model whose steps, and a model whose loading, the test holds back.
#[tokio::test]
async fn a_model_in_use_leaves_after_its_last_answer() {
    let held: Arc<Mutex<Option<TableControl>>> = Arc::default();
    let keep = held.clone();
    let slow = source("slow", move || {
        let (model, control) = loaded("slow");
        control.hold();
        *keep.lock().expect("no panic") = Some(control);
        Ok(model)
    });
    let loads = Arc::new(AtomicUsize::new(0));
    let server = start(vec![slow, saying("bob", &loads)], Some(10), None).await;
    let reply = server.send(json!("slow"), true).await;
    let (bob, ()) = tokio::join!(server.ask("bob"), async {
        server.until_states(&["slow unloading", "bob loading"]).await;
        server.until_metric("tyto_requests_loading", 1.0).await;
        let control = held.lock().expect("no panic").take().expect("it is loaded");
        control.release();
        assert_eq!(streamed(reply).await.text(0), "slow");
    });
    assert_eq!(bob, "bob");
    assert_eq!(server.states().await, ["slow unloaded", "bob loaded"]);
    assert_eq!(server.metric("tyto_requests_loading").await, 0.0);
}

#[tokio::test]
async fn a_load_that_fails_fails_its_requests_with_the_reason() {
    let (go, wait): (Sender<()>, Receiver<()>) = channel();
    let wait = Mutex::new(wait);
    let times = AtomicUsize::new(0);
    let broken = source("ada", move || {
        wait.lock().expect("no panic").recv().expect("the test says when");
        match times.fetch_add(1, Ordering::Relaxed) {
            0 => Err("ada.tyto: manifest.json: not found".to_owned()),
            _ => Ok(loaded("ada").0),
        }
    });
    let panicking = source("bob", || panic!("a fault of ours"));
    let server = start(vec![broken, panicking], None, None).await;
    let failed = |reply: Response| error(reply, StatusCode::SERVICE_UNAVAILABLE);
    let both =
        async { tokio::join!(server.send(json!("ada"), false), server.send(json!("ada"), true)) };
    let ((first, second), ()) = tokio::join!(both, async {
        server.until_metric("tyto_requests_loading", 2.0).await;
        go.send(()).expect("it waits");
    });
    for reply in [first, second] {
        let error = failed(reply).await;
        assert_eq!(
            (&error["code"], &error["param"]),
            (&json!("model_not_loaded"), &json!("model"))
        );
        assert!(
            error["message"].as_str().is_some_and(|text| text.contains("manifest.json")),
            "{error}"
        );
    }
    let card = ok(server.get("/v1/models/ada").await).await;
    assert!(card["last_error"].as_str().is_some_and(|text| text.contains("manifest.json")));
    failed(server.send(json!("bob"), false).await).await;
    assert_eq!(server.metric("tyto_model_load_failures_total").await, 2.0);
    go.send(()).expect("it waits");
    assert_eq!(server.ask("ada").await, "ada");
}

#[tokio::test]
async fn a_client_that_leaves_while_its_model_is_loaded_leaves_no_user() {
    let (go, wait): (Sender<()>, Receiver<()>) = channel();
    let wait = Mutex::new(wait);
    let ada = source("ada", move || {
        wait.lock().expect("no panic").recv().expect("the test says when");
        Ok(loaded("ada").0)
    });
    let server = Arc::new(start(vec![ada], None, None).await);
    let asking = server.clone();
    let asking = tokio::spawn(async move { asking.send(json!("ada"), false).await });
    server.until_metric("tyto_requests_loading", 1.0).await;
    asking.abort();
    server.until_metric("tyto_requests_loading", 0.0).await;
    go.send(()).expect("it waits");
    server.until_states(&["ada loaded"]).await;
    while ok(server.get("/v1/models/ada").await).await["users"] != 0 {
        tokio::task::yield_now().await;
    }
    let late = json!({"model": "ada", "timeout": 0, "prompt": "a"});
    let request = server.client.post(format!("{}/v1/completions", server.base)).json(&late);
    error(request.send().await.expect("a reply"), StatusCode::GATEWAY_TIMEOUT).await;
}

#[tokio::test]
async fn a_model_that_nobody_uses_leaves() {
    let loads = Arc::new(AtomicUsize::new(0));
    let server = start(vec![saying("ada", &loads)], None, Some(Duration::from_millis(1))).await;
    for round in 1..=2 {
        assert_eq!(server.ask("ada").await, "ada");
        server.until_states(&["ada unloaded"]).await;
        assert_eq!(loads.load(Ordering::Relaxed), round);
    }
}

#[tokio::test]
async fn models_that_cannot_be_told_apart_or_never_fit_are_refused_at_the_start() {
    let loads = Arc::new(AtomicUsize::new(0));
    let twice = vec![saying("ada", &loads), saying("ada", &loads)];
    let refused = bind(twice, ModelRoom::default()).await;
    assert!(matches!(refused, Err(Error::ModelTwice { .. })));
    let room = ModelRoom { bytes: Some(9), idle: None };
    let Err(refused) = bind(vec![saying("ada", &loads)], room).await else {
        panic!("it does not fit");
    };
    assert!(refused.to_string().contains("ada"), "{refused}");
}

#[tokio::test]
async fn a_model_that_writes_makes_no_vectors() {
    let loads = Arc::new(AtomicUsize::new(0));
    let server = start(vec![saying("ada", &loads)], None, None).await;
    let send = async |model: &str| {
        let body = json!({"model": model, "input": "a"});
        let request = server.client.post(format!("{}/v1/embeddings", server.base)).json(&body);
        request.send().await.expect("a reply")
    };
    let refused = error(send("ada").await, StatusCode::BAD_REQUEST).await;
    let named = |text: &str| text.contains("writes text") && text.contains("/v1/chat/completions");
    assert!(refused["message"].as_str().is_some_and(named), "{refused}");
    assert_eq!(loads.load(Ordering::Relaxed), 0, "nothing is loaded to be refused");
    error(send("eve").await, StatusCode::NOT_FOUND).await;
}

/// A load may take longer than the process has, and cannot be called off.
#[tokio::test]
async fn who_waits_for_a_model_is_told_when_the_server_stops() {
    let (go, wait) = channel::<()>();
    let wait = Mutex::new(wait);
    let load = move || {
        let _ = wait.lock().expect("no panic").recv();
        Ok(loaded("a").0)
    };
    let server = start(vec![source("a", load)], None, None).await;
    let body = json!({"model": "a", "messages": [{"role": "user", "content": "hi"}]});
    let request = server.client.post(format!("{}/v1/chat/completions", server.base)).json(&body);
    let asked = tokio::spawn(request.send());
    while server.metric("tyto_requests_loading").await < 1.0 {
        tokio::task::yield_now().await;
    }
    drop(server);
    let reply = asked.await.expect("no panic").expect("a reply");
    let refused = error(reply, StatusCode::SERVICE_UNAVAILABLE).await;
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("stopping")));
    drop(go);
}
