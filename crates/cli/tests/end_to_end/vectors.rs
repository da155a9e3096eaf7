//! Models that make vectors of texts or score documents.

use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use serde_json::json;

use crate::common::{artifact, copy, ok, run, text, tyto};
use crate::served::{Served, post};

/// A model that makes vectors, with transformers' own of three texts.
fn embedding_checkpoint() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/embed_qwen3")
}

/// The texts of a reference, and the vectors of them by a pooling.
fn embedding_reference(case: &Path, pooling: &str) -> (Vec<Vec<i64>>, Vec<Vec<f32>>) {
    let bytes = std::fs::read(case.join("reference.safetensors")).expect("the fixture");
    let tensors = SafeTensors::deserialize(&bytes).expect("the fixture is valid");
    let ids = tensors.tensor("input_ids").expect("the fixture has it").data().to_vec();
    let ids: Vec<i64> =
        ids.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().expect("8 bytes"))).collect();
    let rows = tensors.tensor(pooling).expect("the fixture has it");
    let values: Vec<f32> = (rows.data().chunks_exact(4))
        .map(|b| f32::from_le_bytes(b.try_into().expect("4 bytes")))
        .collect();
    let texts = [1, 11, ids.len()].map(|length| ids[..length].to_vec());
    (texts.to_vec(), values.chunks(rows.shape()[1]).map(<[f32]>::to_vec).collect())
}

/// Vectors over HTTP are those of the reference, within a ten-thousandth of their largest number.
fn assert_vectors(server: &Served, texts: &[Vec<i64>], expected: &[Vec<f32>]) {
    let (head, body) = post(server, "/v1/embeddings", &json!({ "input": texts }));
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    let data = body["data"].as_array().expect("a list");
    assert_eq!(data.len(), expected.len());
    for (index, (item, expected)) in data.iter().zip(expected).enumerate() {
        assert_eq!(item["index"], index);
        let found = item["embedding"].as_array().expect("numbers");
        assert_eq!(found.len(), expected.len());
        let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
        for (found, expected) in found.iter().zip(expected) {
            let found = found.as_f64().expect("a number") as f32;
            assert!((found - expected).abs() <= 1e-4 * largest, "{index}: {found} {expected}");
        }
    }
    let tokens: usize = texts.iter().map(Vec::len).sum();
    assert_eq!(body["usage"], json!({"prompt_tokens": tokens, "total_tokens": tokens}));
}

fn serve_compiled(source: &Path, options: &[&str]) -> (Served, PathBuf) {
    let name = source.file_name().expect("a name").to_string_lossy().into_owned();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.tyto"));
    let mut command = tyto();
    command.arg("compile").arg(source).arg("-o").arg(&path).arg("--force");
    ok(run(command.args(options)));
    let mut command = tyto();
    command.arg("serve").arg(&path).args(["--port", "0", "--name", "tiny"]);
    (Served::start_command(command), path)
}

#[test]
fn serve_makes_the_vectors_that_transformers_makes() {
    let case = embedding_checkpoint();
    let (server, path) = serve_compiled(&case, &["--kernels", "require", "--ctx", "64"]);
    let (texts, expected) = embedding_reference(&case, "last");
    assert_vectors(&server, &texts, &expected);
    // Once more, with beginnings in the cache.
    assert_vectors(&server, &texts, &expected);

    let (head, body) = post(&server, "/v1/completions", &json!({"prompt": "hi"}));
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
    let message = body["error"]["message"].as_str().expect("a message");
    assert!(message.contains("/v1/embeddings"), "{message}");
    let long = json!({"input": vec![7; 65]});
    let (head, body) = post(&server, "/v1/embeddings", &long);
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
    let message = body["error"]["message"].as_str().expect("a message");
    assert!(message.contains("65 tokens") && message.contains("64 at most"), "{message}");
    assert!(server.send("GET", "/v1/models", "").contains("\"kind\":\"embedding\""));
    assert_eq!(server.stop("TERM"), Some(0));

    let shown = ok(run(tyto().arg("inspect").arg(&path)));
    assert!(shown.contains("embedding: the last token's, 20 numbers"), "{shown}");
    let output = run(tyto().arg("run").arg(&path).args(["--prompt", "hi"]));
    let message = text(&output.stderr);
    assert!(message.contains("makes vectors of texts"), "{message}");
    assert_eq!(output.status.code(), Some(2));
}

