//! From a valid request to running generations: render, encode, compile, submit.

use std::time::Instant;

use tyto_engine::{Engine, SubmitError};
use tyto_text::answer::{AnswerFormat, CallFormat, CallGrammar, Instead};
use tyto_text::grammar::{GrammarMatcher, GrammarSource};
use tyto_text::{ChatEncoding, ChatError, LocalTime, RenderInput, TemplateErrorKind, TextModel};

use crate::api_error::ApiError;
use crate::chat::ChatRequest;
use crate::completion::{CompletionRequest, Prompt};
use crate::constraint::{ConstraintPlan, ReasoningPlan};
use crate::controls::{Controls, Limits};
use crate::grammars::GrammarShelf;
use crate::pieces::ReadingPlan;
use crate::traces::Watched;

/// Tokens at a prompt's end that are looked at for the tag that opens reasoning.
const TAIL: usize = 16;

/// A request that is ready to run.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// At least one.
    pub prompts: Vec<Vec<u32>>,
    /// What the answers must follow.
    pub constraint: ConstraintPlan,
    /// How they are read.
    pub reading: ReadingPlan,
    /// Whether control tokens show in the text that is read.
    pub control_tokens: bool,
}

/// Makes a chat ready. Takes as long as the prompt and the grammar want.
pub fn prepare_chat(
    model: &TextModel,
    grammars: &GrammarShelf,
    limits: &Limits,
    request: &ChatRequest,
) -> Result<Prepared, ApiError> {
    let mut format = model.answer_format(request.tools.is_some());
    check_tools(&format, request)?;
    if !request.thinking.split {
        format.reasoning = None;
    }
    let prompt = encode_chat(model, limits, request)?;
    let tail = model.decode(&prompt[prompt.len().saturating_sub(TAIL)..], false);
    let (opened, closed) = (format.opens_reasoning(&tail), format.closes_reasoning(&tail));
    let grammar = chat_grammar(model, &format, request)?;
    let grammar = grammar.map(|(source, param)| compile(grammars, &source, &param)).transpose()?;
    let budget = request.thinking.budget;
    let tags = format.reasoning.filter(|_| !closed);
    let reasoning = tags.and_then(|tags| ReasoningPlan::new(model, tags, opened, budget));
    let is_due = budget.is_some() && !request.thinking.is_hint && !closed;
    if is_due && reasoning.is_none() {
        let reason = "this model does not write its reasoning between tags";
        return Err(ApiError::unsupported("reasoning_budget", reason));
    }
    let tools = request.tools.as_ref().map(|tools| tools.schemas());
    Ok(Prepared {
        prompts: vec![prompt],
        constraint: ConstraintPlan { grammar, reasoning },
        control_tokens: format.needs_control_tokens(model, tools.is_some()),
        reading: ReadingPlan { format, tools, reasons: opened },
    })
}

/// Makes a text completion ready.
pub fn prepare_completion(
    model: &TextModel,
    grammars: &GrammarShelf,
    limits: &Limits,
    request: CompletionRequest,
) -> Result<Prepared, ApiError> {
    let CompletionRequest { prompts, add_special_tokens, rule, .. } = request;
    let grammar = rule.map(|rule| compile(grammars, &rule.source, &rule.param)).transpose()?;
    let encode = |prompt| match prompt {
        Prompt::Tokens(ids) => Ok(ids),
        Prompt::Text(text) => {
            check_length(model, limits, "prompt", text.len())?;
            encode(model, "prompt", &text, add_special_tokens)
        }
    };
    Ok(Prepared {
        prompts: prompts.into_iter().map(encode).collect::<Result<_, _>>()?,
        constraint: ConstraintPlan { grammar, reasoning: None },
        reading: ReadingPlan::default(),
        control_tokens: false,
    })
}

/// A chat as the model's template writes it.
pub fn render_chat(model: &TextModel, request: &ChatRequest) -> Result<String, ApiError> {
    let template = model.template().ok_or_else(no_template)?;
    let input = input(request);
    let rendered =
        if request.continues { template.render_open(&input) } else { template.render(&input) };
    rendered.map_err(|error| template_error(error.kind, &error))
}

/// The prompt's tokens for a chat.
pub fn encode_chat(
    model: &TextModel,
    limits: &Limits,
    request: &ChatRequest,
) -> Result<Vec<u32>, ApiError> {
    if request.add_special_tokens {
        // Around the rendered text, so it is encoded as one.
        let text = render_chat(model, request)?;
        check_length(model, limits, "messages", text.len())?;
        return encode(model, "messages", &text, true);
    }
    let encoding = ChatEncoding {
        literal: !request.parse_special,
        is_open: request.continues,
        most_bytes: most_bytes(model, limits),
    };
    model.encode_chat(&input(request), encoding).map_err(|error| match error {
        ChatError::NoTemplate => no_template(),
        ChatError::TooLong { bytes } => too_long(model, limits, "messages", bytes),
        ChatError::Template(error) => template_error(error.kind, &error),
        ChatError::Encode(error) => ApiError::invalid("messages", error.to_string()),
    })
}

fn input(request: &ChatRequest) -> RenderInput<'_> {
    RenderInput {
        messages: &request.messages,
        tools: request.tools.as_ref().map(|tools| &tools.objects),
        add_generation_prompt: request.add_generation_prompt,
        extra: &request.template_variables,
        now: LocalTime::now(),
    }
}

fn no_template() -> ApiError {
    ApiError::invalid("messages", "this model has no chat template: use /v1/completions")
}

