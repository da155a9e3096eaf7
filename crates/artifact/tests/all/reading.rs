//! What opening, verifying and choosing a target accept and refuse.

use std::path::Path;

use crate::common::{MODULE, TOKENIZER, WEIGHTS, features, forge, host, small};
use tyto_artifact::{Artifact, Error, HostTarget, Phases, Target};

fn open_error(path: &Path) -> Error {
    Artifact::open(path).expect_err("the artifact is refused")
}

#[test]
fn what_was_written_is_read() {
    let (_directory, path) = small();
    let artifact = Artifact::open(&path).expect("the artifact opens");
    let mut seen = Vec::new();
    artifact.verify(|progress| seen.push(progress)).expect("every hash is right");
    let last = seen.last().expect("progress was reported");
    assert_eq!((last.done_bytes, last.total_bytes), (13 + 2 + 4096, 13 + 2 + 4096));

    assert_eq!(artifact.read(MODULE).expect("the module"), b"compiled code");
    assert_eq!(artifact.manifest().model.name, "tiny");
    assert_eq!(artifact.manifest().schema_version, 2);
    let target = artifact.select_target(&host()).expect("a target");
    let weights = artifact.map_weights(target).expect("the weights map");
    let (tensor, bytes) = weights.tensor("b").expect("tensor b");
    assert_eq!(
        (tensor.offset, tensor.shape.as_slice(), tensor.layout.as_str()),
        (64, &[2, 35][..], "packed")
    );
    assert_eq!((bytes.len(), bytes[99], bytes[100]), (140, 2, 3));
    assert_eq!(weights.bytes().as_ptr().align_offset(4096), 0);
    assert!(weights.tensor("c").is_none());
}

#[test]
fn memory_is_weights_and_cache() {
    let (_directory, path) = small();
    let artifact = Artifact::open(&path).expect("the artifact opens");
    let [compiled, phases] = &artifact.manifest().targets[..] else { panic!("two targets") };
    let needed = artifact.memory_needed(compiled, 8);
    // 2 layers, keys and values, 2 heads of 8 elements of 2 bytes, 16 positions, 8 blocks.
    assert_eq!((needed.weights_bytes, needed.kv_bytes), (4096, 2 * 2 * 2 * 8 * 2 * 16 * 8));
    assert_eq!(needed.total_bytes(), 4096 + 16384);
    // A target of phase programs says itself what a block takes.
    let needed = artifact.memory_needed(phases, 8);
    assert_eq!(needed.kv_bytes, 2112 * 8);
    // Nothing of it is recurrent; a target that is keeps copies of its states.
    assert_eq!(needed.with_snapshots(phases, 3), needed);
    let phases_of_states = Phases { slot_bytes: 640, ..phases.phases.expect("they are programs") };
    let recurrent = Target { phases: Some(phases_of_states), ..phases.clone() };
    let more = needed.with_snapshots(&recurrent, 3);
    assert_eq!(more.total_bytes(), needed.total_bytes() + 3 * 640);
}

/// A flipped byte anywhere in any file is found, and the file is named. Of the
/// longer files every seventh byte is flipped, to keep the test short.
#[test]
fn one_flipped_byte_anywhere_is_found() {
    let (_directory, path) = small();
    for name in ["manifest.json", "manifest.blake3", MODULE, TOKENIZER, WEIGHTS] {
        let file = path.join(name);
        let good = std::fs::read(&file).expect("the file");
        let step = if good.len() < 100 { 1 } else { 7 };
        for at in (0..good.len()).step_by(step) {
            let mut bad = good.clone();
            bad[at] ^= 0x04;
            std::fs::write(&file, &bad).expect("the file is damaged");
            let error = Artifact::open(&path)
                .and_then(|artifact| artifact.verify(|_| {}))
                .expect_err("the flipped byte is found");
            let text = error.to_string();
            let named = text.contains(name) || name.starts_with("manifest");
            assert!(named && text.contains("tiny.tyto"), "byte {at} of {name}: {text}");
        }
        std::fs::write(&file, good).expect("the file is repaired");
    }
    Artifact::open(&path).expect("it opens again").verify(|_| {}).expect("and is whole");
}

#[test]
fn a_flipped_byte_in_the_weights_is_named_with_both_hashes() {
    let (_directory, path) = small();
    let file = path.join(WEIGHTS);
    let mut bytes = std::fs::read(&file).expect("the weights");
    bytes[70] ^= 1;
    std::fs::write(&file, bytes).expect("the weights are damaged");
    let artifact = Artifact::open(&path).expect("opening does not read the weights");
    match artifact.verify(|_| {}) {
        Err(Error::WrongHash { path, found, expected }) => {
            assert_eq!(path, file);
            assert_ne!(found, expected);
        }
        other => panic!("expected a wrong hash, found {other:?}"),
    }
}

