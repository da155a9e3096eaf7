//! What a model directory may and may not hold.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tyto_text::{Error, TextModel, TextSources};

/// A copy of a fixture in which files can be changed.
struct Model(tempfile::TempDir);

impl Model {
    fn new(name: &str) -> Self {
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tokenizers").join(name);
        let directory = tempfile::tempdir().expect("a temporary directory");
        for file in ["tokenizer.json", "tokenizer_config.json"] {
            std::fs::copy(source.join(file), directory.path().join(file)).expect("a copy");
        }
        Self(directory)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn with(self, file: &str, content: impl ToString) -> Self {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, content.to_string()).expect("a file");
        self
    }

    /// Sets fields of tokenizer_config.json.
    fn with_config(self, fields: Value) -> Self {
        let text = std::fs::read_to_string(self.path("tokenizer_config.json")).expect("the config");
        let mut config: Value = serde_json::from_str(&text).expect("JSON");
        for (key, value) in fields.as_object().expect("an object") {
            config[key] = value.clone();
        }
        self.with("tokenizer_config.json", config)
    }

    fn load(&self) -> Result<TextModel, Error> {
        TextModel::load(self.0.path())
    }

    fn loaded(&self) -> TextModel {
        self.load().expect("it loads")
    }

    fn refused(&self) -> Error {
        self.load().expect_err("it is refused")
    }
}

#[test]
fn a_missing_tokenizer_is_named() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let error = TextModel::load(directory.path()).expect_err("there is none");
    assert!(
        matches!(&error, Error::Missing { path } if path.ends_with("tokenizer.json")),
        "{error}"
    );
}

#[test]
fn a_broken_tokenizer_is_named() {
    for broken in ["", "{", "{}", "[]", "{\"model\": {\"type\": \"Nonsense\"}}"] {
        let error = Model::new("byte_level").with("tokenizer.json", broken).refused();
        assert!(
            matches!(&error, Error::Tokenizer { path, .. } if path.ends_with("tokenizer.json")),
            "{error}"
        );
    }
}

/// The library fails on short tokens there, so it is refused before it can.
#[test]
fn a_decoder_that_cuts_ends_is_refused() {
    let model = Model::new("sentencepiece");
    let text = std::fs::read_to_string(model.path("tokenizer.json")).expect("the tokenizer");
    let error = model.with("tokenizer.json", text.replace("\"stop\":0", "\"stop\":1")).refused();
    assert!(
        matches!(&error, Error::Field { field, .. } if field == "decoder.Strip.stop"),
        "{error}"
    );
}

#[test]
fn broken_companions_are_named() {
    for file in [
        "tokenizer_config.json",
        "special_tokens_map.json",
        "generation_config.json",
        "config.json",
    ] {
        let error = Model::new("byte_level").with(file, "{\"a\": ").refused();
        assert!(matches!(&error, Error::Json { path, .. } if path.ends_with(file)), "{error}");
        let error = Model::new("byte_level").with(file, "[1]").refused();
        assert!(matches!(&error, Error::Field { path, .. } if path.ends_with(file)), "{error}");
    }
}

#[test]
fn fields_of_the_wrong_type_are_named() {
    for (file, content, field) in [
        ("config.json", json!({"eos_token_id": "two"}), "eos_token_id"),
        ("config.json", json!({"eos_token_id": [1, -2]}), "eos_token_id"),
        ("generation_config.json", json!({"eos_token_id": 4_294_967_296_u64}), "eos_token_id"),
        ("generation_config.json", json!({"temperature": "hot"}), "temperature"),
        ("generation_config.json", json!({"top_p": -1}), "top_p"),
        ("generation_config.json", json!({"top_k": 1.5}), "top_k"),
        ("tokenizer_config.json", json!({"chat_template": 5}), "chat_template"),
        ("tokenizer_config.json", json!({"chat_template": [{"name": "a"}]}), "chat_template"),
    ] {
        let error = Model::new("byte_level").with(file, &content).refused();
        match &error {
            Error::Field { path, field: found, .. } => {
                assert!(path.ends_with(file) && found == field, "{error}")
            }
            other => panic!("{content}: {other}"),
        }
    }
}

