//! The languages that grammars are written in.

use llguidance::api::TopLevelGrammar;
use serde_json::{Value, json};

use super::{GrammarError, gbnf};

/// The most white space that JSON may have in one place. Without a limit a weak model fills its
/// answer with it.
const JSON_WHITESPACE: &str = r"[\x20\x0A\x0D\x09]{1,48}";

/// A grammar as a caller gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum GrammarSource {
    /// Any JSON object.
    JsonObject,
    /// JSON that a schema describes. A keyword that is not known is an error.
    JsonSchema(Value),
    /// A text that the regular expression matches as a whole.
    Regex(String),
    /// One of these texts.
    Choice(Vec<String>),
    /// Lark, in llguidance's dialect.
    Lark(String),
    /// llama.cpp's GBNF.
    Gbnf(String),
}

impl GrammarSource {
    /// Either language of a `grammar` field: GBNF has rules with `::=`, Lark has none.
    pub fn from_text(text: String) -> Self {
        if text.contains("::=") { Self::Gbnf(text) } else { Self::Lark(text) }
    }

    /// The grammar in llguidance's terms.
    pub(super) fn grammar(&self) -> Result<TopLevelGrammar, GrammarError> {
        let grammar = match self {
            Self::JsonObject => {
                TopLevelGrammar::from_json_schema(schema(&json!({"type": "object"})))
            }
            Self::JsonSchema(value) if value.is_object() || value.is_boolean() => {
                TopLevelGrammar::from_json_schema(schema(value))
            }
            Self::JsonSchema(_) => return Err(GrammarError::new("a JSON schema is an object")),
            Self::Regex(text) => TopLevelGrammar::from_regex(whole_match(text)),
            Self::Choice(texts) => TopLevelGrammar::from_lark(choice(texts)?),
            Self::Lark(text) => TopLevelGrammar::from_lark(text.clone()),
            Self::Gbnf(text) => TopLevelGrammar::from_lark(gbnf::to_lark(text)?),
        };
        Ok(grammar)
    }

    /// Bytes of the source, and how deep it is nested.
    pub(super) fn size(&self) -> (usize, usize) {
        match self {
            Self::JsonObject => (0, 0),
            Self::JsonSchema(value) => (value.to_string().len(), depth(value)),
            Self::Regex(text) | Self::Lark(text) | Self::Gbnf(text) => (text.len(), brackets(text)),
            Self::Choice(texts) => (texts.iter().map(String::len).sum(), 0),
        }
    }
}

/// The schema with our options, which replace any that a caller wrote there.
pub(crate) fn schema(value: &Value) -> Value {
    let mut schema = match value {
        Value::Object(_) => value.clone(),
        // `true` is any value, `false` none, which compiling refuses.
        Value::Bool(true) => json!({}),
        other => json!({ "allOf": [other] }),
    };
    schema["x-guidance"] = json!({"whitespace_pattern": JSON_WHITESPACE, "coerce_one_of": true});
    schema
}

/// The same without white space but for the one that Python's `json.dumps` writes, which is what
/// models were shown.
pub(crate) fn schema_as_dumped(value: &Value) -> Value {
    let mut schema = schema(value);
    schema["x-guidance"] = json!({
        "whitespace_flexible": false, "item_separator": ", ", "key_separator": ": ",
        "coerce_one_of": true,
    });
    schema
}

/// `^` and `$` say what is true anyway.
fn whole_match(text: &str) -> &str {
    let text = text.strip_prefix('^').unwrap_or(text);
    match text.strip_suffix('$') {
        Some(inner) if !inner.ends_with('\\') => inner,
        _ => text,
    }
}

fn choice(texts: &[String]) -> Result<String, GrammarError> {
    if texts.is_empty() || texts.iter().any(String::is_empty) {
        return Err(GrammarError::new("a choice needs texts, none of them empty"));
    }
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    // As one terminal: rows of the parser hold few alternatives, and the lexer any number.
    Ok(format!("start: CHOICE\nCHOICE: {}", quoted.join(" | ")))
}

/// A text as a Lark string.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// How deep brackets are nested at most. Those in strings and classes count too, which only makes
/// it more than it is.
fn brackets(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