#[test]
fn a_missing_file_is_named_at_open() {
    for name in [MODULE, TOKENIZER, WEIGHTS] {
        let (_directory, path) = small();
        std::fs::remove_file(path.join(name)).expect("the file is removed");
        assert!(
            matches!(open_error(&path), Error::MissingFile { path: missing } if missing == path.join(name))
        );
    }
}

#[test]
fn another_size_is_named_at_open() {
    let (_directory, path) = small();
    std::fs::write(path.join(MODULE), b"compiled cod").expect("the module is cut");
    assert!(matches!(
        open_error(&path),
        Error::WrongSize { path: file, found: 12, expected: 13 } if file == path.join(MODULE)
    ));
}

#[test]
fn another_schema_is_refused_with_both_versions_and_what_to_do() {
    let newer = "Update tyto, or compile again";
    for (schema, advice) in
        [("0", "Compile the model again"), ("1", "Compile the model again"), ("3", newer)]
    {
        let (_directory, path) = small();
        forge(&path, |json| {
            json.replace("\"schema_version\": 2", &format!("\"schema_version\": {schema}"))
        });
        let text = open_error(&path).to_string();
        let found = format!("schema {schema} by");
        for part in [found.as_str(), "reads schema 2", env!("CARGO_PKG_VERSION"), advice] {
            assert!(text.contains(part), "{text}");
        }
    }
}

/// Another version's manifest need not have this version's fields, nor its hash file.
#[test]
fn another_schema_of_another_form_is_told_apart() {
    let (_directory, path) = small();
    std::fs::remove_file(path.join("manifest.blake3")).expect("the hash is removed");
    let write = |text| std::fs::write(path.join("manifest.json"), text).expect("written");
    write(r#"{"schema_version": 99, "things": []}"#);
    assert!(matches!(open_error(&path), Error::NewerSchema { found: 99, supported: 2, .. }));
    write(r#"{"schema_version": 1, "things": []}"#);
    assert!(matches!(open_error(&path), Error::OlderSchema { found: 1, supported: 2, .. }));
}

#[test]
fn phases_are_read_back_and_absent_where_code_is_plain() {
    let (_directory, path) = small();
    let artifact = Artifact::open(&path).expect("the artifact opens");
    let [compiled, phases] = &artifact.manifest().targets[..] else { panic!("two targets") };
    assert_eq!(compiled.phases, None);
    let expected = Phases {
        abi_version: 1,
        shared_bytes: 70,
        private_bytes: 30,
        block_bytes: 2112,
        slot_bytes: 0,
        shared_rows: 0,
        digests: false,
    };
    assert_eq!(phases.phases, Some(expected));
    let json = std::fs::read_to_string(path.join("manifest.json")).expect("the manifest");
    assert_eq!(json.matches("\"phases\"").count(), 1, "absent is absent, not null:\n{json}");
}

#[test]
fn nothing_and_a_directory_without_manifest_are_told_apart() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    assert!(matches!(open_error(&directory.path().join("none.tyto")), Error::NoArtifact { .. }));
    assert!(matches!(open_error(directory.path()), Error::NoManifest { .. }));
}

#[test]
fn a_manifest_of_garbage_is_refused_with_the_place() {
    for garbage in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}\u{1}",
        "{\"schema_version\": \"one\"}",
        "{\"schema_version\": -1}",
    ] {
        let (_directory, path) = small();
        forge(&path, |_| garbage.to_owned());
        assert!(matches!(open_error(&path), Error::BadManifest { .. }), "{garbage:?}");
    }
    let (_directory, path) = small();
    forge(&path, |_| "{\"schema_version\": 2}".to_owned());
    let text = open_error(&path).to_string();
    assert!(text.contains("manifest.json") && text.contains("missing field"), "{text}");
}

