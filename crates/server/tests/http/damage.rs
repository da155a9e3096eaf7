//! Bodies of requests that are damaged: taken, or refused with a reason, and never a panic.

use serde_json::{Value, json};
use tyto_engine::testing::mix;
use tyto_server::fuzz::body;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        (mix(self.0) % bound as u64) as usize
    }
}

/// A good body of each API, with most of what it can have.
fn seeds() -> [Value; 4] {
    let tool = json!({"name": "find", "description": "finds", "parameters": {
        "type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"],
    }});
    let call = json!({"id": "c1", "type": "function", "function": {
        "name": "find", "arguments": "{\"what\": \"x\"}",
    }});
    [
        json!({"model": "m", "prompt": ["one", "two"], "max_tokens": 5, "temperature": 0.5,
            "top_p": 0.9, "seed": 7, "stop": ["a", "b"], "logit_bias": {"5": -1.5}, "n": 2,
            "logprobs": 3, "stream": true, "stream_options": {"include_usage": true}}),
        json!({"model": "m", "messages": [
                {"role": "system", "content": "s"},
                {"role": "user", "content": [{"type": "text", "text": "q"}]},
                {"role": "assistant", "content": null, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": "r"},
            ], "tools": [{"type": "function", "function": tool}], "tool_choice": "auto",
            "max_completion_tokens": 9, "logprobs": true, "top_logprobs": 2,
            "chat_template_kwargs": {"enable_thinking": false}, "timeout": 5}),
        json!({"model": "m", "max_tokens": 9, "system": [{"type": "text", "text": "s"}],
            "messages": [
                {"role": "user", "content": "q"},
                {"role": "assistant", "content": [
                    {"type": "text", "text": "a"},
                    {"type": "tool_use", "id": "t1", "name": "find", "input": {"what": "x"}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": "r"},
                ]},
            ], "tools": [{"name": "find", "input_schema": {"type": "object"}}],
            "tool_choice": {"type": "any"}, "stop_sequences": ["x"], "top_k": 5}),
        json!({"model": "m", "instructions": "s", "max_output_tokens": 9, "input": [
                {"type": "message", "role": "user",
                    "content": [{"type": "input_text", "text": "q"}]},
                {"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "r"},
            ], "tools": [{"type": "function", "name": "find", "parameters": {"type": "object"}}],
            "text": {"format": {"type": "text"}}, "reasoning": {"effort": "low"}}),
    ]
}

/// Something else in the place of a random part of a value.
fn disturb(value: &mut Value, random: &mut Random) {
    let parts: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    let count = parts.len();
    if count > 0 && random.below(6) > 0 {
        let chosen = parts.into_iter().nth(random.below(count));
        return disturb(chosen.expect("it is below the count"), random);
    }
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let odd = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("auto"),
        json!("\u{0}\u{202e}😀"),
        json!("a".repeat(3000)),
        json!([]),
        json!([[]]),
        json!({}),
        json!({"type": "text"}),
        json!([1, "a", null]),
        json!({"": {"": []}}),
        deep,
    ];
    *value = odd[random.below(odd.len())].clone();
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(30)).min(bytes.len());
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.extend_from_within(at..end),
        3 => drop(bytes.splice(at..at, *b"99999999999")),
        _ => drop(bytes.splice(at..at, *b"\\ud800")),
    }
}

#[test]
fn every_api_takes_its_own_good_body() {
    for (index, seed) in seeds().into_iter().enumerate() {
        let said = body(seed.to_string().as_bytes());
        assert!(said[index].is_ok(), "{seed}: {:?}", said[index]);
    }
}

#[test]
fn thousands_of_damaged_bodies_are_taken_or_refused_with_a_reason() {
    let seeds = seeds();
    let mut random = Random(2026);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut value = seeds[random.below(seeds.len())].clone();
        for _ in 0..random.below(4) {
            disturb(&mut value, &mut random);
        }
        let mut bytes = value.to_string().into_bytes();
        if random.below(4) == 0 {
            damage(&mut bytes, &mut random);
        }
        for said in body(&bytes) {
            let Err(error) = said else {
                taken += 1;
                continue;
            };
            refused += 1;
            let status = error.status().as_u16();
            assert!((400..500).contains(&status), "{status}: {}", error.message());
            assert!(!error.message().is_empty() && error.message().len() < 2000);
        }
    }
    assert!(taken > 400 && refused > 4000, "{taken} taken, {refused} refused");
}
