//! Byte-level BPE (`gpt2`): tokens are spelled in an alphabet of 256 printable characters.

use serde_json::{Value, json};

use super::{Built, Vocabulary, pre_tokenizers};
use crate::error::Error;

/// The parts of a byte-level tokenizer.
pub(super) fn build(vocabulary: &Vocabulary<'_>, pre: &str) -> Result<Built, Error> {
    let file = || vocabulary.metadata.file().to_path_buf();
    let pre = pre_tokenizers::find(pre).ok_or_else(|| Error::UnsupportedTokenizer {
        file: file(),
        field: "tokenizer.ggml.pre",
        found: pre.into(),
        expected: pre_tokenizers::names(),
    })?;
    let merges = vocabulary.merges.as_ref().ok_or_else(|| Error::Malformed {
        file: file(),
        field: "metadata \"tokenizer.ggml.merges\"".into(),
        found: "nothing".into(),
        expected: "the merges of a byte-level vocabulary".into(),
    })?;
    let pairs = merges.iter().map(|merge| match split_merge(merge) {
        Some((left, right)) => Ok(json!([left, right])),
        None => Err(Error::Malformed {
            file: file(),
            field: "metadata \"tokenizer.ggml.merges\"".into(),
            found: format!("{merge:?}"),
            expected: "two tokens with a space between".into(),
        }),
    });
    let pairs = pairs.collect::<Result<Vec<Value>, Error>>()?;
    Ok(Built {
        model: json!({
            "type": "BPE",
            "dropout": null,
            "unk_token": null,
            "continuing_subword_prefix": null,
            "end_of_word_suffix": null,
            "fuse_unk": false,
            "byte_fallback": false,
            "ignore_merges": pre.ignores_merges,
            "vocab": vocabulary.ids(str::to_owned)?,
            "merges": pairs,
        }),
        normalizer: if pre.composes { json!({"type": "NFC"}) } else { Value::Null },
        pre_tokenizer: pre.to_json(),
        decoder: json!({
            "type": "ByteLevel",
            "add_prefix_space": false,
            "trim_offsets": false,
            "use_regex": false,
        }),
        adds_bos: pre.adds_bos,
        strips_right: false,
    })
}

/// A merge is two tokens with one space between; in this alphabet no token contains a space.
fn split_merge(merge: &str) -> Option<(&str, &str)> {
    let (left, right) = merge.split_once(' ')?;
    (!left.is_empty() && !right.is_empty() && !right.contains(' ')).then_some((left, right))
}
