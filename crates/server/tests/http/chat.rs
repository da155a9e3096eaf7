//! Chats: the reply's objects, the stream's bytes, stop strings, characters.

use serde_json::{Value, json};

use crate::support::{Setup, ok, parse_stream};

#[tokio::test]
async fn a_whole_chat_has_every_field_that_clients_read() {
    let server = Setup::answering("Hello").start().await;
    let reply = server.chat(json!({"model": "test-model"})).await;
    assert!(reply["id"].as_str().is_some_and(|id| id.starts_with("chatcmpl-")));
    assert_eq!(reply["object"], "chat.completion");
    assert!(reply["created"].as_u64().is_some_and(|created| created > 1_600_000_000));
    assert_eq!(reply["model"], "test-model");
    assert_eq!(
        reply["choices"],
        json!([{
            "index": 0,
            "message": {"role": "assistant", "content": "Hello", "refusal": null},
            "logprobs": null,
            "finish_reason": "stop",
        }])
    );
    // "[user]hi[assistant]" is 19 bytes, and so tokens; the answer has an end token.
    assert_eq!(
        reply["usage"],
        json!({
            "prompt_tokens": 19, "completion_tokens": 6, "total_tokens": 25,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {
                "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0,
            },
        })
    );
    assert!(reply["timings"]["prefill_ms"].as_f64().is_some_and(|time| time >= 0.0));
}

#[tokio::test]
async fn a_stream_has_its_chunks_in_the_order_that_clients_expect_c1_c3_c4_c5() {
    let server = Setup::answering("Hey").start().await;
    let stream = server.stream_chat(json!({})).await;
    let choices = stream.choices(0);
    assert_eq!(choices[0]["delta"], json!({"role": "assistant", "content": ""}));
    let (last, deltas) = choices[1..].split_last().expect("a last chunk");
    for choice in deltas {
        let delta = choice["delta"].as_object().expect("a delta");
        assert_eq!(delta.keys().collect::<Vec<_>>(), ["content"]);
        assert_eq!(choice.get("finish_reason"), Some(&Value::Null));
    }
    assert_eq!(last["delta"], json!({}));
    assert_eq!(last["finish_reason"], "stop");
    assert_eq!(choices[0].get("finish_reason"), Some(&Value::Null));
    assert_eq!(stream.text(0), "Hey");
    for chunk in &stream.chunks {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], stream.chunks[0]["id"]);
        assert_eq!(chunk["choices"].as_array().map(Vec::len), Some(1));
        assert_eq!(chunk.get("usage"), None);
    }
}

#[tokio::test]
async fn usage_comes_last_and_only_when_asked_for_c5() {
    let server = Setup::answering("Hey").start().await;
    let options = json!({"stream_options": {"include_usage": true}});
    let mut chunks = server.stream_chat(options).await.chunks;
    let last = chunks.pop().expect("a chunk");
    assert_eq!(last["choices"], json!([]));
    let usage = &last["usage"];
    assert_eq!(
        [&usage["prompt_tokens"], &usage["completion_tokens"], &usage["total_tokens"]],
        [19, 4, 23]
    );
    assert!(chunks.iter().all(|chunk| chunk.get("usage") == Some(&Value::Null)));
    let options = json!({"stream_options": {"include_usage": false}});
    let stream = server.stream_chat(options).await;
    assert!(stream.chunks.iter().all(|chunk| chunk.get("usage").is_none()));
}

#[tokio::test]
async fn each_way_to_end_gives_one_known_reason_c3_c7() {
    let server = Setup::answering("one two three").start().await;
    for (fields, reason) in [
        (json!({}), "stop"),
        (json!({"stop": "two"}), "stop"),
        (json!({"stop_token_ids": [u32::from(b'w')]}), "stop"),
        (json!({"max_tokens": 5}), "length"),
        (json!({"max_completion_tokens": 0}), "length"),
    ] {
        let stream = server.stream_chat(fields.clone()).await;
        assert_eq!(stream.reasons(0), [reason], "{fields}");
        let whole = server.chat(fields).await;
        assert_eq!(whole["choices"][0]["finish_reason"], reason);
        assert_eq!(whole["choices"][0]["message"]["content"], stream.text(0));
    }
}

#[tokio::test]
async fn streamed_text_is_the_whole_text_even_where_characters_are_cut_b16() {
    for (answer, max_tokens, text) in [
        ("naïve 歪 😀!".as_bytes(), 64, "naïve 歪 😀!"),
        // Cut by the limit within the last character.
        ("a😀".as_bytes(), 3, "a\u{fffd}"),
        // Bytes that never were a character.
        (b"a\xe6\xadb", 64, "a\u{fffd}b"),
    ] {
        let server = Setup::emitting(answer).start().await;
        let limit = json!({"max_tokens": max_tokens});
        let whole = server.chat(limit.clone()).await;
        assert_eq!(whole["choices"][0]["message"]["content"], text);
        assert_eq!(server.stream_chat(limit).await.text(0), text);
    }
}

