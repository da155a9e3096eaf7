//! Answers that must follow a grammar, over a model that has other plans.

use serde_json::{Value, json};

use crate::support::Setup;

fn yes_or_no() -> Value {
    json!({
        "type": "object", "properties": {"answer": {"type": "boolean"}},
        "required": ["answer"], "additionalProperties": false,
    })
}

fn content(reply: &Value) -> &str {
    reply["choices"][0]["message"]["content"].as_str().expect("text")
}

#[tokio::test]
async fn an_answer_follows_its_schema_whatever_the_model_wants() {
    let server = Setup::answering("Hello").start().await;
    let schema = yes_or_no();
    for fields in [
        json!({"response_format": {"type": "json_schema", "json_schema": {"name": "a", "strict": true, "schema": schema}}}),
        json!({"response_format": {"type": "json_object", "schema": schema}}),
        json!({"json_schema": schema}),
        json!({"guided_json": schema}),
        json!({"guided_json": schema.to_string()}),
        json!({"structured_outputs": {"json": schema}}),
    ] {
        let reply = server.chat(fields.clone()).await;
        let value: Value = serde_json::from_str(content(&reply)).expect("the answer is JSON");
        assert_eq!(value, json!({"answer": false}), "{fields}");
        assert_eq!(reply["choices"][0]["finish_reason"], "stop");
        assert_eq!(server.stream_chat(fields).await.text(0), content(&reply));
    }
}

#[tokio::test]
async fn a_model_that_follows_by_itself_is_not_changed() {
    let answer = "{\"answer\": true}";
    let server = Setup::answering(answer).start().await;
    for format in [
        json!({"type": "json_object"}),
        json!({"type": "json_schema", "json_schema": {"schema": yes_or_no()}}),
    ] {
        assert_eq!(content(&server.chat(json!({ "response_format": format })).await), answer);
    }
}

#[tokio::test]
async fn expressions_choices_and_grammars_are_followed_in_both_endpoints() {
    let server = Setup::answering("Hello").start().await;
    for (fields, text) in [
        (json!({"guided_regex": "[x-z]{3}"}), "xxx"),
        (json!({"guided_choice": ["no", "maybe"]}), "maybe"),
        (json!({"structured_outputs": {"choice": ["yes"]}}), "yes"),
        (json!({"grammar": "root ::= \"a\" [b-d] \"\\n\""}), "ab\n"),
        (json!({"guided_grammar": "start: \"a\" \"b\""}), "ab"),
        (json!({"response_format": {"type": "regex", "pattern": "ok"}}), "ok"),
        // What the model would say anyway.
        (json!({"guided_regex": "[A-Z][a-z]+"}), "Hello"),
    ] {
        assert_eq!(content(&server.chat(fields.clone()).await), text, "{fields}");
        let completion = server.complete(fields).await;
        assert_eq!(completion["choices"][0]["text"], text);
    }
}

#[tokio::test]
async fn what_cannot_be_compiled_is_400_with_the_reason_c29() {
    let server = Setup::answering("Hello").start().await;
    let deep = (0..100).fold(json!({}), |inner, _| json!({"type": "array", "items": inner}));
    for (fields, param) in [
        (
            json!({"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "string", "pattern": "(["}}}}),
            "response_format",
        ),
        (
            json!({"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": "#/$defs/x"}}}}),
            "response_format",
        ),
        (
            json!({"response_format": {"type": "json_schema", "json_schema": {"schema": deep}}}),
            "response_format",
        ),
        (json!({"guided_json": 7}), "guided_json"),
        (json!({"guided_regex": "a("}), "guided_regex"),
        (json!({"grammar": "root ::= item"}), "grammar"),
        (json!({"structured_outputs": {"grammar": "start: x"}}), "structured_outputs.grammar"),
    ] {
        for stream in [false, true] {
            let mut fields = fields.clone();
            fields["stream"] = json!(stream);
            let error = server.refused_chat(fields.clone()).await;
            assert_eq!(error["param"], param, "{fields}");
            assert_eq!(error["code"], "invalid_grammar");
        }
    }
    assert_eq!(content(&server.chat(json!({})).await), "Hello");
}

#[tokio::test]
async fn rules_that_are_none_or_two_are_400() {
    let server = Setup::answering("Hello").start().await;
    for (fields, param) in [
        (json!({"response_format": {"type": "xml"}}), "response_format.type"),
        (json!({"response_format": {}}), "response_format.type"),
        (json!({"response_format": {"type": "json_schema"}}), "response_format.json_schema.schema"),
        (json!({"guided_choice": ["a", 1]}), "guided_choice"),
        (json!({"guided_regex": 1}), "guided_regex"),
        (
            json!({"structured_outputs": {"structural_tag": "x"}}),
            "structured_outputs.structural_tag",
        ),
        (json!({"structured_outputs": {"regex": "a", "choice": ["a"]}}), "structured_outputs"),
        (json!({"guided_regex": "a", "grammar": "start: \"a\""}), "guided_regex"),
        (json!({"grammar": "root ::= \"a\"", "grammar_lazy": true}), "grammar_lazy"),
    ] {
        assert_eq!(server.refused_chat(fields.clone()).await["param"], param, "{fields}");
    }
    for nothing in [
        json!({"response_format": {"type": "text"}}),
        json!({"grammar": ""}),
        json!({"structured_outputs": {}}),
    ] {
        assert_eq!(content(&server.chat(nothing).await), "Hello");
    }
}

#[tokio::test]
async fn a_grammar_holds_with_log_probabilities_and_stops_at_the_limit() {
    let server = Setup::answering("Hello").start().await;
    let fields =
        json!({"guided_regex": "[x-z]{9}", "logprobs": true, "top_logprobs": 2, "max_tokens": 4});
    let reply = server.chat(fields).await;
    assert_eq!(content(&reply), "xxxx");
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
    let entries = reply["choices"][0]["logprobs"]["content"].as_array().expect("entries");
    assert_eq!(entries.len(), 4);
    // Of the model's own distribution, which the grammar does not change.
    assert_eq!(entries[0]["top_logprobs"][0]["token"], "H");
}
