//! Models from a hub of the tests' own, which speaks the Hugging Face Hub's API on loopback.

mod hub;

use std::time::Duration;

use serde_json::json;
use sha2::{Digest, Sha256};
use tyto_store::{Error, Hub, HubName, Store, StoredModel};

use hub::TestHub;

const WEIGHTS: &[u8] = b"weights, of which there are many";

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A repository with a model directory and what nobody reads.
fn repository() -> TestHub {
    TestHub::new(
        "acme/owl",
        "0123abcd",
        &[
            ("config.json", b"{}"),
            ("model.safetensors", WEIGHTS),
            ("tokenizer.json", b"{\"a\": 1}"),
            ("README.md", b"words"),
            ("onnx/model.onnx", b"another form"),
        ],
    )
}

struct Place {
    folder: tempfile::TempDir,
    store: Store,
    hub: Hub,
}

impl Place {
    fn new(hub: &TestHub, token: Option<&str>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("tyto"));
        let hub = Hub::at(&hub.url(), token.map(str::to_owned), Duration::ZERO);
        Self { folder, store, hub }
    }

    fn pull(&self, name: &str) -> Result<StoredModel, Error> {
        self.hub.pull(&self.store, &name.parse().expect("a name"), &mut |_| {})
    }

    fn find(&self, name: &str) -> Option<StoredModel> {
        self.store.find(&name.parse().expect("a name")).expect("the store is readable")
    }
}

#[test]
fn a_model_comes_whole_and_is_found_listed_and_removed() {
    let hub = repository();
    let place = Place::new(&hub, None);
    assert!(place.find("acme/owl").is_none());
    let mut seen = Vec::new();
    let name: HubName = "acme/owl".parse().expect("a name");
    let model = place
        .hub
        .pull(&place.store, &name, &mut |progress| seen.push((progress.done, progress.total)))
        .expect("it is there");
    let mut files: Vec<&str> = model.files.iter().map(|file| file.name.as_str()).collect();
    files.sort_unstable();
    assert_eq!(files, ["config.json", "model.safetensors", "tokenizer.json"]);
    let all = model.bytes();
    assert_eq!((model.commit.as_str(), seen.last()), ("0123abcd", Some(&(all, all))));
    assert_eq!(std::fs::read(model.path.join("model.safetensors")).expect("it is there"), WEIGHTS);
    for name in ["acme/owl", "acme/owl@0123abcd", "acme/owl@main"] {
        assert_eq!(place.find(name).map(|found| found.path), Some(model.path.clone()), "{name}");
    }
    assert!(place.find("acme/owl@other").is_none() && place.find("acme/cat").is_none());
    assert_eq!(place.store.list().expect("a list"), [model]);
    // Again: nothing but the list of files is asked for.
    hub.forget_requests();
    place.pull("acme/owl").expect("it is there");
    assert_eq!(hub.requests().len(), 1);

    assert_eq!(place.store.remove(&name).expect("it is there").len(), 1);
    assert!(place.find("acme/owl").is_none());
    assert!(matches!(place.store.remove(&name), Err(Error::Absent { .. })));
    assert!(place.folder.path().join("tyto/models").read_dir().expect("a folder").next().is_none());
}

#[test]
fn a_file_that_breaks_off_is_gone_on_with() {
    let hub = repository();
    let place = Place::new(&hub, None);
    // Every reply ends after ten bytes.
    hub.cut_after(10);
    place.pull("acme/owl").expect("it comes in pieces");
    let ranges: Vec<String> =
        hub.requests().into_iter().filter(|request| request.contains("elsewhere")).collect();
    assert_eq!(ranges.len(), 4, "{ranges:?}");
    assert!(ranges[1].contains("range: bytes=10-") && ranges[3].contains("range: bytes=30-"));
    let found = place.find("acme/owl").expect("complete");
    assert_eq!(std::fs::read(found.path.join("model.safetensors")).expect("a file"), WEIGHTS);
}