#[tokio::test]
async fn stop_strings_never_show_and_what_only_looked_like_one_does_b23_b24_b25() {
    let server = Setup::answering("one, two, three?").start().await;
    for (stop, text) in [
        (json!("three"), "one, two, "),
        (json!(["zzz", " two"]), "one,"),
        // The end of the answer is the beginning of the stop string.
        (json!("?x"), "one, two, three?"),
        (json!("one, two, three? And"), "one, two, three?"),
        (json!("o"), ""),
    ] {
        let fields = json!({ "stop": stop });
        let whole = server.chat(fields.clone()).await;
        assert_eq!(whole["choices"][0]["message"]["content"], text, "{stop}");
        assert_eq!(server.stream_chat(fields).await.text(0), text, "{stop}");
    }
}

#[tokio::test]
async fn text_parts_and_their_text_are_the_same_prompt_c23() {
    let server = Setup::hashing().start().await;
    let with_content = async |content: Value| {
        let messages = json!([{"role": "user", "content": content}]);
        let reply = server.chat(json!({"messages": messages, "max_tokens": 16})).await;
        (reply["usage"]["prompt_tokens"].clone(), reply["choices"][0]["message"]["content"].clone())
    };
    let text = with_content(json!("a\nb")).await;
    let part = |text: &str| json!({"type": "text", "text": text});
    assert_eq!(with_content(json!([part("a\nb")])).await, text);
    assert_eq!(with_content(json!([part("a"), part("b")])).await, text);
    assert_ne!(with_content(json!("ab")).await, text);
}

#[tokio::test]
async fn every_optional_field_may_be_null_c24() {
    let server = Setup::answering("Hey").start().await;
    for field in [
        "model",
        "tools",
        "tool_choice",
        "functions",
        "stop",
        "n",
        "seed",
        "logit_bias",
        "user",
        "response_format",
        "max_tokens",
        "max_completion_tokens",
        "temperature",
        "top_p",
        "top_k",
        "min_p",
        "presence_penalty",
        "frequency_penalty",
        "repetition_penalty",
        "logprobs",
        "top_logprobs",
        "stream",
        "stream_options",
        "metadata",
        "parallel_tool_calls",
        "chat_template_kwargs",
        "stop_token_ids",
    ] {
        let reply = server.chat(json!({ field: null })).await;
        assert_eq!(reply["choices"][0]["finish_reason"], "stop", "{field}");
    }
    let replayed = json!({"messages": [
        {"role": "user", "content": "hi", "name": null},
        {"role": "assistant", "content": null, "refusal": null, "tool_calls": [
            {"id": null, "type": "function", "function": {"name": "f", "arguments": "{}"}},
        ]},
        {"role": "tool", "content": "7", "tool_call_id": null},
        {"role": "user", "content": "go on"},
    ]});
    server.chat(replayed).await;
}

#[tokio::test]
async fn our_own_answer_is_a_valid_part_of_the_next_request_b11() {
    let server = Setup::answering("Hey").start().await;
    let reply = server.chat(json!({})).await;
    let history = json!([
        {"role": "user", "content": "hi"},
        reply["choices"][0]["message"],
        {"role": "user", "content": "again"},
    ]);
    let next = server.chat(json!({ "messages": history })).await;
    assert_eq!(next["choices"][0]["message"]["content"], "Hey");
}

#[tokio::test]
async fn fields_without_effect_are_named_in_a_header() {
    let server = Setup::answering("Hey").start().await;
    for stream in [false, true] {
        let body = json!({
            "messages": [{"role": "user", "content": "hi"}], "stream": stream,
            "user": "u", "temprature": 0.5, "store": null,
        });
        let reply = server.send_chat(body).await;
        assert_eq!(reply.headers()["x-tyto-ignored-fields"], "user, temprature");
    }
    let reply = server.send_chat(json!({"messages": [{"role": "user", "content": "hi"}]})).await;
    assert_eq!(reply.headers().get("x-tyto-ignored-fields"), None);
    ok(reply).await;
}

#[tokio::test]
async fn a_slow_answer_is_kept_open_by_comments_that_no_client_sees_c9() {
    let mut setup = Setup::answering("Hey");
    setup.options.keep_alive = crate::support::IMPATIENT;
    let server = setup.start().await;
    server.control.hold();
    let body = json!({"messages": [{"role": "user", "content": "hi"}], "stream": true});
    let mut reply = server.send_chat(body).await;
    let mut text = String::new();
    while !text.contains("\n\n:") {
        let bytes = reply.chunk().await.expect("the stream is open").expect("it goes on");
        text.push_str(std::str::from_utf8(&bytes).expect("comments and JSON are UTF-8"));
    }
    server.control.release();
    while let Some(bytes) = reply.chunk().await.expect("the stream is open") {
        text.push_str(std::str::from_utf8(&bytes).expect("comments and JSON are UTF-8"));
    }
    assert_eq!(parse_stream(&text).text(0), "Hey");
}
