//! Chat templates, byte for byte against transformers.
//!
//! The templates, conversations and expectations in fixtures/ are made by
//! tools/oracle/templates.py.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tyto_text::{
    ChatTemplate, ChatTemplateSource, LocalTime, RenderInput, TemplateError, TemplateErrorKind,
};

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read_to_string(path).expect("the fixture is there")
}

fn json_fixture(name: &str) -> Value {
    serde_json::from_str(&fixture(name)).expect("the fixture is JSON")
}

fn template(source: &str) -> ChatTemplate {
    let named = [("bos_token", "<bos>"), ("eos_token", "<eos>"), ("unk_token", "<unk>")];
    let named: BTreeMap<String, String> =
        named.iter().map(|(name, token)| ((*name).to_owned(), (*token).to_owned())).collect();
    let source = ChatTemplateSource {
        name: "default".to_owned(),
        file: PathBuf::from("model/chat_template.jinja"),
        source: source.to_owned(),
    };
    ChatTemplate::from_sources(&[source], &named).expect("there is a template")
}

fn frozen() -> LocalTime {
    LocalTime::new((2025, 3, 7), (9, 5, 2)).expect("a time")
}

fn render(
    source: &str,
    messages: &Value,
    tools: Option<&Value>,
    add_generation_prompt: bool,
    extra: &Map<String, Value>,
) -> Result<String, TemplateError> {
    template(source).render(&RenderInput {
        messages,
        tools,
        add_generation_prompt,
        extra,
        now: frozen(),
    })
}

fn simple(source: &str, messages: Value) -> Result<String, TemplateError> {
    render(source, &messages, None, true, &Map::new())
}

