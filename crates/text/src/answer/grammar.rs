//! Grammars of answers that must call a tool.

use serde_json::{Value, json};

use super::argument_types::resolved;
use super::detect::CallFormat;
use crate::grammar::{GrammarSource, quoted, schema, schema_as_dumped};
use crate::model::TextModel;

/// The calls that an answer must make.
#[derive(Debug, Clone)]
pub struct CallGrammar<'a> {
    /// The form to write them in.
    pub format: CallFormat,
    /// The tools that may be called: name and JSON schema of the arguments. None only in harmony,
    /// whose answers have a form of their own.
    pub tools: &'a [(String, Value)],
    /// Whether there may be more than one call.
    pub parallel: bool,
    /// What may stand in a call's place.
    pub answer: Instead<'a>,
}

/// What an answer may be other than calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Instead<'a> {
    /// Nothing: there is a call.
    Nothing,
    /// JSON of this schema.
    Json(&'a Value),
    /// Any text, in the call's place, before it and after it; but a call that has begun follows its
    /// tool's schema.
    Text,
}

impl<'a> Instead<'a> {
    fn schema(self) -> Option<&'a Value> {
        match self {
            Self::Json(schema) => Some(schema),
            Self::Nothing | Self::Text => None,
        }
    }
}

impl CallGrammar<'_> {
    /// The grammar, in the model's own control tokens.
    pub fn source(&self, model: &TextModel) -> GrammarSource {
        let writer = Writer { model, grammar: self };
        GrammarSource::Lark(match self.format {
            CallFormat::Hermes => writer.json_calls("arguments", Some(CALL), "\n"),
            CallFormat::Llama3 => writer.json_calls("parameters", None, "; "),
            CallFormat::Mistral { bare_names: false } => writer.mistral_list(),
            CallFormat::Mistral { bare_names: true } => writer.mistral_names(),
            CallFormat::Harmony => writer.harmony(),
            CallFormat::QwenXml => writer.tagged(&QWEN),
            CallFormat::Glm => writer.tagged(&GLM),
        })
    }
}

struct Writer<'a> {
    model: &'a TextModel,
    grammar: &'a CallGrammar<'a>,
}

/// A format in which every argument stands between tags of its own.
struct Tags {
    open: &'static str,
    after_name: &'static str,
    before_key: &'static str,
    after_key: &'static str,
    after_value: &'static str,
    close: &'static str,
}

/// What begins a call in three of the formats.
const CALL: &str = "<tool_call>";
/// What begins Mistral's calls.
const MISTRAL: &str = "[TOOL_CALLS]";

const QWEN: Tags = Tags {
    open: "\n<function=",
    after_name: ">\n",
    before_key: "<parameter=",
    after_key: ">\n",
    after_value: "\n</parameter>\n",
    close: "</function>\n",
};

const GLM: Tags = Tags {
    open: "",
    after_name: "\n",
    before_key: "<arg_key>",
    after_key: "</arg_key>\n<arg_value>",
    after_value: "</arg_value>\n",
    close: "",
};

