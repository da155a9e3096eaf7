//! Reasoning: told apart from the answer, limited, or left in it.

use serde_json::{Value, json};
use tyto_engine::testing::text_model_with;

use crate::support::Setup;

const ANSWER: &str = "<think>\nHm. 2 and 2.\n</think>\n\nFour.";

/// A template that opens the reasoning itself if `enable_thinking` is true, and closes it if false.
const TEMPLATE: &str = "\
{%- for message in messages -%}[{{ message.role }}]{{ message.content }}{%- endfor -%}
[assistant]{% if enable_thinking is defined %}<think>{% if not enable_thinking %}</think>{% endif %}{% endif %}\
{% if reasoning_effort is defined %}({{ reasoning_effort }}){% endif %}";

fn saying(answer: &str) -> Setup {
    let mut setup = Setup::answering(answer);
    setup.text_model = text_model_with(&[], Some(TEMPLATE));
    setup
}

fn message(reply: &Value) -> (Option<&str>, &str) {
    let message = &reply["choices"][0]["message"];
    (message["reasoning_content"].as_str(), message["content"].as_str().expect("text"))
}

#[tokio::test]
async fn reasoning_has_a_field_of_its_own() {
    let server = saying(ANSWER).start().await;
    let reply = server.chat(json!({})).await;
    assert_eq!(message(&reply), (Some("Hm. 2 and 2."), "Four."));
    assert_eq!(reply["choices"][0]["finish_reason"], "stop");
    let streamed = server.stream_chat(json!({})).await;
    let thoughts: String = streamed
        .choices(0)
        .iter()
        .filter_map(|choice| choice["delta"]["reasoning_content"].as_str())
        .collect();
    assert_eq!((thoughts.as_str(), streamed.text(0).as_str()), ("Hm. 2 and 2.", "Four."));
}

#[tokio::test]
async fn it_can_be_left_in_the_answer_or_out_of_the_reply() {
    let server = saying(ANSWER).start().await;
    assert_eq!(message(&server.chat(json!({"reasoning_format": "none"})).await), (None, ANSWER));
    assert_eq!(message(&server.chat(json!({"include_reasoning": false})).await), (None, "Four."));
    assert_eq!(server.stream_chat(json!({"include_reasoning": false})).await.text(0), "Four.");
    let error = server.refused_chat(json!({"reasoning_format": "other"})).await;
    assert_eq!(error["param"], "reasoning_format");
}

#[tokio::test]
async fn a_prompt_that_opens_it_needs_no_tag_in_the_answer() {
    let server = saying("Hm.</think>Four.").start().await;
    let opened = json!({"enable_thinking": true});
    assert_eq!(message(&server.chat(opened).await), (Some("Hm."), "Four."));
    let kwargs = json!({"chat_template_kwargs": {"enable_thinking": true}});
    assert_eq!(message(&server.chat(kwargs).await), (Some("Hm."), "Four."));
    // Closed by the prompt: all of it is the answer.
    let server = saying("Four.").start().await;
    for closed in [
        json!({"enable_thinking": false}),
        json!({"chat_template_kwargs": {"enable_thinking": false}}),
    ] {
        assert_eq!(message(&server.chat(closed).await), (None, "Four."));
    }
}

#[tokio::test]
async fn effort_reaches_the_template() {
    let server = saying("Four.").start().await;
    let body = json!({"messages": [{"role": "user", "content": "hi"}], "reasoning_effort": "high"});
    let request = server.post("/apply-template", &body);
    let reply = crate::support::ok(request.send().await.expect("a reply")).await;
    assert_eq!(reply["prompt"], "[user]hi[assistant](high)");
}

#[tokio::test]
async fn a_budget_closes_it() {
    // Never closes by itself; ends after its script.
    let server = saying("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").start().await;
    for name in ["reasoning_budget", "thinking_budget"] {
        let fields = json!({"enable_thinking": true, name: 5, "max_tokens": 20});
        let reply = server.chat(fields).await;
        let (thoughts, text) = message(&reply);
        assert_eq!(thoughts, Some("aaaaa"));
        assert_eq!(text.len(), 20 - 5 - "</think>".len());
    }
    let none = Setup::answering("Four.").start().await;
    assert_eq!(
        none.refused_chat(json!({"reasoning_budget": 5})).await["param"],
        "reasoning_budget"
    );
}

#[tokio::test]
async fn a_grammar_begins_after_the_reasoning() {
    let server = saying("Hm.</think>Four.").start().await;
    let fields = json!({"enable_thinking": true, "guided_regex": "[0-9]"});
    assert_eq!(message(&server.chat(fields).await), (Some("Hm."), "0"));
}