/// A tokenizer of another model: more ids than rows. Fewer are padding.
#[test]
fn the_vocabulary_must_fit_the_embedding() {
    let model = Model::new("byte_level").loaded();
    let size = model.vocab_size();
    model.check_vocab(size).expect("it fits");
    model.check_vocab(size + 100).expect("padding is fine");
    let base = model.token_id("<|endoftext|>").expect("the first added token") as usize;
    let text = model.check_vocab(base - 1).expect_err("a row is missing").to_string();
    for part in ["tokenizer.json", &(base - 1).to_string(), "another model"] {
        assert!(text.contains(part), "{text}");
    }
}

/// Added tokens may lack a row if neither the template nor a name needs one.
#[test]
fn added_tokens_without_a_row_must_not_be_needed() {
    let model = Model::new("byte_level").loaded();
    let end = model.token_id("<|im_end|>").expect("a token");
    model.check_vocab(end as usize + 1).expect("<think> and </think> are not needed");
    let found = model.check_vocab(end as usize).expect_err("<|im_end|> is in the template");
    assert!(matches!(found, Error::VocabTooLarge { highest_id, .. } if highest_id == end));
    let unnamed = json!({"chat_template": null, "eos_token": null});
    let model = Model::new("byte_level").with_config(unnamed).loaded();
    model.check_vocab(end as usize).expect("nothing needs it");
}

/// A47: the highest added token counts and can be used.
#[test]
fn a47_added_tokens_count() {
    let model = Model::new("byte_level").loaded();
    let highest = model.token_id("</think>").expect("a token");
    assert_eq!(model.vocab_size(), highest as usize + 1);
    assert_eq!(model.decode(&[highest], true), "</think>");
    assert!(
        !model.is_special(highest)
            && model.is_special(model.token_id("<|im_end|>").expect("a token"))
    );
}

/// A44: every source of end ids counts.
#[test]
fn a44_end_ids_are_a_union() {
    let model = Model::new("byte_level")
        .with("config.json", json!({"eos_token_id": 7, "text_config": {"eos_token_id": [9]}}))
        .with("generation_config.json", json!({"eos_token_id": [1, 106, 7]}))
        .loaded();
    let end = model.token_id("<|im_end|>").expect("a token");
    assert_eq!(model.eos_ids(), [1, 7, 9, 106, end]);
    assert_eq!(Model::new("sentencepiece").loaded().eos_ids(), [2]);
    let none = Model::new("byte_level").with_config(json!({"eos_token": null})).loaded();
    assert!(none.eos_ids().is_empty());
}

/// A45: what the model ships with, where it says so.
#[test]
fn a45_generation_defaults_are_read() {
    let model = Model::new("byte_level")
        .with(
            "generation_config.json",
            json!({"top_k": 1, "top_p": 0.001, "temperature": 0.1, "repetition_penalty": 1.05, "min_p": null}),
        )
        .loaded();
    let defaults = model.generation_defaults();
    assert_eq!((defaults.top_k, defaults.top_p, defaults.min_p), (Some(1), Some(0.001), None));
    assert_eq!((defaults.temperature, defaults.repetition_penalty), (Some(0.1), Some(1.05)));
    assert_eq!(*Model::new("byte_level").loaded().generation_defaults(), Default::default());
}

