//! `run`, `bench`, `perplexity` and `serve` with one model.

use std::io::Write;
use std::process::Stdio;

use safetensors::SafeTensors;
use serde_json::{Value, json};

use crate::common::{artifact, checkpoint, ok, reference, run, text, tyto};
use crate::served::Served;

#[test]
fn run_answers_a_prompt_and_a_pipe_the_same_and_gives_figures() {
    let mut command = tyto();
    command.arg("run").arg(artifact()).args(["--prompt", "hello", "--max-tokens", "8"]);
    let output = run(&mut command);
    let figures = text(&output.stderr);
    for part in ["prefill", "decode 8 tokens", "tok/s", "first token after", "peak memory"] {
        assert!(figures.contains(part), "{part:?} is not in {figures:?}");
    }
    let asked = ok(output);
    let mut command = tyto();
    command.arg("run").arg(artifact()).args(["--max-tokens", "8", "--quiet"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    child.stdin.take().expect("piped").write_all(b"hello").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert_eq!(ok(output), asked);
}

#[test]
fn bench_measures_what_it_is_asked_to() {
    let mut command = tyto();
    command.arg("bench").arg(artifact()).args(["--prompt-tokens", "40", "--generate-tokens", "8"]);
    command.args(["--depth", "0,20", "--repetitions", "2", "--threads", "1"]);
    let table = ok(run(&mut command));
    assert!(table.contains("pp40") && table.contains("tg8"), "{table}");
    let report: Value = serde_json::from_str(&ok(run(command.arg("--json")))).expect("JSON");
    let names: Vec<&Value> = report["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| &result["name"])
        .collect();
    assert_eq!(names, ["pp40", "tg8", "tg8@20"]);
    for result in report["results"].as_array().expect("results") {
        assert_eq!(result["samples"].as_array().map(Vec::len), Some(2));
        assert!(result["median"].as_f64().is_some_and(|rate| rate > 0.0));
    }
    assert!(report["peak_memory_bytes"].as_u64().is_some_and(|bytes| bytes > 0));
}

/// Of the beginning of the reference's prompt, from transformers' logits.
#[test]
fn perplexity_is_that_of_transformers_logits() {
    const WINDOW: usize = 12;
    let bytes = std::fs::read(checkpoint().join("reference.safetensors")).expect("the fixture");
    let tensors = SafeTensors::deserialize(&bytes).expect("the fixture is valid");
    let logits: Vec<f64> = tensors
        .tensor("logits")
        .expect("the fixture has it")
        .data()
        .chunks_exact(4)
        .map(|b| f64::from(f32::from_le_bytes(b.try_into().expect("4 bytes"))))
        .collect();
    let (prompt, _) = reference();
    let surprise = |at: usize| {
        let row = &logits[at * 128..][..128];
        row.iter().map(|logit| logit.exp()).sum::<f64>().ln() - row[prompt[at + 1] as usize]
    };
    let scored = WINDOW / 2..WINDOW - 1;
    let expected = (scored.clone().map(surprise).sum::<f64>() / scored.len() as f64).exp();

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("text");
    // What the tokenizer makes these tokens of.
    std::fs::write(&file, "<s>M/:CxLPgThe and").expect("it is written");
    let mut command = tyto();
    command.arg("perplexity").arg(artifact()).arg("--file").arg(&file).arg("--json");
    let report = ok(run(command.args(["--window", "12"])));
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["tokens"], scored.len());
    let found = report["perplexity"].as_f64().expect("a number");
    assert!((found / expected - 1.0).abs() < 1e-4, "{found}, not {expected}");
    let refused = run(command.args(["--window", "400"]));
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--window"), "{}", text(&refused.stderr));
}

#[test]
fn serve_continues_a_prompt_as_transformers_does_and_stops_in_order() {
    let server = Served::start(&["--name", "tiny"]);
    assert!(server.send("GET", "/health", "").starts_with("HTTP/1.1 200"));
    let (prompt, expected) = reference();
    let request = json!({
        "model": "tiny", "prompt": prompt, "max_tokens": expected.len(), "temperature": 0,
        "ignore_eos": true, "logprobs": 0,
    });
    let reply = server.send("POST", "/v1/completions", &request.to_string());
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.1 200"), "{reply}");
    let body: Value = serde_json::from_str(body).expect("JSON");
    let tokenizer: Value = serde_json::from_slice(
        &std::fs::read(checkpoint().join("tokenizer.json")).expect("it is there"),
    )
    .expect("JSON");
    let vocabulary = tokenizer["model"]["vocab"].as_object().expect("a vocabulary");
    let token = |id: &i64| {
        let found = vocabulary.iter().find(|(_, known)| known.as_i64() == Some(*id));
        // The byte-level alphabet's signs for a space and a line's end.
        found.map(|(token, _)| token.replace('Ġ', " ").replace('Ċ', "\n")).expect("a token")
    };
    let expected: Vec<String> = expected.iter().map(token).collect();
    assert_eq!(body["choices"][0]["logprobs"]["tokens"], json!(expected));
    assert_eq!(server.stop("TERM"), Some(0));
}

#[test]
fn a_port_in_use_is_named_and_ctrl_c_ends_with_130() {
    let server = Served::start(&[]);
    let port = server.address.rsplit(':').next().expect("a port");
    let output = run(tyto().arg("serve").arg(artifact()).args(["--port", port]));
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains(&server.address) && message.contains("in use"), "{message}");
    assert_eq!(server.stop("INT"), Some(130));
}
