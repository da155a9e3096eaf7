//! The binary as a shell sees it: exit codes, streams, messages. No model is compiled here.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tyto_artifact::{
    ArtifactWriter, CancelFlag, CompilerVersions, HostTarget, KvLayer, Manifest, ModelFacts,
    Pooled, PooledKind, Pooling, SCHEMA_VERSION, Target, WeightFile,
};

fn tyto(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
    command.args(arguments).env_remove("NO_COLOR").stdin(std::process::Stdio::null());
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

/// A command that must be refused as the user's mistake; gives what it said.
fn refused(arguments: &[&str]) -> String {
    let output = tyto(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stdout));
    message
}

fn stdout(arguments: &[&str]) -> String {
    let output = tyto(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// An artifact with no code in it, for `arch` with `features`.
fn artifact(path: &Path, arch: &str, features: &[&str]) {
    artifact_of(facts(), path, arch, features);
}

/// The same of this model, with a tokenizer that fits it.
fn artifact_of(model: ModelFacts, path: &Path, arch: &str, features: &[&str]) {
    let mut writer = ArtifactWriter::new(path, CancelFlag::default()).expect("a new artifact");
    writer.write("code/cpu/main.vmfb", b"no code").expect("room for a file");
    writer.write("weights/w.bin", &[7; 4096]).expect("room for a file");
    for name in ["tokenizer.json", "tokenizer_config.json"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/llama");
        let bytes = std::fs::read(source.join(name)).expect("the fixture");
        writer.write(&format!("tokenizer/{name}"), &bytes).expect("room for a file");
    }
    let target = Target {
        name: "cpu".to_owned(),
        driver: "local-task".to_owned(),
        arch: arch.to_owned(),
        cpu_features: features.iter().map(|name| (*name).to_owned()).collect(),
        modules: vec!["code/cpu/main.vmfb".to_owned()],
        entries: Vec::new(),
        choices: Vec::new(),
        compile_flags: Vec::new(),
        weights: "weights/w.bin".to_owned(),
        phases: None,
        cache_blocks: None,
        pm4_entries: Vec::new(),
    };
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        tyto_version: String::new(),
        model,
        targets: vec![target],
        weights: vec![WeightFile { path: "weights/w.bin".to_owned(), tensors: Vec::new() }],
        compiler: CompilerVersions::default(),
        inputs: String::new(),
        files: Default::default(),
    };
    writer.finish(manifest).expect("a whole artifact");
}

fn facts() -> ModelFacts {
    ModelFacts {
        name: "tiny".to_owned(),
        architecture: "llama".to_owned(),
        source_files: vec!["model.safetensors".to_owned()],
        parameter_count: 42_600,
        vocab_size: 128,
        context_length: 64,
        layers: 2,
        dtype: "bf16".to_owned(),
        kv: vec![KvLayer { heads: 2, head_dim: 8 }; 2],
        kv_dtype: "bf16".to_owned(),
        block_size: 16,
        default_blocks: 9,
        pooled: None,
    }
}

#[test]
fn every_command_explains_itself_with_examples() {
    let whole = stdout(&["--help"]);
    for command in [
        "compile",
        "run",
        "serve",
        "bench",
        "perplexity",
        "pull",
        "list",
        "rm",
        "inspect",
        "completions",
    ] {
        assert!(whole.contains(command), "{command}");
        let help = stdout(&[command, "--help"]);
        assert!(help.contains("Examples:\n  "), "{command}: {help}");
    }
    stdout(&["doctor", "--help"]);
    assert!(stdout(&["--version"]).starts_with("tyto "));
}

#[test]
fn mistakes_on_the_command_line_exit_with_2() {
    for (arguments, named) in [
        (&["compil"][..], "compile"),
        (&["run"], "<MODEL>"),
        (&["run", "m.tyto", "--prompt", "hi", "--ctx", "9"], "compiled already"),
        (&["serve", "a.tyto", "b.tyto", "--name", "one"], "a name for each"),
        (&["serve", "a.tyto", "--tls-cert", "c.pem"], "--tls-key"),
        (&["pull", "nobody"], "OWNER/NAME"),
        (&["rm"], "NAMES"),
        (&["run", "m.tyto", "--temperature", "9"], "from 0 to 2"),
        (&["run", "m.tyto", "--threads", "0"], "--threads"),
        (&["run", "m.tyto", "--cache", "much"], "512MiB"),
        (&["run", "m.tyto", "--cache", "1g", "--sequences", "2"], "cannot be used with"),
        (&["compile", "m", "-o", "m.tyto", "--quantize", "q5_0"], "affine-8"),
        (&["compile", "m", "-o", "m.tyto", "--quantize", "q4_0", "--dtype", "f16"], "--dtype"),
        (&["serve", "m.tyto", "--port", "70000"], "70000"),
        (
            &["serve", "m.tyto", "--otlp-endpoint", "localhost:4318"],
            "--otlp-endpoint is \"localhost",
        ),
        (&["bench", "m.tyto", "--repetitions", "0"], "--repetitions"),
        (&["perplexity", "m.tyto"], "--file"),
        (&["perplexity", "m.tyto", "--file", "/nowhere/a.txt"], "/nowhere/a.txt"),
        (&["completions", "tcl"], "bash"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(named), "{arguments:?}: {message}");
    }
}

#[test]
fn a_missing_artifact_is_named_with_the_command_that_makes_it() {
    for command in ["run", "serve", "bench", "inspect"] {
        let mut arguments = vec![command, "nowhere.tyto"];
        if command == "run" {
            arguments.extend(["--prompt", "hi"]);
        }
        let message = refused(&arguments);
        assert!(message.contains("nowhere.tyto") && message.contains("tyto compile"), "{message}");
    }
}

/// The binary with a store of its own, and no hub.
fn tyto_at(home: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
    command.env("TYTO_HOME", home).env("HF_HUB_OFFLINE", "1").env_remove("HF_ENDPOINT");
    let output = command.args(arguments).stdin(std::process::Stdio::null()).output();
    let output = output.expect("the binary runs");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_store_is_listed_and_what_is_not_in_it_is_said() {
    let home = tempfile::tempdir().expect("a folder");
    let (code, listed, _) = tyto_at(home.path(), &["list"]);
    assert!(code == Some(0) && listed.contains("tyto pull"), "{listed}");
    let (_, listed, _) = tyto_at(home.path(), &["list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["models"], Value::Array(Vec::new()));
    for (arguments, words) in [
        (&["pull", "acme/owl"][..], "acme/owl is not in the store"),
        (&["rm", "acme/owl"], "acme/owl is not in the store"),
        (&["run", "acme/owl", "--prompt", "hi"], "acme/owl is no file here"),
        (&["serve", "acme/owl@v1:Q4_0", "--port", "0"], "offline"),
        (&["run", "no-such-model", "--prompt", "hi"], "not found"),
    ] {
        let (code, _, message) = tyto_at(home.path(), arguments);
        assert!(code == Some(2) && message.contains(words), "{arguments:?}: {message}");
    }
    assert!(!home.path().join("models").exists(), "nothing was made");
}

/// What the examples for several machines run is a command that this binary knows: it asks for
/// the artifact and for nothing else.
#[test]
fn the_commands_of_the_scale_out_examples_are_known() {
    let unit = include_str!("../../../tools/scale-out/systemd/tyto@.service");
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/tyto "));
    let line =
        line.expect("the unit starts tyto").replace("%i", "smollm2").replace(" $OPTIONS", "");
    let of_unit: Vec<&str> = line.split(' ').collect();

    let pod = include_str!("../../../tools/scale-out/kubernetes/servers.yaml");
    let (_, rest) = pod.split_once("args:\n").expect("the pod has arguments");
    let mut of_pod = vec!["serve"];
    of_pod.extend(
        rest.lines()
            .map_while(|line| line.trim_start().strip_prefix("- "))
            .take_while(|a| !a.starts_with("name: ")),
    );

    let image = include_str!("../../../tools/scale-out/Containerfile");
    let list = |name: &str| -> Vec<String> {
        let line =
            image.lines().find_map(|line| line.strip_prefix(name)).expect("the line is there");
        serde_json::from_str(line).expect("a list")
    };
    let (entry, default) = (list("ENTRYPOINT "), list("CMD "));
    let of_image: Vec<&str> = entry.iter().skip(1).chain(&default).map(String::as_str).collect();

    for arguments in [of_unit, of_pod, of_image] {
        assert!(arguments.len() > 5, "{arguments:?}");
        let message = refused(&arguments);
        assert!(message.contains(arguments[1]), "{arguments:?}: {message}");
        assert!(!message.contains("Usage"), "{arguments:?}: {message}");
    }
}

#[test]
fn an_empty_prompt_is_refused() {
    assert!(refused(&["run", "m.tyto", "--prompt", " "]).contains("empty"));
    // Standard input is empty, too.
    assert!(refused(&["run", "m.tyto"]).contains("empty"));
}

#[test]
fn an_artifact_is_shown_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiny.tyto");
    artifact(&path, std::env::consts::ARCH, &[]);
    let path = path.to_str().expect("a plain path");
    let shown = stdout(&["inspect", path]);
    for part in
        ["tiny: llama, 42.6 K parameters, 2 layers", "64 tokens", "runs here", "not verified"]
    {
        assert!(shown.contains(part), "{part:?} is not in:\n{shown}");
    }
    // Two layers, keys and values, 2 heads of 8, bf16, 9 blocks of 16 positions.
    let cache = 2 * 2 * 2 * 8 * 2 * 9 * 16;
    let json = stdout(&["inspect", path, "--verify", "--json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["memory"]["cache_bytes"], cache);
    assert_eq!(json["memory"]["weights_bytes"], 4096);
    assert_eq!(json["verified"], true);
    assert_eq!(json["manifest"]["model"]["context_length"], 64);
}

/// A model that makes no text, and keeps nothing of those it reads.
fn pooled_facts(kind: PooledKind) -> ModelFacts {
    let pooled = Pooled {
        kind,
        pooling: Pooling::Mean,
        width: 20,
        normalize: true,
        whole: true,
        segments: 1,
        logistic: false,
        prompts: Default::default(),
        default_prompt: None,
    };
    ModelFacts { kv: Vec::new(), pooled: Some(pooled), ..facts() }
}

/// Artifacts of a model of text, one of vectors and one of scores, by these names.
fn one_of_each_kind(folder: &Path) -> [String; 3] {
    let of = |name: &str, model: ModelFacts| {
        let path = folder.join(name);
        artifact_of(model, &path, std::env::consts::ARCH, &[]);
        path.to_str().expect("a plain path").to_owned()
    };
    [
        of("words.tyto", facts()),
        of("vectors.tyto", pooled_facts(PooledKind::Embedding)),
        of("scores.tyto", pooled_facts(PooledKind::Rerank)),
    ]
}

/// The kind is told before anything else that may be wrong with the options: each command has one
/// that it would refuse for a model of text.
#[test]
fn commands_that_write_text_refuse_other_kinds_with_what_serves_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let [words, vectors, scores] = one_of_each_kind(folder.path());
    let file = folder.path().join("text.txt");
    std::fs::write(&file, "a short text").expect("written");
    let file = file.to_str().expect("a plain path");
    for (model, does, endpoint) in [
        (&vectors, "makes vectors of texts", "/v1/embeddings"),
        (&scores, "scores documents for a query", "/v1/rerank"),
    ] {
        for arguments in [
            &["run", model, "--prompt", "hi", "--cache", "1"][..],
            &["run", model, "--prompt", "hi", "--draft", &words],
            &["bench", model, "--prompt-tokens", "4096", "--draft", "nowhere.tyto"],
            &["bench", model, "--profile", "--generate-tokens", "4096"],
            &["perplexity", model, "--file", file, "--window", "4096"],
        ] {
            let message = refused(arguments);
            let expected = format!(
                "{model}: found a model that {does}, expected one that writes text: `tyto serve` \
                 serves it, at {endpoint}"
            );
            assert!(message.contains(&expected), "{arguments:?}: {message}");
        }
    }
}

#[test]
fn only_models_of_text_guess_and_only_for_models_of_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let [words, vectors, scores] = one_of_each_kind(folder.path());
    for (command, rest) in [("run", &["--prompt", "hi"][..]), ("serve", &["--port", "0"])] {
        for (draft, does) in
            [(&vectors, "makes vectors of texts"), (&scores, "scores documents for a query")]
        {
            let message = refused(&[&[command, &words, "--draft", draft], rest].concat());
            let expected = format!(
                "{draft} cannot guess for {words}: it {does} and writes no text; expected a model \
                 of text with the same tokenizer"
            );
            assert!(message.contains(&expected), "{message}");
        }
    }
    for (model, does) in
        [(&vectors, "makes vectors of texts"), (&scores, "scores documents for a query")]
    {
        // A draft of its own kind is of no more use than one of text.
        for draft in [&words, model] {
            let message = refused(&["serve", model, "--port", "0", "--draft", draft]);
            let expected = format!("the model {does} and writes no text: --draft is of no use");
            assert!(message.contains(&expected), "{message}");
        }
    }
    // Of the right kind, it is the target that is found wanting.
    let message = refused(&["serve", &words, "--port", "0", "--draft", &words]);
    assert!(message.contains("checks no guesses"), "{message}");
}

#[test]
fn perplexity_refuses_to_be_told_to_guess() {
    for guesses in
        [&["--draft", "d.tyto"][..], &["--speculate", "always"], &["--speculate", "paid"]]
    {
        let arguments = [&["perplexity", "m.tyto", "--file", "/nowhere/a.txt"], guesses].concat();
        let message = refused(&arguments);
        let expected = format!("{}: no token is guessed where a text is scored", guesses.join(" "));
        assert!(message.contains(&expected), "{message}");
    }
    let never = ["perplexity", "m.tyto", "--file", "/nowhere/a.txt", "--speculate", "never"];
    assert!(refused(&never).contains("/nowhere/a.txt"));
}

#[test]
fn a_model_without_a_cache_is_shown_without_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let [words, vectors, _] = one_of_each_kind(folder.path());
    let shown = stdout(&["inspect", &words]);
    assert!(shown.contains(" of cache") && shown.contains("--cache SIZE"), "{shown}");
    assert!(shown.contains("plain weights bf16, cache bf16"), "{shown}");
    let shown = stdout(&["inspect", &vectors]);
    assert!(shown.contains("4.00 KiB of weights, mapped\n"), "{shown}");
    assert!(shown.contains("keeps nothing of its texts, so it has no cache"), "{shown}");
    for absent in ["of cache", "--cache", "cache bf16", "cache holds"] {
        assert!(!shown.contains(absent), "{absent:?} is in:\n{shown}");
    }
}

#[test]
fn a_flipped_bit_is_found_and_its_file_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiny.tyto");
    artifact(&path, std::env::consts::ARCH, &[]);
    let weights = path.join("weights/w.bin");
    let mut bytes = std::fs::read(&weights).expect("the file is there");
    bytes[1234] ^= 1;
    std::fs::write(&weights, bytes).expect("the file is ours");
    let path = path.to_str().expect("a plain path");
    stdout(&["inspect", path]);
    let message = refused(&["inspect", path, "--verify", "--json"]);
    assert!(message.contains("weights/w.bin") && message.contains("damaged"), "{message}");
    // Before anything is loaded, of every model that is to be served, and of a draft.
    let sound = folder.path().join("sound.tyto");
    artifact(&sound, std::env::consts::ARCH, &[]);
    let sound = sound.to_str().expect("a plain path");
    for arguments in [
        &["serve", path, "--port", "0", "--verify"][..],
        &["serve", sound, path, "--port", "0", "--verify", "--name", "a", "--name", "b"],
        &["serve", sound, "--port", "0", "--verify", "--draft", path],
        &["run", path, "--verify", "--prompt", "hi"],
    ] {
        let message = refused(arguments);
        assert!(message.contains("tiny.tyto/weights/w.bin"), "{arguments:?}: {message}");
        assert!(message.contains("damaged") && message.contains("verifying"), "{message}");
    }
    // What it has for code is none; that is found later.
    let message = text(&tyto(&["run", sound, "--verify", "--prompt", "hi"]).stderr);
    assert!(message.contains("verifying") && !message.contains("damaged"), "{message}");
}

#[test]
fn an_option_for_recurrent_layers_says_where_it_has_no_effect() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiny.tyto");
    artifact(&path, std::env::consts::ARCH, &[]);
    let path = path.to_str().expect("a plain path");
    let run = ["run", path, "--prompt", "hi"];
    let said = |arguments: &[&str]| text(&tyto(arguments).stderr);
    let (with, without) = (said(&[&run[..], &["--snapshots", "4"]].concat()), said(&run));
    assert!(with.contains("--snapshots has no effect"), "{with}");
    assert!(!without.contains("--snapshots"), "{without}");
}

