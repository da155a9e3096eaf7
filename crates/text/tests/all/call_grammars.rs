//! Grammars of calls: what they let through is what the parser of the same format reads as calls.

use std::sync::Arc;

use serde_json::{Value, json};
use tyto_text::TextModel;
use tyto_text::answer::{
    AnswerEvent, AnswerFormat, AnswerParser, CallFormat, CallGrammar, Instead, ToolSchemas,
};
use tyto_text::grammar::Grammars;

use crate::common::{END, byte_model};

const CONTROLS: [&str; 8] = [
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|end|>",
    "<|constrain|>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "<tool_call>",
];

fn tools() -> Vec<(String, Value)> {
    let weather = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"$ref": "#/$defs/count"}, "units": {"enum": ["C", "F"]}, "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["city"], "additionalProperties": false, "$defs": {"count": {"type": "integer"}},
    });
    let now = json!({
        "type": "object", "properties": {"zone": {"$ref": "#/$defs/count"}}, "additionalProperties": false,
        "$defs": {"count": {"type": "boolean"}},
    });
    vec![("weather".to_owned(), weather), ("now".to_owned(), now)]
}

/// Whether an answer, ended, follows the grammar; control tokens in it are control tokens.
fn accepts(model: &Arc<TextModel>, grammar: &CallGrammar<'_>, answer: &str) -> Result<(), String> {
    let grammars = Grammars::new(model.clone(), model.vocab_size()).expect("a vocabulary");
    let mut matcher =
        grammars.compile(&grammar.source(model)).map_err(|error| error.to_string())?;
    let ids = model.encode(answer, false).expect("ids");
    for (place, id) in ids.iter().enumerate() {
        if !matcher.mask().expect("a mask").allows(*id) {
            return Err(format!("{:?} stops here", model.decode(&ids[..place], false)));
        }
        matcher.accept(*id).expect("an allowed token");
    }
    if matcher.mask().expect("a mask").allows(END) { Ok(()) } else { Err("no end".to_owned()) }
}

fn calls(format: CallFormat, answer: &str) -> Vec<(String, Value)> {
    let format = AnswerFormat { reasoning: None, calls: Some(format), shows_tools: true };
    let tools = Arc::new(ToolSchemas::new(tools()));
    let mut parser = AnswerParser::new(&format, Some(tools), false);
    let mut events = parser.push(answer);
    events.extend(parser.finish());
    let mut calls: Vec<(String, String)> = Vec::new();
    for event in events {
        match event {
            AnswerEvent::CallStart { name } => calls.push((name, String::new())),
            AnswerEvent::CallArguments(text) => calls.last_mut().expect("a call").1 += &text,
            AnswerEvent::Content(text) => panic!("text beside the calls: {text:?}"),
            AnswerEvent::Reasoning(_) | AnswerEvent::CallEnd => {}
        }
    }
    calls
        .into_iter()
        .map(|(name, text)| (name, serde_json::from_str(&text).expect("JSON")))
        .collect()
}

/// Format, two calls in it, and how they are divided from one.
fn samples() -> Vec<(CallFormat, &'static str, Option<&'static str>)> {
    vec![
        (
            CallFormat::Hermes,
            "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Köln\", \"days\": 2}}\n</tool_call>",
            Some("\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>"),
        ),
        (
            CallFormat::Llama3,
            "{\"name\": \"weather\", \"parameters\": {\"city\": \"Köln\", \"days\": 2}}",
            Some("; {\"name\": \"now\", \"parameters\": {}}"),
        ),
        (
            CallFormat::Mistral { bare_names: true },
            "[TOOL_CALLS]weather[ARGS]{\"city\": \"Köln\", \"days\": 2}",
            Some("[TOOL_CALLS]now[ARGS]{}"),
        ),
        (
            CallFormat::Harmony,
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\": \"Köln\", \"days\": 2}",
            None,
        ),
        (
            CallFormat::QwenXml,
            "<tool_call>\n<function=weather>\n<parameter=city>\nKöln\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
            Some("\n<tool_call>\n<function=now>\n</function>\n</tool_call>"),
        ),
        (
            CallFormat::Glm,
            "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Köln</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
            Some("\n<tool_call>now\n</tool_call>"),
        ),
    ]
}

#[test]
fn each_format_lets_its_own_calls_through() {
    let tools = tools();
    for controls in [&CONTROLS[..], &[]] {
        let model = byte_model(&[], controls);
        for (format, first, second) in samples() {
            // Without its control tokens there is no harmony.
            if format == CallFormat::Harmony && controls.is_empty() {
                continue;
            }
            let one =
                CallGrammar { format, tools: &tools, parallel: false, answer: Instead::Nothing };
            assert_eq!(accepts(&model, &one, first), Ok(()), "{format:?}");
            let expected = ("weather".to_owned(), json!({"city": "Köln", "days": 2}));
            assert_eq!(calls(format, first), std::slice::from_ref(&expected), "{format:?}");
            let Some(second) = second else { continue };
            let both = format!("{first}{second}");
            assert!(accepts(&model, &one, &both).is_err(), "{format:?}: one call only");
            let several = CallGrammar { parallel: true, ..one };
            assert_eq!(accepts(&model, &several, &both), Ok(()), "{format:?}");
            assert_eq!(calls(format, &both), [expected, ("now".to_owned(), json!({}))]);
        }
    }
}

