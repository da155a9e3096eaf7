//! SmolLM2 from its GGUF against the same model converted by transformers. The files are fetched by
//! the set-up, too large to commit: without `TYTO_SMOLLM2_GGUF` (a file) and `TYTO_SMOLLM2_F32` (a
//! directory) these tests say so and check nothing.

use std::path::PathBuf;

use tyto_checkpoint::{Access, Checkpoint, DType};

fn path(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        println!("skipped: {variable} is not set");
    }
    path
}

#[test]
fn every_tensor_equals_transformers_bit_for_bit() {
    let (Some(gguf), Some(directory)) = (path("TYTO_SMOLLM2_GGUF"), path("TYTO_SMOLLM2_F32"))
    else {
        return;
    };
    let ours = Checkpoint::open(&gguf).expect("a valid GGUF");
    let theirs = Checkpoint::open_with(&directory, Access::Read).expect("a valid directory");
    let mut names: Vec<_> = ours.names().collect();
    let mut expected: Vec<_> = theirs.names().collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);
    for name in names {
        let reference = theirs.tensor(name).expect("listed");
        let tensor = ours.expect_tensor(name, reference.shape).expect("same shape");
        let mut bytes = vec![0; reference.stored_len()];
        tensor.write_as(DType::F32, &mut bytes).expect("floats");
        assert!(bytes == reference.bytes().expect("as stored"), "{name} differs");
    }
}

#[test]
fn the_synthesized_configuration_equals_transformers() {
    let (Some(gguf), Some(directory)) = (path("TYTO_SMOLLM2_GGUF"), path("TYTO_SMOLLM2_F32"))
    else {
        return;
    };
    let ours = Checkpoint::open(&gguf).expect("a valid GGUF");
    let theirs = Checkpoint::open(&directory).expect("a valid directory");
    for key in [
        "architectures",
        "model_type",
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "max_position_embeddings",
        "vocab_size",
        "tie_word_embeddings",
        "attention_bias",
        "mlp_bias",
        "hidden_act",
        "bos_token_id",
        "eos_token_id",
        "pad_token_id",
    ] {
        assert_eq!(ours.config().get(key), theirs.config().get(key), "{key}");
    }
    assert_eq!(ours.config()["rope_parameters"]["rope_theta"], 100_000.0);
    let eps = |c: &Checkpoint| c.config()["rms_norm_eps"].as_f64().expect("a number") as f32;
    assert_eq!(eps(&ours).to_bits(), eps(&theirs).to_bits());
}

#[test]
fn the_synthesized_tokenizer_equals_transformers_on_many_scripts() {
    let (Some(gguf), Some(directory)) = (path("TYTO_SMOLLM2_GGUF"), path("TYTO_SMOLLM2_F32"))
    else {
        return;
    };
    let ours =
        Checkpoint::open(&gguf).expect("a valid GGUF").tokenizer_json().expect("a tokenizer");
    let theirs = Checkpoint::open(&directory).expect("a valid directory");
    let theirs = theirs.tokenizer_json().expect("a tokenizer");
    let load = |json: &[u8]| tokenizers::Tokenizer::from_bytes(json).expect("a valid tokenizer");
    let (ours, theirs) = (load(&ours), load(&theirs));
    assert_eq!(ours.get_vocab_size(true), theirs.get_vocab_size(true));
    for text in CORPUS {
        let ids = |tokenizer: &tokenizers::Tokenizer| {
            tokenizer.encode(*text, true).expect("any text").get_ids().to_vec()
        };
        let got = ids(&ours);
        assert_eq!(got, ids(&theirs), "{text:?}");
        let back = ours.decode(&got, false).expect("known ids");
        assert_eq!(back, *text);
    }
}

/// transformers' own GGUF reader (5.24) ignores that this pre-tokenizer takes every digit alone, which
/// its published tokenizer does. In ASCII no merge notices; in other scripts a space would join the
/// first byte of a digit.
#[test]
fn digits_of_every_script_stand_alone() {
    let Some(gguf) = path("TYTO_SMOLLM2_GGUF") else { return };
    let json =
        Checkpoint::open(&gguf).expect("a valid GGUF").tokenizer_json().expect("a tokenizer");
    let tokenizer = tokenizers::Tokenizer::from_bytes(json).expect("a valid tokenizer");
    let encoding = tokenizer.encode(" ١٢٣", true).expect("any text");
    assert_eq!(encoding.get_ids(), [216, 164, 111, 164, 112, 164, 113]);
}

/// Vocabularies of published tokenizers (Llama 3, Qwen 3, DeepSeek 3, Gemma 3 …) written as GGUF: the
/// tokenizer made from NAME.gguf gives the ids of the published NAME.json beside it.
#[test]
fn published_tokenizers_come_back_from_their_vocabularies() {
    let Some(pairs) = path("TYTO_TOKENIZER_PAIRS") else { return };
    let files = std::fs::read_dir(&pairs).expect("a directory").flatten().map(|entry| entry.path());
    let names = files.filter(|file| file.extension().is_some_and(|found| found == "gguf"));
    for gguf in names.collect::<Vec<_>>() {
        let ours = Checkpoint::open(&gguf).expect("a valid GGUF").tokenizer_json().expect("made");
        let ours = tokenizers::Tokenizer::from_bytes(ours).expect("a valid tokenizer");
        let published =
            tokenizers::Tokenizer::from_file(gguf.with_extension("json")).expect("valid");
        for text in CORPUS.iter().chain(&[" ١٢٣ १२३", "ⅷ ½ ² ㊿ 1234567 3.14", "e\u{301}A\u{30a}"])
        {
            let ids = |tokenizer: &tokenizers::Tokenizer| {
                tokenizer.encode(*text, true).expect("any text").get_ids().to_vec()
            };
            let (got, expected) = (ids(&ours), ids(&published));
            assert_eq!(got, expected, "{} {text:?}", gguf.display());
            let text_of = |tokenizer: &tokenizers::Tokenizer| {
                tokenizer.decode(&expected, true).expect("known ids")
            };
            assert_eq!(text_of(&ours), text_of(&published), "{} {text:?}", gguf.display());
        }
    }
}

/// Words, scripts, white space, control tokens; digits too, where this vocabulary has no merges that
/// the published digit-by-digit splitting would forbid.
const CORPUS: &[&str] = &[
    "",
    " ",
    "Hello, world! It's 7 o'clock; they'll've gone.",
    "  leading, trailing  \n\n\n and\ttabs\r\n",
    "I paid $1,234.56 on 2024-11-29 for 3x16GB.",
    "Straße, naïve café, Ærø, Łódź, İstanbul",
    "Быстрая лиса перепрыгнула через ленивую собаку.",
    "Ἐν ἀρχῇ ἦν ὁ λόγος",
    "東京の天気は晴れです。最高気温は25度。",
    "중국어와 한국어 그리고 English 섞어 쓰기",
    "مرحبا بالعالم",
    "שלום עולם",
    "नमस्ते दुनिया, यह हिन्दी है।",
    "ภาษาไทยไม่มีช่องว่าง",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈 flag 🇫🇷 and \u{1F9D1}\u{200D}\u{1F680}",
    "fn main() { let x: Vec<u8> = vec![0; 16]; println!(\"{x:?}\"); }",
    "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n",
    "a\u{0301} combining, \u{feff} mark, \u{200b} zero width, \u{a0} no-break",
    "https://example.org/a?b=c&d=%20#frag  user_name@mail.example",
];
