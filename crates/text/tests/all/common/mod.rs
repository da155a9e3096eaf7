//! A tokenizer whose ids are bytes.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tyto_text::{TextModel, TextSources};

/// The id that ends a text.
pub const END: u32 = 256;

/// Ids 0 to 255 are bytes, 256 ends a text; then come pieces of text, and then control tokens.
pub fn byte_model(pieces: &[&str], controls: &[&str]) -> Arc<TextModel> {
    let mut vocab = Map::new();
    for byte in 0..=255u8 {
        vocab.insert(spelled(byte).to_string(), json!(byte));
    }
    vocab.insert("<|end_of_text|>".to_owned(), json!(END));
    let mut added = vec![control(END, "<|end_of_text|>")];
    let mut next = END + 1;
    for piece in pieces {
        let spelled: String = piece.bytes().map(spelled).collect();
        vocab.insert(spelled, json!(next));
        next += 1;
    }
    for text in controls {
        vocab.insert((*text).to_owned(), json!(next));
        added.push(control(next, text));
        next += 1;
    }
    let level = json!({
        "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false,
    });
    let tokenizer = json!({
        "version": "1.0", "added_tokens": added, "pre_tokenizer": level, "decoder": level,
        "model": {"type": "BPE", "vocab": vocab, "merges": []},
    });
    let sources = TextSources {
        origin: PathBuf::from("test-model"),
        tokenizer: tokenizer.to_string().into_bytes(),
        tokenizer_config: json!({"eos_token": "<|end_of_text|>"}),
        ..TextSources::default()
    };
    Arc::new(TextModel::from_sources(&sources).expect("the test tokenizer is valid"))
}

fn control(id: u32, text: &str) -> Value {
    json!({
        "id": id, "content": text, "special": true, "single_word": false,
        "lstrip": false, "rstrip": false, "normalized": false,
    })
}

/// The character that byte-level BPE writes for a byte.
fn spelled(byte: u8) -> char {
    let prints = |byte: u8| matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    if prints(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|&byte| !prints(byte)).count() as u32;
    char::from_u32(0x100 + before).expect("the alphabet ends at U+0143")
}
