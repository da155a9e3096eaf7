//! SentencePiece BPE (`llama`): spaces are written `▁`, unknown characters fall back to bytes, and
//! merges follow from the tokens' scores.

use serde_json::{Map, Value, json};

use super::{Built, TokenKind, Vocabulary, positions};
use crate::error::Error;

/// The parts of a SentencePiece tokenizer.
pub(super) fn build(vocabulary: &Vocabulary<'_>) -> Result<Built, Error> {
    let prefix = vocabulary.metadata.boolean("tokenizer.ggml.add_space_prefix")?.unwrap_or(true);
    let ids = vocabulary.ids(respell)?;
    let merges = merges(vocabulary, &ids)?;
    let unknown = match vocabulary.special("unknown")? {
        Some((_, token)) => Some(token),
        None => {
            vocabulary.iter().find(|(.., k)| *k == TokenKind::Unknown).map(|(_, token, _)| token)
        }
    };
    let has_bytes = vocabulary.kinds.contains(&TokenKind::Byte);
    let replace = json!({"type": "Replace", "pattern": {"String": " "}, "content": "▁"});
    let prepend = json!({"type": "Prepend", "prepend": "▁"});
    let mut decoders = vec![
        json!({"type": "Replace", "pattern": {"String": "▁"}, "content": " "}),
        json!({"type": "ByteFallback"}),
        json!({"type": "Fuse"}),
    ];
    if prefix {
        decoders.push(json!({"type": "Strip", "content": " ", "start": 1, "stop": 0}));
    }
    Ok(Built {
        model: json!({
            "type": "BPE",
            "dropout": null,
            "unk_token": unknown,
            "continuing_subword_prefix": null,
            "end_of_word_suffix": null,
            "fuse_unk": true,
            "byte_fallback": has_bytes,
            "ignore_merges": false,
            "vocab": ids,
            "merges": merges,
        }),
        normalizer: match prefix {
            true => json!({"type": "Sequence", "normalizers": [prepend, replace]}),
            false => replace,
        },
        pre_tokenizer: Value::Null,
        decoder: json!({"type": "Sequence", "decoders": decoders}),
        adds_bos: true,
        // Phi-3's published tokenizer drops spaces after its control tokens; the file does not say so.
        strips_right: vocabulary.architecture == "phi3",
    })
}

/// Files write tokens that are runs of spaces with real spaces, unlike all others.
fn respell(token: &str) -> String {
    let only_spaces = !token.is_empty() && token.bytes().all(|byte| byte == b' ');
    if only_spaces { token.replace(' ', "▁") } else { token.to_owned() }
}

/// Every way to make a token of two others, best token first. SentencePiece joins the pair whose
/// result scores best, so ranks ordered by the result's score give its answers. Gemma's scores do not
/// follow its merge order; its order of tokens does.
fn merges(vocabulary: &Vocabulary<'_>, ids: &Map<String, Value>) -> Result<Vec<Value>, Error> {
    if let Some(merges) = &vocabulary.merges {
        return Ok(merges
            .iter()
            .filter_map(|m| m.split_once(' '))
            .map(|(l, r)| json!([l, r]))
            .collect());
    }
    let by_position = vocabulary.architecture.starts_with("gemma");
    let scores = match (&vocabulary.scores, by_position) {
        (Some(scores), false) => scores.clone(),
        (_, true) => (0..vocabulary.tokens.len()).map(|at| -(at as f64)).collect(),
        (None, false) => {
            return Err(Error::Malformed {
                file: vocabulary.metadata.file().to_path_buf(),
                field: "metadata \"tokenizer.ggml.scores\"".into(),
                found: "nothing".into(),
                expected: "scores or merges of a SentencePiece vocabulary".into(),
            });
        }
    };
    let position = positions(ids);
    let mut found = Vec::new();
    for (at, token) in ids.keys().enumerate() {
        if !vocabulary.kinds[at].can_merge() {
            continue;
        }
        let start = found.len();
        for (cut, _) in token.char_indices().skip(1) {
            let (left, right) = token.split_at(cut);
            if let (Some(&l), Some(&r)) = (position.get(left), position.get(right)) {
                let (left_chars, right_chars) = (left.chars().count(), right.chars().count());
                found.push(Merge { at, left: l, right: r, left_chars, right_chars });
            }
        }
        found[start..].sort_by_key(|merge| (merge.left, merge.right));
    }
    found.sort_by(|a, b| {
        let key = |m: &Merge| (m.left_chars, m.right_chars);
        scores[b.at].total_cmp(&scores[a.at]).then_with(|| key(b).cmp(&key(a)))
    });
    let tokens: Vec<&str> = ids.keys().map(String::as_str).collect();
    Ok(found.iter().map(|merge| json!([tokens[merge.left], tokens[merge.right]])).collect())
}

/// One way to make the token at `at`; tokens by their place in the vocabulary.
struct Merge {
    at: usize,
    left: usize,
    right: usize,
    left_chars: usize,
    right_chars: usize,
}