#[test]
fn a_list_of_calls_is_a_list() {
    let (model, tools) = (byte_model(&[], &CONTROLS), tools());
    let format = CallFormat::Mistral { bare_names: false };
    let one = CallGrammar { format, tools: &tools, parallel: false, answer: Instead::Nothing };
    let first = "{\"name\": \"weather\", \"arguments\": {\"city\": \"Köln\"}}";
    let second = "{\"name\": \"now\", \"arguments\": {}}";
    assert_eq!(accepts(&model, &one, &format!("[TOOL_CALLS][{first}]")), Ok(()));
    let both = format!("[TOOL_CALLS][{first}, {second}]");
    assert!(accepts(&model, &one, &both).is_err());
    let several = CallGrammar { parallel: true, ..one };
    assert_eq!(accepts(&model, &several, &both), Ok(()));
    assert_eq!(calls(format, &both).len(), 2);
}

#[test]
fn nothing_else_goes_through() {
    let (model, tools) = (byte_model(&[], &CONTROLS), tools());
    for (format, right, _) in samples() {
        let grammar =
            CallGrammar { format, tools: &tools, parallel: true, answer: Instead::Nothing };
        let mut wrong = vec!["Hello".to_owned(), String::new(), format!("Hello{right}")];
        // Another tool, another type, another key; and no key that must be there.
        for (from, to) in
            [("weather", "whether"), ("2", "two"), ("days", "weeks"), ("city", "town")]
        {
            wrong.push(right.replacen(from, to, 1));
        }
        for wrong in wrong {
            assert!(
                accepts(&model, &grammar, &wrong).is_err(),
                "{format:?} lets {wrong:?} through"
            );
        }
    }
}

#[test]
fn an_answer_of_json_may_take_a_calls_place() {
    let (model, tools) = (byte_model(&[], &CONTROLS), tools());
    let schema = json!({"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": false});
    for (format, call, _) in samples() {
        let grammar =
            CallGrammar { format, tools: &tools, parallel: false, answer: Instead::Json(&schema) };
        let answer = match format {
            CallFormat::Harmony => "<|channel|>final<|message|>{\"a\": 1}",
            _ => "{\"a\": 1}",
        };
        assert_eq!(accepts(&model, &grammar, answer), Ok(()), "{format:?}");
        assert_eq!(accepts(&model, &grammar, call), Ok(()), "{format:?}");
        assert!(accepts(&model, &grammar, "{\"a\": 2}").is_err());
    }
    let only = CallGrammar {
        format: CallFormat::Harmony,
        tools: &[],
        parallel: false,
        answer: Instead::Json(&schema),
    };
    assert_eq!(accepts(&model, &only, "<|channel|>final<|message|>{\"a\": 1}"), Ok(()));
}

#[test]
fn beside_free_text_only_a_call_that_has_begun_follows_its_schema() {
    let tools = tools();
    for controls in [&CONTROLS[..], &[]] {
        let model = byte_model(&[], controls);
        for (format, call, second) in samples() {
            if format == CallFormat::Harmony && controls.is_empty() {
                continue;
            }
            let grammar =
                CallGrammar { format, tools: &tools, parallel: true, answer: Instead::Text };
            let (text, before) = match format {
                CallFormat::Harmony => (
                    "<|channel|>final<|message|>Hi {",
                    "<|channel|>commentary<|message|>So.<|end|><|start|>assistant",
                ),
                CallFormat::Llama3 => (" Hi {\"name\": 1}", ""),
                _ => ("Hi <tool {\"name\": 1}", "I look.\n"),
            };
            let mut right = vec![text.to_owned(), format!("{before}{call}")];
            right.extend(second.map(|second| format!("{before}{call}{second}")));
            for right in right {
                assert_eq!(accepts(&model, &grammar, &right), Ok(()), "{format:?}: {right}");
            }
            for (from, to) in [("weather", "whether"), ("2", "two"), ("days", "weeks")] {
                let wrong = format!("{before}{}", call.replacen(from, to, 1));
                assert!(accepts(&model, &grammar, &wrong).is_err(), "{format:?}: {wrong}");
            }
        }
        let format = CallFormat::Mistral { bare_names: false };
        let grammar = CallGrammar { format, tools: &tools, parallel: true, answer: Instead::Text };
        let call = |city: &str| {
            format!(
                "So.[TOOL_CALLS][{{\"name\": \"weather\", \"arguments\": {{\"city\": {city}}}}}]"
            )
        };
        assert_eq!(accepts(&model, &grammar, &call("\"Bonn\"")), Ok(()));
        assert!(accepts(&model, &grammar, &call("7")).is_err());
    }
}
