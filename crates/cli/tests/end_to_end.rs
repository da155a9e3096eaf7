//! From a model directory to answers, with the binary alone. Needs IREE's compiler library,
//! which `tools/setup` installs.
#![cfg(feature = "compile")]

#[allow(dead_code, reason = "the store's own tests break their hub in more ways")]
#[path = "../../store/tests/hub/mod.rs"]
mod hub;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use safetensors::SafeTensors;
use serde_json::{Value, json};

/// A llama with random weights and transformers' answers to compare with.
fn checkpoint() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/llama")
}

fn tyto() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
    command.stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

fn ok(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The compiled checkpoint, made once for all tests.
fn artifact() -> &'static Path {
    static ARTIFACT: OnceLock<PathBuf> = OnceLock::new();
    ARTIFACT.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("end-to-end.tyto");
        let mut command = tyto();
        command.arg("compile").arg(checkpoint()).arg("-o").arg(&path).args(["--force", "--json"]);
        let report: Value = serde_json::from_str(&ok(run(&mut command))).expect("JSON");
        assert_eq!(report["architecture"], "llama");
        assert_eq!(report["modules_reused"], 0);
        path
    })
}

#[test]
fn a_second_compile_takes_everything_over() {
    let mut command = tyto();
    command.arg("compile").arg(checkpoint()).arg("-o").arg(artifact()).arg("--json");
    let report: Value = serde_json::from_str(&ok(run(&mut command))).expect("JSON");
    assert_eq!(report["modules_compiled"], 0);
    assert_eq!(report["weights_reused"], true);
    let mut command = tyto();
    let verified = ok(run(command.arg("inspect").arg(artifact()).arg("--verify")));
    assert!(verified.contains("every hash is right"), "{verified}");
}

/// The fixture's 40 and 72 columns divide into no groups.
#[test]
fn a_model_that_cannot_be_quantized_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint()).arg("-o").arg(folder.path().join("out.tyto"));
    let output = run(command.args(["--quantize", "affine-4"]));
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in ["no matrix can be quantized", "40 columns", "groups of 64"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn ctrl_c_ends_a_compile_with_130_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tyto();
    command.arg("compile").arg(checkpoint()).arg("-o").arg(folder.path().join("out.tyto"));
    // Slow enough to be stopped.
    command.args(["--kernels", "never"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let begun = lines.any(|line| line.expect("text").starts_with("compiling"));
    assert!(begun, "the compile ended before it began");
    signal("INT", &child);
    lines.for_each(|line| drop(line.expect("text")));
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 0);
}

fn signal(name: &str, child: &Child) {
    // The shell's own: a bare machine has no program of that name.
    let line = format!("kill -{name} {}", child.id());
    let status = Command::new("sh").arg("-c").arg(line).status();
    assert!(status.expect("the shell runs").success());
}

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

/// A server on a free port, stopped when the test ends.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(options: &[&str]) -> Self {
        let mut command = tyto();
        command.arg("serve").arg(artifact()).args(["--port", "0"]).args(options);
        Self::start_command(command)
    }

    fn start_command(mut command: Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary runs");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("text");
        let address = line.trim().strip_prefix("listening on http://").expect("the address");
        Self { address: address.to_owned(), child }
    }

    /// Sends one request and gives status line, headers and body as they came.
    fn send(&self, method: &str, path: &str, body: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).expect("the server listens");
        let length = body.len();
        let host = &self.address;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        socket.write_all(head.as_bytes()).expect("the server reads");
        let mut reply = String::new();
        socket.read_to_string(&mut reply).expect("the server answers");
        reply
    }

    fn stop(mut self, name: &str) -> Option<i32> {
        signal(name, &self.child);
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Already ended, unless an assertion failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The prompt of the reference, and transformers' greedy continuation of it.
fn reference() -> (Vec<i64>, Vec<i64>) {
    let bytes = std::fs::read(checkpoint().join("reference.safetensors")).expect("the fixture");
    let tensors = SafeTensors::deserialize(&bytes).expect("the fixture is valid");
    let ids = |name: &str| -> Vec<i64> {
        let data = tensors.tensor(name).expect("the fixture has it").data().to_vec();
        data.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().expect("8 bytes"))).collect()
    };
    let (prompt, whole) = (ids("input_ids"), ids("greedy"));
    let continuation = whole[prompt.len()..].to_vec();
    (prompt, continuation)
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
        for entry in std::fs::read_dir(checkpoint().with_file_name(fixture)).expect("the fixture") {
            let path = entry.expect("it is readable").path();
            let copy = folder.path().join(path.file_name().expect("a name"));
            std::fs::copy(&path, copy).expect("a copy");
        }
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