/// B1, B3, B4, B5, B7, B9, B12, B13: every conversation through every template.
#[test]
fn conversations_render_as_in_transformers() {
    let conversations = json_fixture("conversations.json");
    let mut wrong = Vec::new();
    for case in json_fixture("rendered.json").as_array().expect("a list") {
        let (file, name) = (
            case["template"].as_str().expect("a name"),
            case["conversation"].as_str().expect("a name"),
        );
        let conversation = &conversations[name];
        let empty = Map::new();
        let rendered = render(
            &fixture(&format!("templates/{file}")),
            &conversation["messages"],
            conversation.get("tools"),
            conversation["add_generation_prompt"].as_bool().unwrap_or(true),
            conversation["extra"].as_object().unwrap_or(&empty),
        );
        let expected = (case["text"].as_str(), case["raised"].as_str());
        let right = match (&rendered, expected) {
            (Ok(text), (Some(expected), _)) => text == expected,
            (Err(error), (_, Some(message))) => {
                error.kind == TemplateErrorKind::Raised
                    && error.message == message
                    && error.to_string() == message
            }
            // Failures of transformers that are none here: see the test of B11.
            (Ok(_), (None, None)) => name == "tool_chat",
            (Err(error), (None, None)) => error.kind == TemplateErrorKind::Invalid,
            _ => false,
        };
        if !right {
            wrong.push(format!("{file} with {name}:\n  found    {rendered:?}\n  expected {case}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Where minijinja differs in ways that no published template is known to need.
const KNOWN_DIFFERENCES: [(&str, &str); 12] = [
    ("d.items() | list }}", "there are no tuples: pairs print as lists"),
    ("{{ d | dictsort", "the same"),
    ("{{ d | items | list", "the same"),
    ("{{ 'a=b=c'.partition", "the same"),
    ("(3,)", "the same"),
    ("(1, 2) }}", "the same"),
    ("(1, 'x')", "the same"),
    (
        "{{ 'a' ~ l ~ d",
        "~ prints strings inside lists and mappings with double quotes; {{ }} does not",
    ),
    ("{{ +5 }}", "there is no unary plus"),
    ("c.current", "a cycler has no current item"),
    ("\" % ", "strings have no % operator; the format filter and str.format work"),
    ("' % ", "the same"),
];

/// What Python brings to a template: printing, methods, filters, slices, JSON, time.
#[test]
fn expressions_give_what_they_give_in_python() {
    let variables = json_fixture("variables.json");
    let extra = variables.as_object().expect("an object");
    let messages = json!([{"role": "user", "content": "hi"}]);
    let mut wrong = Vec::new();
    for case in json_fixture("expressions.json").as_array().expect("a list") {
        let source = case["template"].as_str().expect("a template");
        let rendered = render(source, &messages, None, false, extra);
        let same = match (&rendered, case["result"].as_str()) {
            (Ok(text), Some(expected)) => text == expected,
            (Err(_), None) => true,
            _ => false,
        };
        let known = KNOWN_DIFFERENCES.iter().any(|(part, _)| source.contains(part));
        // A difference that is gone must leave the list.
        let right = same != known;
        if !right {
            wrong.push(format!("{source}\n  found    {rendered:?}\n  expected {}", case["result"]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn user(content: Value) -> Value {
    json!([{"role": "user", "content": content}])
}

/// B8: a raise that no request reaches does no harm.
#[test]
fn b8_a_raise_in_a_branch_not_taken_is_fine() {
    let source =
        "{% if tools %}{{ raise_exception('no tools') }}{% endif %}{{ messages[0].content }}";
    assert_eq!(simple(source, user(json!("hi"))).expect("it renders"), "hi");
    let error = render(source, &user(json!("hi")), Some(&json!([{}])), true, &Map::new())
        .expect_err("it raises");
    assert_eq!((error.kind, error.message.as_str()), (TemplateErrorKind::Raised, "no tools"));
}

/// B9: the raise is told apart from a failure also inside macros and loops.
#[test]
fn b9_raises_keep_their_message_wherever_they_are() {
    for source in [
        "{% macro f() %}{{ raise_exception('my words') }}{% endmacro %}{{ f() }}",
        "{% for m in messages %}{% set x = raise_exception('my words') %}{% endfor %}",
        "{% macro f() %}{{ caller() }}{% endmacro %}{% call f() %}{{ raise_exception('my words') }}{% endcall %}",
        "{% generation %}{{ raise_exception('my words') }}{% endgeneration %}",
        "{% set x %}{{ raise_exception('my words') }}{% endset %}",
        "{{ [1] | map('string') | join }}{{ raise_exception('my words') }}",
    ] {
        let error = simple(source, user(json!("hi"))).expect_err("it raises");
        assert_eq!(
            (error.kind, error.to_string().as_str()),
            (TemplateErrorKind::Raised, "my words"),
            "{source}"
        );
    }
}

#[test]
fn a_template_that_does_not_parse_names_file_and_line() {
    let broken = template("line one\n{% if %}\n");
    let problem = broken.problem().expect("the problem is known at once");
    assert_eq!((problem.kind, problem.line), (TemplateErrorKind::Invalid, Some(2)));
    assert!(problem.to_string().starts_with("model/chat_template.jinja:2: "), "{problem}");
    assert_eq!(&simple("line one\n{% if %}\n", user(json!("hi"))).expect_err("it fails"), problem);
    assert!(template("{{ fine }}").problem().is_none());
}

/// A template that never ends is stopped: everywhere at once, whatever else might be tried.
#[test]
fn rendering_is_bounded() {
    let nested = "{% for a in range(9999) %}".repeat(5) + "." + &"{% endfor %}".repeat(5);
    let in_a_macro = format!("{{% macro f() %}}{nested}{{% endmacro %}}{{{{ f() }}}}");
    let endless_text = "{% for a in range(999) %}{{ 'a' * 9999999 }}{% endfor %}".to_owned();
    for source in [nested, in_a_macro, endless_text] {
        let error = simple(&source, user(json!("hi"))).expect_err("it does not end");
        assert_eq!(error.kind, TemplateErrorKind::TooLong, "{error}");
        assert!(error.to_string().contains("the most for one request"), "{error}");
    }
}

/// Values that hold each other, or are nested as deep as the steps allow, are no end of the process: not
/// when they are written, compared, or dropped.
#[test]
fn deep_values_are_survived() {
    let deep = |end: &str| {
        let nest = "{% set ns.x = [ns.x] %}{% set ns.y = [ns.y] %}";
        let loops =
            format!("{}{nest}{}", "{% for i in range(999) %}".repeat(3), "{% endfor %}".repeat(3));
        format!("{{% set ns = namespace(x=1, y=1) %}}{loops}{end}")
    };
    let shallow =
        "{% set ns = namespace(x=1) %}{% for i in range(999) %}{% set ns.x = [ns.x] %}{% endfor %}";
    let own = "{% set ns = namespace() %}{% set ns.a = [ns] %}{{ ns.a }}";
    let said = "nested more than 500 deep";
    for (source, said) in [
        (format!("{shallow}{{{{ ns.x }}}}"), said),
        (format!("{shallow}{{{{ ns.x | tojson }}}}"), said),
        (own.to_owned(), said),
        (deep(""), "steps"),
    ] {
        let error = simple(&source, user(json!("hi"))).expect_err(&source);
        assert_eq!(error.kind, TemplateErrorKind::TooLong, "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
    let half = deep("{{ ns.x == ns.y }}").replace("range(999)", "range(49)");
    assert_eq!(simple(&half, user(json!("hi"))).expect("it fits"), "True");
}

#[test]
fn places_beyond_any_doubles_change_nothing() {
    let rounded = simple("{{ 1.5 | round(2147483647) }}", user(json!("hi")));
    assert_eq!(rounded.expect("it is a number"), "1.5");
}

/// The newer name of the system's part, for templates of either age.
#[test]
fn a_developer_is_the_system_where_the_template_knows_none() {
    let messages = json!([{"role": "developer", "content": "be brief"}]);
    let shown = "{% for m in messages %}[{{ m.role }}]{% endfor %}";
    assert_eq!(simple(shown, messages.clone()).expect("it renders"), "[system]");
    let knows = format!("{{# developer #}}{shown}");
    assert_eq!(simple(&knows, messages).expect("it renders"), "[developer]");
}

/// One step can ask for a text or a list of any length: what it would hold is known before it is made.
#[test]
fn what_one_step_makes_is_bounded() {
    let doubled = |printed: &str| {
        let double = "{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
        format!("{{% set ns = namespace(x='a' * 9999) %}}{double}{{{{ ns.x{printed} }}}}")
    };
    let (text, list) = ("more than 64 MiB", "more than 1048576 items");
    let expressions = [
        ("'a' * 10**9", "more than 100 MB"),
        ("range(10**9)", "more than 100000 numbers"),
        ("('a' * 9999999) | replace('a', 'b' * 9)", text),
        ("('a' * 9999999).replace('a', 'b' * 9)", text),
        ("'aa'.replace('', 'b' * 50000000)", text),
        ("(['a' * 9999999] * 10) | join", text),
        ("(['a'] * 10) | join('b' * 9999999)", text),
        ("('b' * 9999999).join(['a'] * 10)", text),
        ("'a' | center(10**9)", text),
        ("'a'.center(10**9)", text),
        ("'a'.ljust(10**9)", text),
        ("'a'.rjust(10**9)", text),
        ("'a'.zfill(10**9)", text),
        ("'\\t'.expandtabs(10**9)", text),
        ("'a\\nb' | indent(10**9)", text),
        ("('a\\n' * 9999) | indent('b' * 9999)", text),
        ("'%999999999d' | format(1)", text),
        ("('%s' * 9) | format('a' * 9999999)", text),
        ("'{:>999999999}'.format('a')", text),
        ("('{0}' * 9).format('a' * 9999999)", text),
        ("[1] | tojson(indent=10**9)", text),
        ("[[1]] | tojson(indent=60000000)", text),
        ("['a' * 9999999] * 10", text),
        ("([0] * 10**12) | list", list),
        ("([0] * 10**12) | length", list),
        ("([0] * 10**12) | sum", list),
        ("([0] * 10**12) | sort", list),
        ("([0] * 10**12) | unique", list),
        ("([0] * 10**12) | reverse", list),
        ("([0] * 10**12) | max", list),
        ("([0] * 10**12) | map('string')", list),
        ("([0] * 10**12) | select", list),
        ("([{'a': 0}] * 10**12) | selectattr('a')", list),
        ("([{'a': 0}] * 10**12) | groupby('a')", list),
        ("([''] * 10**12) | join", list),
        ("([0] * 10**12) | tojson", list),
        ("[0] | batch(10**9, 0)", list),
        ("[0] | slice(10**9)", list),
        ("[0] | zip([0] * 10**12)", list),
        ("([0] * 10**12)[::2]", list),
        ("([0] * 10**12).count(1)", list),
        ("[0] * 10**12", list),
        ("('a' * 9999999).split('a')", list),
        ("('a' * 9999999).rsplit('a')", list),
        ("('a ' * 9999999).split()", list),
        ("('a ' * 9999999).rsplit()", list),
        ("('\\n' * 9999999).splitlines()", list),
        ("'%.70000f' | format(1.5)", "65535 decimal places"),
        ("'{:.70000f}'.format(1.5)", "65535 decimal places"),
    ];
    let expressions = expressions.map(|(source, said)| (format!("{{{{ {source} }}}}"), said));
    let nested = ["", " | tojson", " | string"].map(|printed| (doubled(printed), text));
    for (source, said) in expressions.into_iter().chain(nested) {
        // Not for the messages that a template is tried with when it is loaded.
        let source = format!("{{% if messages[0].content == 'hi' %}}{source}{{% endif %}}");
        let error = simple(&source, user(json!("hi"))).expect_err(&source);
        assert_eq!(error.kind, TemplateErrorKind::TooLong, "{source}: {error}");
        assert!(error.to_string().contains(said), "{source}: {error}");
    }
    let fits = "{{ ('a' * 20000000).replace('a', 'bb') | length }}";
    assert_eq!(simple(fits, user(json!("hi"))).expect("it fits"), "40000000");
    let lines = "{{ 'a\n\nb\n' | indent(2) }}|{{ 'a\n\nb' | indent('- ', true, true) }}";
    assert_eq!(simple(lines, user(json!("hi"))).expect("it fits"), "a\n\n  b\n|- a\n- \n- b");
}

/// A conversation far longer than any context stays well below the bound.
#[test]
fn long_conversations_render() {
    let source = fixture("templates/chatml.jinja");
    let turns = ["user", "assistant"].map(|role| json!({"role": role, "content": "hi"}));
    let messages: Vec<Value> = turns.iter().cycle().take(10_000).cloned().collect();
    let text = simple(&source, Value::from(messages)).expect("it renders");
    assert_eq!(text.matches("hi").count(), 10_000);
}

#[test]
fn a_failure_while_rendering_names_the_line() {
    let error = simple("a\nb\n{{ messages[0].content.nope.nope }}", user(json!("hi")))
        .expect_err("it fails");
    assert_eq!((error.kind, error.line), (TemplateErrorKind::Invalid, Some(3)));
}

/// B12: a template that only goes through parts is given parts.
#[test]
fn b12_a_string_becomes_a_part_for_a_template_of_parts() {
    let source = fixture("templates/typed_only.jinja");
    assert_eq!(simple(&source, user(json!("hi"))).expect("it renders"), "[user]hi[/][assistant]");
    let raising = "{% for m in messages %}{% if m.content is string %}{{ raise_exception('parts!') }}{% endif %}\
                   {% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}";
    assert_eq!(simple(raising, user(json!("hi"))).expect("it renders"), "hi");
}

#[test]
fn parts_become_a_string_for_a_template_of_strings() {
    let source = "{{ messages[0].content }}";
    let text = |text: &str| json!({"type": "text", "text": text});
    assert_eq!(simple(source, user(json!([text("a"), text("b")]))).expect("it renders"), "a\nb");
    let image = json!([text("a"), {"type": "image_url", "image_url": {"url": "data:"}}]);
    let error = simple(source, user(image)).expect_err("an image cannot be shown");
    assert_eq!(error.kind, TemplateErrorKind::Input);
    for part in ["messages[0].content[1]", "image_url", "only text"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn messages_of_no_form_are_the_callers_fault() {
    for (messages, part) in [
        (json!([]), "at least one"),
        (json!("hi"), "a list"),
        (json!([7]), "messages[0]"),
        (json!([{"role": "user", "content": "a"}, null]), "messages[1]"),
    ] {
        let error = simple("x", messages).expect_err("it is refused");
        assert_eq!(error.kind, TemplateErrorKind::Input);
        assert!(error.to_string().contains(part), "{error}");
    }
}

fn call(arguments: &str) -> Value {
    json!([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": arguments}}]}])
}

/// B13: arguments are decoded when they are an object, and only then.
#[test]
fn b13_arguments_are_decoded_when_they_are_an_object() {
    let source = "{{ messages[0].tool_calls[0].function.arguments | tojson }}";
    for (arguments, rendered) in [
        ("{\"b\": 1, \"a\": [2.0]}", "{\"b\": 1, \"a\": [2.0]}"),
        ("", "{}"),
        ("  ", "{}"),
        ("[1]", "\"[1]\""),
        ("not json", "\"not json\""),
        ("{\"cut\": ", "\"{\\\"cut\\\": \""),
    ] {
        assert_eq!(simple(source, call(arguments)).expect("it renders"), rendered, "{arguments}");
    }
    let mut flat =
        json!([{"role": "assistant", "tool_calls": [{"name": "f", "arguments": "{\"a\": 1}"}]}]);
    let items =
        "{% for k, v in messages[0].tool_calls[0].arguments.items() %}{{ k }}={{ v }}{% endfor %}";
    assert_eq!(simple(items, flat.clone()).expect("it renders"), "a=1");
    flat[0]["tool_calls"] = json!([null, 5, {"arguments": 7}, {"function": 3}]);
    assert_eq!(simple("x", flat).expect("odd calls are passed on"), "x");
}

/// A template that joins the arguments to a string gets them as they came; one
/// that raises keeps its message.
#[test]
fn arguments_stay_text_for_a_template_that_joins_them() {
    let source = "{{ 'call ' + messages[0].tool_calls[0].function.arguments }}";
    assert_eq!(simple(source, call("{\"a\":  1}")).expect("it renders"), "call {\"a\":  1}");
    let raising = "{% if messages[0].tool_calls[0].function.arguments is mapping %}{{ raise_exception('no') }}{% endif %}";
    assert_eq!(simple(raising, call("{}")).expect_err("it raises").message, "no");
    let neither = "{{ messages[0].tool_calls[0].function.arguments + 1 }}";
    assert!(simple(neither, call("{}")).expect_err("it fails").message.contains("map"));
}

#[test]
fn null_keys_and_names_of_reasoning_are_as_in_transformers() {
    let source = "{% for k in messages[0] %}{{ k }}={{ messages[0][k] }};{% endfor %}";
    let messages =
        json!([{"role": "assistant", "content": null, "reasoning": "r", "tool_calls": null}]);
    assert_eq!(
        simple(source, messages).expect("it renders"),
        "thinking=r;role=assistant;reasoning=r;reasoning_content=r;"
    );
    let messages = json!([{"role": "assistant", "thinking": "t", "reasoning_content": "c"}]);
    assert_eq!(
        simple(source, messages).expect("it renders"),
        "thinking=t;role=assistant;reasoning_content=c;"
    );
}

#[test]
fn tool_templates_are_used_for_tools() {
    let source = |name: &str| ChatTemplateSource {
        name: name.to_owned(),
        file: PathBuf::from("tokenizer_config.json"),
        source: name.to_owned(),
    };
    let template =
        ChatTemplate::from_sources(&[source("tool_use"), source("default")], &BTreeMap::new())
            .expect("two");
    let (messages, tools, extra) = (user(json!("hi")), json!([{}]), Map::new());
    let with = |tools| RenderInput {
        messages: &messages,
        tools,
        add_generation_prompt: true,
        extra: &extra,
        now: frozen(),
    };
    assert_eq!(template.render(&with(None)).expect("it renders"), "default");
    assert_eq!(template.render(&with(Some(&Value::Null))).expect("it renders"), "default");
    assert_eq!(template.render(&with(Some(&tools))).expect("it renders"), "tool_use");
    assert!(ChatTemplate::from_sources(&[], &BTreeMap::new()).is_none());
}

/// B11: an answer of calls alone has no content, which clients send as null;
/// templates that need one, in whatever form, get it.
#[test]
fn b11_calls_without_content_render() {
    let messages = call("{\"a\": 1}");
    for (source, rendered) in [
        ("{{ messages[0].content is defined }}", "False"),
        ("{{ 'x' + messages[0].content }}", "x"),
        (
            "{% if messages[0].content is none %}{{ 'call' }}{% else %}{{ 'text ' + messages[0].content }}{% endif %}",
            "call",
        ),
        (
            "{% if messages[0].content is none %}{{ 'call ' + messages[0].tool_calls[0].function.arguments }}\
             {% else %}{{ 'text ' + messages[0].content }}{% endif %}",
            "call {\"a\": 1}",
        ),
    ] {
        assert_eq!(simple(source, messages.clone()).expect("it renders"), rendered, "{source}");
    }
    let error =
        simple("{{ 'x' + messages[0].content }}", json!([{"role": "user"}])).expect_err("it fails");
    assert_eq!(error.kind, TemplateErrorKind::Invalid);
}

/// B11: an answer with thinking and calls can be sent back as history.
#[test]
fn b11_an_answer_can_be_sent_back() {
    let answer = json!({
        "role": "assistant", "content": "text", "reasoning_content": "why", "refusal": null, "audio": null,
        "tool_calls": [{"id": "1", "type": "function", "index": 0, "function": {"name": "f", "arguments": "{}"}}],
    });
    let messages = json!([{"role": "user", "content": "q"}, answer, {"role": "tool", "content": "r", "tool_call_id": "1"}]);
    for file in ["reversed_tools", "item_loops", "string_arguments", "chatml", "dated"] {
        let source = fixture(&format!("templates/{file}.jinja"));
        simple(&source, messages.clone()).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}

/// An answer that has begun ends the text where its content does, whatever the template puts there.
#[test]
fn an_open_answer_ends_the_text() {
    let chatml = "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}</>\n{% endfor %}\
                  {% if add_generation_prompt %}<assistant>{% endif %}";
    let open = |source: &str, messages: Value| {
        template(source).render_open(&RenderInput {
            messages: &messages,
            tools: None,
            add_generation_prompt: true,
            extra: &Map::new(),
            now: frozen(),
        })
    };
    let messages = |content: Value| {
        json!([
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": content},
        ])
    };
    let begun = "<user>Hi</>\n<assistant>{\"a\": ";
    assert_eq!(open(chatml, messages(json!("{\"a\": "))).as_deref(), Ok(begun));
    let parts = json!([{"type": "text", "text": "{\"a\": "}]);
    assert_eq!(open(chatml, messages(parts)).as_deref(), Ok(begun));
    let last = "{{ messages[0].content }}";
    for (source, messages) in
        [(last, messages(json!("x"))), (chatml, user(json!("x"))), (chatml, messages(json!(null)))]
    {
        let error = open(source, messages).expect_err("refused");
        assert_eq!(error.kind, TemplateErrorKind::Input, "{error}");
    }
}