#[test]
fn paths_that_leave_the_artifact_are_refused() {
    for outside in [
        "../secret",
        "/etc/passwd",
        "code/../../secret",
        "code\\\\..\\\\secret",
        "./secret",
        "a//b",
    ] {
        let (directory, path) = small();
        std::fs::write(directory.path().join("secret"), b"compiled code").expect("a file outside");
        forge(&path, |json| json.replace(MODULE, outside));
        assert!(matches!(open_error(&path), Error::UnsafePath { .. }), "{outside}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_refused() {
    let (directory, path) = small();
    let outside = directory.path().join("outside");
    std::fs::write(&outside, b"compiled code").expect("a file outside");
    std::fs::remove_file(path.join(MODULE)).expect("the module is removed");
    std::os::unix::fs::symlink(&outside, path.join(MODULE)).expect("a link");
    assert!(matches!(open_error(&path), Error::NotAPlainFile { found: "a symbolic link", .. }));

    let (directory, path) = small();
    let outside = directory.path().join("code");
    std::fs::rename(path.join("code"), &outside).expect("the directory is moved");
    std::os::unix::fs::symlink(&outside, path.join("code")).expect("a link");
    assert!(
        matches!(open_error(&path), Error::NotAPlainFile { path: link, .. } if link == path.join("code"))
    );
}

#[test]
fn a_directory_in_a_files_place_is_refused() {
    let (_directory, path) = small();
    std::fs::remove_file(path.join(MODULE)).expect("the module is removed");
    std::fs::create_dir(path.join(MODULE)).expect("a directory");
    assert!(matches!(open_error(&path), Error::NotAPlainFile { found: "a directory", .. }));
}

#[test]
fn a_manifest_that_lies_about_its_parts_is_refused() {
    let lies = [
        ("\"offset\": 64", "\"offset\": 65", "offset"),
        ("\"offset\": 64", "\"offset\": 0", "offset"),
        ("\"offset\": 64", "\"offset\": 18446744073709551552", "bytes"),
        ("\"bytes\": 140", "\"bytes\": 18446744073709551615", "bytes"),
        ("\"bytes\": 140", "\"bytes\": 5000", "bytes"),
        ("\"kv_dtype\": \"f16\"", "\"kv_dtype\": \"f5\"", "kv_dtype"),
        ("\"kv_dtype\": \"f16\"", "\"kv_dtype\": \"q8_0\"", "model.kv"),
        ("\"block_size\": 16", "\"block_size\": 0", "block_size"),
        ("\"vocab_size\": 16", "\"vocab_size\": 0", "vocab_size"),
        ("\"head_dim\": 8", "\"head_dim\": 18446744073709551615", "kv"),
        ("\"block_bytes\": 2112", "\"block_bytes\": 2047", "phases.block_bytes"),
        ("\"block_bytes\": 2112", "\"block_bytes\": 1984", "phases.block_bytes"),
        ("\"block_bytes\": 2112", "\"block_bytes\": 2112, \"slot_bytes\": 65", "phases.slot_bytes"),
        ("\"weights\": \"weights/model.bin\"", "\"weights\": \"weights/other.bin\"", "weights"),
        ("\"name\": \"cpu:x86-64-v3\"", "\"name\": \"cpu:x86-64-v2\"", "name"),
        ("        \"code/cpu/model.vmfb\"\n", "        \"code/cpu/other.vmfb\"\n", "modules"),
    ];
    for (truth, lie, field) in lies {
        let (_directory, path) = small();
        forge(&path, |json| {
            assert!(json.contains(truth), "{truth} is in the manifest");
            json.replace(truth, lie)
        });
        match open_error(&path) {
            Error::BadField { field: found, .. } => {
                assert!(found.contains(field), "{lie}: {found}")
            }
            other => panic!("{lie}: {other}"),
        }
    }
}

#[test]
fn the_target_with_most_features_is_chosen() {
    let (_directory, path) = small();
    let artifact = Artifact::open(&path).expect("the artifact opens");
    assert_eq!(artifact.select_target(&host()).expect("a target").name, "cpu:x86-64-v3");
    let v2 = HostTarget::new("x86_64", features("x86-64-v2").into_iter().collect());
    assert_eq!(artifact.select_target(&v2).expect("a target").name, "cpu:x86-64-v2");
    assert_eq!(artifact.target("cpu:x86-64-v2", &host()).expect("a target").name, "cpu:x86-64-v2");
}

#[test]
fn another_machine_is_refused_with_both_names() {
    let (_directory, path) = small();
    let artifact = Artifact::open(&path).expect("the artifact opens");
    let arm = HostTarget::new("aarch64", Default::default());
    let text = artifact.select_target(&arm).expect_err("no target fits").to_string();
    for part in ["cpu:x86-64-v2", "cpu:x86-64-v3", "x86_64 machine", "cpu:aarch64", "--target"] {
        assert!(text.contains(part), "{text}");
    }
    let old = HostTarget::new("x86_64", Default::default());
    let text = artifact.select_target(&old).expect_err("no target fits").to_string();
    assert!(text.contains("sse4.2") && text.contains("this machine is cpu:x86-64."), "{text}");
    let v2 = HostTarget::new("x86_64", features("x86-64-v2").into_iter().collect());
    let text = artifact.target("cpu:x86-64-v3", &v2).expect_err("it does not fit").to_string();
    assert!(text.contains("avx2"), "{text}");
    assert!(artifact.target("rocm:gfx1151", &host()).is_err());
}
