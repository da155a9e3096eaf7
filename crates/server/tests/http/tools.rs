//! Tools: what the model calls, whole and streamed, and what it must call.

use serde_json::{Value, json};
use tyto_engine::testing::text_model_with;

use crate::support::{Setup, Streamed};

/// A template in the manner of Hermes.
const HERMES: &str = "\
{%- if tools %}{{ tools | tojson }}{% endif -%}
{%- for message in messages -%}
[{{ message.role }}]{{ message.content }}
{%- for call in message.tool_calls or [] -%}
<tool_call>{{ call.function.name }} {{ call.function.arguments | tojson }}</tool_call>
{%- endfor -%}
{%- endfor -%}
{%- if add_generation_prompt -%}[assistant]{%- endif -%}";

const ANSWER: &str = "I look.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Köln\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";

fn saying(answer: &str) -> Setup {
    let mut setup = Setup::answering(answer);
    setup.text_model = text_model_with(&[], Some(HERMES));
    setup.executor = long(answer);
    setup
}

/// Room for the tools in the prompt.
fn long(answer: &str) -> tyto_engine::testing::TableExecutor {
    let limits = tyto_engine::ExecutorLimits {
        context_length: 4096,
        n_blocks: 4097,
        max_chunk: 512,
        ..crate::support::limits()
    };
    let end = tyto_engine::testing::END;
    let tokens = answer.bytes().map(u32::from).chain([end]).collect();
    tyto_engine::testing::TableExecutor::script(limits, tokens)
}

fn tools() -> Value {
    json!([
        {"type": "function", "function": {"name": "weather", "description": "The weather", "parameters": {
            "type": "object", "properties": {"city": {"enum": ["Köln", "Bonn"]}},
            "required": ["city"], "additionalProperties": false,
        }}},
        {"type": "function", "function": {"name": "now"}},
    ])
}

fn calls(streamed: &Streamed) -> Vec<(String, String, String)> {
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for choice in streamed.choices(0) {
        for call in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            let index = usize::try_from(call["index"].as_u64().expect("an index")).expect("small");
            if let Some(id) = call["id"].as_str() {
                assert_eq!((index, &call["type"]), (calls.len(), &json!("function")));
                let name = call["function"]["name"].as_str().expect("a name comes with the id");
                calls.push((id.to_owned(), name.to_owned(), String::new()));
            } else {
                assert_eq!(call["function"].get("name"), None, "the name comes once");
            }
            calls[index].2 += call["function"]["arguments"].as_str().expect("a piece of JSON");
        }
    }
    calls
}

