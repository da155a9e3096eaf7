//! Several answers to one prompt.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::Setup;

#[tokio::test]
async fn each_answer_has_its_index_and_the_prompt_counts_once_c8() {
    let server = Setup::answering("Hey").start().await;
    let reply = server.chat(json!({"n": 3})).await;
    let choices = reply["choices"].as_array().expect("choices");
    let indices: Vec<u64> = choices.iter().filter_map(|choice| choice["index"].as_u64()).collect();
    assert_eq!(indices, [0, 1, 2]);
    assert!(choices.iter().all(|choice| choice["message"]["content"] == "Hey"));
    assert_eq!(reply["usage"]["prompt_tokens"], 19);
    assert_eq!(reply["usage"]["completion_tokens"], 12);

    let streamed = server.stream_chat(json!({"n": 3})).await;
    for index in 0..3 {
        assert_eq!(streamed.text(index), "Hey");
        assert_eq!(streamed.reasons(index), ["stop"]);
    }
    let prompts = server.complete(json!({"prompt": ["a", "b"], "n": 2})).await;
    assert_eq!(prompts["choices"].as_array().map(Vec::len), Some(4));
    assert_eq!(prompts["usage"]["prompt_tokens"], 2);
}

#[tokio::test]
async fn answers_of_one_seed_differ_and_come_again_c36() {
    let server = Setup::hashing().start().await;
    let ask = async |seed: i64| {
        let fields =
            json!({"n": 4, "seed": seed, "temperature": 1, "max_tokens": 12, "ignore_eos": true});
        let reply = server.chat(fields).await;
        let choices = reply["choices"].as_array().expect("choices").clone();
        choices.iter().map(|choice| choice["message"]["content"].to_string()).collect::<Vec<_>>()
    };
    let first = ask(7).await;
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 4);
    assert_eq!(ask(7).await, first);
    // The second answer's seed is the next number.
    assert_eq!(ask(8).await[0], first[1]);
}

#[tokio::test]
async fn numbers_out_of_range_are_400() {
    let server = Setup::answering("Hey").start().await;
    for n in [json!(0), json!(129), json!(1.5), json!("2")] {
        assert_eq!(server.refused_chat(json!({ "n": n })).await["param"], "n");
    }
}
