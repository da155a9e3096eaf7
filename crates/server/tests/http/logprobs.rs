//! Log probabilities on both endpoints, whole and streamed.

use serde_json::{Value, json};

use crate::support::{Setup, Streamed};

/// All entries of a streamed chat.
fn chat_entries(stream: &Streamed) -> Vec<Value> {
    let choices = stream.choices(0).into_iter();
    choices
        .filter_map(|choice| choice["logprobs"]["content"].as_array())
        .flatten()
        .cloned()
        .collect()
}

/// One of the parallel lists of a streamed completion.
fn completion_list(stream: &Streamed, name: &str) -> Vec<Value> {
    let choices = stream.choices(0).into_iter();
    choices.filter_map(|choice| choice["logprobs"][name].as_array()).flatten().cloned().collect()
}

#[tokio::test]
async fn every_token_has_an_entry_on_both_endpoints_in_both_modes_c31() {
    let server = Setup::hashing().start().await;
    let chat = json!({"logprobs": true, "top_logprobs": 3, "max_tokens": 12});
    let whole = server.chat(chat.clone()).await;
    let entries = whole["choices"][0]["logprobs"]["content"].as_array().expect("entries");
    assert_eq!(whole["usage"]["completion_tokens"], entries.len());
    assert_eq!(chat_entries(&server.stream_chat(chat).await), *entries);

    let completion = json!({"logprobs": 3, "max_tokens": 12});
    let whole = server.complete(completion.clone()).await;
    let stream = server.stream_completion(completion).await;
    for name in ["tokens", "token_logprobs", "top_logprobs", "text_offset"] {
        let list = whole["choices"][0]["logprobs"][name].as_array().expect("a list");
        assert_eq!(whole["usage"]["completion_tokens"], list.len(), "{name}");
        assert_eq!(completion_list(&stream, name), *list, "{name}");
    }
}

#[tokio::test]
async fn tokens_held_back_for_a_stop_string_have_their_entries_too_c31() {
    let server = Setup::answering("abcabd").start().await;
    let fields = json!({"logprobs": true, "stop": "abd"});
    let whole = server.chat(fields.clone()).await;
    assert_eq!(whole["choices"][0]["message"]["content"], "abc");
    let stream = server.stream_chat(fields).await;
    assert_eq!(stream.text(0), "abc");
    assert_eq!(chat_entries(&stream).len(), 6);
    assert_eq!(whole["usage"]["completion_tokens"], 6);
}

#[tokio::test]
async fn alternatives_are_sorted_and_a_greedy_token_comes_first_c32() {
    let server = Setup::hashing().start().await;
    let reply = server.chat(json!({"logprobs": true, "top_logprobs": 5, "max_tokens": 12})).await;
    for entry in reply["choices"][0]["logprobs"]["content"].as_array().expect("entries") {
        let top = entry["top_logprobs"].as_array().expect("alternatives");
        assert_eq!(top.len(), 5);
        assert_eq!(top[0]["logprob"], entry["logprob"]);
        assert_eq!(top[0]["bytes"], entry["bytes"]);
        assert_eq!(top[0]["token"], entry["token"]);
        let values: Vec<f64> = top.iter().filter_map(|top| top["logprob"].as_f64()).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        assert!(values.iter().all(|value| *value <= 0.0), "{values:?}");
    }
}

#[tokio::test]
async fn sampling_values_do_not_change_log_probabilities_c33() {
    let server = Setup::hashing().start().await;
    let first = async |fields: Value| {
        let mut body = json!({"logprobs": true, "top_logprobs": 2, "max_tokens": 1});
        for (name, value) in fields.as_object().expect("an object") {
            body[name] = value.clone();
        }
        server.chat(body).await["choices"][0]["logprobs"]["content"][0].clone()
    };
    let plain = first(json!({})).await;
    assert_eq!(first(json!({"top_p": 0.1})).await, plain);
    assert_eq!(first(json!({"temperature": 2, "top_k": 1})).await, plain);
}

#[tokio::test]
async fn parts_of_a_character_have_their_bytes() {
    let server = Setup::answering("é").start().await;
    let reply = server.chat(json!({"logprobs": true, "max_tokens": 2})).await;
    let entries = &reply["choices"][0]["logprobs"]["content"];
    assert_eq!(entries[0]["bytes"], json!([0xc3]));
    assert_eq!(entries[1]["bytes"], json!([0xa9]));
    assert_eq!(entries[0]["top_logprobs"], json!([]));
}

#[tokio::test]
async fn offsets_count_characters_of_the_answer() {
    let server = Setup::answering("abc").start().await;
    let reply = server.complete(json!({"logprobs": 0})).await;
    let logprobs = &reply["choices"][0]["logprobs"];
    assert_eq!(logprobs["tokens"], json!(["a", "b", "c", "<|end|>"]));
    assert_eq!(logprobs["text_offset"], json!([0, 1, 2, 3]));
}
