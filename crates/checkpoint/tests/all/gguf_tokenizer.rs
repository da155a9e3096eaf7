//! Tokenizers made from vocabularies inside GGUF files.

use crate::common::gguf::{File, Value, tiny};
use crate::common::{open_gguf, refused};
use serde_json::Value as Json;
use tokenizers::Tokenizer;
use tyto_checkpoint::{Checkpoint, Error};

fn texts(list: &[&str]) -> Value {
    Value::Texts(list.iter().map(|text| (*text).to_owned()).collect())
}

/// A byte-level vocabulary: controls, a user-defined token, letters, a digit, a space, merges.
fn byte_level(pre: &str) -> File {
    tiny("llama")
        .set("tokenizer.ggml.model", "gpt2")
        .set("tokenizer.ggml.pre", pre)
        .set(
            "tokenizer.ggml.tokens",
            texts(&[
                "<s>",
                "<|im_end|>",
                "<tool>",
                "a",
                "b",
                "1",
                "Ġ",
                "ab",
                "Ġa",
                "Ġab",
                "11",
                "Ġ1",
            ]),
        )
        .set("tokenizer.ggml.token_type", Value::I32s(vec![3, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1]))
        .set("tokenizer.ggml.merges", texts(&["a b", "Ġ a", "Ġ ab", "Ġ 1", "1 1"]))
        .set("tokenizer.ggml.bos_token_id", 0)
        .set("tokenizer.ggml.eos_token_id", 0)
}

/// A SentencePiece vocabulary: unknown, start, all bytes, letters and joined tokens with scores.
fn sentence_piece(architecture: &str) -> File {
    let mut tokens: Vec<String> = ["<unk>", "<s>", "</s>"].map(String::from).to_vec();
    let mut kinds = vec![2, 3, 3];
    let mut scores = vec![0.0f32; 3];
    for byte in 0..=255 {
        tokens.push(format!("<0x{byte:02X}>"));
        kinds.push(6);
        scores.push(0.0);
    }
    for (token, score) in [
        ("▁", -9.0),
        ("a", -8.0),
        ("b", -7.0),
        ("ab", -1.0),
        ("▁a", -2.0),
        ("▁ab", -3.0),
        ("aa", -4.0),
    ] {
        tokens.push(token.into());
        kinds.push(1);
        scores.push(score);
    }
    for (token, kind) in [("  ", 4), ("<tool>", 4)] {
        tokens.push(token.into());
        kinds.push(kind);
        scores.push(-1000.0);
    }
    let file = tiny(architecture)
        .set("tokenizer.ggml.model", "llama")
        .set("tokenizer.ggml.tokens", Value::Texts(tokens))
        .set("tokenizer.ggml.token_type", Value::I32s(kinds))
        .set("tokenizer.ggml.scores", Value::F32s(scores))
        .set("tokenizer.ggml.bos_token_id", 1)
        .set("tokenizer.ggml.eos_token_id", 2)
        .set("tokenizer.ggml.unknown_token_id", 0);
    match architecture {
        "gemma3" => file.set("gemma3.attention.sliding_window", 16),
        _ => file,
    }
}

fn open(file: &File) -> Checkpoint {
    open_gguf(&file.bytes()).expect("valid")
}

fn tokenizer(file: &File) -> Tokenizer {
    Tokenizer::from_bytes(open(file).tokenizer_json().expect("a tokenizer")).expect("it loads")
}

fn tokens(tokenizer: &Tokenizer, text: &str) -> Vec<String> {
    tokenizer.encode(text, true).expect("any text").get_tokens().to_vec()
}

fn text_file(file: &File, name: &str) -> Option<Vec<u8>> {
    let files = open(file).text_files().expect("text files");
    files.into_iter().find(|(have, _)| *have == name).map(|(_, content)| content)
}

fn json_file(file: &File, name: &str) -> Json {
    serde_json::from_slice(&text_file(file, name).expect("written")).expect("JSON")
}

#[test]
fn pre_tokenizers_cut_digits_as_their_models_do() {
    let cut = |pre: &str| {
        tokens(&tokenizer(&byte_level(pre).set("tokenizer.ggml.add_bos_token", false)), "ab 11")
    };
    assert_eq!(cut("gpt-2"), ["ab", "Ġ1", "1"], "the space joins first: GPT-2 cuts ' 11'");
    assert_eq!(cut("smollm"), ["ab", "Ġ", "1", "1"], "every digit alone");
    assert_eq!(cut("qwen2"), ["ab", "Ġ", "1", "1"], "every digit alone");
    assert_eq!(cut("llama-bpe"), ["ab", "Ġ", "11"], "up to three digits together");
}

#[test]
fn special_and_user_tokens_are_found_in_text() {
    let tokenizer = tokenizer(&byte_level("smollm"));
    assert_eq!(
        tokens(&tokenizer, "a<|im_end|>b<tool> ab"),
        ["a", "<|im_end|>", "b", "<tool>", "Ġab"]
    );
    let ids = [3, 1, 2];
    assert_eq!(
        tokenizer.decode(&ids, true).expect("known ids"),
        "a<tool>",
        "only controls are skipped"
    );
    assert_eq!(tokenizer.get_vocab_size(true), 12, "nothing is added beyond the vocabulary");
}

