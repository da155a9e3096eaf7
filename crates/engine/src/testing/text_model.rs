//! A text model whose ids are bytes.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tyto_text::{ChatTemplateSource, TextModel, TextSources};

/// The id that ends a text; the ids below it are the bytes.
pub const END: u32 = 256;

/// Ids of [`byte_text_model`].
pub const TEXT_MODEL_VOCAB: usize = 257;

/// Ids 0 to 255 are the bytes of UTF-8 text, 256 is the special token `<|end|>`.
pub fn byte_text_model() -> Arc<TextModel> {
    text_model_with(&[], None)
}

/// The same, with more tokens: `pieces[i]`, any text, has the id 257 + `i`. They are never
/// made by encoding, only by a model. No two ids may have the same text. `template` is the chat template.
pub fn text_model_with(pieces: &[&[u8]], template: Option<&str>) -> Arc<TextModel> {
    let mut sources = text_sources(pieces);
    sources.chat_templates.extend(template.map(chat_template));
    Arc::new(TextModel::from_sources(&sources).expect("the test tokenizer is valid"))
}

/// What [`text_model_with`] is made of, for tests that change some of it.
pub fn text_sources(pieces: &[&[u8]]) -> TextSources {
    TextSources {
        origin: PathBuf::from("test-model"),
        tokenizer: tokenizer(pieces).to_string().into_bytes(),
        tokenizer_config: json!({"eos_token": "<|end|>"}),
        ..TextSources::default()
    }
}

fn chat_template(source: &str) -> ChatTemplateSource {
    let (name, source) = ("default".to_owned(), source.to_owned());
    ChatTemplateSource { name, file: PathBuf::from("test-model/chat_template.jinja"), source }
}

fn tokenizer(pieces: &[&[u8]]) -> Value {
    let mut vocab = Map::new();
    for byte in 0..=255u8 {
        vocab.insert(byte_char(byte).to_string(), json!(byte));
    }
    // An added token that is not in the vocabulary would get the first id after it.
    vocab.insert("<|end|>".to_owned(), json!(END));
    for (id, piece) in (u64::from(END) + 1..).zip(pieces) {
        let spelled: String = piece.iter().map(|&byte| byte_char(byte)).collect();
        let before = vocab.insert(spelled, json!(id));
        assert!(before.is_none(), "two ids cannot share the text {piece:?}");
    }
    json!({
        "version": "1.0",
        "added_tokens": [{
            "id": END, "content": "<|end|>", "special": true, "single_word": false,
            "lstrip": false, "rstrip": false, "normalized": false,
        }],
        "pre_tokenizer": {
            "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false,
            "use_regex": false,
        },
        "decoder": {
            "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false,
            "use_regex": false,
        },
        "model": {"type": "BPE", "vocab": vocab, "merges": []},
    })
}

/// The character that byte-level BPE writes for a byte: itself where it prints, and else
/// the next one from U+0100 on.
fn byte_char(byte: u8) -> char {
    let prints = |byte: u8| matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF);
    if prints(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|&byte| !prints(byte)).count() as u32;
    char::from_u32(0x100 + before).expect("the alphabet ends at U+0143")
}
