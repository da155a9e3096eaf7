//! `/v1/responses`: items and events.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::support::{AGENT_ANSWER, Setup, TestServer, error, ok};

async fn send(server: &TestServer, fields: Value) -> Response {
    let mut body = json!({"model": "test-model", "input": "hi", "temperature": 0});
    for (name, value) in fields.as_object().expect("an object") {
        body[name] = value.clone();
    }
    server.post("/v1/responses", &body).send().await.expect("a reply")
}

fn tools() -> Value {
    json!([{"type": "function", "name": "weather", "strict": true, "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}])
}

async fn stream(server: &TestServer, mut fields: Value) -> Vec<Value> {
    fields["stream"] = json!(true);
    let text = send(server, fields).await.text().await.expect("a body");
    let events = text.split("\n\n").filter(|event| !event.is_empty() && !event.starts_with(':'));
    let event = |event: &str| {
        let (name, data) = event.split_once('\n').expect("a name and data");
        let data: Value =
            serde_json::from_str(data.strip_prefix("data: ").expect("data")).expect("JSON");
        assert_eq!(name.strip_prefix("event: "), data["type"].as_str());
        data
    };
    let events: Vec<Value> = events.map(event).collect();
    for (number, event) in events.iter().enumerate() {
        assert_eq!(event["sequence_number"], number);
    }
    events
}

#[tokio::test]
async fn a_response_has_items() {
    let server = Setup::agent(AGENT_ANSWER).start().await;
    let reply = ok(send(
        &server,
        json!({"tools": tools(), "instructions": "Be brief", "metadata": {"a": "b"}}),
    )
    .await)
    .await;
    assert_eq!((&reply["object"], &reply["status"]), (&json!("response"), &json!("completed")));
    assert_eq!(reply["instructions"], "Be brief");
    assert_eq!(reply["tools"], tools());
    assert_eq!(reply["metadata"], json!({"a": "b"}));
    let output = reply["output"].as_array().expect("items");
    assert_eq!(output[0]["content"], json!([{"type": "reasoning_text", "text": "Hm."}]));
    assert_eq!(output[1]["content"][0]["text"], "I look.");
    assert_eq!(
        (&output[2]["type"], &output[2]["name"]),
        (&json!("function_call"), &json!("weather"))
    );
    assert_eq!(output[2]["arguments"], "{\"city\": \"Bonn\"}");
    assert!(output[2]["call_id"].as_str().is_some_and(|id| id.starts_with("call_")));
    let usage = &reply["usage"];
    let total = usage["input_tokens"].as_u64().zip(usage["output_tokens"].as_u64());
    assert_eq!(total.map(|(input, output)| input + output), usage["total_tokens"].as_u64());
}

#[tokio::test]
async fn a_stream_builds_the_same_items() {
    let server = Setup::agent(AGENT_ANSWER).start().await;
    let events = stream(&server, json!({"tools": tools()})).await;
    let names: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(names[..2], ["response.created", "response.in_progress"]);
    assert_eq!(names.last(), Some(&"response.completed"));
    let joined = |name: &str| -> String {
        let of = events.iter().filter(|event| event["type"] == name);
        of.filter_map(|event| event["delta"].as_str()).collect()
    };
    assert_eq!(joined("response.reasoning_text.delta"), "Hm.");
    assert_eq!(joined("response.output_text.delta"), "I look.");
    assert_eq!(joined("response.function_call_arguments.delta"), "{\"city\": \"Bonn\"}");
    let done: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "response.output_item.done")
        .map(|event| &event["item"])
        .collect();
    let last = events.last().expect("an event");
    let output = last["response"]["output"].as_array().expect("items");
    assert_eq!(done, output.iter().collect::<Vec<_>>());
    let kinds: Vec<&Value> = output.iter().map(|item| &item["type"]).collect();
    assert_eq!(kinds, ["reasoning", "message", "function_call"]);
}

#[tokio::test]
async fn an_answer_at_its_limit_is_incomplete() {
    let server = Setup::agent("one two three").start().await;
    let reply = ok(send(&server, json!({"max_output_tokens": 3})).await).await;
    assert_eq!(reply["status"], "incomplete");
    assert_eq!(reply["incomplete_details"], json!({"reason": "max_output_tokens"}));
    let events = stream(&server, json!({"max_output_tokens": 3})).await;
    assert_eq!(events.last().expect("an event")["type"], "response.incomplete");
}

#[tokio::test]
async fn items_become_a_chat() {
    let server = Setup::agent("ok").start().await;
    let input = json!([
        {"role": "developer", "content": "Be brief"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "t"}]},
        {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": "I look.", "annotations": []}]},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "weather", "arguments": "{\"city\": \"Bonn\"}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "rain"},
    ]);
    let text = "[system]Be brief[user]a[assistant]I look.<tool_call>weather{\"city\": \"Bonn\"}[tool]rain[assistant]";
    let reply = ok(send(&server, json!({ "input": input })).await).await;
    assert_eq!(reply["usage"]["input_tokens"], text.len());
    assert_eq!(reply["output"][0]["content"][0]["text"], "ok");
}

#[tokio::test]
async fn a_format_is_followed() {
    let server = Setup::agent("Hello").start().await;
    let schema = json!({"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": false});
    let text =
        json!({"format": {"type": "json_schema", "name": "x", "schema": schema, "strict": true}});
    let reply = ok(send(&server, json!({ "text": text })).await).await;
    let answer = reply["output"][0]["content"][0]["text"].as_str().expect("text");
    assert_eq!(serde_json::from_str::<Value>(answer).expect("JSON"), json!({"a": 1}));
}

#[tokio::test]
async fn what_needs_a_memory_is_refused_by_name() {
    let server = Setup::agent("ok").start().await;
    for (fields, param) in [
        (json!({"previous_response_id": "resp_1"}), "previous_response_id"),
        (json!({"conversation": "c"}), "conversation"),
        (json!({"background": true}), "background"),
        (json!({"truncation": "auto"}), "truncation"),
        (json!({"input": null}), "input"),
        (json!({"input": []}), "input"),
        (
            json!({"input": [{"role": "user", "content": [{"type": "input_image"}]}], "instructions": "a"}),
            "input[0].content[0]",
        ),
        (
            json!({"input": [{"type": "function_call_output", "call_id": "c", "output": 1}]}),
            "input[0].output",
        ),
        (json!({"max_output_tokens": "a"}), "max_output_tokens"),
        (json!({"text": {"format": {"type": "x"}}}), "text.format.type"),
        (json!({"reasoning": {"effort": 1}}), "reasoning.effort"),
        (
            json!({"tools": [{"type": "function", "name": "a", "parameters": 1}]}),
            "tools[0].parameters",
        ),
        (json!({"input": [{"type": "item_reference", "id": "x"}]}), "input[0]"),
        (json!({"input": [{"type": "function_call"}]}), "input[0].call_id"),
        (json!({"tools": [{"type": "web_search"}]}), "tools[0].type"),
        (json!({"messages": []}), "messages"),
        (json!({"include": ["message.output_text.logprobs"]}), "include"),
        (json!({"stream_options": {"include_usage": true}}), "stream_options.include_usage"),
        (json!({"stream_options": 7}), "stream_options"),
    ] {
        let found = error(send(&server, fields.clone()).await, StatusCode::BAD_REQUEST).await;
        assert_eq!(found["param"], param, "{fields}");
    }
    for fields in [
        json!({"background": false}),
        json!({"truncation": "disabled"}),
        json!({"store": true}),
        json!({"include": ["reasoning.encrypted_content"]}),
        json!({"stream_options": {"include_obfuscation": true}}),
        json!({"previous_response_id": null}),
    ] {
        ok(send(&server, fields).await).await;
    }
}

#[tokio::test]
async fn tokens_of_an_input_are_counted_without_an_answer() {
    let server = Setup::agent("ok").start().await;
    let fields = json!({"model": "test-model", "instructions": "Be brief", "input": "hi"});
    let request = server.post("/v1/responses/input_tokens", &fields);
    let count = ok(request.send().await.expect("a reply")).await;
    let text = "[system]Be brief[user]hi[assistant]";
    assert_eq!(count, json!({"object": "response.input_tokens", "input_tokens": text.len()}));
    assert_eq!(server.engine.stats().generated_tokens, 0);
}

#[tokio::test]
async fn only_allowed_tools_are_called() {
    let server = Setup::agent("no").start().await;
    let tool = |name: &str| json!({"type": "function", "name": name, "parameters": {}});
    let choice = |mode: &str, name: &str| {
        json!({
            "tools": [tool("a"), tool("b")],
            "tool_choice": {"type": "allowed_tools", "mode": mode, "tools": [{"type": "function", "name": name}]},
        })
    };
    let reply = ok(send(&server, choice("required", "b")).await).await;
    let output = reply["output"].as_array().expect("items");
    let call = output.iter().find(|item| item["type"] == "function_call").expect("a call");
    assert_eq!(call["name"], "b");
    ok(send(&server, choice("auto", "b")).await).await;
    for (fields, param) in
        [(choice("required", "c"), "tool_choice.tools"), (choice("maybe", "b"), "tool_choice.mode")]
    {
        let found = error(send(&server, fields.clone()).await, StatusCode::BAD_REQUEST).await;
        assert_eq!(found["param"], param, "{fields}");
    }
}
