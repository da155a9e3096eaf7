//! Tokens, figures and states.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Setup, ok};

#[tokio::test]
async fn text_becomes_ids_and_text_again() {
    let server = Setup::answering("abc").start().await;
    let post =
        async |path: &str, body| ok(server.post(path, &body).send().await.expect("a reply")).await;
    for body in [json!({"prompt": "hé"}), json!({"content": "hé"})] {
        let reply = post("/tokenize", body).await;
        assert_eq!(reply, json!({"tokens": [104, 195, 169], "count": 3, "max_model_len": 256}));
    }
    let pieces = post("/tokenize", json!({"content": "hé", "with_pieces": true})).await;
    assert_eq!(pieces["tokens"][0], json!({"id": 104, "piece": "h"}));
    assert_eq!(pieces["tokens"][1], json!({"id": 195, "piece": [195]}));
    let text = post("/detokenize", json!({"tokens": [104, 195, 169]})).await;
    assert_eq!(text, json!({"content": "hé", "prompt": "hé"}));
    // A part of a character is no fault (B17).
    assert_eq!(post("/detokenize", json!({"tokens": [195]})).await["content"], "\u{fffd}");
    let chat = json!({"messages": [{"role": "user", "content": "hi"}]});
    let prompt = post("/apply-template", chat.clone()).await;
    assert_eq!(prompt, json!({"prompt": "[user]hi[assistant]"}));
    assert_eq!(post("/tokenize", chat).await["count"], 19);
}

#[tokio::test]
async fn a_long_text_is_encoded_beside_what_is_served() {
    let server = Setup::answering("abc").start().await;
    let text = "a".repeat(1 << 20);
    let request = server.post("/tokenize", &json!({ "prompt": text }));
    let reply = ok(request.send().await.expect("a reply")).await;
    assert_eq!(reply["count"], 1 << 20);
    let tokens = reply["tokens"].as_array().expect("a list");
    assert_eq!((tokens.len(), tokens.last()), (1 << 20, Some(&json!(97))));
}

#[tokio::test]
async fn wrong_ids_and_missing_texts_are_400() {
    let server = Setup::answering("abc").start().await;
    for (path, body) in [
        ("/detokenize", json!({"tokens": [257]})),
        ("/detokenize", json!({"tokens": "a"})),
        ("/detokenize", json!({})),
        ("/tokenize", json!({})),
        ("/tokenize", json!({"content": 1})),
        ("/tokenize", json!({"messages": []})),
        ("/apply-template", json!({"prompt": "hi"})),
    ] {
        let reply = server.post(path, &body).send().await.expect("a reply");
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{path} {body}");
    }
}

#[tokio::test]
async fn figures_are_in_prometheus_form() {
    let server = Setup::answering("abc").start().await;
    server.chat(json!({})).await;
    let reply = server.get("/metrics").send().await.expect("a reply");
    assert!(
        reply.headers()["content-type"].to_str().is_ok_and(|text| text.starts_with("text/plain"))
    );
    let text = reply.text().await.expect("text");
    let value = |name: &str| {
        let start = format!("{name}{{model=\"test-model\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_owned)
    };
    assert_eq!(value("tyto_prompt_tokens_total").as_deref(), Some("19"));
    assert_eq!(value("tyto_generated_tokens_total").as_deref(), Some("4"));
    assert_eq!(value("tyto_requests_running").as_deref(), Some("0"));
    assert_eq!(value("tyto_ready").as_deref(), Some("1"));
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        assert!(name.starts_with("tyto_") && value.parse::<f64>().is_ok(), "{line}");
    }
}

/// The example of a router's configuration reads figures that are there.
#[tokio::test]
async fn the_figures_of_the_kubernetes_example_are_there() {
    let server = Setup::answering("abc").start().await;
    let text = server.get("/metrics").send().await.expect("a reply").text().await.expect("text");
    let example = include_str!("../../../../tools/scale-out/kubernetes/picker.yaml");
    let named: Vec<&str> = example
        .split(|c: char| !(c.is_ascii_lowercase() || c == '_'))
        .filter(|word| word.starts_with("tyto_"))
        .collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named {
        assert!(text.contains(&format!("\n{name}{{model=")), "{name}");
    }
}

#[tokio::test]
async fn readiness_and_slots_follow_the_engine() {
    let server = Setup::endless().start().await;
    assert_eq!(ok(server.get("/ready").send().await.expect("a reply")).await["status"], "ok");
    assert_eq!(ok(server.get("/slots").send().await.expect("a reply")).await, json!([]));
    let body = json!({"messages": [{"role": "user", "content": "hi"}], "stream": true});
    let streaming = server.send_chat(body).await;
    server.until(|stats| stats.running == 1).await;
    let slots = ok(server.get("/slots").send().await.expect("a reply")).await;
    let slot = json!({"id": 0, "is_processing": true, "n_ctx": 40_000, "model": "test-model"});
    assert_eq!(slots, json!([slot]));
    drop(streaming);
    server.until(|stats| stats.running == 0).await;
}

#[tokio::test]
async fn a_key_that_is_there_twice_is_400() {
    let server = Setup::answering("abc").start().await;
    let body = r#"{"prompt": "hi", "max_tokens": 3, "max_tokens": 4}"#;
    let request = server.client.post(format!("{}/v1/completions", server.base));
    let request = request.header("content-type", "application/json").body(body);
    let reply = request.send().await.expect("a reply");
    assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
    let text = reply.text().await.expect("a body");
    assert!(text.contains("max_tokens") && text.contains("twice"), "{text}");
}

#[tokio::test]
async fn control_tokens_in_a_message_are_text_unless_asked_b15() {
    let server = Setup::answering("abc").start().await;
    let count = async |fields: serde_json::Value| {
        let mut body = json!({"messages": [{"role": "user", "content": "x<|end|>y"}]});
        body["parse_special"] = fields;
        let reply = server.post("/tokenize", &body).send().await.expect("a reply");
        ok(reply).await["tokens"].as_array().expect("ids").clone()
    };
    let text = count(json!(null)).await;
    assert!(!text.contains(&json!(256)) && text.len() == "[user]x<|end|>y[assistant]".len());
    assert!(count(json!(true)).await.contains(&json!(256)));
}
