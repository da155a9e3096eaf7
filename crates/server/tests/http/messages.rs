//! `/v1/messages`: Anthropic's objects, events and errors.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{AGENT_ANSWER, Setup, TestServer, ok};

fn body(fields: Value) -> Value {
    let mut body = json!({
        "model": "test-model", "max_tokens": 200, "temperature": 0,
        "messages": [{"role": "user", "content": "hi"}],
    });
    for (name, value) in fields.as_object().expect("an object") {
        body[name] = value.clone();
    }
    body
}

fn tools() -> Value {
    json!([{"name": "weather", "description": "d", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}])
}

async fn send(server: &TestServer, fields: Value) -> Response {
    server.post("/v1/messages", &body(fields)).send().await.expect("a reply")
}

/// The events of a stream, whose names their data repeat.
async fn stream(server: &TestServer, mut fields: Value) -> Vec<Value> {
    fields["stream"] = json!(true);
    let reply = send(server, fields).await;
    assert_eq!(reply.headers()["content-type"], "text/event-stream");
    let text = reply.text().await.expect("a body");
    let events = text.split("\n\n").filter(|event| !event.is_empty());
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').expect("a name and data");
        let data: Value =
            serde_json::from_str(data.strip_prefix("data: ").expect("data")).expect("JSON");
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        data
    };
    events.map(event).filter(|event| event["type"] != "ping").collect()
}

#[tokio::test]
async fn a_message_has_blocks_and_a_reason() {
    let server = Setup::agent(AGENT_ANSWER).start().await;
    let reply = ok(send(&server, json!({"tools": tools()})).await).await;
    assert!(reply["id"].as_str().is_some_and(|id| id.starts_with("msg_")));
    assert_eq!((&reply["type"], &reply["role"]), (&json!("message"), &json!("assistant")));
    assert_eq!(reply["stop_reason"], "tool_use");
    let content = reply["content"].as_array().expect("blocks");
    assert_eq!(content[0], json!({"type": "thinking", "thinking": "Hm.", "signature": ""}));
    assert_eq!(content[1], json!({"type": "text", "text": "I look."}));
    assert_eq!((&content[2]["type"], &content[2]["name"]), (&json!("tool_use"), &json!("weather")));
    assert_eq!(content[2]["input"], json!({"city": "Bonn"}));
    assert!(reply["usage"]["input_tokens"].as_u64().is_some_and(|tokens| tokens > 0));
    assert!(reply["usage"]["output_tokens"].as_u64().is_some_and(|tokens| tokens > 0));
}

