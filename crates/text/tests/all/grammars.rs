//! Grammars over a tokenizer of bytes and of longer pieces.

use serde_json::{Map, Value, json};
use tyto_text::grammar::{GrammarSource, Grammars};

use crate::common::{END, byte_model};

fn grammars(pieces: &[&str]) -> Grammars {
    let model = byte_model(pieces, &[]);
    let width = model.vocab_size();
    Grammars::new(model, width).expect("a vocabulary")
}

/// Whether `text`, byte by byte and ended, follows the grammar.
fn accepts(source: &GrammarSource, text: &str) -> bool {
    let mut matcher = grammars(&[]).compile(source).expect("a good grammar");
    for byte in text.bytes() {
        if !matcher.mask().expect("a mask").allows(u32::from(byte)) {
            return false;
        }
        matcher.accept(u32::from(byte)).expect("an allowed token");
    }
    matcher.mask().expect("a mask").allows(END)
}

fn refused(source: &GrammarSource) -> String {
    grammars(&[]).compile(source).expect_err("no grammar").to_string()
}

#[test]
fn a_schema_lets_its_values_through_and_no_others() {
    let schema = GrammarSource::JsonSchema(json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
        "required": ["name", "age"], "additionalProperties": false,
    }));
    for right in [r#"{"name":"é","age":7}"#, r#"{ "name": "", "age": 0 }"#] {
        assert!(accepts(&schema, right), "{right}");
    }
    for wrong in [
        r#"{"name":"x"}"#,
        r#"{"name":"x","age":-1}"#,
        r#"{"name":"x","age":1,"more":2}"#,
        r#"{"name":1,"age":1}"#,
        "[]",
        "",
    ] {
        assert!(!accepts(&schema, wrong), "{wrong}");
    }
}

