//! The tools of a request, and whether the model must call one.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tyto_text::TextModel;
use tyto_text::answer::{CallFormat, CallGrammar, Instead, ToolSchemas};
use tyto_text::grammar::GrammarSource;

use crate::api_error::ApiError;
use crate::fields::Fields;

/// The most tools of one request. Each is part of every prompt, and of the grammar.
const MAX_TOOLS: usize = 256;
/// The longest name of a tool.
const MAX_NAME: usize = 128;

/// Valid tools, at least one.
#[derive(Debug, Clone)]
pub struct Tools {
    /// As the template sees them: OpenAI's objects.
    pub objects: Value,
    /// Name and JSON schema of the arguments of each that may be called.
    pub list: Vec<(String, Value)>,
    /// Whether one must be called.
    pub choice: ToolChoice,
    /// Whether several may be called at once.
    pub parallel: bool,
}

/// Whether a tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// One of those in [`Tools::list`].
    Required,
}

impl Tools {
    /// Reads `tools`, `tool_choice` and `parallel_tool_calls`. `None` where nothing may be called.
    pub fn parse(fields: &mut Fields) -> Result<Option<Self>, ApiError> {
        let tools = match fields.take("tools") {
            None => Vec::new(),
            Some(Value::Array(items)) => items,
            Some(other) => return Err(ApiError::wrong_value("tools", "a list of tools", &other)),
        };
        let choice = fields.take("tool_choice");
        let parallel = fields.boolean("parallel_tool_calls")?.unwrap_or(true);
        Self::new(tools, choice, parallel)
    }

    /// From OpenAI's objects.
    pub fn new(
        mut tools: Vec<Value>,
        choice: Option<Value>,
        parallel: bool,
    ) -> Result<Option<Self>, ApiError> {
        if tools.len() > MAX_TOOLS {
            let message = format!("`tools` has {} tools; the limit is {MAX_TOOLS}", tools.len());
            return Err(ApiError::invalid("tools", message));
        }
        let mut list: Vec<(String, Value)> = Vec::with_capacity(tools.len());
        for (index, tool) in tools.iter().enumerate() {
            let named = parse_tool(&format!("tools[{index}]"), tool)?;
            if list.iter().any(|(name, _)| *name == named.0) {
                let message = format!("two tools have the name {:?}", named.0);
                return Err(ApiError::invalid(format!("tools[{index}].function.name"), message));
            }
            list.push(named);
        }
        let Some(chosen) = parse_choice(choice.as_ref(), &list)? else {
            return Ok(None);
        };
        let (choice, list) = match chosen {
            Chosen::Auto => (ToolChoice::Auto, list),
            Chosen::Required => (ToolChoice::Required, list),
            Chosen::Named(index) => (ToolChoice::Required, vec![list.swap_remove(index)]),
            Chosen::Allowed(choice, names) => {
                // The template does not see the others either: the model would call them.
                tools.retain(|tool| names.iter().any(|name| tool["function"]["name"] == **name));
                list.retain(|(name, _)| names.contains(name));
                (choice, list)
            }
        };
        let objects = Value::Array(tools);
        Ok((!list.is_empty()).then_some(Self { objects, list, choice, parallel }))
    }

    /// For the parser of answers.
    pub fn schemas(&self) -> Arc<ToolSchemas> {
        Arc::new(ToolSchemas::new(self.list.iter().cloned()))
    }

    /// Whether an answer without a call is wrong.
    pub fn is_required(&self) -> bool {
        self.choice == ToolChoice::Required
    }

    /// The grammar of an answer of calls, or of what may stand in their place.
    pub fn grammar(
        &self,
        format: CallFormat,
        answer: Instead<'_>,
        model: &TextModel,
    ) -> GrammarSource {
        let grammar = CallGrammar { format, tools: &self.list, parallel: self.parallel, answer };
        grammar.source(model)
    }

    /// Whether a call must follow its tool's schema though none has to be made. One tool that asks
    /// for it is enough: which one is called shows only later.
    pub fn is_strict(&self) -> bool {
        let strict = |tool: &Value| tool["function"]["strict"] == true;
        self.objects.as_array().is_some_and(|tools| tools.iter().any(strict))
    }
}

enum Chosen {
    Auto,
    Required,
    /// The place in the list.
    Named(usize),
    /// Only these.
    Allowed(ToolChoice, Vec<String>),
}

