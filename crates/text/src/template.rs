//! Chat templates: messages to the text a model was trained to continue.

use std::collections::BTreeMap;
use std::path::PathBuf;

use minijinja::{Environment, Value as TemplateValue};
use serde_json::{Map, Value, json};

use crate::chat::{self, ContentForms};
use crate::jinja::{self, clock::LocalTime};
use crate::sources::ChatTemplateSource;

/// A model's chat template, compiled; or the several it has by name.
#[derive(Debug)]
pub struct ChatTemplate {
    default: Compiled,
    /// Used for requests with tools, when the model has one of that name.
    tool_use: Option<Compiled>,
    named: BTreeMap<String, String>,
}

/// What is rendered.
#[derive(Debug, Clone)]
pub struct RenderInput<'a> {
    /// The conversation: a list of message objects in OpenAI's form.
    pub messages: &'a Value,
    /// The tools in OpenAI's form. `None` and null are the same.
    pub tools: Option<&'a Value>,
    /// Whether the text ends with the start of an answer.
    pub add_generation_prompt: bool,
    /// More variables (`enable_thinking`, `documents`, …). They win over the
    /// special tokens, as in transformers.
    pub extra: &'a Map<String, Value>,
    /// The time `strftime_now` gives.
    pub now: LocalTime,
}

/// Why a chat could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// What happened; for [`TemplateErrorKind::Raised`] the template's own words.
    pub message: String,
    /// Who must act.
    pub kind: TemplateErrorKind,
    /// The template's file.
    pub file: PathBuf,
    /// The line in it, where one is known.
    pub line: Option<usize>,
}

/// Whose fault a [`TemplateError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateErrorKind {
    /// The template refused the conversation with `raise_exception`: the caller's.
    Raised,
    /// The messages are not of a form that can be rendered: the caller's.
    Input,
    /// The conversation takes the template more work or memory than one request may cause: the
    /// caller's, or the model's where every conversation does.
    TooLong,
    /// The template does not parse, or failed while running: the model's, or the
    /// caller's where it is about a field that a message lacks.
    Invalid,
}

#[derive(Debug)]
struct Compiled {
    file: PathBuf,
    source: String,
    environment: Result<Environment<'static>, TemplateError>,
    forms: ContentForms,
}

impl ChatTemplate {
    /// Compiles the default template and, if there is one, `tool_use`; `None` when
    /// there are no sources. `named` are the special tokens by name, which a
    /// template sees as variables.
    pub fn from_sources(
        sources: &[ChatTemplateSource],
        named: &BTreeMap<String, String>,
    ) -> Option<Self> {
        let find = |name: &str| sources.iter().find(|source| source.name == name);
        let default = find("default").or_else(|| sources.first())?;
        Some(Self {
            default: Compiled::new(default, named),
            tool_use: find("tool_use").map(|source| Compiled::new(source, named)),
            named: named.clone(),
        })
    }

    /// Renders a conversation. See [`chat`](crate::chat) for what is done to the
    /// messages first.
    pub fn render(&self, input: &RenderInput<'_>) -> Result<String, TemplateError> {
        self.chosen(input).render(input, &self.named)
    }

    /// Renders a conversation whose last message, the assistant's, goes on: the text ends where that
    /// message's content does. `add_generation_prompt` counts for nothing.
    pub fn render_open(&self, input: &RenderInput<'_>) -> Result<String, TemplateError> {
        let chosen = self.chosen(input);
        let wrong = |message: &str| TemplateError {
            message: message.to_owned(),
            kind: TemplateErrorKind::Input,
            file: chosen.file.clone(),
            line: None,
        };
        let messages = chat::with_cut(input.messages).map_err(|message| wrong(&message))?;
        let input =
            RenderInput { messages: &messages, add_generation_prompt: false, ..input.clone() };
        let mut text = chosen.render(&input, &self.named)?;
        let cut = text.rfind(chat::CUT).ok_or_else(|| {
            wrong("the chat template does not show the last message, which should go on")
        })?;
        text.truncate(cut);
        Ok(text)
    }

    /// Why a template cannot be used, when it does not parse.
    pub fn problem(&self) -> Option<&TemplateError> {
        let compiled = std::iter::once(&self.default).chain(&self.tool_use);
        compiled.filter_map(|compiled| compiled.environment.as_ref().err()).next()
    }

    /// The Jinja source of the template that these tools choose.
    pub(crate) fn source(&self, input: &RenderInput<'_>) -> &str {
        &self.chosen(input).source
    }

    /// The Jinja source of the template for requests with tools, or for those without.
    pub(crate) fn source_for(&self, with_tools: bool) -> &str {
        &self.tool_use.as_ref().filter(|_| with_tools).unwrap_or(&self.default).source
    }