#[test]
fn a_json_object_is_any_object_and_ends_after_it() {
    let object = GrammarSource::JsonObject;
    assert!(accepts(&object, r#"{"a": [1, {"b": null}], "c": "é\u0001\n"}"#));
    for wrong in ["1", "[1]", "{} {}", "{\"a\": 01}", "{\"a\"}"] {
        assert!(!accepts(&object, wrong), "{wrong}");
    }
    // White space has an end, so that an answer has one.
    assert!(!accepts(&object, &format!("{{{}}}", " ".repeat(100))));
}

#[test]
fn references_within_a_schema_are_followed() {
    let tree = GrammarSource::JsonSchema(json!({
        "$ref": "#/$defs/node",
        "$defs": {"node": {
            "type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
            "required": ["next"], "additionalProperties": false,
        }},
    }));
    assert!(accepts(&tree, r#"{"next":{"next":null}}"#));
    assert!(!accepts(&tree, r#"{"next":1}"#));
}

#[test]
fn expressions_and_choices_match_the_whole_text() {
    for expression in ["[a-c]{2}x?", "^[a-c]{2}x?$"] {
        let regex = GrammarSource::Regex(expression.to_owned());
        assert!(accepts(&regex, "ab") && accepts(&regex, "cax"));
        assert!(!accepts(&regex, "a") && !accepts(&regex, "abc"));
    }
    let choice = GrammarSource::Choice(vec!["yes".to_owned(), "yes!\"".to_owned()]);
    assert!(accepts(&choice, "yes") && accepts(&choice, "yes!\""));
    assert!(!accepts(&choice, "ye") && !accepts(&choice, "no"));
    // More than a row of the parser holds.
    let many = GrammarSource::Choice((0..5000).map(|index| format!("v{index}")).collect());
    assert!(accepts(&many, "v4999") && accepts(&many, "v0") && !accepts(&many, "v5000"));
}

#[test]
fn lark_and_gbnf_are_told_apart() {
    let lark = GrammarSource::from_text("start: \"a\" b\nb: \"b\"*".to_owned());
    assert!(matches!(lark, GrammarSource::Lark(_)));
    assert!(accepts(&lark, "abb") && !accepts(&lark, "ba"));
    let gbnf = GrammarSource::from_text("root ::= \"a\" \"b\"*".to_owned());
    assert!(matches!(gbnf, GrammarSource::Gbnf(_)));
    assert!(accepts(&gbnf, "abb") && !accepts(&gbnf, "ba"));
}

#[test]
fn gbnf_has_llama_cpps_meaning() {
    let gbnf = |text: &str| GrammarSource::Gbnf(text.to_owned());
    let list = gbnf(
        "# a list\nroot ::= item (\",\" ws\n  item)* end?\nitem ::= [a-z0-9_\\-]{1,3} |\n \"\\x41\\u00e9\"\nws ::= [ \\t]*\nend ::= [^a-z.] .\n",
    );
    for right in ["ab", "ab, c", "Aé", "a-1,\t b_", "a!x", "a!\n"] {
        assert!(accepts(&list, right), "{right}");
    }
    for wrong in ["", "abcd", "a,", "aé", "a.x", "a!"] {
        assert!(!accepts(&list, wrong), "{wrong}");
    }
    // A lexer that takes the longest match would refuse these.
    let greedy = gbnf("root ::= [a-z]* \"ab\"");
    assert!(accepts(&greedy, "abab") && accepts(&greedy, "ab") && !accepts(&greedy, "aba"));
    let keyword = gbnf("root ::= (\"if\" | [a-z])+ \"!\"");
    assert!(accepts(&keyword, "ifif!") && accepts(&keyword, "ix!"));
}

#[test]
fn a_grammar_that_cannot_be_used_says_why_c29() {
    let schema = |value: Value| GrammarSource::JsonSchema(value);
    let cases = [
        (schema(json!({"type": "string", "pattern": "(["})), "regex"),
        (schema(json!({"$ref": "#/$defs/missing"})), "missing"),
        (schema(json!({"type": "strung"})), "strung"),
        (schema(json!(7)), "object"),
        (schema(json!(false)), ""),
        (schema(json!({"$ref": "#"})), "no text follows"),
        (GrammarSource::Gbnf("root ::= root".to_owned()), "no text follows"),
        (GrammarSource::Regex("a(".to_owned()), ""),
        (GrammarSource::Choice(Vec::new()), "choice"),
        (GrammarSource::Lark("start: missing".to_owned()), "missing"),
        (GrammarSource::Gbnf("root ::= missing".to_owned()), "missing"),
        (GrammarSource::Gbnf("item ::= \"a\"".to_owned()), "root"),
        (GrammarSource::Gbnf("root ::= \"a".to_owned()), "line 1"),
        (GrammarSource::Gbnf("root ::= [z-a]".to_owned()), "range"),
        (GrammarSource::Gbnf("root ::= \"a\"{2,x}".to_owned()), "65535"),
        (GrammarSource::Gbnf(format!("root ::= {}", "(".repeat(1000))), "nested"),
    ];
    for (source, part) in cases {
        let message = refused(&source);
        assert!(message.contains(part) && message.len() < 1000, "{source:?}: {message}");
    }
}

#[test]
fn a_bomb_is_refused_or_costs_little_c29() {
    let mut deep = json!({"type": "string"});
    for _ in 0..200 {
        deep = json!({"type": "array", "items": deep});
    }
    let wide: Map<String, Value> =
        (0..40_000).map(|n| (format!("property{n}"), json!({"type": "string"}))).collect();
    for source in [
        GrammarSource::JsonSchema(deep),
        GrammarSource::JsonSchema(json!({"type": "object", "properties": wide})),
    ] {
        let message = refused(&source);
        assert!(message.contains("the limit is") && message.len() < 200, "{message}");
    }
    // These are written out only as far as a text goes into them.
    let pattern = json!({"type": "string", "pattern": "^((a{0,999}b){0,999}c){0,999}$"});
    let nested = "root ::= (((\"a\"{0,9999}){0,9999}){0,9999}){0,9999} \"b\"{3}";
    for (source, text) in [
        (GrammarSource::JsonSchema(pattern), "\"aabc\""),
        (GrammarSource::Regex("(([ab]{0,999}[bc]){0,99}c){2}".to_owned()), "abcc"),
        (GrammarSource::Gbnf(nested.to_owned()), "aabbb"),
    ] {
        match grammars(&[]).compile(&source) {
            Ok(_) => assert!(accepts(&source, text), "{source:?}"),
            Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
        }
    }
}

#[test]
fn tokens_longer_than_a_byte_are_masked_by_their_bytes() {
    let mut matcher = grammars(&["ab", "abc", "ab<"])
        .compile(&GrammarSource::Regex("[ab]b*".to_owned()))
        .expect("a good grammar");
    let mask = matcher.mask().expect("a mask");
    let allowed: Vec<u32> = (0..300).filter(|&id| mask.allows(id)).collect();
    assert_eq!(allowed, [97, 98, 257]);
    assert_eq!(mask.words()[3], 0b110, "bits 97 and 98 are the second and third of their word");
    matcher.accept(257).expect("allowed");
    assert!(matcher.may_end() && !matcher.is_complete());
    assert_eq!(matcher.count_allowed(&[98, 98, 97]), Ok(2));
    matcher.accept(98).expect("allowed");
    matcher.rollback(2).expect("two tokens");
    assert!(!matcher.may_end());
}

#[test]
fn what_must_come_is_known_without_the_model() {
    let schema = json!({
        "type": "object", "properties": {"answer": {"type": "boolean"}},
        "required": ["answer"], "additionalProperties": false,
    });
    let mut matcher =
        grammars(&[]).compile(&GrammarSource::JsonSchema(schema)).expect("a good grammar");
    matcher.accept(u32::from(b'{')).expect("allowed");
    matcher.accept(u32::from(b'"')).expect("allowed");
    let forced: Vec<u8> = matcher.forced().iter().map(|&id| id as u8).collect();
    assert_eq!(forced, b"answer\"");
}

#[test]
fn a_token_that_is_not_allowed_is_a_fault_and_not_a_panic() {
    let mut matcher =
        grammars(&[]).compile(&GrammarSource::Regex("a".to_owned())).expect("a good grammar");
    assert!(matcher.accept(u32::from(b'b')).is_err());
    assert!(matcher.mask().is_err() || matcher.is_complete());
}

/// Sources that go down without end: none may end the process, here or at a later step.
#[test]
fn deep_sources_are_errors_or_work_c29() {
    let mut definitions = Map::new();
    for n in 0..3000 {
        let next = json!({"allOf": [{"$ref": format!("#/$defs/d{}", n + 1)}]});
        definitions.insert(format!("d{n}"), next);
    }
    definitions.insert("d3000".to_owned(), json!({"type": "integer"}));
    let chain = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let terminals: String = (0..4000).map(|n| format!("T{n}: T{} \"a\"\n", n + 1)).collect();
    let rules: String = (0..4000).map(|n| format!("r{n}: r{} \"a\"\n", n + 1)).collect();
    let gbnf: String = (0..4000).map(|n| format!("r{n} ::= r{} \"a\"\n", n + 1)).collect();
    for source in [
        GrammarSource::Regex("(".repeat(100_000)),
        GrammarSource::Regex(format!("{}a{}", "(a|".repeat(50_000), ")".repeat(50_000))),
        GrammarSource::Lark(format!("start: {}\"a\"{}", "(".repeat(90_000), ")".repeat(90_000))),
        GrammarSource::Lark(format!("start: T0\n{terminals}T4000: \"b\"")),
        GrammarSource::Lark(format!("start: r0\n{rules}r4000: \"b\"")),
        GrammarSource::Gbnf(format!("root ::= r0\n{gbnf}r4000 ::= \"b\"")),
        GrammarSource::JsonSchema(chain),
        GrammarSource::JsonSchema(json!({"$ref": "#"})),
        GrammarSource::JsonSchema(json!({"allOf": [{"$ref": "#"}]})),
    ] {
        match grammars(&[]).compile(&source) {
            Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
            Ok(mut matcher) => {
                for _ in 0..4 {
                    let Ok(mask) = matcher.mask() else { break };
                    let next = (0..=END).find(|&id| mask.allows(id)).expect("a mask is not empty");
                    assert!(matcher.accept(next).is_ok() || matcher.mask().is_err());
                }
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_grammar_or_an_error(text in "[a-c:=|()\\[\\]\"{}0-3,*+?.\n# ^-]{0,60}") {
        let grammars = grammars(&[]);
        for source in [
            GrammarSource::Gbnf(format!("root ::= {text}")),
            GrammarSource::Lark(format!("start: {text}")),
            GrammarSource::Regex(text.clone()),
        ] {
            if let Ok(mut matcher) = grammars.compile(&source) {
                proptest::prop_assert!(matcher.mask().is_ok());
            }
        }
    }
}

#[test]
fn multiples_that_would_take_too_many_states_are_refused() {
    let whole = |step: Value| json!({"type": "integer", "multipleOf": step});
    let good = GrammarSource::JsonSchema(whole(json!(1009)));
    assert!(accepts(&good, "2018") && !accepts(&good, "2019"));
    assert!(accepts(&GrammarSource::JsonSchema(json!({"multipleOf": 0.01})), "1.25"));
    // Far apart they may be as fine as they like together.
    let apart = json!({"properties": {"a": whole(json!(1009)), "b": whole(json!(1013))}});
    assert!(accepts(&GrammarSource::JsonSchema(apart), r#"{"a": 1009, "b": 1013}"#));
    let nested = json!({"type": "object", "properties": {"a": whole(json!(1_000_003))}});
    for bad in [
        whole(json!(1_000_003)),
        whole(json!(4_000_000_000u64)),
        json!({"type": "number", "multipleOf": 1e-9}),
        json!({"type": "number", "multipleOf": 5e-300}),
        nested.clone(),
        json!({"allOf": [whole(json!(1009)), whole(json!(1013))]}),
    ] {
        let message = refused(&GrammarSource::JsonSchema(bad.clone()));
        assert!(message.contains("multipleOf"), "{bad}: {message}");
    }
    let inside = GrammarSource::Lark(format!("start: a\na: %json {nested}\n"));
    assert!(refused(&inside).contains("multipleOf"));
}
