//! Text completions: prompts in every form, several at once, and their stream.

use serde_json::{Value, json};

use crate::support::Setup;

#[tokio::test]
async fn a_whole_completion_has_every_field_that_clients_read() {
    let server = Setup::answering(" there").start().await;
    let reply = server.complete(json!({})).await;
    assert!(reply["id"].as_str().is_some_and(|id| id.starts_with("cmpl-")));
    assert_eq!(reply["object"], "text_completion");
    assert_eq!(
        reply["choices"],
        json!([{"index": 0, "text": " there", "logprobs": null, "finish_reason": "stop"}])
    );
    let usage = &reply["usage"];
    assert_eq!(
        [&usage["prompt_tokens"], &usage["completion_tokens"], &usage["total_tokens"]],
        [2, 7, 9]
    );
}

#[tokio::test]
async fn a_streamed_completion_has_text_chunks_and_one_end() {
    let server = Setup::answering(" there").start().await;
    let stream = server.stream_completion(json!({})).await;
    assert_eq!(stream.text(0), " there");
    assert_eq!(stream.reasons(0), ["stop"]);
    let choices = stream.choices(0);
    assert_eq!(choices.last().expect("an end")["text"], "");
    assert!(choices.iter().all(|choice| choice.get("delta").is_none()));
    assert!(stream.chunks.iter().all(|chunk| chunk["object"] == "text_completion"));
}

#[tokio::test]
async fn each_prompt_of_a_list_gets_the_answer_that_it_gets_alone() {
    let server = Setup::hashing().start().await;
    let alone = async |prompt: Value| {
        let reply = server.complete(json!({"prompt": prompt, "max_tokens": 24})).await;
        reply["choices"][0]["text"].as_str().expect("text").to_owned()
    };
    let (first, second) = (alone(json!("first")).await, alone(json!([1, 2, 3])).await);
    assert_ne!(first, second);
    let both = json!({"prompt": ["first", "second"], "max_tokens": 24});
    let whole = server.complete(both.clone()).await;
    assert_eq!(whole["choices"][0]["text"], first);
    assert_eq!(whole["choices"][1]["index"], 1);
    assert_eq!(whole["usage"]["prompt_tokens"], 11);
    let stream = server.stream_completion(both).await;
    assert_eq!(stream.text(0), first);
    assert_eq!(stream.text(1), whole["choices"][1]["text"].as_str().expect("text"));
    assert_eq!((stream.reasons(0).len(), stream.reasons(1).len()), (1, 1));
    let ids = server.complete(json!({"prompt": [[1, 2, 3]], "max_tokens": 24})).await;
    assert_eq!(ids["choices"][0]["text"], second);
}

#[tokio::test]
async fn a_text_prompt_is_its_token_ids() {
    let server = Setup::hashing().start().await;
    let text = server.complete(json!({"prompt": "hi"})).await;
    let ids = server.complete(json!({"prompt": [b'h', b'i']})).await;
    assert_eq!(text["choices"], ids["choices"]);
}

#[tokio::test]
async fn the_highest_added_token_is_a_valid_prompt_a47() {
    let server = Setup::answering("x").start().await;
    let highest = tyto_engine::testing::END;
    let reply = server.complete(json!({"prompt": [1, highest]})).await;
    assert_eq!(reply["choices"][0]["text"], "x");
    server.refused_completion(json!({"prompt": [1, highest + 1]})).await;
}

#[tokio::test]
async fn a_prompt_that_ends_within_a_character_is_answered_b17() {
    let server = Setup::emitting(b"\xaa!").start().await;
    let reply = server.complete(json!({"prompt": [0xe6, 0xad]})).await;
    // The answer is decoded by itself: its first byte is no character's beginning.
    assert_eq!(reply["choices"][0]["text"], "\u{fffd}!");
}

#[tokio::test]
async fn without_a_limit_an_answer_has_sixteen_tokens() {
    let server = Setup::answering("abcdefghijklmnopqrstuvwxyz").start().await;
    let reply = server.send_completion(json!({"prompt": "hi", "temperature": 0})).await;
    let reply = crate::support::ok(reply).await;
    assert_eq!(reply["choices"][0]["text"], "abcdefghijklmnop");
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
}
