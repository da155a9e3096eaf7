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
        let schema = self.tools.get(tool).map(|schema| &schema["properties"][key]);
        if schema.is_some_and(is_string) {
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

/// Whether a value of this schema can only be a string (or null, which text cannot say).
fn is_string(schema: &Value) -> bool {
    match &schema["type"] {
        Value::String(kind) => kind == "string",
        Value::Array(kinds) => kinds.iter().all(|kind| kind == "string" || kind == "null"),
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