#[tokio::test]
async fn calls_come_whole_and_in_pieces_c25_c27() {
    let server = saying(ANSWER).start().await;
    let whole = server.chat(json!({ "tools": tools() })).await;
    let choice = &whole["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], "I look.");
    let said = choice["message"]["tool_calls"].as_array().expect("calls");
    assert_eq!(said.len(), 2);
    assert_eq!(said[0]["type"], "function");
    assert_eq!(
        said[0]["function"],
        json!({"name": "weather", "arguments": "{\"city\": \"Köln\"}"})
    );
    assert_eq!(said[1]["function"], json!({"name": "now", "arguments": "{}"}));
    let id = |index: usize| said[index]["id"].as_str().expect("an id");
    assert!(id(0).starts_with("call_") && id(0) != id(1));

    let streamed = server.stream_chat(json!({ "tools": tools() })).await;
    assert_eq!(streamed.text(0), "I look.");
    assert_eq!(streamed.reasons(0), ["tool_calls"]);
    let pieces = calls(&streamed);
    assert_eq!((pieces[0].1.as_str(), pieces[0].2.as_str()), ("weather", "{\"city\": \"Köln\"}"));
    assert_eq!((pieces[1].1.as_str(), pieces[1].2.as_str()), ("now", "{}"));
    assert!(pieces[0].0 != pieces[1].0);
    assert_eq!(streamed.choices(0).last().expect("a last chunk")["delta"], json!({}));
}

#[tokio::test]
async fn a_call_cut_by_the_limit_ends_with_length_c28() {
    let server = saying(ANSWER).start().await;
    for max_tokens in [1, 20, 40, 60, 75] {
        let fields = json!({"tools": tools(), "max_tokens": max_tokens});
        let streamed = server.stream_chat(fields.clone()).await;
        assert_eq!(streamed.reasons(0), ["length"]);
        let whole = server.chat(fields).await;
        assert_eq!(whole["choices"][0]["finish_reason"], "length");
    }
}

#[tokio::test]
async fn a_required_call_is_made_and_its_arguments_follow_the_schema() {
    let server = saying("Hello").start().await;
    for (choice, name) in [
        (json!("required"), None),
        (json!({"type": "function", "function": {"name": "weather"}}), Some("weather")),
        (json!({"type": "function", "function": {"name": "now"}}), Some("now")),
    ] {
        let fields = json!({"tools": tools(), "tool_choice": choice, "parallel_tool_calls": false});
        let whole = server.chat(fields.clone()).await;
        assert_eq!(whole["choices"][0]["finish_reason"], "tool_calls", "{choice}");
        assert_eq!(whole["choices"][0]["message"]["content"], Value::Null);
        let said = whole["choices"][0]["message"]["tool_calls"].as_array().expect("calls");
        assert_eq!(said.len(), 1);
        let function = &said[0]["function"];
        assert!(name.is_none_or(|name| function["name"] == name), "{function}");
        let arguments: Value =
            serde_json::from_str(function["arguments"].as_str().expect("text")).expect("JSON");
        if function["name"] == "weather" {
            assert_eq!(arguments, json!({"city": "Bonn"}));
        }
        assert_eq!(calls(&server.stream_chat(fields).await).len(), 1);
    }
}

#[tokio::test]
async fn an_answer_with_a_schema_is_a_call_or_such_an_answer() {
    let format = json!({"type": "json_schema", "json_schema": {"schema": {
        "type": "object", "properties": {"done": {"const": true}}, "required": ["done"], "additionalProperties": false,
    }}});
    let fields = json!({"tools": tools(), "response_format": format});
    let server = saying(&ANSWER["I look.\n".len()..]).start().await;
    assert_eq!(server.chat(fields.clone()).await["choices"][0]["finish_reason"], "tool_calls");
    let server = saying("{\"done\": true}").start().await;
    let reply = server.chat(fields).await;
    assert_eq!(reply["choices"][0]["message"]["content"], "{\"done\": true}");
    let both = json!({"tools": tools(), "guided_regex": "a"});
    assert_eq!(server.refused_chat(both).await["param"], "guided_regex");
}

#[tokio::test]
async fn without_tools_or_with_none_a_call_is_text() {
    let server = saying(ANSWER).start().await;
    for fields in
        [json!({}), json!({"tools": []}), json!({"tools": tools(), "tool_choice": "none"})]
    {
        let reply = server.chat(fields).await;
        assert_eq!(reply["choices"][0]["finish_reason"], "stop");
        assert_eq!(reply["choices"][0]["message"]["content"], ANSWER);
        assert_eq!(reply["choices"][0]["message"].get("tool_calls"), None);
    }
}

#[tokio::test]
async fn our_own_calls_are_a_valid_part_of_the_next_request_b11_b13() {
    let server = saying(ANSWER).start().await;
    let reply = server.chat(json!({ "tools": tools() })).await;
    let message = &reply["choices"][0]["message"];
    let result = |index: usize, content: &str| json!({"role": "tool", "tool_call_id": message["tool_calls"][index]["id"], "content": content});
    let messages = json!([
        {"role": "user", "content": "hi"}, message, result(0, "rain"), result(1, "12:00"),
    ]);
    let next = server.chat(json!({"messages": messages, "tools": tools()})).await;
    assert_eq!(next["choices"][0]["finish_reason"], "tool_calls");
    // The template got an object and not a string of JSON.
    let body = json!({"messages": messages, "tools": tools()});
    let request = server.post("/apply-template", &body);
    let text = crate::support::ok(request.send().await.expect("a reply")).await;
    let text = text["prompt"].as_str().expect("text").to_owned();
    assert!(text.contains("<tool_call>weather {\"city\": \"Köln\"}</tool_call>"), "{text}");
}

#[tokio::test]
async fn wrong_tools_are_400_at_their_place() {
    let server = saying("Hello").start().await;
    let function = |function: Value| json!([{"type": "function", "function": function}]);
    for (fields, param) in [
        (json!({"tools": {}}), "tools"),
        (json!({"tools": [1]}), "tools[0]"),
        (json!({"tools": [{"type": "web_search"}]}), "tools[0].type"),
        (json!({"tools": function(json!({}))}), "tools[0].function.name"),
        (json!({"tools": function(json!({"name": "two words"}))}), "tools[0].function.name"),
        (
            json!({"tools": function(json!({"name": "f", "parameters": 1}))}),
            "tools[0].function.parameters",
        ),
        (json!({"tools": [tools()[1], tools()[1]]}), "tools[1].function.name"),
        (json!({"tools": tools(), "tool_choice": "maybe"}), "tool_choice"),
        (
            json!({"tools": tools(), "tool_choice": {"type": "function", "function": {"name": "other"}}}),
            "tool_choice",
        ),
        (json!({"tool_choice": "required"}), "tool_choice"),
        (json!({"tools": tools(), "parallel_tool_calls": 1}), "parallel_tool_calls"),
        (json!({"functions": [{"name": "f"}]}), "functions"),
        (
            json!({"tools": function(json!({"name": "f", "parameters": {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}}})), "tool_choice": "required"}),
            "tools",
        ),
        (
            json!({"messages": [{"role": "assistant", "tool_calls": [{"function": {}}]}]}),
            "messages[0].tool_calls[0].function.name",
        ),
        (json!({"messages": [{"role": "assistant", "tool_calls": 1}]}), "messages[0].tool_calls"),
    ] {
        assert_eq!(server.refused_chat(fields.clone()).await["param"], param, "{fields}");
    }
}

#[tokio::test]
async fn a_template_without_a_place_for_tools_refuses_them() {
    let server = Setup::answering("Hello").start().await;
    let error = server.refused_chat(json!({ "tools": tools() })).await;
    assert_eq!(
        (&error["param"], &error["code"]),
        (&json!("tools"), &json!("unsupported_parameter"))
    );
}
