//! `/v1/rerank` over a model whose score is the number of tokens that a pair has of `a`.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tyto_engine::testing::TableExecutor;
use tyto_engine::{EngineConfig, ExecutorLimits, Pooled, PooledKind, Pooling};

use crate::support::{Setup, TestServer, error, limits, ok};

async fn start(logistic: bool) -> TestServer {
    let limits = ExecutorLimits { vector_width: Some(1), max_drafts: 0, ..limits() };
    let count = |text: &[u32]| vec![text.iter().filter(|id| **id == 97).count() as f32];
    let pooled = Pooled {
        kind: PooledKind::Rerank,
        pooling: Pooling::Last,
        width: 1,
        normalize: false,
        whole: false,
        segments: 1,
        logistic,
        prompts: Default::default(),
        default_prompt: None,
    };
    let config = EngineConfig { pooled: Some(pooled), ..EngineConfig::new("test-model") };
    Setup { config, ..Setup::of(TableExecutor::new(limits, count)) }.start().await
}

async fn rerank(server: &TestServer, body: Value) -> Value {
    ok(server.post("/v1/rerank", &body).send().await.expect("a reply")).await
}

#[tokio::test]
async fn the_best_documents_come_first() {
    let server = start(false).await;
    let body =
        json!({"model": "test-model", "query": "a", "documents": ["b", "aaa", {"text": "ab"}]});
    let reply = rerank(&server, body).await;
    assert_eq!(
        reply,
        json!({
            "model": "test-model",
            "results": [
                {"index": 1, "relevance_score": 4.0},
                {"index": 2, "relevance_score": 2.0},
                {"index": 0, "relevance_score": 1.0},
            ],
            "usage": {"prompt_tokens": 9, "total_tokens": 9},
        })
    );
    let body = json!({
        "query": "a", "documents": ["a", "b", "a"], "top_n": 2, "return_documents": true,
    });
    let reply = rerank(&server, body).await;
    assert_eq!(
        reply["results"],
        json!([
            {"index": 0, "relevance_score": 2.0, "document": {"text": "a"}},
            {"index": 2, "relevance_score": 2.0, "document": {"text": "a"}},
        ])
    );
}

#[tokio::test]
async fn a_score_is_the_logistic_where_the_model_says_so() {
    let reply = rerank(&start(true).await, json!({"query": "a", "documents": ["b"]})).await;
    let score = reply["results"][0]["relevance_score"].as_f64().expect("a number");
    assert!((score - 1.0 / (1.0 + (-1f64).exp())).abs() < 1e-6, "{score}");
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name() {
    let server = start(false).await;
    for (body, said) in [
        (json!({"documents": ["a"]}), "`query` is missing"),
        (json!({"query": "", "documents": ["a"]}), "`query` is an empty text"),
        (json!({"query": "a"}), "`documents` is missing"),
        (json!({"query": "a", "documents": []}), "expected 1 to 2048"),
        (json!({"query": "a", "documents": "b"}), "`documents` must be a list"),
        (json!({"query": "a", "documents": ["b", 1]}), "`documents[1]` must be"),
        (
            json!({"query": "a", "documents": ["b", {"text": 4}]}),
            "`documents[1].text` must be a text; found 4",
        ),
        (json!({"query": "a", "documents": [{"title": "b"}]}), "`documents[0]` must be a text, or"),
        (json!({"query": "a", "documents": ["b"], "top_n": 0}), "at least 1"),
        (json!({"query": "a", "documents": ["b"], "stream": true}), "`stream` is not"),
        (
            json!({"query": "a", "documents": ["b"], "max_tokens_per_doc": 8}),
            "`max_tokens_per_doc` is",
        ),
        (json!({"query": "a", "documents": ["b"], "rank_fields": ["t"]}), "`rank_fields` is not"),
        (
            json!({"query": "a", "documents": ["b"], "truncate_prompt_tokens": 8}),
            "`truncate_prompt_tokens` is",
        ),
        (json!({"query": "a", "documents": ["b".repeat(256)]}), "257 tokens"),
    ] {
        let reply = server.post("/v1/rerank", &body).send().await.expect("a reply");
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(said), "{said:?} is not in {message:?}");
    }
    for (query, document, param, said) in [
        (1, 256, "documents[3]", "`query` and `documents[3]` together have 257 tokens, and"),
        (1, 1 << 20, "documents[3]", "tokens or more"),
        (256, 1, "documents[0]", "`query` and `documents[0]` together have 257 tokens, and"),
        (257, 1, "query", "`query` has 257 tokens, and"),
        (1 << 20, 1, "query", "tokens or more"),
    ] {
        let (query, document) = ("q".repeat(query), "b".repeat(document));
        let body = json!({"query": query, "documents": ["a", "b", "c", document]});
        let reply = server.post("/v1/rerank", &body).send().await.expect("a reply");
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        assert_eq!(
            (&error["param"], &error["code"]),
            (&json!(param), &json!("context_length_exceeded"))
        );
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(said), "{said:?} is not in {message:?}");
    }
    let body = json!({"input": "a"});
    let reply = server.post("/v1/embeddings", &body).send().await.expect("a reply");
    let error = error(reply, StatusCode::BAD_REQUEST).await;
    assert!(error["message"].as_str().expect("a message").contains("/v1/rerank"), "{error}");
}