#[test]
fn another_machines_artifact_is_shown_but_not_run_f11() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiny.tyto");
    artifact(&path, "z80", &[]);
    let path = path.to_str().expect("a plain path");
    assert!(stdout(&["inspect", path]).contains("does not run here: needs a z80 machine"));
    let json: Value = serde_json::from_str(&stdout(&["inspect", path, "--json"])).expect("JSON");
    assert_eq!(json["target"], Value::Null);
    let message = refused(&["run", path, "--prompt", "hi"]);
    let host = HostTarget::detect().to_string();
    assert!(message.contains("z80") && message.contains(&host), "{message}");
}

#[test]
fn what_cannot_be_compiled_is_refused_before_any_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().to_str().expect("a plain path");
    let output = format!("{source}/out.tyto");
    if cfg!(feature = "compile") {
        assert!(refused(&["compile", source, "-o", "out"]).contains("out.tyto"));
        assert!(refused(&["compile", source, "-o", &output]).contains("config.json"));
        let message = refused(&["compile", source, "-o", &output, "--target", "abacus"]);
        assert!(message.contains("abacus") && message.contains("cpu:x86-64-v3"), "{message}");
        let quantize = ["compile", source, "-o", &output, "--quantize", "q4_0"];
        let message = refused(&[&quantize[..], &["--kernels", "never"]].concat());
        assert!(message.contains("--quantize") && message.contains("--kernels never"), "{message}");
    } else {
        assert!(refused(&["compile", source, "-o", &output]).contains("no compiler"));
    }
    assert!(!Path::new(&output).exists());
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&["completions", shell]).contains("inspect"), "{shell}");
    }
}