impl Writer<'_> {
    /// A text that may be a control token of this model.
    fn marker(&self, text: &str) -> String {
        match self.model.token_id(text).filter(|&id| self.model.is_special(id)) {
            Some(id) => format!("<[{id}]>"),
            None => quoted(text),
        }
    }

    fn is_free(&self) -> bool {
        self.grammar.answer == Instead::Text
    }

    /// The first rules: one call or several. `open` is the text that every call begins with, and
    /// that is part of the rule `call`.
    fn start(&self, between: &str, open: &str) -> String {
        if self.is_free() {
            return self.start_free(open);
        }
        let more =
            if self.grammar.parallel { format!(" ({between} call)*") } else { String::new() };
        self.start_of(&format!("call{more}"))
    }

    /// The first rules: these calls, or the answer in their place.
    fn start_of(&self, calls: &str) -> String {
        match self.grammar.answer {
            Instead::Json(answer) => {
                format!("start: calls | answer\ncalls: {calls}\nanswer: %json {}\n", schema(answer))
            }
            Instead::Nothing => format!("start: {calls}\n"),
            // Told apart by its first character.
            Instead::Text => {
                format!("start: {calls} | TEXT\nTEXT: /\\s*([^\\s{{](?s:.*))?/\n")
            }
        }
    }

    /// The first rules with free text around calls. Where `open` is no control token, text ends with
    /// it as soon as it is complete.
    fn start_free(&self, open: &str) -> String {
        let often = if self.grammar.parallel { "*" } else { "?" };
        if self.is_control(open) {
            return format!("start: TEXT (call TEXT){often}\nTEXT: /(?s:.*)/\n");
        }
        let open = quoted(open);
        format!(
            "start: (begun body){often} TEXT\nbegun[suffix={open}]: /(?s:.*)/\nTEXT: /(?s:.*)/\n"
        )
    }

    fn is_control(&self, text: &str) -> bool {
        self.model.token_id(text).is_some_and(|id| self.model.is_special(id))
    }

    /// A rule `call`, or without its opening `body`, where free text has it already.
    fn call_rule(&self, open: &str, rest: &str) -> String {
        match self.is_free() && !self.is_control(open) {
            true => format!("body: {rest}\n"),
            false => format!("call: {} {rest}\n", self.marker(open)),
        }
    }

    /// One object of a call: a rule for every tool.
    fn objects(&self, arguments: &str) -> String {
        let mut text = self.any_of("object");
        for (index, (name, parameters)) in self.grammar.tools.iter().enumerate() {
            let mut object = json!({
                "type": "object",
                "properties": {"name": {"const": name}, arguments: parameters},
                "required": ["name", arguments],
                "additionalProperties": false,
            });
            move_definitions(parameters, &mut object);
            // Beside an answer of JSON both must be made of the same pieces.
            let is_either = self.grammar.answer.schema().is_some();
            let object = if is_either { schema(&object) } else { schema_as_dumped(&object) };
            text.push_str(&format!("call{index}: %json {object}\n"));
        }
        text
    }

    fn json_calls(&self, arguments: &str, tag: Option<&str>, between: &str) -> String {
        let Some(tag) = tag else {
            let more = if self.grammar.parallel {
                format!(" ({} call)*", quoted(between))
            } else {
                String::new()
            };
            return self.start_of(&format!("call{more}"))
                + "call: object\n"
                + &self.objects(arguments);
        };
        let close = self.marker(&tag.replace('<', "</"));
        let call = self.call_rule(tag, &format!("\"\\n\" object \"\\n\" {close}"));
        self.start(&quoted(between), tag) + &call + &self.objects(arguments)
    }

    fn mistral_list(&self) -> String {
        let more = if self.grammar.parallel { " (\", \" object)*" } else { "" };
        let list = format!("\"[\" object{more} \"]\"");
        if self.is_free() {
            // One list has all calls.
            let one = CallGrammar { parallel: false, ..self.grammar.clone() };
            let writer = Writer { model: self.model, grammar: &one };
            let start = writer.start_free(MISTRAL) + &writer.call_rule(MISTRAL, &list);
            return start + &self.objects("arguments");
        }
        let open = self.marker(MISTRAL);
        self.start_of(&format!("{open} {list}")) + &self.objects("arguments")
    }

    fn mistral_names(&self) -> String {
        let args = self.marker("[ARGS]");
        let call = |index: usize, name: &str| {
            format!("call{index}: {} {args} arguments{index}\n", quoted(name))
        };
        self.start("", MISTRAL) + &self.call_rule(MISTRAL, "named") + &self.each("named", call)
    }

    fn harmony(&self) -> String {
        let (channel, message) = (self.marker("<|channel|>"), self.marker("<|message|>"));
        let (end, start) = (self.marker("<|end|>"), self.marker("<|start|>"));
        let constrain = self.marker("<|constrain|>");
        let call = |index: usize, name: &str| {
            let to = quoted(&format!("commentary to=functions.{name} "));
            format!("call{index}: {channel} {to} {constrain} \"json\" {message} arguments{index}\n")
        };
        // The reasoning before it is free. After a call the model's turn is over.
        let mut ends = Vec::new();
        let mut rules = format!(
            "thoughts: {channel} \"analysis\" {message} THOUGHTS {end} {start} \"assistant\"\n\
             THOUGHTS: /(?s:.*)/\n"
        );
        if !self.grammar.tools.is_empty() {
            ends.push("call");
            rules.push_str(&self.each("call", call));
        }
        let mut before = "thoughts?";
        if self.is_free() {
            ends.push("final");
            before = "(thoughts | preamble)*";
            rules.push_str(&format!(
                "preamble: {channel} \"commentary\" {message} THOUGHTS {end} {start} \"assistant\"\n\
                 final: {channel} \"final\" {message} THOUGHTS\n"
            ));
        }
        if let Some(answer) = self.grammar.answer.schema() {
            ends.push("final");
            let schema = schema(answer);
            rules.push_str(&format!("final: {channel} \"final\" {message} answer\n"));
            rules.push_str(&format!("answer: %json {schema}\n"));
        }
        format!("start: {before} ({})\n{rules}", ends.join(" | "))
    }

    /// `rule`, which is any of the tools' calls; their rules, and their arguments as JSON. Each
    /// schema is a grammar of its own, since its references are to its own root.
    fn each(&self, rule: &str, call: impl Fn(usize, &str) -> String) -> String {
        let mut text = self.any_of(rule);
        for (index, (name, parameters)) in self.grammar.tools.iter().enumerate() {
            text.push_str(&call(index, name));
            text.push_str(&format!("arguments{index}: %json {}\n", schema(parameters)));
        }
        text
    }

    fn any_of(&self, rule: &str) -> String {
        let calls: Vec<String> =
            (0..self.grammar.tools.len()).map(|index| format!("call{index}")).collect();
        format!("{rule}: {}\n", calls.join(" | "))
    }

    fn tagged(&self, tags: &Tags) -> String {
        let close = self.marker("</tool_call>");
        let mut rules = self.start("\"\\n\"", CALL)
            + &self.call_rule(CALL, &format!("named {close}"))
            + &self.any_of("named");
        for (index, (name, tool)) in self.grammar.tools.iter().enumerate() {
            rules.push_str(&self.tagged_call(index, name, tool, tags));
            for (place, key, _) in argument_names(tool) {
                let before = quoted(&format!("{}{key}{}", tags.before_key, tags.after_key));
                rules
                    .push_str(&format!("argument{index}_{place}: {before} value{index}_{place}\n"));
                rules.push_str(&value_rule(&format!("{index}_{place}"), tool, key, tags));
            }
        }
        rules
    }

    fn tagged_call(&self, index: usize, name: &str, tool: &Value, tags: &Tags) -> String {
        let argument = |(place, _, required): (usize, &str, bool)| {
            let optional = if required { "" } else { "?" };
            format!("argument{index}_{place}{optional}")
        };
        let arguments: Vec<String> = argument_names(tool).map(argument).collect();
        let name = quoted(&format!("{}{name}{}", tags.open, tags.after_name));
        let end = if tags.close.is_empty() { String::new() } else { quoted(tags.close) };
        format!("call{index}: {name} {} {end}\n", arguments.join(" "))
    }
}

