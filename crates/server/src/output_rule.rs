//! The fields that say what form an answer must have.

use serde_json::{Map, Value};
use tyto_text::grammar::GrammarSource;

use crate::api_error::ApiError;
use crate::fields::Fields;

/// What the answer must follow, and the field that said so.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputRule {
    /// The grammar.
    pub source: GrammarSource,
    /// The field's name.
    pub param: String,
}

/// The keys of `structured_outputs` and of the older fields.
const KINDS: [&str; 5] = ["json", "regex", "choice", "grammar", "json_object"];

impl OutputRule {
    /// Reads `response_format`, llama-server's `grammar` and `json_schema`, and vLLM's
    /// `structured_outputs` and `guided_*`. Two at once contradict each other.
    pub fn parse(fields: &mut Fields) -> Result<Option<Self>, ApiError> {
        let mut rules = Vec::new();
        rules.extend(parse_response_format(fields)?);
        if let Some(text) = fields.string("grammar")?.filter(|text| !text.is_empty()) {
            rules.push(Self::new("grammar", GrammarSource::from_text(text)));
        }
        if let Some(schema) = fields.take("json_schema") {
            rules.push(Self::new("json_schema", GrammarSource::JsonSchema(parsed(schema))));
        }
        for kind in KINDS {
            let param = format!("guided_{kind}");
            if let Some(value) = fields.take(&param) {
                rules.extend(parse_kind(&param, kind, value)?);
            }
        }
        if let Some(object) = fields.object("structured_outputs")? {
            rules.extend(parse_structured(object)?);
        }
        match rules.len() {
            0 | 1 => Ok(rules.pop()),
            _ => {
                let message =
                    format!("`{}` and `{}` cannot both hold", rules[0].param, rules[1].param);
                Err(ApiError::invalid(rules.swap_remove(1).param, message))
            }
        }
    }

    fn new(param: impl Into<String>, source: GrammarSource) -> Self {
        Self { source, param: param.into() }
    }

    /// The schema, if the rule is one.
    pub fn schema(&self) -> Option<Value> {
        match &self.source {
            GrammarSource::JsonSchema(schema) => Some(schema.clone()),
            GrammarSource::JsonObject => Some(serde_json::json!({"type": "object"})),
            _ => None,
        }
    }
}

fn parse_response_format(fields: &mut Fields) -> Result<Option<OutputRule>, ApiError> {
    let Some(format) = fields.object("response_format")? else { return Ok(None) };
    read_format("response_format", &format)
}

/// `{"type": "text"}`, `{"type": "json_object"}` or `{"type": "json_schema", …}`.
pub fn read_format(
    param: &str,
    format: &Map<String, Value>,
) -> Result<Option<OutputRule>, ApiError> {
    let schema = |value: &Value| GrammarSource::JsonSchema(parsed(value.clone()));
    let source = match format.get("type").and_then(Value::as_str) {
        Some("text") => return Ok(None),
        // llama-server takes a schema here too.
        Some("json_object") => format.get("schema").map_or(GrammarSource::JsonObject, schema),
        Some("json_schema") => {
            let inner = format.get("json_schema").and_then(|inner| inner.get("schema"));
            match inner.or(format.get("schema")) {
                Some(value) => schema(value),
                None => {
                    let path = format!("{param}.json_schema.schema");
                    return Err(ApiError::invalid(&path, format!("`{path}` is missing")));
                }
            }
        }
        Some("regex") if format.get("pattern").is_some_and(Value::is_string) => {
            GrammarSource::Regex(format["pattern"].as_str().unwrap_or_default().to_owned())
        }
        _ => {
            let path = format!("{param}.type");
            let found = format.get("type").unwrap_or(&Value::Null);
            let expected = "`text`, `json_object` or `json_schema`";
            return Err(ApiError::wrong_value(&path, expected, found));
        }
    };
    Ok(Some(OutputRule::new(param, source)))
}

fn parse_structured(object: Map<String, Value>) -> Result<Option<OutputRule>, ApiError> {
    let mut rules = Vec::new();
    for (key, value) in object {
        let param = format!("structured_outputs.{key}");
        match KINDS.iter().find(|kind| **kind == key) {
            _ if value.is_null() || value == Value::Bool(false) => {}
            Some(kind) => rules.extend(parse_kind(&param, kind, value)?),
            None => {
                let reason = format!("known are {}", KINDS.join(", "));
                return Err(ApiError::unsupported(&param, &reason));
            }
        }
    }
    if rules.len() > 1 {
        let message = "`structured_outputs` holds more than one rule";
        return Err(ApiError::invalid("structured_outputs", message));
    }
    Ok(rules.pop())
}

fn parse_kind(param: &str, kind: &str, value: Value) -> Result<Option<OutputRule>, ApiError> {
    let wrong = |expected: &str, value: &Value| Err(ApiError::wrong_value(param, expected, value));
    let source = match (kind, value) {
        ("json", value) => GrammarSource::JsonSchema(parsed(value)),
        ("regex", Value::String(text)) => GrammarSource::Regex(text),
        ("grammar", Value::String(text)) => GrammarSource::from_text(text),
        ("json_object", Value::Bool(wanted)) => {
            return Ok(wanted.then(|| OutputRule::new(param, GrammarSource::JsonObject)));
        }
        ("choice", Value::Array(items)) => {
            let text = |item: &Value| match item {
                Value::String(text) if !text.is_empty() => Ok(text.clone()),
                other => Err(ApiError::wrong_value(param, "a list of texts", other)),
            };
            GrammarSource::Choice(items.iter().map(text).collect::<Result<_, _>>()?)
        }
        ("choice", other) => return wrong("a list of texts", &other),
        ("json_object", other) => return wrong("true or false", &other),
        (_, other) => return wrong("a text", &other),
    };
    Ok(Some(OutputRule::new(param, source)))
}

/// A schema may come as a string of JSON.
fn parsed(value: Value) -> Value {
    let text = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    text.unwrap_or(value)
}
