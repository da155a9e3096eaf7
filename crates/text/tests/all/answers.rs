//! Answers of each model family as events, however their text is cut into pieces.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use tyto_text::answer::{
    AnswerEvent, AnswerFormat, AnswerParser, CallFormat, ReasoningTags, ToolSchemas,
};

const THINK: ReasoningTags = ReasoningTags { open: "<think>", close: "</think>" };

/// An answer with its parts put together.
#[derive(Debug, Default, PartialEq, Clone)]
struct Said {
    reasoning: String,
    content: String,
    /// Name, arguments, and whether the call was complete.
    calls: Vec<(String, String, bool)>,
}

fn format(calls: Option<CallFormat>, reasoning: Option<ReasoningTags>) -> AnswerFormat {
    AnswerFormat { reasoning, calls, shows_tools: true }
}

fn tools() -> Arc<ToolSchemas> {
    let weather = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "units": {"enum": ["C", "F"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }});
    Arc::new(ToolSchemas::new([
        ("weather".to_owned(), weather),
        ("now".to_owned(), json!({"type": "object", "properties": {}})),
    ]))
}

fn parse(format: AnswerFormat, reasons: bool, pieces: &[&str]) -> Said {
    let mut parser = AnswerParser::new(&format, Some(tools()), reasons);
    let mut events: Vec<AnswerEvent> = pieces.iter().flat_map(|piece| parser.push(piece)).collect();
    events.extend(parser.finish());
    put_together(events)
}

fn put_together(events: Vec<AnswerEvent>) -> Said {
    let mut said = Said::default();
    for event in events {
        match event {
            AnswerEvent::Reasoning(text) => said.reasoning += &text,
            AnswerEvent::Content(text) => said.content += &text,
            AnswerEvent::CallStart { name } => said.calls.push((name, String::new(), false)),
            AnswerEvent::CallArguments(text) => {
                said.calls.last_mut().expect("arguments follow a start").1 += &text;
            }
            AnswerEvent::CallEnd => said.calls.last_mut().expect("an end follows a start").2 = true,
        }
    }
    said
}

/// The answer as one piece and character by character, which must agree.
fn both(format: AnswerFormat, text: &str) -> Said {
    let whole = parse(format, false, &[text]);
    let characters: Vec<String> = text.chars().map(String::from).collect();
    let pieces: Vec<&str> = characters.iter().map(String::as_str).collect();
    assert_eq!(parse(format, false, &pieces), whole, "{text}");
    whole
}

fn arguments(said: &Said, index: usize) -> Value {
    serde_json::from_str(&said.calls[index].1).expect("arguments are JSON")
}

/// A text with two calls in each format, with text before it where the format has that.
fn samples() -> Vec<(CallFormat, &'static str, &'static str)> {
    vec![
        (
            CallFormat::Hermes,
            "Let me see.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Köln }\\\"\", \"days\": 2}}\n</tool_call>\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>",
            "Let me see.",
        ),
        (
            CallFormat::Llama3,
            "<|python_tag|>{\"name\": \"weather\", \"parameters\": {\"city\": \"Köln }\\\"\", \"days\": 2}}; {\"name\": \"now\", \"parameters\": {}}",
            "",
        ),
        (
            CallFormat::Mistral { bare_names: false },
            "Let me see.[TOOL_CALLS] [{\"name\": \"weather\", \"arguments\": {\"city\": \"Köln }\\\"\", \"days\": 2}}, {\"name\": \"now\", \"arguments\": {}}]",
            "Let me see.",
        ),
        (
            CallFormat::Mistral { bare_names: true },
            "Let me see.[TOOL_CALLS]weather[ARGS]{\"city\": \"Köln }\\\"\", \"days\": 2}[TOOL_CALLS]now[CALL_ID]abc[ARGS]{}",
            "Let me see.",
        ),
        (
            CallFormat::Harmony,
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\": \"Köln }\\\"\", \"days\": 2}<|call|><|start|>assistant to=functions.now<|channel|>commentary json<|message|>{}",
            "Let me see.",
        ),
        (
            CallFormat::QwenXml,
            "Let me see.\n<tool_call>\n<function=weather>\n<parameter=city>\nKöln }\"\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>",
            "Let me see.",
        ),
        (
            CallFormat::Glm,
            "Let me see.<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Köln }\"</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call><tool_call>now</tool_call>",
            "Let me see.",
        ),
    ]
}

#[test]
fn each_family_says_the_same_c27() {
    for (calls, text, content) in samples() {
        let said = both(format(Some(calls), None), text);
        assert_eq!(said.content, content, "{calls:?}");
        assert_eq!(said.calls.len(), 2, "{calls:?}: {said:?}");
        assert_eq!(said.calls[0].0, "weather");
        assert_eq!(arguments(&said, 0), json!({"city": "Köln }\"", "days": 2}), "{calls:?}");
        assert_eq!((said.calls[1].0.as_str(), arguments(&said, 1)), ("now", json!({})));
        assert!(said.calls.iter().all(|call| call.2), "{calls:?}: a call is not complete");
        let thoughts = if calls == CallFormat::Harmony { "Hm." } else { "" };
        assert_eq!(said.reasoning, thoughts);
    }
}

