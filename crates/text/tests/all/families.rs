//! Tokenizers and templates of real model families, against transformers.
//!
//! `tools/fetch-tokenizers` puts the families' files into models/tokenizers (they are not ours to
//! keep here); fixtures/families.json is made by tools/oracle/families.py.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};
use tyto_text::{LocalTime, RenderInput, StreamDecoder, TemplateErrorKind, TextModel};

/// A family's files, if they were fetched.
fn load(family: &str) -> Option<Arc<TextModel>> {
    let directory = root().join("models/tokenizers").join(family);
    if !directory.exists() {
        println!("{family}: nothing to compare; ./tools/fetch-tokenizers fetches it");
        return None;
    }
    Some(Arc::new(TextModel::load(&directory).unwrap_or_else(|error| panic!("{family}: {error}"))))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn expected() -> Value {
    let file = root().join("crates/text/tests/fixtures/families.json");
    let text = std::fs::read_to_string(file).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture is JSON")
}

fn ids_of(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).expect("a list of ids")
}

/// Ids of each text, the text of the ids at once and streamed, and the token in front.
#[test]
fn texts_become_the_ids_of_transformers_and_come_back() {
    let expected = expected();
    let texts = expected["texts"].as_array().expect("a list");
    assert!(texts.len() > 200, "a few hundred texts");
    let mut wrong = Vec::new();
    for (family, of) in expected["families"].as_object().expect("an object") {
        let Some(model) = load(family) else { continue };
        assert_eq!(model.encode("x", true).expect("ids"), ids_of(&of["start"]), "{family}");
        for (at, text) in texts.iter().enumerate() {
            let text = text.as_str().expect("a text");
            let ids = ids_of(&of["ids"][at]);
            let found = model.encode(text, false).expect("ids");
            if found != ids {
                wrong.push(format!("{family}: {text:?}: {found:?}, not {ids:?}"));
            }
            let back = of["decoded"][at.to_string()].as_str().unwrap_or(text);
            for (how, decoded) in
                [("whole", model.decode(&ids, false)), ("streamed", streamed(&model, &ids))]
            {
                if decoded != back {
                    wrong.push(format!("{family}: {text:?}: {how} {decoded:?}, not {back:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn streamed(model: &Arc<TextModel>, ids: &[u32]) -> String {
    let mut decoder = StreamDecoder::new(model.clone(), false);
    let mut text: String = ids.iter().map(|id| decoder.push(*id)).collect();
    text.push_str(&decoder.finish());
    text
}

/// Each conversation by the family's own template: the text, or the template's own refusal.
#[test]
fn conversations_are_rendered_as_by_transformers() {
    let expected = expected();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (family, of) in expected["families"].as_object().expect("an object") {
        let (Some(model), Some(cases)) = (load(family), of["conversations"].as_object()) else {
            continue;
        };
        for (name, case) in cases {
            // Calls without content fail in transformers and not here: see the test of B11.
            if name == "tool_chat" && case.get("invalid").is_some() {
                continue;
            }
            compared += 1;
            if let Some(difference) = difference(&model, &expected["conversations"][name], case) {
                wrong.push(format!("{family}: {name}: {difference}"));
            }
        }
    }
    println!("{compared} renderings");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// How a rendering differs from transformers', if it does.
fn difference(model: &TextModel, conversation: &Value, expected: &Value) -> Option<String> {
    let empty = Map::new();
    let template = model.template().expect("a template");
    let rendered = template.render(&RenderInput {
        messages: &conversation["messages"],
        tools: conversation.get("tools"),
        add_generation_prompt: conversation["add_generation_prompt"].as_bool().unwrap_or(true),
        extra: conversation["extra"].as_object().unwrap_or(&empty),
        now: LocalTime::new((2025, 3, 7), (9, 5, 2)).expect("a time"),
    });
    let right = match (&rendered, expected["text"].as_str(), expected["raised"].as_str()) {
        (Ok(text), Some(expected), _) => text == expected,
        (Err(error), _, Some(message)) => {
            error.kind == TemplateErrorKind::Raised && error.message == message
        }
        (Err(error), None, None) => error.kind == TemplateErrorKind::Invalid,
        _ => false,
    };
    (!right).then(|| format!("found {rendered:?}\n  expected {expected}"))
}
