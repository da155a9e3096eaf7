//! `/v1/embeddings` over a model whose rows are known: the text's length, its first and last token.

use std::sync::Arc;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tyto_engine::testing::{self, TableExecutor};
use tyto_engine::{EngineConfig, ExecutorLimits, Pooled, PooledKind, Pooling};
use tyto_text::{TextModel, TextSources};

use crate::support::{Setup, TestServer, error, limits, ok};

async fn start(normalize: bool) -> TestServer {
    setup(normalize).start().await
}

/// The same, where `queue` requests wait besides the four that run.
async fn start_with_queue(queue: usize) -> TestServer {
    let mut setup = setup(false);
    setup.config.max_queued = queue;
    setup.start().await
}

fn setup(normalize: bool) -> Setup {
    let limits = ExecutorLimits { vector_width: Some(3), max_drafts: 0, ..limits() };
    let row = |text: &[u32]| vec![text.len() as f32, text[0] as f32, text[text.len() - 1] as f32];
    let pooled = Pooled {
        kind: PooledKind::Embedding,
        pooling: Pooling::Last,
        width: 3,
        normalize,
        whole: false,
        segments: 1,
        logistic: false,
        prompts: [("query".to_owned(), "q:".to_owned())].into(),
        default_prompt: None,
    };
    let config = EngineConfig { pooled: Some(pooled), ..EngineConfig::new("test-model") };
    Setup { config, ..Setup::of(TableExecutor::new(limits, row)) }
}

async fn embed(server: &TestServer, body: Value) -> Value {
    ok(server.post("/v1/embeddings", &body).send().await.expect("a reply")).await
}

async fn refused(server: &TestServer, body: Value) -> (String, Value) {
    let reply = server.post("/v1/embeddings", &body).send().await.expect("a reply");
    let error = error(reply, StatusCode::BAD_REQUEST).await;
    (error["message"].as_str().expect("a message").to_owned(), error["code"].clone())
}

/// The vectors of a reply, in the order of its list.
fn vectors(reply: &Value) -> Vec<Value> {
    let data = reply["data"].as_array().expect("a list");
    data.iter().map(|item| item["embedding"].clone()).collect()
}

#[tokio::test]
async fn input_has_four_forms_and_replies_keep_their_order() {
    let server = start(false).await;
    let reply = embed(&server, json!({"model": "test-model", "input": "ab"})).await;
    assert_eq!(
        reply,
        json!({
            "object": "list",
            "data": [{"object": "embedding", "index": 0, "embedding": [2.0, 97.0, 98.0]}],
            "model": "test-model",
            "usage": {"prompt_tokens": 2, "total_tokens": 2},
        })
    );
    let reply = embed(&server, json!({"input": ["abc", "b", "abc"]})).await;
    let abc = json!([3.0, 97.0, 99.0]);
    assert_eq!(vectors(&reply), [abc.clone(), json!([1.0, 98.0, 98.0]), abc]);
    let indices: Vec<&Value> =
        reply["data"].as_array().expect("a list").iter().map(|item| &item["index"]).collect();
    assert_eq!(indices, [0, 1, 2]);
    assert_eq!(reply["usage"]["prompt_tokens"], 7);
    let reply = embed(&server, json!({"input": [5, 6, 7]})).await;
    assert_eq!(vectors(&reply), [json!([3.0, 5.0, 7.0])]);
    let reply = embed(&server, json!({"input": [[5], [6, 7]]})).await;
    assert_eq!(vectors(&reply), [json!([1.0, 5.0, 5.0]), json!([2.0, 6.0, 7.0])]);
    // More than wait in the queue at once.
    let (many, expected) = many(600);
    assert_eq!(vectors(&embed(&server, many).await), expected);
}

/// A request of so many different texts, and their vectors.
fn many(count: u32) -> (Value, Vec<Value>) {
    let text = |at| (at % 90 + 3, at / 90 + 3);
    let texts: Vec<Value> = (0..count).map(|at| json!([text(at).0, text(at).1])).collect();
    let row = |at| json!([2.0, f64::from(text(at).0), f64::from(text(at).1)]);
    (json!({ "input": texts }), (0..count).map(row).collect())
}