#[test]
fn an_answer_cut_within_a_call_keeps_what_came_c28() {
    for (calls, text, _) in samples() {
        for (cut, _) in text.char_indices() {
            let said = both(format(Some(calls), None), &text[..cut]);
            let closed = said.calls.iter().filter(|call| call.2).count();
            assert!(said.calls.len() - closed <= 1, "{calls:?} at {cut}: {said:?}");
        }
    }
}

#[test]
fn what_only_looks_like_a_call_is_text() {
    let cases = [
        (
            CallFormat::Hermes,
            "a <tool_call> is a tag, <tool_call",
            "a <tool_call> is a tag, <tool_call",
        ),
        (
            CallFormat::Hermes,
            "<tool_call>{\"color\": 1}</tool_call>",
            "<tool_call>{\"color\": 1}</tool_call>",
        ),
        (
            CallFormat::Hermes,
            "<tool_call>{\"arguments\": {\"a\": 1}",
            "<tool_call>{\"arguments\": {\"a\": 1}",
        ),
        (
            CallFormat::Llama3,
            " {\"name\": \"unknown\", \"parameters\": {}}",
            " {\"name\": \"unknown\", \"parameters\": {}}",
        ),
        (CallFormat::Llama3, "{\"answer\": [1, 2]}\n", "{\"answer\": [1, 2]}\n"),
        (CallFormat::Llama3, "  plain {\"name\": 1}", "  plain {\"name\": 1}"),
        (CallFormat::Mistral { bare_names: true }, "[TOOL_CALL", "[TOOL_CALL"),
        (CallFormat::QwenXml, "<tool_call>\nno <function", "<tool_call>\nno <function"),
        (CallFormat::Glm, "<tool_call>not a name<arg_key>", "<tool_call>not a name<arg_key>"),
        (CallFormat::Harmony, "no channel", "no channel"),
    ];
    for (calls, text, content) in cases {
        let said = both(format(Some(calls), None), text);
        assert_eq!(said, Said { content: content.to_owned(), ..Said::default() }, "{calls:?}");
    }
}

#[test]
fn without_tools_a_call_is_text() {
    let format = format(Some(CallFormat::Hermes), None);
    let mut parser = AnswerParser::new(&format, None, false);
    let text = "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call> ";
    assert_eq!(parser.push(text), [AnswerEvent::Content(text.to_owned())]);
    assert_eq!(parser.finish(), []);
}