/// `None` where no tool may be called.
fn parse_choice(
    choice: Option<&Value>,
    list: &[(String, Value)],
) -> Result<Option<Chosen>, ApiError> {
    let expected = "`auto`, `none`, `required`, \
                    {\"type\": \"function\", \"function\": {\"name\": …}}, or \
                    {\"type\": \"allowed_tools\", \"allowed_tools\": {\"mode\": …, \"tools\": […]}}";
    let Some(choice) = choice else { return Ok(Some(Chosen::Auto)) };
    let chosen = match choice {
        Value::String(word) if word == "auto" => return Ok(Some(Chosen::Auto)),
        Value::String(word) if word == "none" => return Ok(None),
        Value::String(word) if word == "required" => Chosen::Required,
        Value::Object(object) if object.get("type").is_none_or(|kind| kind == "function") => {
            let name = object.get("function").unwrap_or(choice)["name"].as_str();
            let name =
                name.ok_or_else(|| ApiError::wrong_value("tool_choice", expected, choice))?;
            let place = list.iter().position(|(known, _)| known == name).ok_or_else(|| {
                ApiError::invalid("tool_choice", format!("no tool has the name {name:?}"))
            })?;
            Chosen::Named(place)
        }
        Value::Object(object) if object.get("type").is_some_and(|kind| kind == "allowed_tools") => {
            parse_allowed(object.get("allowed_tools").unwrap_or(choice), list)?
        }
        other => return Err(ApiError::wrong_value("tool_choice", expected, other)),
    };
    if list.is_empty() {
        let message = "`tool_choice` asks for a call, and `tools` is empty";
        return Err(ApiError::invalid("tool_choice", message));
    }
    Ok(Some(chosen))
}

/// `{"mode": "auto" | "required", "tools": […]}`, each tool with its name alone.
fn parse_allowed(allowed: &Value, list: &[(String, Value)]) -> Result<Chosen, ApiError> {
    let mode = match allowed["mode"].as_str() {
        Some("auto") => ToolChoice::Auto,
        Some("required") => ToolChoice::Required,
        _ => {
            let name = "tool_choice.mode";
            return Err(ApiError::wrong_value(name, "`auto` or `required`", &allowed["mode"]));
        }
    };
    let wrong = |found: &Value| {
        let expected = "a list of tools with their names, at least one";
        ApiError::wrong_value("tool_choice.tools", expected, found)
    };
    let tools = allowed["tools"].as_array().filter(|tools| !tools.is_empty());
    let name = |tool: &Value| {
        let name = tool.get("function").unwrap_or(tool)["name"].as_str();
        let name = name.ok_or_else(|| wrong(tool))?.to_owned();
        match list.iter().any(|(known, _)| *known == name) {
            true => Ok(name),
            false => {
                let message = format!("no tool has the name {name:?}");
                Err(ApiError::invalid("tool_choice.tools", message))
            }
        }
    };
    let tools = tools.ok_or_else(|| wrong(&allowed["tools"]))?;
    Ok(Chosen::Allowed(mode, tools.iter().map(name).collect::<Result<_, _>>()?))
}

fn parse_tool(path: &str, tool: &Value) -> Result<(String, Value), ApiError> {
    let kind = &tool["type"];
    if !tool.is_object() || !kind.is_string() {
        return Err(ApiError::wrong_value(path, "a tool with `type` and `function`", tool));
    }
    if kind != "function" {
        let reason = format!("only functions are called; found a tool of type {kind}");
        return Err(ApiError::unsupported(&format!("{path}.type"), &reason));
    }
    let function = &tool["function"];
    let name_path = format!("{path}.function.name");
    let name = function["name"].as_str().filter(|name| is_name(name)).ok_or_else(|| {
        let expected =
            format!("a name of letters, digits, `_`, `-`, `.` and `:`, at most {MAX_NAME}");
        ApiError::wrong_value(&name_path, &expected, &function["name"])
    })?;
    let schema = match &function["parameters"] {
        Value::Null => json!({"type": "object", "properties": {}, "additionalProperties": false}),
        Value::Object(object) => Value::Object(with_type(object)),
        other => {
            let path = format!("{path}.function.parameters");
            return Err(ApiError::wrong_value(&path, "a JSON schema", other));
        }
    };
    Ok((name.to_owned(), schema))
}

/// Arguments are an object, whether or not the schema says so.
fn with_type(schema: &Map<String, Value>) -> Map<String, Value> {
    let mut schema = schema.clone();
    let says =
        ["type", "anyOf", "oneOf", "allOf", "$ref"].iter().any(|key| schema.contains_key(*key));
    if !says {
        schema.insert("type".to_owned(), json!("object"));
    }
    schema
}

fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
    (1..=MAX_NAME).contains(&name.len()) && name.chars().all(allowed)
}