fn template_error(kind: TemplateErrorKind, error: &tyto_text::TemplateError) -> ApiError {
    match kind {
        TemplateErrorKind::Raised | TemplateErrorKind::Input | TemplateErrorKind::TooLong => {
            ApiError::invalid("messages", error.message.clone()).with_code("chat_template_error")
        }
        TemplateErrorKind::Invalid => ApiError::internal(error.to_string()),
    }
}

fn check_tools(format: &AnswerFormat, request: &ChatRequest) -> Result<(), ApiError> {
    if request.tools.is_none() || format.calls.is_some() {
        return Ok(());
    }
    let reason = if format.shows_tools {
        "the form in which this model calls tools is not known here"
    } else {
        "this model's chat template has no place for tools"
    };
    Err(ApiError::unsupported("tools", reason))
}

/// The grammar of the whole answer, and the field that asked for it.
fn chat_grammar(
    model: &TextModel,
    format: &AnswerFormat,
    request: &ChatRequest,
) -> Result<Option<(GrammarSource, String)>, ApiError> {
    let tools = request.tools.as_ref().zip(format.calls);
    if let Some((tools, calls)) = tools.filter(|(tools, _)| tools.is_required()) {
        let grammar = tools.grammar(calls, Instead::Nothing, model);
        return Ok(Some((grammar, "tools".to_owned())));
    }
    let Some(rule) = &request.rule else {
        // Text stays free; a call that begins in it does not.
        let strict = tools.filter(|(tools, _)| tools.is_strict());
        let grammar = strict.map(|(tools, calls)| tools.grammar(calls, Instead::Text, model));
        return Ok(grammar.map(|grammar| (grammar, "tools".to_owned())));
    };
    let is_harmony = format.calls == Some(CallFormat::Harmony);
    if tools.is_none() && !is_harmony {
        return Ok(Some((rule.source.clone(), rule.param.clone())));
    }
    let Some(answer) = rule.schema() else {
        let reason = "beside tools, and for models with channels, it can only be a JSON schema";
        return Err(ApiError::unsupported(&rule.param, reason));
    };
    let source = match tools {
        Some((tools, calls)) => tools.grammar(calls, Instead::Json(&answer), model),
        None => {
            let format = CallFormat::Harmony;
            let answer = Instead::Json(&answer);
            CallGrammar { format, tools: &[], parallel: false, answer }.source(model)
        }
    };
    Ok(Some((source, rule.param.clone())))
}

fn compile(
    grammars: &GrammarShelf,
    source: &GrammarSource,
    param: &str,
) -> Result<GrammarMatcher, ApiError> {
    grammars.compile(source).map_err(|error| {
        ApiError::invalid(param, format!("`{param}` cannot be used: {error}"))
            .with_code("invalid_grammar")
    })
}

/// Gives everything to the engine, or nothing.
pub fn submit(
    engine: &Engine,
    controls: &Controls,
    param: &str,
    prepared: &Prepared,
) -> Result<Vec<Watched>, ApiError> {
    let tasks = prepared.prompts.iter().flat_map(|p| controls.tasks(p, &prepared.constraint));
    let (tasks, trace) = (tasks.collect(), controls.trace.as_ref());
    if let Some(trace) = trace {
        trace.note_controls(controls);
    }
    let times = (controls.arrived, Instant::now());
    let generations = engine.submit_all(tasks).map_err(|error| submit_error(param, error))?;
    Ok(Watched::all(generations, trace, times, controls.answers))
}

/// Bytes that a prompt of the context's length may have: its tokens cannot stand for more.
fn most_bytes(model: &TextModel, limits: &Limits) -> usize {
    limits.context_length.saturating_mul(model.longest_token())
}

/// Refuses a text that is too long without encoding it, which would take long too.
fn check_length(
    model: &TextModel,
    limits: &Limits,
    param: &str,
    bytes: usize,
) -> Result<(), ApiError> {
    match bytes > most_bytes(model, limits) {
        true => Err(too_long(model, limits, param, bytes)),
        false => Ok(()),
    }
}

fn too_long(model: &TextModel, limits: &Limits, param: &str, bytes: usize) -> ApiError {
    let least = bytes.div_ceil(model.longest_token());
    ApiError::text_too_long(param, bytes, least, limits.context_length)
}

/// The tokens of a text.
pub fn encode(
    model: &TextModel,
    param: &str,
    text: &str,
    add_special_tokens: bool,
) -> Result<Vec<u32>, ApiError> {
    model
        .encode(text, add_special_tokens)
        .map_err(|error| ApiError::invalid(param, error.to_string()))
}

/// What the engine refuses, as a client reads it.
pub fn submit_error(param: &str, error: SubmitError) -> ApiError {
    match error {
        SubmitError::Invalid { field, message } => {
            let field = if field == "prompt" { param.to_owned() } else { field.to_owned() };
            ApiError::invalid(field, message).with_code("invalid_value")
        }
        SubmitError::PromptTooLong { prompt, context } => {
            ApiError::prompt_too_long(param, prompt, context)
        }
        SubmitError::TextTooLong { tokens, most } => {
            ApiError::input_too_long(param, tokens, false, most)
        }
        SubmitError::WritesNoText | SubmitError::MakesNoVectors => {
            ApiError::invalid("model", error.to_string()).with_code("model_kind")
        }
        SubmitError::QueueFull { retry_after_seconds } => ApiError::queue_full(retry_after_seconds),
        SubmitError::Stopped => ApiError::unavailable("the server is stopping"),
    }
}