#[test]
fn doctor_reports_for_people_and_for_scripts() {
    let shown = stdout(&["doctor"]);
    for part in ["processor", "cores", "memory", "runtime     works", "compiler"] {
        assert!(shown.contains(part), "{part:?} is not in:\n{shown}");
    }
    let json: Value = serde_json::from_str(&stdout(&["doctor", "--json"])).expect("JSON");
    assert_eq!(json["target"], HostTarget::detect().to_string());
    assert!(json["machine"]["memory_total"].as_u64().is_some_and(|bytes| bytes > 0));
}

#[test]
fn arch_lists_what_is_proven() {
    let shown = stdout(&["arch"]);
    assert!(shown.lines().any(|line| line.starts_with("llama ")), "{shown}");
    let json: Value = serde_json::from_str(&stdout(&["arch", "--json"])).expect("JSON");
    for row in json.as_array().expect("a list") {
        assert!(row["proof"]["error"].as_f64().is_some_and(|error| error < 1e-4), "{row}");
        assert!(!row["proof"]["fixtures"].as_array().expect("a list").is_empty(), "{row}");
    }
    for name in ["qwen3", "Qwen3ForCausalLM"] {
        let one = stdout(&["arch", name]);
        assert!(one.contains("hidden_size") && one.contains("tie_word_embeddings"), "{one}");
    }
    assert!(refused(&["arch", "qwen17"]).contains("no architecture is called"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tyto"))
        .args(["completions", "bash"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // Closed before anything was read; more than a pipe holds is written only by some shells,
    // so either end is clean.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn no_color_is_obeyed() {
    let error = |name: &str, value: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tyto"));
        let command = command.args(["inspect", "nowhere.tyto"]).env("CLICOLOR_FORCE", "1");
        text(&command.env(name, value).output().expect("the binary runs").stderr)
    };
    assert!(error("UNRELATED", "1").contains('\u{1b}'));
    assert!(!error("NO_COLOR", "1").contains('\u{1b}'));
}
