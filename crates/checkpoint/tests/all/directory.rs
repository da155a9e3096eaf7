//! Model directories: shards, indexes, configurations, and the files that are not there.

use crate::common::{directory, f32_file, refused};
use tyto_checkpoint::{Checkpoint, Error, SourceKind};

const INDEX: &str = "model.safetensors.index.json";

fn shards() -> (Vec<u8>, Vec<u8>) {
    (f32_file(&[("a", &[2], &[1.0, 2.0])]), f32_file(&[("b", &[1], &[3.0]), ("c", &[1], &[4.0])]))
}

fn index(map: &str) -> Vec<u8> {
    format!(r#"{{"metadata":{{"total_size":1}},"weight_map":{{{map}}}}}"#).into_bytes()
}

#[test]
fn shards_are_one_checkpoint_and_total_size_is_not_believed() {
    let (one, two) = shards();
    let map = index(r#""c":"two.safetensors","a":"one.safetensors","b":"two.safetensors""#);
    let dir = directory(&[("one.safetensors", &one), ("two.safetensors", &two), (INDEX, &map)]);
    let checkpoint = Checkpoint::open(dir.path()).expect("valid");
    assert_eq!(checkpoint.names().collect::<Vec<_>>(), ["c", "a", "b"]);
    assert_eq!(checkpoint.kind(), SourceKind::Directory);
    assert_eq!(checkpoint.file_names(), ["one.safetensors", "two.safetensors"]);
    for (name, values) in [("a", &[1.0, 2.0][..]), ("b", &[3.0]), ("c", &[4.0])] {
        assert_eq!(checkpoint.tensor(name).expect("there").to_f32().expect("floats"), values);
    }
}

#[test]
fn only_what_the_index_names_is_read_a35() {
    let (one, two) = shards();
    let stray = f32_file(&[("a", &[2], &[9.0, 9.0]), ("stray", &[1], &[9.0])]);
    let map = index(r#""a":"one.safetensors","b":"two.safetensors""#);
    let dir = directory(&[
        ("model.safetensors", &stray),
        ("one.safetensors", &one),
        ("two.safetensors", &two),
        ("zzz.safetensors", b"not even a header"),
        (INDEX, &map),
    ]);
    let checkpoint = Checkpoint::open(dir.path()).expect("valid");
    assert_eq!(checkpoint.tensor("a").expect("there").to_f32().expect("floats"), [1.0, 2.0]);
    assert!(checkpoint.tensor("stray").is_none());
    assert!(checkpoint.tensor("c").is_none(), "in a shard, but not in the index");
}

#[test]
fn an_index_of_absent_shards_is_called_stale_a36() {
    let (one, _) = shards();
    let map = index(
        r#""a":"one.safetensors","b":"model-00002-of-00005.safetensors","c":"model-00003-of-00005.safetensors""#,
    );
    let dir = directory(&[("one.safetensors", &one), (INDEX, &map)]);
    let error = refused(
        Checkpoint::open(dir.path()),
        &[INDEX, "model-00002-of-00005.safetensors", "2 of 3", "stale"],
    );
    assert!(matches!(error, Error::MissingShard { .. }));
}

#[test]
fn a_tensor_absent_from_its_shard_is_named_with_it_a37() {
    let (one, two) = shards();
    let open = |map: &str| {
        let map = index(map);
        let dir = directory(&[("one.safetensors", &one), ("two.safetensors", &two), (INDEX, &map)]);
        Checkpoint::open(dir.path())
    };
    let wrong = r#""a":"one.safetensors","b":"one.safetensors","c":"two.safetensors""#;
    refused(open(wrong), &["\"b\"", "\"one.safetensors\"", "\"two.safetensors\" does"]);
    let nowhere = r#""a":"one.safetensors","d":"two.safetensors""#;
    refused(open(nowhere), &["\"d\"", "\"two.safetensors\"", "no shard does"]);
}

#[test]
fn an_index_cannot_point_outside_or_contradict_itself() {
    let (one, _) = shards();
    let open = |map: &[u8]| {
        let dir = directory(&[("one.safetensors", &one), (INDEX, map)]);
        Checkpoint::open(dir.path())
    };
    for shard in ["../one.safetensors", "/etc/passwd", "x/one.safetensors", "", ".", ".."] {
        refused(open(&index(&format!(r#""a":"{shard}""#))), &[INDEX, "weight_map[\"a\"]"]);
    }
    let twice = index(r#""a":"one.safetensors","a":"two.safetensors""#);
    refused(open(&twice), &[INDEX, "duplicate key", "\"a\""]);
    refused(open(b"{}"), &[INDEX, "weight_map"]);
    refused(open(b"[1,"), &[INDEX, "not valid JSON"]);
    refused(open(&index(r#""a":3"#)), &[INDEX, "\"a\""]);
}

#[test]
fn a_broken_shard_is_named() {
    let map = index(r#""a":"one.safetensors""#);
    let (mut one, _) = shards();
    one.truncate(one.len() - 1);
    let dir = directory(&[("one.safetensors", &one), (INDEX, &map)]);
    refused(Checkpoint::open(dir.path()), &["one.safetensors", "\"a\"", "[0, 8]"]);
}

#[test]
fn configuration_errors_name_the_file() {
    let (one, _) = shards();
    let open = |config: &[u8]| {
        let dir = directory(&[("config.json", config), ("model.safetensors", &one)]);
        Checkpoint::open(dir.path())
    };
    assert_eq!(
        open(b"{\"head_dim\":null}").expect("valid").config()["head_dim"],
        serde_json::Value::Null
    );
    refused(open(b""), &["config.json", "not valid JSON"]);
    refused(open(b"[]"), &["config.json", "an array", "an object"]);
    refused(open(b"{\"a\":\xff}"), &["config.json", "UTF-8"]);
    refused(
        open(br#"{"hidden_size":1,"hidden_size":2}"#),
        &["config.json", "duplicate", "hidden_size"],
    );
    let deep = format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    refused(open(deep.as_bytes()), &["config.json", "recursion"]);
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    let empty = tempfile::tempdir().expect("a temporary directory");
    refused(Checkpoint::open(empty.path()), &["config.json", "missing", ".gguf"]);
    std::fs::write(empty.path().join("model-q4.gguf"), b"GGUF").expect("written");
    refused(Checkpoint::open(empty.path()), &["config.json", "\"model-q4.gguf\""]);
    refused(Checkpoint::open(directory(&[]).path()), &["model.safetensors", INDEX]);
    let pickle = directory(&[("pytorch_model.bin", b"")]);
    refused(Checkpoint::open(pickle.path()), &["pytorch_model.bin", "pickle"]);
    let shard = directory(&[("model-00001-of-00002.safetensors", b"")]);
    refused(Checkpoint::open(shard.path()), &["model-00001-of-00002.safetensors", INDEX]);
}

#[test]
fn a_file_that_is_no_model_is_refused_with_a_hint() {
    let (one, _) = shards();
    let dir =
        directory(&[("model.safetensors", &one), ("notes.txt", b"hello"), ("empty.gguf", b"")]);
    let open = |name: &str| Checkpoint::open(&dir.path().join(name));
    refused(open("model.safetensors"), &["safetensors file", "directory"]);
    refused(open("notes.txt"), &["hell", "GGUF"]);
    refused(open("empty.gguf"), &["empty"]);
    refused(open("absent"), &["absent"]);
}

#[test]
fn text_files_are_copied_as_they_are() {
    let (one, _) = shards();
    let dir = directory(&[
        ("config.json", b"{ \"model_type\":\n\"llama\"}"),
        ("model.safetensors", &one),
        ("tokenizer.json", b"{}"),
        ("chat_template.jinja", b"{{ x }}"),
        ("README.md", b"no"),
    ]);
    let checkpoint = Checkpoint::open(dir.path()).expect("valid");
    let out = tempfile::tempdir().expect("a temporary directory");
    let names = checkpoint.write_text_files(out.path()).expect("written");
    assert_eq!(names, ["config.json", "tokenizer.json", "chat_template.jinja"]);
    for name in &names {
        let read = |dir: &std::path::Path| std::fs::read(dir.join(name)).expect("there");
        assert_eq!(read(out.path()), read(dir.path()), "{name}");
    }
    let error = checkpoint.write_text_files(&out.path().join("absent")).expect_err("no directory");
    assert!(error.to_string().contains("absent"), "{error}");
}

#[test]
fn an_absent_tokenizer_is_named() {
    let (one, _) = shards();
    let tokenizer = |files: &[(&str, &[u8])]| {
        let dir = directory(files);
        let checkpoint = Checkpoint::open(dir.path()).expect("valid");
        checkpoint.tokenizer_json().map(|_| ()).expect_err("absent").to_string()
    };
    let message = tokenizer(&[("model.safetensors", &one)]);
    assert!(message.contains("tokenizer.json") && message.contains("missing"), "{message}");
    let message = tokenizer(&[("model.safetensors", &one), ("tokenizer.model", b"")]);
    assert!(message.contains("SentencePiece"), "{message}");
}