#[tokio::test]
async fn a_stream_has_its_events_in_order() {
    let server = Setup::agent(AGENT_ANSWER).start().await;
    let events = stream(&server, json!({"tools": tools()})).await;
    assert_eq!(events[0]["type"], "message_start");
    assert_eq!(events[0]["message"]["content"], json!([]));
    assert!(events[0]["message"]["usage"]["input_tokens"].as_u64().is_some_and(|n| n > 0));
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).collect::<Vec<_>>();
    let starts: Vec<&Value> =
        of("content_block_start").iter().map(|event| &event["content_block"]["type"]).collect();
    assert_eq!(starts, ["thinking", "text", "tool_use"]);
    assert_eq!(of("content_block_stop").len(), 3);
    let joined = |index: u64, key: &str| -> String {
        let deltas = of("content_block_delta").into_iter().filter(|event| event["index"] == index);
        deltas.filter_map(|event| event["delta"][key].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(joined(0, "thinking"), "Hm.");
    assert_eq!(joined(1, "text"), "I look.");
    assert_eq!(joined(2, "partial_json"), "{\"city\": \"Bonn\"}");
    let [.., delta, stop] = &events[..] else { panic!("too few events") };
    assert_eq!(delta["delta"], json!({"stop_reason": "tool_use", "stop_sequence": null}));
    assert_eq!(stop["type"], "message_stop");
}

#[tokio::test]
async fn each_end_has_its_reason() {
    let server = Setup::answering("one two three").start().await;
    for (fields, reason, stop, text) in [
        (json!({}), "end_turn", Value::Null, "one two three"),
        (json!({"max_tokens": 3}), "max_tokens", Value::Null, "one"),
        // More than the context has room for; and thinking that the model does not know.
        (json!({"max_tokens": 32_000}), "end_turn", Value::Null, "one two three"),
        (
            json!({"thinking": {"type": "enabled", "budget_tokens": 100}}),
            "end_turn",
            Value::Null,
            "one two three",
        ),
        (json!({"stop_sequences": ["xyz", "two"]}), "stop_sequence", json!("two"), "one "),
        (json!({"stop_sequences": ["xyz"]}), "end_turn", Value::Null, "one two three"),
    ] {
        let reply = ok(send(&server, fields.clone()).await).await;
        assert_eq!((&reply["stop_reason"], &reply["stop_sequence"]), (&json!(reason), &stop));
        assert_eq!(reply["content"], json!([{"type": "text", "text": text}]));
        let events = stream(&server, fields).await;
        let delta = &events[events.len() - 2]["delta"];
        assert_eq!(*delta, json!({"stop_reason": reason, "stop_sequence": stop}));
    }
}

#[tokio::test]
async fn the_contexts_end_is_told_from_the_limit() {
    let server = Setup::hashing().start().await;
    let fields = |most: u32| json!({"max_tokens": most, "ignore_eos": true});
    let reply = ok(send(&server, fields(3)).await).await;
    assert_eq!(reply["stop_reason"], "max_tokens");
    let reply = ok(send(&server, fields(250)).await).await;
    assert_eq!(reply["stop_reason"], "model_context_window_exceeded");
    let tokens = |name: &str| reply["usage"][name].as_u64().expect("a count");
    let cached = tokens("cache_read_input_tokens");
    assert_eq!(cached + tokens("input_tokens") + tokens("output_tokens"), 256);
}

/// A client of this API never sent `reasoning_budget` or a tool's `function`.
#[tokio::test]
async fn errors_name_the_fields_of_this_api() {
    let server = Setup::agent("ok").start().await;
    let tool = |schema: Value| json!([{"name": "weather", "input_schema": schema}]);
    for (fields, name) in [
        (json!({"stop_sequences": 1}), "stop_sequences"),
        (json!({"thinking": {"type": "enabled", "budget_tokens": "a"}}), "thinking.budget_tokens"),
        (json!({"output_config": {"effort": 1}}), "output_config.effort"),
        (json!({"output_config": 1}), "output_config"),
        (json!({"output_config": {"format": {"type": "x"}}}), "output_config.format.type"),
        (json!({"tools": tool(json!(1))}), "tools[0].input_schema"),
        (json!({"tools": [{"name": "a b", "input_schema": {}}]}), "tools[0].name"),
        (json!({"mcp_servers": [{"type": "url", "url": "https://a", "name": "a"}]}), "mcp_servers"),
        (json!({"container": "c"}), "container"),
    ] {
        let reply = send(&server, fields.clone()).await;
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{fields}");
        let error: Value = reply.json().await.expect("JSON");
        let message = error["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("`{name}`")), "{message}");
    }
    ok(send(&server, json!({"mcp_servers": [], "container": null})).await).await;
}

#[tokio::test]
async fn newer_fields_of_thinking_and_output_count() {
    let server = Setup::agent(AGENT_ANSWER).start().await;
    let thinking = json!({"type": "adaptive", "display": "omitted"});
    let fields = json!({"thinking": thinking, "output_config": {"effort": "low", "new": 1}});
    let reply = send(&server, fields).await;
    assert_eq!(reply.headers()["x-tyto-ignored-fields"], "output_config");
    let reply = ok(reply).await;
    assert_eq!(reply["content"][0]["type"], "text", "no thinking is shown: {reply}");
}

#[tokio::test]
async fn a_conversation_becomes_a_chat() {
    let server = Setup::agent("ok").start().await;
    let fields = json!({
        "system": [{"type": "text", "text": "Be", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "brief"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "t", "signature": ""},
                {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Bonn"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "rain"}]},
                {"type": "text", "text": "so?"},
            ]},
        ],
    });
    let text = "[system]Be\nbrief[user]a\nb[assistant]<tool_call>weather{\"city\": \"Bonn\"}[tool]rain[user]so?[assistant]";
    let reply = ok(send(&server, fields.clone()).await).await;
    assert_eq!(reply["usage"]["input_tokens"], text.len());
    let request = server.post("/v1/messages/count_tokens", &body(fields));
    let count = ok(request.send().await.expect("a reply")).await;
    assert_eq!(count, json!({"input_tokens": text.len()}));
}

#[tokio::test]
async fn a_choice_of_tools_is_kept() {
    let server = Setup::agent("no").start().await;
    for choice in [json!({"type": "any"}), json!({"type": "tool", "name": "weather"})] {
        let reply = ok(send(&server, json!({"tools": tools(), "tool_choice": choice})).await).await;
        let calls = reply["content"].as_array().expect("blocks");
        assert!(calls.iter().any(|block| block["type"] == "tool_use"), "{reply}");
    }
    let none = json!({"tools": tools(), "tool_choice": {"type": "none"}});
    assert_eq!(ok(send(&server, none).await).await["stop_reason"], "end_turn");
}

#[tokio::test]
async fn errors_are_anthropics() {
    let server = Setup::agent("ok").start().await;
    for fields in [
        json!({"max_tokens": null}),
        json!({"messages": []}),
        json!({"messages": [{"role": "robot", "content": "hi"}]}),
        json!({"messages": [{"role": "user", "content": [{"type": "image", "source": {}}]}]}),
        json!({"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}),
        json!({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
        json!({"tool_choice": {"type": "maybe"}}),
        json!({"thinking": {"type": "maybe"}}),
        json!({"temperature": "warm"}),
        json!({"n": 2}),
        json!({"system": 1}),
    ] {
        let reply = send(&server, fields.clone()).await;
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{fields}");
        let error: Value = reply.json().await.expect("JSON");
        assert_eq!(error["type"], "error");
        assert_eq!(error["error"]["type"], "invalid_request_error");
        assert!(error["error"]["message"].as_str().is_some_and(|text| !text.is_empty()));
    }
    let reply = send(&server, json!({"model": "other"})).await;
    assert_eq!(reply.status(), StatusCode::NOT_FOUND);
    let error: Value = reply.json().await.expect("JSON");
    assert_eq!(error["error"]["type"], "not_found_error");
}

#[tokio::test]
async fn the_key_may_come_in_anthropics_header() {
    let mut setup = Setup::answering("ok");
    setup.options.api_keys = tyto_server::ApiKeys::new(["secret"]);
    let server = setup.start().await;
    let request =
        |key: &str| server.post("/v1/messages", &body(json!({}))).header("x-api-key", key);
    ok(request("secret").send().await.expect("a reply")).await;
    let reply = request("wrong").send().await.expect("a reply");
    assert_eq!(reply.status(), StatusCode::UNAUTHORIZED);
}
