//! Model files written by hand, right or wrong, and opened.

pub mod ggml;
pub mod gguf;
pub mod numbers;
pub mod stored;

use std::path::Path;

use tyto_checkpoint::{Access, Checkpoint, Error};

/// A safetensors file of `header` and `data`, with the right length before them.
pub fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// A safetensors file of f32 tensors.
pub fn f32_file(tensors: &[(&str, &[usize], &[f32])]) -> Vec<u8> {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (name, shape, values) in tensors {
        let begin = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let end = data.len();
        entries.push(format!(
            r#""{name}":{{"dtype":"F32","shape":{shape:?},"data_offsets":[{begin},{end}]}}"#
        ));
    }
    safetensors(&format!("{{{}}}", entries.join(",")), &data)
}

/// A model directory of the given files; `config.json` is there unless named.
pub fn directory(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("config.json"), "{}").expect("written");
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).expect("written");
    }
    dir
}

/// Opens a directory whose only weights are `model.safetensors` with these bytes, mapped and read,
/// which must agree.
pub fn open_single(bytes: &[u8]) -> Result<Checkpoint, Error> {
    let dir = directory(&[("model.safetensors", bytes)]);
    open_both_ways(dir.path())
}

/// Opens a GGUF file with these bytes.
pub fn open_gguf(bytes: &[u8]) -> Result<Checkpoint, Error> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("model.gguf");
    std::fs::write(&file, bytes).expect("written");
    open_both_ways(&file)
}

fn open_both_ways(path: &Path) -> Result<Checkpoint, Error> {
    let mapped = Checkpoint::open(path);
    let read = Checkpoint::open_with(path, Access::Read);
    match (&mapped, &read) {
        (Ok(mapped), Ok(read)) => {
            for (a, b) in mapped.tensors().zip(read.tensors()) {
                assert_eq!((a.name, a.shape, a.bytes()), (b.name, b.shape, b.bytes()));
            }
        }
        (Err(mapped), Err(read)) => assert_eq!(mapped.to_string(), read.to_string()),
        _ => panic!("mapping and reading disagree"),
    }
    mapped
}

/// The message of the refusal, which must hold every one of `parts`.
#[track_caller]
pub fn refused(result: Result<Checkpoint, Error>, parts: &[&str]) -> Error {
    let error = match result {
        Ok(_) => panic!("accepted, expected a refusal with {parts:?}"),
        Err(error) => error,
    };
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
    error
}