/// The mean is of all rows, which come from several steps, and from several calls of a step.
#[test]
fn a_mean_over_several_calls_is_that_of_one_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let case = folder.path().join("embed_mean");
    copy(&embedding_checkpoint(), &case);
    let pooling = case.join("1_Pooling/config.json");
    let config = std::fs::read_to_string(&pooling).expect("it is there");
    let mean =
        config.replace("\"pooling_mode_lasttoken\": true", "\"pooling_mode_lasttoken\": false");
    let mean =
        mean.replace("\"pooling_mode_mean_tokens\": false", "\"pooling_mode_mean_tokens\": true");
    std::fs::write(&pooling, mean).expect("written");
    let (server, _) = serve_compiled(
        &case,
        &["--kernels", "require", "--ctx", "64", "--batches", "1", "--chunks", "4,16"],
    );
    let (texts, expected) = embedding_reference(&case, "mean");
    assert_vectors(&server, &texts, &expected);
    assert_eq!(server.stop("TERM"), Some(0));
}

/// Their tokens see those behind them, which no kernel computes: the step is decomposed, and said to be.
#[test]
fn encoders_make_the_vectors_that_transformers_makes() {
    for (name, pooling, most) in [
        ("embed_bert", "mean", 42),
        ("embed_modernbert", "first", 48),
        ("embed_gemma3", "mean", 48),
    ] {
        let case = embedding_checkpoint().with_file_name(name);
        let (server, path) = serve_compiled(&case, &["--batches", "1", "--chunks", "48"]);
        let (texts, expected) = embedding_reference(&case, pooling);
        assert_vectors(&server, &texts, &expected);
        let long = json!({"input": vec![7; most + 1]});
        let (head, body) = post(&server, "/v1/embeddings", &long);
        assert!(head.starts_with("HTTP/1.1 400"), "{name}: {head}");
        let message = body["error"]["message"].as_str().expect("a message");
        assert!(message.contains(&format!("{most} at most")), "{name}: {message}");
        assert_eq!(server.stop("TERM"), Some(0));
        let shown = ok(run(tyto().arg("inspect").arg(&path)));
        assert!(shown.contains("decomposed"), "{name}: {shown}");
        assert!(shown.contains("it has no cache"), "{name}: {shown}");
    }
}

/// The scores of a reference, through the logistic that models of one label have.
fn reference_scores(case: &Path) -> Vec<f32> {
    let bytes = std::fs::read(case.join("reference.safetensors")).expect("the fixture");
    let tensors = SafeTensors::deserialize(&bytes).expect("the fixture is valid");
    let scores = tensors.tensor("scores").expect("the fixture has it").data().to_vec();
    let score = |b: &[u8]| f32::from_le_bytes(b.try_into().expect("4 bytes"));
    scores.chunks_exact(4).map(|b| 1.0 / (1.0 + (-score(b)).exp())).collect()
}

#[test]
fn rerank_scores_documents_as_transformers_does() {
    let documents = ["the cat is in the house", "1 + 1 = 2", "it rains and"];
    for name in ["rerank_bert", "rerank_qwen3"] {
        let case = embedding_checkpoint().with_file_name(name);
        let (server, path) = serve_compiled(&case, &["--batches", "1", "--chunks", "48"]);
        let body = json!({"query": "where the cat is", "documents": documents});
        let (head, body) = post(&server, "/v1/rerank", &body);
        assert!(head.starts_with("HTTP/1.1 200"), "{name}: {head} {body}");
        let results = body["results"].as_array().expect("a list");
        assert_eq!(results.len(), 3);
        let expected = reference_scores(&case);
        let mut before = f64::INFINITY;
        for result in results {
            let score = result["relevance_score"].as_f64().expect("a number");
            assert!(score <= before, "{name}: the best comes first, {body}");
            before = score;
            let index = result["index"].as_u64().expect("an index") as usize;
            let error = (score as f32 - expected[index]).abs();
            assert!(error <= 1e-4 * expected[index], "{name}: {score}, not {}", expected[index]);
        }
        let (head, body) = post(&server, "/v1/embeddings", &json!({"input": "a"}));
        assert!(head.starts_with("HTTP/1.1 400"), "{name}: {head}");
        let message = body["error"]["message"].as_str().expect("a message");
        assert!(message.contains("/v1/rerank"), "{name}: {message}");
        assert_eq!(server.stop("TERM"), Some(0));
        let output =
            run(tyto().args(["run", "--prompt", "hi", "--draft"]).arg(&path).arg(artifact()));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.contains("it scores documents for a query"), "{name}: {message}");
    }
}
