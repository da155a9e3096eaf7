//! Token limits and the context's end.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Setup, error};

#[tokio::test]
async fn a_limit_of_n_gives_n_tokens_c11() {
    let server = Setup::answering("abcdef").start().await;
    for limit in 0..=3 {
        let reply = server.chat(json!({"max_tokens": limit})).await;
        assert_eq!(reply["usage"]["completion_tokens"], limit);
        assert_eq!(reply["choices"][0]["message"]["content"], "abcdef"[..limit]);
        assert_eq!(reply["choices"][0]["finish_reason"], "length");
        let stream = server.stream_completion(json!({"max_tokens": limit})).await;
        assert_eq!(stream.text(0), "abcdef"[..limit]);
    }
}

#[tokio::test]
async fn a_limit_that_cannot_be_meant_is_refused_by_name_c13() {
    let server = Setup::answering("abc").start().await;
    for name in ["max_tokens", "max_completion_tokens", "min_tokens"] {
        for bad in
            [json!(-1), json!(-2), json!(1e12), json!(2.5), json!("7"), json!([1]), json!(true)]
        {
            let error = server.refused_chat(json!({ name: bad })).await;
            assert_eq!(error["param"], name, "{bad}");
            let message = error["message"].as_str().expect("a message");
            assert!(message.contains("0 to 256"), "{message}");
        }
    }
}

#[tokio::test]
async fn a_prompt_beyond_the_context_is_refused_and_hurts_nobody_c15_c16() {
    let server = Setup::answering("abc").start().await;
    for (prompt, fits) in [(255, true), (256, false), (257, false), (5_000, false)] {
        let body = json!({"prompt": "x".repeat(prompt), "max_tokens": 1});
        let reply = server.send_completion(body).await;
        if fits {
            assert_eq!(reply.status(), StatusCode::OK);
            continue;
        }
        let error = error(reply, StatusCode::BAD_REQUEST).await;
        assert_eq!(error["code"], "context_length_exceeded");
        assert_eq!(error["param"], "prompt");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("256") && message.contains(&prompt.to_string()), "{message}");
        assert_eq!(server.complete(json!({})).await["choices"][0]["text"], "abc");
    }
    let messages = json!([{"role": "user", "content": "x".repeat(300)}]);
    for stream in [false, true] {
        let error = server.refused_chat(json!({"messages": messages, "stream": stream})).await;
        assert_eq!(error["code"], "context_length_exceeded");
        assert_eq!(error["param"], "messages");
    }
}

#[tokio::test]
async fn at_the_contexts_end_an_answer_is_as_long_as_it_can_be_d16() {
    let server = Setup::hashing().start().await;
    let reply = server.complete(json!({"max_tokens": 256, "ignore_eos": true})).await;
    assert_eq!(reply["usage"]["total_tokens"], 256);
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
}

#[tokio::test]
async fn a_minimum_is_kept() {
    let server = Setup::answering("ab").start().await;
    let reply = server.complete(json!({"min_tokens": 5, "max_tokens": 5})).await;
    assert_eq!(reply["usage"]["completion_tokens"], 5);
    let error = server.refused_completion(json!({"min_tokens": 6, "max_tokens": 5})).await;
    assert_eq!(error["param"], "min_tokens");
}

/// Each text has its own copy of what the request says besides, so they are counted before they are made.
#[tokio::test]
async fn more_texts_than_the_queue_holds_are_refused_before_they_are_made() {
    let server = Setup::answering("abc").start().await;
    let stops: Vec<String> = (0..64).map(|index| format!("{index}{}", "x".repeat(4000))).collect();
    // With their stops they would take a hundred gigabytes.
    let prompts = json!(vec!["a"; 4000]);
    let fields = json!({"prompt": prompts, "n": 128, "stop": stops});
    let error = server.refused_completion(fields).await;
    assert_eq!((&error["param"], &error["code"]), (&json!("prompt"), &json!("invalid_value")));
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("512000 texts") && message.contains("the queue"), "{message}");
}