/// An artifact of `source`.
fn compiled(source: &Path, output: &Path) {
    let mut command = tyto();
    command.arg("compile").arg(source).arg("-o").arg(output);
    ok(run(command.arg("--json")));
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

    for entry in std::fs::read_dir(&stranger).expect("the fixture") {
        let path = entry.expect("it is readable").path();
        let copy = folder.path().join(path.file_name().expect("a name"));
        std::fs::copy(&path, copy).expect("a copy");
    }
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

/// A model directory in an artifact's place, twice; then as one of two models of a server.
#[test]
fn a_model_directory_is_compiled_once_and_served_beside_others() {
    let home = tempfile::tempdir().expect("a folder");
    let at_home = |arguments: &[&str]| {
        let mut command = tyto();
        command.env("TYTO_HOME", home.path()).args(arguments);
        command
    };
    let directory = checkpoint();
    let directory = directory.to_str().expect("text");
    let answer = || {
        let output = run(at_home(&["run", directory, "--ctx", "64", "--temperature", "0"])
            .args(["--prompt", "hi", "-n", "3", "--quiet"]));
        let message = text(&output.stderr);
        (ok(output), message)
    };
    let (first, second) = (answer(), answer());
    assert!(
        first.1.contains("this is done once") && !second.1.contains("done once"),
        "{}",
        second.1
    );
    assert_eq!(first.0, second.0);
    let listed = ok(run(&mut at_home(&["list"])));
    assert!(listed.contains("compiled from") && listed.contains("llama"), "{listed}");

    let mut command = at_home(&["serve", directory, "--ctx", "64"]);
    command.arg(directory).args(["--name", "a", "--name", "b", "--port", "0"]);
    let server = Served::start_command(command);
    let models = server.send("GET", "/v1/models", "");
    assert_eq!(models.matches("\"state\":\"unloaded\"").count(), 2, "{models}");
    let request = json!({"model": "b", "prompt": "hi", "max_tokens": 2, "temperature": 0});
    let reply = server.send("POST", "/v1/completions", &request.to_string());
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("\"model\":\"b\""), "{reply}");
    let request = json!({"model": "c", "prompt": "hi"});
    assert!(server.send("POST", "/v1/completions", &request.to_string()).contains(" 404 "));
    assert_eq!(server.stop("TERM"), Some(0));

    let removed = ok(run(&mut at_home(&["rm", "--compiled"])));
    assert!(removed.contains("removed 1"), "{removed}");
    let left = std::fs::read_dir(home.path().join("artifacts")).expect("a folder").count();
    assert_eq!(left, 0);
}

/// A hub's model, asked for by name: loaded with the token, compiled, found again without a hub,
/// and removed with what was compiled of it.
#[test]
fn a_hubs_model_is_loaded_compiled_and_run_by_its_name() {
    let home = tempfile::tempdir().expect("a folder");
    let files: Vec<(String, Vec<u8>)> = std::fs::read_dir(checkpoint())
        .expect("the fixture is there")
        .map(|entry| entry.expect("it is readable").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a file"))
        })
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let hub = hub::TestHub::new("acme/owl", "0123abcd", &files);
    hub.ask_for("secret");
    let at_hub = |arguments: &[&str], offline: &str| {
        let mut command = tyto();
        command.env("TYTO_HOME", home.path()).env("HF_ENDPOINT", hub.url());
        command.env("HF_TOKEN", "secret").env("HF_HUB_OFFLINE", offline).args(arguments);
        command
    };
    let ask = ["run", "acme/owl", "--ctx", "64", "--temperature", "0", "--prompt", "hi", "-n", "3"];
    let absent = run(&mut at_hub(&ask, "1"));
    assert!(text(&absent.stderr).contains("offline"), "{}", text(&absent.stderr));
    let first = ok(run(&mut at_hub(&ask, "")));
    let asked = hub.requests().len();
    let second = run(&mut at_hub(&ask, "1"));
    assert!(!text(&second.stderr).contains("done once"), "{}", text(&second.stderr));
    assert_eq!((ok(second), hub.requests().len()), (first, asked));
    let pulled = ok(run(&mut at_hub(&["pull", "acme/owl"], "")));
    assert!(pulled.contains("0123abcd"), "{pulled}");
    let removed = ok(run(&mut at_hub(&["rm", "acme/owl"], "")));
    assert!(removed.contains("and 1 compiled from it"), "{removed}");
    assert!(ok(run(&mut at_hub(&["list"], ""))).contains("tyto pull"), "nothing is left");
}

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

fn post(server: &Served, path: &str, body: &Value) -> (String, Value) {
    let reply = server.send("POST", path, &body.to_string());
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    (head.to_owned(), serde_json::from_str(body).expect("JSON"))
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

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, target).expect("a copy");
        }
    }
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
