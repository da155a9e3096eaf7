//! Guesses ahead of a model.

use serde_json::{Value, json};

use crate::common::{artifact, checkpoint, compiled, copy, run, text, tyto};
use crate::served::Served;

/// A figure of `/metrics`.
fn figure(server: &Served, name: &str) -> u64 {
    let metrics = server.send("GET", "/metrics", "");
    let line = metrics.lines().find(|line| line.starts_with(&format!("{name}{{")));
    let value = line.and_then(|line| line.rsplit(' ').next()).expect("the figure");
    value.parse().expect("a count")
}

/// Texts and log probabilities of requests, and how many guesses were right and wrong.
fn answers(server: &Served, at_once: bool) -> (Vec<Value>, [u64; 2]) {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"enum": ["xyz", "xyzxyz"]}, "b": {"enum": ["xyz", "xyzxyz"]}},
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    let prompt: Vec<u32> = (0..30).map(|at| (at * 37 + 11) % 60).collect();
    let plain = json!({"prompt": prompt, "max_tokens": 40, "ignore_eos": true, "logprobs": 1});
    let request = |turn: u64| {
        let mut request = plain.clone();
        request["temperature"] = json!([0.0, 0.0, 0.3][turn as usize % 3]);
        request["seed"] = json!(turn);
        if turn % 2 == 1 {
            request["response_format"] =
                json!({"type": "json_schema", "json_schema": {"name": "s", "schema": schema}});
        }
        request.to_string()
    };
    let ask = |turn| {
        let reply = server.send("POST", "/v1/completions", &request(turn));
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200"), "{reply}");
        serde_json::from_str::<Value>(body).expect("JSON")
    };
    let bodies: Vec<Value> = match at_once {
        false => (0..6).map(ask).collect(),
        true => std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6).map(|turn| scope.spawn(move || ask(turn))).collect();
            threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
        }),
    };
    let count = |name: &str| {
        let details = |body: &Value| body["usage"]["completion_tokens_details"][name].as_u64();
        bodies.iter().map(|body| details(body).expect("a count")).sum()
    };
    let counts = ["accepted_prediction_tokens", "rejected_prediction_tokens"].map(count);
    (bodies.iter().map(|body| body["choices"].clone()).collect(), counts)
}

/// Greedy and drawn, free and in a schema's form, alone and together.
#[test]
fn guesses_change_no_answer_and_are_counted() {
    // In blocks: plain weights round by how prompts that come at once are cut.
    let folder = tempfile::tempdir().expect("a folder");
    for fixture in ["llama_tied", "llama_mlx_4bit"] {
        copy(&checkpoint().with_file_name(fixture), folder.path());
    }
    let model = folder.path().join("blocks.tyto");
    compiled(folder.path(), &model);
    let server = |speculate| {
        let mut command = tyto();
        command.arg("serve").arg(&model).args(["--port", "0", "--threads", "2"]);
        command.args(["--speculate", speculate]);
        Served::start_command(command)
    };
    let (plain, guessing) = (server("never"), server("always"));
    let (expected, counts) = answers(&plain, false);
    assert_eq!(counts, [0, 0]);
    let (mut right, mut wrong) = (0, 0);
    for at_once in [false, true] {
        let (found, [accepted, rejected]) = answers(&guessing, at_once);
        for (turn, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "request {turn}");
        }
        assert!(accepted > 5, "{accepted} guesses right, {rejected} wrong");
        (right, wrong) = (right + accepted, wrong + rejected);
    }
    assert_eq!(figure(&guessing, "tyto_accepted_tokens_total"), right);
    assert_eq!(figure(&guessing, "tyto_drafted_tokens_total"), right + wrong);
    assert_eq!(figure(&plain, "tyto_drafted_tokens_total"), 0);
}

/// The model as its own draft, which is always right; one that is mostly wrong; and one of another
/// tokenizer, which is refused.
#[test]
fn a_draft_guesses_for_a_model_with_its_tokenizer() {
    let folder = tempfile::tempdir().expect("a folder");
    let stranger = checkpoint().with_file_name("qwen3");
    let contrary = folder.path().join("contrary.tyto");
    compiled(&stranger, &contrary);
    let own = artifact().to_str().expect("text");
    let server = |options: &[&str]| Served::start(&[options, &["--threads", "2"]].concat());
    let ask = |server: &Served, turn: u64| -> Value {
        let prompt = format!("{turn} and a word");
        let request =
            json!({"prompt": prompt, "max_tokens": 30, "temperature": 0, "ignore_eos": true});
        let reply = server.send("POST", "/v1/completions", &request.to_string());
        let (_, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
        serde_json::from_str(body).expect("JSON")
    };
    let plain = server(&["--speculate", "never"]);
    for draft in [own, contrary.to_str().expect("text")] {
        let drafted = server(&["--draft", draft, "--speculate", "always"]);
        for turn in 0..3 {
            let (expected, found) = (ask(&plain, turn), ask(&drafted, turn));
            assert_eq!(found["choices"], expected["choices"]);
            let details = &found["usage"]["completion_tokens_details"];
            let count = |name: &str| details[name].as_u64().expect("a count");
            assert_eq!(count("rejected_prediction_tokens") == 0, draft == own, "{details}");
            assert_eq!(count("accepted_prediction_tokens") >= 20, draft == own, "{details}");
        }
    }

    copy(&stranger, folder.path());
    let tokenizer = folder.path().join("tokenizer.json");
    let mut json: Value =
        serde_json::from_slice(&std::fs::read(&tokenizer).expect("it is there")).expect("JSON");
    let vocabulary = json["model"]["vocab"].as_object_mut().expect("a vocabulary");
    let (a, b) = (vocabulary["a"].clone(), vocabulary["b"].clone());
    vocabulary.extend([("a".to_owned(), b), ("b".to_owned(), a)]);
    std::fs::write(&tokenizer, json.to_string()).expect("written");
    let other = folder.path().join("other.tyto");
    compiled(folder.path(), &other);
    let mut command = tyto();
    command.args(["run", own, "--prompt", "hi", "--draft"]).arg(&other);
    let output = run(&mut command);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in [own, "other.tyto", "cannot guess", "expected the same"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}
