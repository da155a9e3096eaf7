//! Arguments that come as bare text, and the types that a tool's schema gives them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::events::Events;

/// The tools of a request: name and JSON schema of the arguments.
#[derive(Debug, Default)]
pub struct ToolSchemas {
    tools: BTreeMap<String, Value>,
}

impl ToolSchemas {
    /// From pairs of a name and the schema of its arguments.
    pub fn new(tools: impl IntoIterator<Item = (String, Value)>) -> Self {
        Self { tools: tools.into_iter().collect() }
    }

    /// Whether there is such a tool.
    pub fn knows(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// A value as JSON: a string where the schema says so or the text is no JSON.
    fn value(&self, tool: &str, key: &str, text: &str) -> Value {
        let root = self.tools.get(tool);
        if root.is_some_and(|root| is_text(root, &root["properties"][key])) {
            return Value::from(text);
        }
        let trimmed = text.trim();
        match serde_json::from_str(trimmed) {
            Ok(value) => value,
            // Models write Python's words too.
            Err(_) => match trimmed {
                "True" => Value::Bool(true),
                "False" => Value::Bool(false),
                "None" => Value::Null,
                _ => Value::from(text),
            },
        }
    }
}

/// The schema that a reference within `root` means; any other schema is itself.
pub(super) fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    // A reference to itself is no schema; what it means is found when it is compiled.
    for _ in 0..8 {
        let pointer = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        match pointer.and_then(|pointer| root.pointer(pointer)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// Whether a value of this schema can only be a string (or null, which bare text cannot say).
fn is_text(root: &Value, schema: &Value) -> bool {
    let schema = resolved(root, schema);
    let text_or_null = |kind: &Value| kind == "string" || kind == "null";
    if let Some(branches) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let fits = |branch| is_text(root, branch) || resolved(root, branch)["type"] == "null";
        return !branches.is_empty() && branches.iter().all(fits);
    }
    match &schema["type"] {
        Value::String(kind) => kind == "string",
        Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(text_or_null),
        _ => schema["enum"].as_array().is_some_and(|values| values.iter().all(Value::is_string)),
    }
}

/// The arguments of one call, written as a JSON object while they come.
pub(super) struct Arguments {
    tools: Arc<ToolSchemas>,
    tool: String,
    is_empty: bool,
}

impl Arguments {
    pub(super) fn new(tools: &Arc<ToolSchemas>, tool: &str) -> Self {
        Self { tools: tools.clone(), tool: tool.to_owned(), is_empty: true }
    }

    pub(super) fn add(&mut self, key: &str, text: &str, events: &mut Events) {
        let value = self.tools.value(&self.tool, key, text);
        let before = if std::mem::replace(&mut self.is_empty, false) { "{" } else { ", " };
        events.call_arguments(&format!("{before}{}: {value}", Value::from(key)));
    }

    pub(super) fn end(self, events: &mut Events) {
        events.call_arguments(if self.is_empty { "{}" } else { "}" });
        events.call_end();
    }
}