/// Waits, without a clock, until the queue has room for exactly `room` more.
async fn until_room(server: &TestServer, room: usize) {
    while server.engine.room() != room {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn more_texts_than_the_queue_holds_take_turns() {
    for queue in [0, 1] {
        let server = start_with_queue(queue).await;
        let (request, expected) = many(50);
        assert_eq!(vectors(&embed(&server, request).await), expected);
        assert_eq!(server.engine.room(), 4 + queue);
    }
}

#[tokio::test]
async fn large_requests_share_the_queue_and_leave_room_for_others() {
    let server = start_with_queue(296).await;
    let (large, expected) = many(256);
    server.control.hold();
    let second = async {
        // The first has half of the 300 places; this one takes half of the rest.
        until_room(&server, 150).await;
        embed(&server, large.clone()).await
    };
    let small = async {
        until_room(&server, 75).await;
        embed(&server, json!({"input": "ab"})).await
    };
    let release = async {
        until_room(&server, 74).await;
        server.control.release();
    };
    let (first, second, small, ()) =
        tokio::join!(embed(&server, large.clone()), second, small, release);
    assert_eq!(vectors(&first), expected);
    assert_eq!(vectors(&second), expected);
    assert_eq!(vectors(&small), [json!([2.0, 97.0, 98.0])]);
    assert_eq!(server.engine.room(), 300);
}

#[tokio::test]
async fn a_full_queue_is_waited_for_by_requests_that_were_let_in_and_refuses_others() {
    let server = start_with_queue(0).await;
    let (large, expected) = many(50);
    server.control.hold();
    let others = async {
        // Half of four, half of two, and the last.
        until_room(&server, 2).await;
        let third = async {
            until_room(&server, 1).await;
            embed(&server, json!({"input": "b"})).await
        };
        let refused = async {
            until_room(&server, 0).await;
            let request = server.post("/v1/embeddings", &json!({"input": ["a", "b"]}));
            let reply = request.send().await.expect("a reply");
            let retry = reply.headers().contains_key("retry-after");
            let error = error(reply, StatusCode::TOO_MANY_REQUESTS).await;
            server.control.release();
            (retry, error["code"].clone())
        };
        tokio::join!(embed(&server, json!({"input": ["a"]})), third, refused)
    };
    let (first, (second, third, refused)) = tokio::join!(embed(&server, large), others);
    assert_eq!(vectors(&first), expected);
    assert_eq!(vectors(&second), [json!([1.0, 97.0, 97.0])]);
    assert_eq!(vectors(&third), [json!([1.0, 98.0, 98.0])]);
    assert_eq!(refused, (true, json!("queue_full")));
}

#[tokio::test]
async fn a_request_that_was_let_in_ends_however_others_crowd_in() {
    let server = start_with_queue(0).await;
    let (large, expected) = many(50);
    server.control.hold();
    let crowd = async {
        until_room(&server, 2).await;
        // From here on whatever is free is taken at once, as often as the runtime comes by.
        let mut taken = vec![server.engine.place().expect("one is free")];
        taken.push(server.engine.place().expect("and another"));
        server.control.release();
        loop {
            taken.extend(server.engine.place());
            tokio::task::yield_now().await;
        }
    };
    let reply = tokio::select! {
        reply = embed(&server, large) => reply,
        () = crowd => unreachable!("it goes on for ever"),
    };
    assert_eq!(vectors(&reply), expected);
    assert_eq!(server.engine.room(), 4);
}

#[tokio::test]
async fn vectors_are_cut_divided_by_their_length_and_written_in_base64() {
    let server = start(true).await;
    // 3, 4, 4: the token ids stand in the row.
    let input = json!([4, 9, 4]);
    let reply = embed(&server, json!({"input": input, "dimensions": 2})).await;
    assert_eq!(vectors(&reply), [json!([0.6, 0.8])]);
    let reply =
        embed(&server, json!({"input": input, "dimensions": 2, "encoding_format": "base64"})).await;
    // 0x3f19999a and 0x3f4ccccd, the lowest byte first.
    assert_eq!(vectors(&reply), [json!("mpkZP83MTD8=")]);
    let whole = vectors(&embed(&server, json!({"input": input})).await);
    let length: f64 = whole[0]
        .as_array()
        .expect("numbers")
        .iter()
        .map(|value| value.as_f64().expect("a number").powi(2))
        .sum();
    assert!((length - 1.0).abs() < 1e-6, "{whole:?}");
}

#[tokio::test]
async fn a_models_own_prompt_stands_before_texts_that_ask_for_it() {
    let server = start(false).await;
    let reply = embed(&server, json!({"input": "ab", "prompt_name": "query"})).await;
    assert_eq!(vectors(&reply), [json!([4.0, f64::from(b'q'), 98.0])]);
    let (message, _) = refused(&server, json!({"input": "ab", "prompt_name": "passage"})).await;
    assert!(message.contains("prompt_name") && message.contains("query"), "{message}");
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name() {
    let server = start(false).await;
    for (body, said) in [
        (json!({}), "`input` is missing"),
        (json!({"input": ""}), "`input` is an empty text"),
        (json!({"input": []}), "`input` is an empty list"),
        (json!({"input": ["a", ""]}), "`input[1]` is an empty text"),
        (json!({"input": [[]]}), "`input[0]` is an empty list"),
        (json!({"input": [[1], "a", 2]}), "`input[2]` must be"),
        (json!({"input": {"a": 1}}), "`input` must be"),
        (json!({"input": [1, 100_000]}), "input[1]"),
        (json!({"input": vec!["a"; 2049]}), "2049 texts; at most 2048"),
        (json!({"input": "a", "dimensions": 4}), "from 1 to 3"),
        (json!({"input": "a", "dimensions": 0}), "from 1 to 3"),
        (json!({"input": "a", "truncate_prompt_tokens": 8}), "`truncate_prompt_tokens` is not"),
        (json!({"input": "a", "stream": true}), "`stream` is not"),
        (json!({"input": "a", "encoding_format": "int8"}), "`float` or `base64`"),
    ] {
        let (message, _) = refused(&server, body.clone()).await;
        assert!(message.contains(said), "{said:?} is not in {message:?}, of {body}");
    }
    let (message, code) = refused(&server, json!({"input": ["a", "b".repeat(257)]})).await;
    assert!(message.contains("257 tokens") && message.contains("256 at most"), "{message}");
    assert_eq!(code, "context_length_exceeded");
    // Longer than any text of 256 tokens: it is not encoded.
    let (message, code) = refused(&server, json!({"input": "b".repeat(1 << 20)})).await;
    assert!(message.contains("or more"), "{message}");
    assert_eq!(code, "context_length_exceeded");
    for (body, param) in [
        (json!({"input": ["a", "a ".repeat(300)]}), "input[1]"),
        (json!({"input": [[1], [2], vec![3; 257]]}), "input[2]"),
        (json!({"input": ["a", "b".repeat(1 << 20)]}), "input[1]"),
        (json!({"input": "b".repeat(257)}), "input"),
        (json!({"input": vec![3; 257]}), "input"),
    ] {
        let reply = server.post("/v1/embeddings", &body).send().await.expect("a reply");
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        assert_eq!(error["param"], param);
        let message = error["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("`{param}` has ")), "{message}");
    }
    embed(&server, json!({"input": "a", "stream": false, "truncate_prompt_tokens": null})).await;
    // What was ill leaves nothing behind.
    assert_eq!(vectors(&embed(&server, json!({"input": "a"})).await), [json!([1.0, 97.0, 97.0])]);
}

#[tokio::test]
async fn a_field_without_effect_is_named_in_the_replys_header() {
    let server = start(false).await;
    let body = json!({"input": "a", "add_special_tokens": false, "user": null});
    let reply = server.post("/v1/embeddings", &body).send().await.expect("a reply");
    assert_eq!(reply.headers()["x-tyto-ignored-fields"], "add_special_tokens");
    assert_eq!(vectors(&ok(reply).await), [json!([1.0, 97.0, 97.0])]);
}

#[tokio::test]
async fn a_text_that_becomes_no_token_is_named() {
    let tokenizer = json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Strip", "strip_left": true, "strip_right": true},
        "model": {"type": "WordLevel", "vocab": {"x": 0, "a": 1}, "unk_token": "x"},
    });
    let tokenizer = tokenizer.to_string().into_bytes();
    let sources = TextSources { tokenizer, ..TextSources::default() };
    let text_model = TextModel::from_sources(&sources).expect("the test tokenizer is valid");
    let server = Setup { text_model: Arc::new(text_model), ..setup(false) }.start().await;
    let (message, _) = refused(&server, json!({"input": ["a", "a", " "]})).await;
    assert_eq!(message, "`input[2]` is a text without any token");
    let (message, _) = refused(&server, json!({"input": " "})).await;
    assert_eq!(message, "`input` is a text without any token");
}

#[tokio::test]
async fn a_chat_without_a_template_is_sent_nowhere_else() {
    let text_model = testing::text_model_with(&[], None);
    let server = Setup { text_model, ..setup(false) }.start().await;
    for path in ["/apply-template", "/tokenize"] {
        let body = json!({"messages": [{"role": "user", "content": "hi"}]});
        let reply = server.post(path, &body).send().await.expect("a reply");
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        assert_eq!(error["message"], "this model has no chat template", "{path}");
        assert_eq!(error["param"], "messages");
    }
}

#[tokio::test]
async fn endpoints_of_words_name_the_one_of_vectors() {
    let server = start(false).await;
    for (path, body) in [
        ("/v1/chat/completions", json!({"messages": [{"role": "user", "content": "hi"}]})),
        ("/v1/completions", json!({"prompt": "hi"})),
        ("/v1/responses", json!({"input": "hi"})),
    ] {
        let reply = server.post(path, &body).send().await.expect("a reply");
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("/v1/embeddings"), "{path}: {message}");
        assert_eq!(error["code"], "model_kind");
    }
    let models = ok(server.get("/v1/models").send().await.expect("a reply")).await;
    assert_eq!(models["data"][0]["kind"], "embedding");
    assert_eq!(models["data"][0]["context_length"], 256);
}