#[test]
fn arguments_may_come_first_or_as_a_string_or_not_at_all() {
    let hermes = format(Some(CallFormat::Hermes), None);
    for (text, expected) in [
        (r#"{"arguments": {"a": [1, "}"]}, "name": "now"}"#, json!({"a": [1, "}"]})),
        (r#"{"name": "now", "arguments": "{\"a\": \"\\u00e9\"}"}"#, json!({"a": "é"})),
        (r#"{"name": "now"}"#, json!({})),
        (r#"{"id": 12, "type": "function", "name": "now", "arguments": null}"#, json!({})),
    ] {
        let said = both(hermes, &format!("<tool_call>{text}</tool_call>"));
        assert_eq!(said.calls.len(), 1, "{text}");
        assert_eq!(arguments(&said, 0), expected, "{text}");
    }
}

#[test]
fn bare_values_get_the_types_of_the_schema() {
    let text = "<tool_call><function=weather><parameter=city>\n12\n</parameter><parameter=days>\n3\n<parameter=units>\nC\n</parameter><parameter=more>\nTrue\n</parameter><parameter=note>\n1\n</parameter></function></tool_call>";
    let said = both(format(Some(CallFormat::QwenXml), None), text);
    let expected = json!({"city": "12", "days": 3, "units": "C", "more": true, "note": "1"});
    assert_eq!(arguments(&said, 0), expected);
}

#[test]
fn reasoning_is_what_stands_between_the_tags() {
    let plain = format(None, Some(THINK));
    for (text, reasons, reasoning, content) in [
        ("<think>\nHm.\n\nSo.\n</think>\n\nYes. ", false, "Hm.\n\nSo.", "Yes. "),
        ("\n<think></think>Yes", false, "", "Yes"),
        ("Hm.</think>Yes", true, "Hm.", "Yes"),
        ("  Yes <think>no</think>", false, "", "  Yes <think>no</think>"),
        ("<think>Hm", false, "Hm", ""),
        ("<thin", false, "", "<thin"),
        ("Hm </thi", true, "Hm </thi", ""),
        (" \n", false, "", " \n"),
    ] {
        let expected = Said { reasoning: reasoning.into(), content: content.into(), calls: vec![] };
        assert_eq!(parse(plain, reasons, &[text]), expected, "{text}");
        let characters: Vec<String> = text.chars().map(String::from).collect();
        let pieces: Vec<&str> = characters.iter().map(String::as_str).collect();
        assert_eq!(parse(plain, reasons, &pieces), expected, "{text}");
    }
}

#[test]
fn reasoning_comes_before_calls() {
    let text = "<think>\nI need the time.\n</think>\n\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";
    let said = both(format(Some(CallFormat::Hermes), Some(THINK)), text);
    assert_eq!(said.reasoning, "I need the time.");
    assert_eq!(said.content, "");
    assert_eq!(said.calls, [("now".to_owned(), "{}".to_owned(), true)]);
}

#[test]
fn templates_say_which_format_is_theirs() {
    let calls = |source: &str| AnswerFormat::of_template(source).calls;
    assert_eq!(calls("{{ tools }}<tool_call>"), Some(CallFormat::Hermes));
    assert_eq!(calls("{{ tools }}<tool_call><function=x>"), Some(CallFormat::QwenXml));
    assert_eq!(calls("{{ tools }}<tool_call><arg_key>"), Some(CallFormat::Glm));
    assert_eq!(calls("{{ tools }}[TOOL_CALLS]"), Some(CallFormat::Mistral { bare_names: false }));
    assert_eq!(
        calls("{{ tools }}[TOOL_CALLS][ARGS]"),
        Some(CallFormat::Mistral { bare_names: true })
    );
    assert_eq!(calls("<|channel|><|message|>"), Some(CallFormat::Harmony));
    assert_eq!(calls("{{ tools }} ipython parameters"), Some(CallFormat::Llama3));
    assert_eq!(calls("{{ tools }}"), None);
    assert_eq!(calls("{{ messages }}"), None);
    let reasoning = AnswerFormat::of_template("</think>").reasoning;
    assert_eq!(reasoning, Some(THINK));
    let format = AnswerFormat::of_template("</think>");
    assert!(format.opens_reasoning("<|assistant|><think>\n"));
    assert!(!format.opens_reasoning("<think>\n\n</think>\n\n"));
    assert!(format.closes_reasoning("<think>\n\n</think>\n\n"));
}

fn all_formats() -> Vec<CallFormat> {
    samples().into_iter().map(|(format, _, _)| format).collect()
}

/// Pieces that are worth putting one after the other.
fn fragments() -> impl Strategy<Value = Vec<String>> {
    const KNOWN: [&str; 46] = [
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "{\"name\": \"",
        "now",
        "weather",
        "\", \"arguments\": ",
        "\"parameters\": ",
        "{\"a\": \"x\\\"\"}",
        "{}",
        "}",
        "null",
        "\"{}\"",
        "[TOOL_CALLS]",
        "[ARGS]",
        "[",
        "]",
        ", ",
        ";",
        "<|channel|>",
        "analysis",
        "final",
        "commentary to=functions.now ",
        "<|message|>",
        "<|end|>",
        "<|start|>",
        "assistant",
        "<|call|>",
        "<function=",
        ">",
        "<parameter=",
        "k",
        "</parameter>",
        "</function>",
        "<arg_key>",
        "</arg_key>",
        "<arg_value>",
        "</arg_value>",
        "\n",
        " ",
        "é",
        "text",
        "<",
        "{",
        "\"",
    ];
    prop::collection::vec(prop::sample::select(&KNOWN[..]).prop_map(str::to_owned), 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn events_do_not_depend_on_how_the_text_is_cut(
        parts in fragments(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        reasons in any::<bool>(),
    ) {
        let text = parts.concat();
        let mut places: Vec<usize> = cuts
            .iter()
            .map(|cut| cut.index(text.len() + 1))
            .filter(|&place| text.is_char_boundary(place))
            .collect();
        places.extend([0, text.len()]);
        places.sort_unstable();
        let pieces: Vec<&str> = places.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
        for calls in all_formats() {
            for reasoning in [None, Some(THINK)] {
                let format = format(Some(calls), reasoning);
                prop_assert_eq!(
                    parse(format, reasons, &pieces),
                    parse(format, reasons, &[&text]),
                    "{:?} {:?}", calls, pieces
                );
            }
        }
    }

    #[test]
    fn text_without_markers_comes_out_as_it_is(text in "[a-z{}\"<\\[ \n]{0,40}") {
        for calls in [CallFormat::Hermes, CallFormat::QwenXml, CallFormat::Glm] {
            let said = parse(format(Some(calls), Some(THINK)), false, &[&text]);
            prop_assert_eq!(said, Said { content: text.clone(), ..Said::default() });
        }
    }
}