#[test]
fn a_start_token_is_added_as_stated_or_as_the_family_does() {
    let first = |file: &File| tokens(&tokenizer(file), "ab").remove(0);
    assert_eq!(first(&byte_level("smollm")), "ab");
    assert_eq!(first(&byte_level("llama-bpe")), "<s>");
    assert_eq!(first(&byte_level("llama-bpe").set("tokenizer.ggml.add_bos_token", false)), "ab");
    assert_eq!(first(&byte_level("smollm").set("tokenizer.ggml.add_bos_token", true)), "<s>");
    let both = byte_level("smollm").set("tokenizer.ggml.add_eos_token", true);
    assert_eq!(tokens(&tokenizer(&both), "ab"), ["ab", "<s>"]);
    let config = json_file(&byte_level("llama-bpe"), "tokenizer_config.json");
    assert_eq!((&config["add_bos_token"], &config["bos_token"]), (&true.into(), &"<s>".into()));
}

#[test]
fn merges_follow_scores_and_bytes_catch_the_rest() {
    let tokenizer = tokenizer(&sentence_piece("llama"));
    assert_eq!(tokens(&tokenizer, "ab"), ["<s>", "▁ab"]);
    // "ab" scores above "▁a" and "aa", so it is joined first.
    assert_eq!(tokens(&tokenizer, "aab"), ["<s>", "▁a", "ab"]);
    assert_eq!(tokens(&tokenizer, "é"), ["<s>", "▁", "<0xC3>", "<0xA9>"]);
    assert_eq!(tokens(&tokenizer, " ab"), ["<s>", "▁", "▁ab"], "a space is put before any text");
    let round = |text: &str| {
        let encoding = tokenizer.encode(text, true).expect("any text");
        tokenizer.decode(encoding.get_ids(), true).expect("known ids")
    };
    for text in ["ab aab", "  ab", "日本 ab\n"] {
        assert_eq!(round(text), text);
    }
}

#[test]
fn gemma_has_no_prefix_and_merges_by_position() {
    let file = sentence_piece("gemma3").set("tokenizer.ggml.add_space_prefix", false);
    let tokenizer = tokenizer(&file);
    // By position "ab" comes before "▁a", as by score; but there is no space before the text.
    assert_eq!(tokens(&tokenizer, "ab ab"), ["<s>", "ab", "▁ab"]);
    assert_eq!(tokens(&tokenizer, "a  b"), ["<s>", "a", "▁▁", "b"]);
    assert_eq!(tokens(&tokenizer, "a<tool>b"), ["<s>", "a", "<tool>", "b"]);
    assert_eq!(tokenizer.decode(&[259], true).expect("known id"), " ");
}

#[test]
fn every_end_of_turn_is_in_the_generation_defaults() {
    let file = byte_level("smollm").set("tokenizer.ggml.eot_token_id", 2);
    let config = json_file(&file, "generation_config.json");
    assert_eq!(config["eos_token_id"], serde_json::json!([0, 2, 1]));
    assert_eq!(config["bos_token_id"], 0);
    let config = json_file(&sentence_piece("llama"), "generation_config.json");
    assert_eq!(config["eos_token_id"], 2);
}

#[test]
fn the_chat_template_is_a_file_of_its_own() {
    let file = byte_level("smollm").set("tokenizer.chat_template", "{{ messages }}\n");
    assert_eq!(text_file(&file, "chat_template.jinja").expect("written"), b"{{ messages }}\n");
    assert_eq!(text_file(&byte_level("smollm"), "chat_template.jinja"), None);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let names = open(&file).write_text_files(dir.path()).expect("written");
    assert_eq!(
        names,
        [
            "config.json",
            "generation_config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "chat_template.jinja"
        ]
    );
    assert_eq!(json_file(&file, "config.json")["model_type"], "llama");
}

#[test]
fn what_cannot_be_rebuilt_is_refused_by_name() {
    let refuse = |file: File, parts: &[&str]| {
        refused(Err(open(&file).text_files().expect_err("refused")), parts)
    };
    let error =
        refuse(byte_level("martian"), &["tokenizer.ggml.pre", "martian", "smollm", "llama-bpe"]);
    assert!(matches!(error, Error::UnsupportedTokenizer { .. }));
    refuse(byte_level("x").without("tokenizer.ggml.pre"), &["tokenizer.ggml.pre", "none stated"]);
    refuse(
        byte_level("smollm").replace("tokenizer.ggml.model", "rwkv"),
        &["tokenizer.ggml.model", "rwkv", "gpt2"],
    );
    refuse(
        byte_level("smollm").without("tokenizer.ggml.tokens"),
        &["tokenizer.ggml.tokens", "nothing"],
    );
    refuse(
        byte_level("smollm").without("tokenizer.ggml.merges"),
        &["tokenizer.ggml.merges", "nothing"],
    );
    refuse(
        byte_level("smollm").replace("tokenizer.ggml.merges", texts(&["ab"])),
        &["merges", "\"ab\""],
    );
    refuse(byte_level("smollm").replace("tokenizer.ggml.tokens", 3), &["tokenizer.ggml.tokens"]);
    refuse(
        byte_level("smollm").replace("tokenizer.ggml.token_type", Value::I32s(vec![1])),
        &["token_type", "1 elements", "12"],
    );
    refuse(
        byte_level("smollm").replace("tokenizer.ggml.bos_token_id", 12),
        &["bos_token_id", "12", "12 tokens"],
    );
    refuse(sentence_piece("llama").without("tokenizer.ggml.scores"), &["tokenizer.ggml.scores"]);
    let twice = byte_level("smollm").replace("tokenizer.ggml.tokens", texts(&["a"; 12]));
    refuse(twice, &["duplicate key", "\"a\"", "ids 0 and 1"]);
    let strange = Value::Raw(
        9,
        [&8u32.to_le_bytes()[..], &1u64.to_le_bytes(), &1u64.to_le_bytes(), &[0xff]].concat(),
    );
    refuse(
        byte_level("smollm").replace("tokenizer.ggml.tokens", strange),
        &["tokenizer.ggml.tokens", "UTF-8"],
    );
}
