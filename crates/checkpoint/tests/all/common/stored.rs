//! Directories of tensors written by hand.

use serde_json::Value;
use tyto_checkpoint::{Checkpoint, Error};

use super::{directory, safetensors};

/// A tensor of a file: name, type, shape, bytes.
pub type Stored = (String, &'static str, Vec<usize>, Vec<u8>);

pub fn file(tensors: &[Stored]) -> Vec<u8> {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let begin = data.len();
        data.extend(bytes);
        let end = data.len();
        entries.push(format!(
            r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{begin},{end}]}}"#
        ));
    }
    safetensors(&format!("{{{}}}", entries.join(",")), &data)
}

pub fn open(config: &Value, tensors: &[Stored]) -> Result<Checkpoint, Error> {
    let config = config.to_string();
    let dir =
        directory(&[("model.safetensors", &file(tensors)), ("config.json", config.as_bytes())]);
    Checkpoint::open(dir.path())
}

/// Codes as one string of bits, the lowest of each byte first.
pub fn pack(codes: &[u8], bits: u8) -> Vec<u8> {
    let mut bytes = vec![0u8; codes.len() * usize::from(bits) / 8];
    for (at, code) in codes.iter().enumerate() {
        for bit in 0..usize::from(bits) {
            let to = at * usize::from(bits) + bit;
            bytes[to / 8] |= (code >> bit & 1) << (to % 8);
        }
    }
    bytes
}