#[test]
fn what_an_earlier_pull_has_left_is_taken_over() {
    let hub = repository();
    let place = Place::new(&hub, None);
    hub.cut_after(7);
    hub.refuse_after(2);
    let error = place.pull("acme/owl").expect_err("the hub is gone");
    assert!(matches!(error, Error::Network { .. }), "{error}");
    assert!(place.find("acme/owl").is_none() && place.store.list().expect("a list").is_empty());
    hub.cut_after(usize::MAX);
    hub.refuse_after(usize::MAX);
    // A hub that does not know ranges sends the whole file.
    for knows_ranges in [true, false] {
        hub.know_ranges(knows_ranges);
        let found = place.pull("acme/owl").expect("it goes on");
        assert_eq!(std::fs::read(found.path.join("model.safetensors")).expect("a file"), WEIGHTS);
        let part = found.path.join("model.safetensors.part");
        std::fs::rename(found.path.join("model.safetensors"), &part).expect("a file");
        std::fs::write(&part, &WEIGHTS[..5]).expect("a part of it");
        assert!(place.find("acme/owl").is_none(), "a file is missing");
    }
}

#[test]
fn a_file_of_another_size_or_hash_is_refused_and_removed() {
    for (fact, value) in
        [("size", json!(31)), ("lfs", json!({"sha256": sha256(b"other"), "size": 32}))]
    {
        let hub = repository();
        hub.claim("model.safetensors", fact, value);
        let place = Place::new(&hub, None);
        let error = place.pull("acme/owl").expect_err("damaged");
        assert!(
            matches!(&error, Error::Damaged { file, .. } if file == "model.safetensors"),
            "{error}"
        );
        assert!(place.find("acme/owl").is_none());
    }
    let hub = repository();
    hub.claim("model.safetensors", "lfs", json!({"sha256": sha256(WEIGHTS), "size": 32}));
    let place = Place::new(&hub, None);
    let path = place.pull("acme/owl").expect("right").path;
    // Damaged on the disk: loaded again.
    std::fs::write(path.join("model.safetensors"), [b'x'; WEIGHTS.len()]).expect("a file");
    place.pull("acme/owl").expect("right");
    assert_eq!(std::fs::read(path.join("model.safetensors")).expect("a file"), WEIGHTS);
}

#[test]
fn a_private_model_needs_its_token_and_others_do_not_exist() {
    let hub = repository();
    hub.ask_for("secret");
    let refused = |token: Option<&str>| match Place::new(&hub, token).pull("acme/owl") {
        Err(Error::Refused { status, advice, .. }) => (status, advice),
        other => panic!("{other:?}"),
    };
    assert!(refused(None).1.contains("HF_TOKEN"));
    assert_eq!(refused(Some("wrong")).0, 401);
    let place = Place::new(&hub, Some("secret"));
    place.pull("acme/owl").expect("it opens");
    for name in ["acme/cat", "acme/owl@other"] {
        let error = place.pull(name).expect_err("absent");
        assert!(matches!(error, Error::Refused { status: 404, .. }), "{error}");
    }
    let nobody = Hub::at("http://127.0.0.1:1", None, Duration::ZERO);
    let error = nobody.pull(&place.store, &"a/b".parse().expect("a name"), &mut |_| {});
    assert!(matches!(error, Err(Error::Network { .. })));
}

#[test]
fn revisions_and_files_are_models_of_their_own() {
    let files: &[(&str, &[u8])] = &[("m-Q4_0.gguf", b"four"), ("m-Q8_0.gguf", b"eight")];
    let hub = TestHub::new("acme/owl-GGUF", "0123abcd", files);
    let place = Place::new(&hub, None);
    assert!(matches!(place.pull("acme/owl-GGUF"), Err(Error::Files { .. })));
    let four = place.pull("acme/owl-GGUF:Q4_0").expect("one").path;
    let eight = place.pull("acme/owl-GGUF:m-Q8_0.gguf").expect("one").path;
    assert_eq!(std::fs::read(&four).expect("a file"), b"four");
    assert_eq!(std::fs::read(&eight).expect("a file"), b"eight");
    hub.move_on("4567cdef", "m-Q4_0.gguf", b"FOUR");
    let newer = place.pull("acme/owl-GGUF:Q4_0").expect("one").path;
    assert_eq!(std::fs::read(&newer).expect("a file"), b"FOUR");
    assert_eq!(std::fs::read(&four).expect("the older commit stays"), b"four");
    assert_eq!(place.store.list().expect("a list").len(), 3);
    let name: HubName = "acme/owl-GGUF:Q4_0".parse().expect("a name");
    assert_eq!(place.store.remove(&name).expect("two").len(), 2);
    assert!(place.find("acme/owl-GGUF:m-Q8_0.gguf").is_some());
}