#[test]
fn special_tokens_have_names() {
    let model = Model::new("sentencepiece").loaded();
    assert_eq!(model.bos_id(), Some(1));
    assert_eq!(model.named_tokens()["eos_token"], "</s>");
    let object = json!({"content": "<s>", "lstrip": false});
    let model = Model::new("sentencepiece")
        .with_config(json!({"bos_token": object, "eos_token": null}))
        .loaded();
    assert_eq!((model.bos_id(), model.named_tokens().get("eos_token")), (Some(1), None));
    // An old model names them in a file of their own, which then wins.
    let model = Model::new("sentencepiece")
        .with("special_tokens_map.json", json!({"eos_token": "<unk>"}))
        .loaded();
    assert_eq!(model.eos_ids(), [0]);
    let model = Model::new("sentencepiece")
        .with_config(json!({"added_tokens_decoder": {}}))
        .with("special_tokens_map.json", json!({"eos_token": "<unk>"}))
        .loaded();
    assert_eq!(model.eos_ids(), [2]);
    // Where nothing names them the class does.
    let model = Model::new("sentencepiece")
        .with("tokenizer_config.json", json!({"tokenizer_class": "LlamaTokenizerFast"}))
        .loaded();
    assert_eq!((model.bos_id(), model.eos_ids()), (Some(1), &[2][..]));
}

/// As in transformers 5, where tokenizer.json is there.
#[test]
fn tokenizer_json_decides_what_goes_around_a_text() {
    let plain = Model::new("sentencepiece").loaded().encode("the", false).expect("ids");
    for flags in [json!({}), json!({"add_bos_token": false}), json!({"add_eos_token": true})] {
        let model = Model::new("sentencepiece").with_config(flags).loaded();
        assert_eq!(model.encode("the", true).expect("ids"), [&[1], &plain[..]].concat());
    }
}

#[test]
fn padding_and_truncation_of_the_file_are_ignored() {
    let model = Model::new("byte_level");
    let text = std::fs::read_to_string(model.path("tokenizer.json")).expect("the tokenizer");
    let mut tokenizer: Value = serde_json::from_str(&text).expect("JSON");
    tokenizer["truncation"] =
        json!({"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0});
    tokenizer["padding"] = json!({"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": null,
        "pad_id": 0, "pad_type_id": 0, "pad_token": "!"});
    let model = model.with("tokenizer.json", tokenizer).loaded();
    assert_eq!(
        model.decode(&model.encode("the quick brown fox", true).expect("ids"), false),
        "the quick brown fox"
    );
}

fn rendered(model: &TextModel) -> String {
    let messages = json!([{"role": "user", "content": "hi"}]);
    let input = tyto_text::RenderInput {
        messages: &messages,
        tools: None,
        add_generation_prompt: false,
        extra: &Default::default(),
        now: tyto_text::LocalTime::now(),
    };
    model.template().expect("a template").render(&input).expect("it renders")
}

/// B7: from a file and from the config, and which one wins.
#[test]
fn b7_a_template_file_wins_over_the_config() {
    let model = || Model::new("byte_level").with_config(json!({"chat_template": "config"}));
    assert_eq!(rendered(&model().loaded()), "config");
    assert_eq!(
        rendered(&model().with("chat_template.json", json!({"chat_template": "json"})).loaded()),
        "json"
    );
    assert_eq!(rendered(&model().with("chat_template.jinja", "file\n").loaded()), "file");
    let list = json!([{"name": "tool_use", "template": "tools"}, {"name": "default", "template": "plain"}]);
    assert_eq!(
        rendered(&Model::new("byte_level").with_config(json!({"chat_template": list})).loaded()),
        "plain"
    );
    let none = Model::new("byte_level").with_config(json!({"chat_template": null}));
    assert!(none.loaded().template().is_none());
    let more = model()
        .with("chat_template.jinja", "file")
        .with("additional_chat_templates/tool_use.jinja", "tools");
    let sources = TextSources::read(more.0.path()).expect("it is read");
    let names: Vec<&str> =
        sources.chat_templates.iter().map(|template| template.name.as_str()).collect();
    assert_eq!(names, ["default", "tool_use"]);
}

#[test]
fn a_template_that_does_not_parse_is_told_and_the_rest_works() {
    let model = Model::new("byte_level").with("chat_template.jinja", "\n\n{% endfor %}").loaded();
    let problem = model.template_problem().expect("a problem");
    assert!(problem.to_string().contains("chat_template.jinja:3: "), "{problem}");
    assert!(!model.encode("text", true).expect("ids").is_empty());
}