    /// Whether any of the templates writes this text out.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        let mut compiled = std::iter::once(&self.default).chain(&self.tool_use);
        compiled.any(|compiled| compiled.source.contains(text))
    }

    fn chosen(&self, input: &RenderInput<'_>) -> &Compiled {
        let has_tools = input.tools.is_some_and(|tools| !tools.is_null());
        self.tool_use.as_ref().filter(|_| has_tools).unwrap_or(&self.default)
    }
}

impl Compiled {
    fn new(source: &ChatTemplateSource, named: &BTreeMap<String, String>) -> Self {
        let environment = jinja::environment(&source.source);
        let mut compiled = Self {
            environment: environment.map_err(|error| template_error(&source.file, &error)),
            file: source.file.clone(),
            source: source.source.clone(),
            forms: ContentForms::ANY,
        };
        compiled.forms = compiled.probe(named);
        compiled
    }

    fn render(
        &self,
        input: &RenderInput<'_>,
        named: &BTreeMap<String, String>,
    ) -> Result<String, TemplateError> {
        let messages = chat::with_known_roles(input.messages, &self.source);
        let prepared = chat::prepare(&messages, self.forms).map_err(|message| TemplateError {
            message,
            kind: TemplateErrorKind::Input,
            file: self.file.clone(),
            line: None,
        })?;
        let mut first_failure = None;
        for messages in &prepared {
            match self.render_messages(messages, input, named) {
                Err(error) if error.kind == TemplateErrorKind::Invalid => {
                    first_failure.get_or_insert(error);
                }
                rendered_or_raised => return rendered_or_raised,
            }
        }
        Err(first_failure.expect("there is at least one form of the messages"))
    }

    fn render_messages(
        &self,
        messages: &Value,
        input: &RenderInput<'_>,
        named: &BTreeMap<String, String>,
    ) -> Result<String, TemplateError> {
        let environment = self.environment.as_ref().map_err(Clone::clone)?;
        let mut context: BTreeMap<String, TemplateValue> = BTreeMap::new();
        context.insert("strftime_now".to_owned(), jinja::strftime_now(input.now));
        for (name, token) in named {
            context.insert(name.clone(), TemplateValue::from(token.as_str()));
        }
        context.insert("documents".to_owned(), TemplateValue::from(()));
        for (name, value) in input.extra {
            context.insert(name.clone(), TemplateValue::from_serialize(value));
        }
        context.insert("messages".to_owned(), TemplateValue::from_serialize(messages));
        context.insert("tools".to_owned(), TemplateValue::from_serialize(input.tools));
        context.insert(
            "add_generation_prompt".to_owned(),
            TemplateValue::from(input.add_generation_prompt),
        );
        jinja::render(environment, &context).map_err(|error| template_error(&self.file, &error))
    }

    /// Which forms of content the template shows, by showing it one of each.
    fn probe(&self, named: &BTreeMap<String, String>) -> ContentForms {
        let shows = |content: Value| {
            let messages = json!([{"role": "user", "content": content}]);
            let extra = Map::new();
            let input = RenderInput {
                messages: &messages,
                tools: None,
                add_generation_prompt: true,
                extra: &extra,
                now: LocalTime::from_unix(0).expect("1970 is a time"),
            };
            let rendered = self.render_messages(&messages, &input, named).unwrap_or_default();
            // A list that was only printed shows its keys too.
            rendered.contains(PROBE)
                && !rendered.contains("'type'")
                && !rendered.contains("\"type\"")
        };
        let forms = ContentForms {
            string: shows(json!(PROBE)),
            parts: shows(json!([{"type": "text", "text": PROBE}])),
        };
        if forms.string || forms.parts { forms } else { ContentForms::ANY }
    }
}

/// A word no template contains.
const PROBE: &str = "tyto-content-probe";

fn template_error(file: &std::path::Path, error: &minijinja::Error) -> TemplateError {
    let (message, kind) = match (jinja::raised_message(error), jinja::ran_out(error)) {
        (Some(message), _) => (message, TemplateErrorKind::Raised),
        (None, Some(what)) => {
            let message = format!(
                "rendering the conversation {what}, which is the most for one request; send fewer or \
                 shorter messages, or mend the template"
            );
            (message, TemplateErrorKind::TooLong)
        }
        (None, None) => (error.to_string(), TemplateErrorKind::Invalid),
    };
    TemplateError { message, kind, file: file.to_owned(), line: error.line() }
}

impl std::fmt::Display for TemplateError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            TemplateErrorKind::Raised | TemplateErrorKind::Input => out.write_str(&self.message),
            TemplateErrorKind::TooLong | TemplateErrorKind::Invalid => {
                write!(out, "{}", self.file.display())?;
                if let Some(line) = self.line {
                    write!(out, ":{line}")?;
                }
                write!(out, ": the chat template failed: {}", self.message)
            }
        }
    }
}

impl std::error::Error for TemplateError {}
