//! The named special tokens, `bos_token` and its kin.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::sources::TextSources;

/// The names transformers knows, which are also variables of a chat template.
const NAMES: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/// What tokenizer classes of transformers use when a model's files name no token.
const CLASS_DEFAULTS: [(&str, &[(&str, &str)]); 6] = [
    ("LlamaTokenizer", &[("unk_token", "<unk>"), ("bos_token", "<s>"), ("eos_token", "</s>")]),
    ("CodeLlamaTokenizer", &[("unk_token", "<unk>"), ("bos_token", "<s>"), ("eos_token", "</s>")]),
    (
        "GemmaTokenizer",
        &[
            ("unk_token", "<unk>"),
            ("bos_token", "<bos>"),
            ("eos_token", "<eos>"),
            ("pad_token", "<pad>"),
            ("mask_token", "<mask>"),
        ],
    ),
    (
        "Qwen2Tokenizer",
        &[
            ("unk_token", "<|endoftext|>"),
            ("eos_token", "<|endoftext|>"),
            ("pad_token", "<|endoftext|>"),
        ],
    ),
    (
        "Qwen3Tokenizer",
        &[
            ("unk_token", "<|endoftext|>"),
            ("eos_token", "<|endoftext|>"),
            ("pad_token", "<|endoftext|>"),
        ],
    ),
    (
        "GPT2Tokenizer",
        &[
            ("unk_token", "<|endoftext|>"),
            ("bos_token", "<|endoftext|>"),
            ("eos_token", "<|endoftext|>"),
        ],
    ),
];

/// The special tokens that the files name, by name; a token that is null in
/// tokenizer_config.json is absent, whatever the class's default.
///
/// special_tokens_map.json counts only next to an old tokenizer_config.json,
/// without `added_tokens_decoder`, and then wins, as in transformers.
pub(crate) fn named_tokens(sources: &TextSources) -> BTreeMap<String, String> {
    let config = &sources.tokenizer_config;
    let legacy = config.get("added_tokens_decoder").is_none();
    let mut tokens = BTreeMap::new();
    for name in NAMES {
        let mapped = sources.special_tokens_map.get(name).filter(|_| legacy);
        let token = match mapped.or_else(|| config.get(name)) {
            Some(value) => token_text(value),
            None => class_default(config["tokenizer_class"].as_str().unwrap_or_default(), name),
        };
        if let Some(token) = token {
            tokens.insert(name.to_owned(), token);
        }
    }
    tokens
}

/// A token written as a string, or as an object with its `content`.
fn token_text(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value["content"].as_str()).map(str::to_owned)
}

fn class_default(class: &str, name: &str) -> Option<String> {
    let class = class.strip_suffix("Fast").unwrap_or(class);
    let (_, tokens) = CLASS_DEFAULTS.iter().find(|(known, _)| *known == class)?;
    let (_, token) = tokens.iter().find(|(known, _)| *known == name)?;
    Some((*token).to_owned())
}
