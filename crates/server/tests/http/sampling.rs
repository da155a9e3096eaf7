//! Sampling values: where they come from, and that they have their effect.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tyto_engine::testing::TableExecutor;
use tyto_server::SamplingChoice;

use crate::support::{Setup, error, limits};

/// Two tokens that are all but equally likely, after any text; `a` is ahead.
fn coin() -> Setup {
    let mut logits = vec![0.0; limits().vocab_size];
    logits[usize::from(b'a')] = 30.1;
    logits[usize::from(b'b')] = 30.0;
    Setup::of(TableExecutor::new(limits(), move |_| logits.clone()))
}

fn text(reply: &Value) -> &str {
    reply["choices"][0]["text"].as_str().expect("text")
}

#[tokio::test]
async fn a_bias_of_a_hundred_forbids_or_forces_c20() {
    let server = coin().start().await;
    let plain = server.complete(json!({"max_tokens": 8})).await;
    assert_eq!(text(&plain), "aaaaaaaa");
    let forbidden = server.complete(json!({"max_tokens": 8, "logit_bias": {"97": -100}})).await;
    assert_eq!(text(&forbidden), "bbbbbbbb");
    let forced = server.complete(json!({"max_tokens": 8, "logit_bias": {"122": 100}})).await;
    assert_eq!(text(&forced), "zzzzzzzz");
}

#[tokio::test]
async fn an_id_outside_the_vocabulary_is_refused_and_neighbours_do_not_notice_c17_c19() {
    let server = Setup::hashing().start().await;
    let alone = server.complete(json!({"max_tokens": 32})).await;
    server.control.hold();
    let begun = server.control.steps().len();
    let neighbour = async { server.complete(json!({"max_tokens": 32})).await };
    let bad = async {
        server.steps_begun(begun + 1).await;
        let bias = server.refused_completion(json!({"logit_bias": {"191222": -100}})).await;
        assert_eq!(bias["param"], "logit_bias");
        let stop = server.refused_completion(json!({"stop_token_ids": [257]})).await;
        assert_eq!(stop["param"], "stop_token_ids[0]");
        server.control.release();
    };
    let (neighbour, ()) = tokio::join!(neighbour, bad);
    assert_eq!(neighbour["choices"], alone["choices"]);
}

#[tokio::test]
async fn equal_seeds_give_equal_texts_and_others_do_not_c36() {
    let server = coin().start().await;
    let draw = async |seed: i64| {
        let fields = json!({"seed": seed, "temperature": 1, "max_tokens": 60});
        text(&server.complete(fields).await).to_owned()
    };
    let first = draw(7).await;
    assert_ne!(draw(8).await, first);
    server.complete(json!({"prompt": "something else", "temperature": 1})).await;
    assert_eq!(draw(7).await, first);
    assert!(first.contains('a') && first.contains('b'), "{first}");
}

#[tokio::test]
async fn a_tiny_temperature_and_a_top_p_of_zero_are_greedy_e1_e9() {
    let server = coin().start().await;
    for fields in [
        json!({"temperature": 0}),
        json!({"temperature": 1e-10}),
        json!({"temperature": 1e-4}),
        json!({"temperature": 1, "top_p": 0}),
        json!({"temperature": 1, "top_k": 1}),
        json!({"temperature": 1, "min_p": 1}),
    ] {
        let mut fields = fields;
        fields["max_tokens"] = json!(32);
        assert_eq!(text(&server.complete(fields.clone()).await), "a".repeat(32), "{fields}");
    }
}

#[tokio::test]
async fn penalties_turn_a_greedy_choice_e12() {
    let server = coin().start().await;
    let complete = async |prompt: &str, name: &str, value: f64| {
        let fields = json!({"prompt": prompt, "max_tokens": 2, name: value});
        text(&server.complete(fields).await).to_owned()
    };
    // `a` is 0.1 ahead: after it was said once, 0.5 puts `b` ahead.
    assert_eq!(complete("x", "presence_penalty", 0.5).await, "ab");
    assert_eq!(complete("x", "frequency_penalty", 0.5).await, "ab");
    assert_eq!(complete("x", "repetition_penalty", 1.1).await, "ab");
    // Of these, only repetition looks at the prompt.
    assert_eq!(complete("a", "presence_penalty", 0.5).await, "ab");
    assert_eq!(complete("a", "repetition_penalty", 1.1).await, "ba");
}

#[tokio::test]
async fn a_servers_flag_comes_before_the_model_and_after_the_request_a45_e11() {
    let flag = |temperature| SamplingChoice { temperature, ..SamplingChoice::default() };
    let is_greedy = async |server: Option<f32>, model: Value, request: Value| {
        let mut setup = coin();
        setup.options.sampling = flag(server);
        setup.text_model = crate::support::text_model_with_defaults(model);
        let server = setup.start().await;
        let mut body = json!({"prompt": "x", "max_tokens": 60});
        body["temperature"] = request;
        let reply = crate::support::ok(server.send_completion(body).await).await;
        text(&reply) == "a".repeat(60)
    };
    let (none, model_greedy) = (json!({}), json!({"temperature": 0.0, "top_k": 50}));
    assert!(is_greedy(Some(1.0), none.clone(), json!(0)).await, "the request is first");
    assert!(!is_greedy(Some(0.0), none.clone(), json!(1)).await, "the request is first");
    assert!(is_greedy(Some(0.0), json!({"temperature": 1.0}), json!(null)).await, "then the flag");
    assert!(!is_greedy(Some(1.0), model_greedy.clone(), json!(null)).await, "then the flag");
    assert!(is_greedy(None, model_greedy, json!(null)).await, "then the model");
    assert!(!is_greedy(None, none, json!(null)).await, "the built-in value is 1");
    // A default for one value does not need one for the others.
    assert!(!is_greedy(None, json!({"top_p": 0.95}), json!(null)).await);
    assert!(is_greedy(None, json!({"top_p": 0.0}), json!(null)).await);
}

#[tokio::test]
async fn each_range_is_named_with_what_was_found() {
    let server = coin().start().await;
    for (name, bad, range) in [
        ("temperature", json!(-1), "0 to 2"),
        ("temperature", json!("hot"), "0 to 2"),
        ("top_p", json!(1.01), "0 to 1"),
        ("top_k", json!(-5), "-1 to"),
        ("min_p", json!(2), "0 to 1"),
        ("presence_penalty", json!(-2.5), "-2 to 2"),
        ("frequency_penalty", json!(2.5), "-2 to 2"),
        ("repetition_penalty", json!(0), "0.01 to"),
        ("seed", json!(1.5), "64 bits"),
    ] {
        let reply = server.post("/v1/completions", &json!({"prompt": "x", name: bad}));
        let error = error(reply.send().await.expect("a reply"), StatusCode::BAD_REQUEST).await;
        assert_eq!(error["param"], name);
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(range), "{message}");
        assert!(message.contains(bad.as_str().unwrap_or(&bad.to_string())), "{message}");
    }
}
