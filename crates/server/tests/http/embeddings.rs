//! `/v1/embeddings` over a model whose rows are known: the text's length, its first and last token.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tyto_engine::testing::TableExecutor;
use tyto_engine::{EngineConfig, ExecutorLimits, Pooled, PooledKind, Pooling};

use crate::support::{Setup, TestServer, error, limits, ok};

async fn start(normalize: bool) -> TestServer {
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
    Setup { config, ..Setup::of(TableExecutor::new(limits, row)) }.start().await
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
    let many: Vec<Value> = (0..600).map(|at| json!([at % 90 + 3, at / 90 + 3])).collect();
    let reply = embed(&server, json!({ "input": many })).await;
    let expected: Vec<Value> =
        (0..600).map(|at| json!([2.0, f64::from(at % 90 + 3), f64::from(at / 90 + 3)])).collect();
    assert_eq!(vectors(&reply), expected);
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
    // What was ill leaves nothing behind.
    assert_eq!(vectors(&embed(&server, json!({"input": "a"})).await), [json!([1.0, 97.0, 97.0])]);
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