/// Place, name and whether it is required, of each property of a schema.
fn argument_names(tool: &Value) -> impl Iterator<Item = (usize, &str, bool)> {
    let names = tool["properties"].as_object().into_iter().flat_map(|map| map.keys());
    let required = |name: &str| {
        tool["required"].as_array().is_some_and(|list| list.iter().any(|item| item == name))
    };
    names.enumerate().map(move |(place, name)| (place, name.as_str(), required(name)))
}

/// A bare string ends with its tag; other values are JSON.
fn value_rule(place: &str, tool: &Value, key: &str, tags: &Tags) -> String {
    let value = resolved(tool, &tool["properties"][key]);
    let after = quoted(tags.after_value);
    let choices = value["enum"].as_array().filter(|list| list.iter().all(Value::is_string));
    if let Some(choices) = choices {
        let texts: Vec<String> = choices.iter().filter_map(Value::as_str).map(quoted).collect();
        return format!("value{place}: ({}) {after}\n", texts.join(" | "));
    }
    if may_be_text(tool, value) {
        return format!("value{place}[suffix={after}]: /(?s:.*)/\n");
    }
    let mut value = value.clone();
    move_definitions(tool, &mut value);
    format!("value{place}: json{place} {after}\njson{place}: %json {}\n", schema(&value))
}

/// Whether any string is a value of this schema.
fn may_be_text(root: &Value, schema: &Value) -> bool {
    let schema = resolved(root, schema);
    if let Some(branches) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return branches.iter().any(|branch| may_be_text(root, branch));
    }
    match &schema["type"] {
        Value::String(kind) => kind == "string",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "string"),
        _ => schema["enum"].is_null() && schema["const"].is_null() && schema["$ref"].is_null(),
    }
}

/// References are to the root of a schema: what they mean goes to the new root.
fn move_definitions(from: &Value, to: &mut Value) {
    for key in ["$defs", "definitions"] {
        if from[key].is_object() {
            to[key] = from[key].clone();
        }
    }
}
