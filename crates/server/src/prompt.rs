//! From a valid request to running generations: render, encode, submit.

use tyto_engine::{Engine, Generation, SubmitError};
use tyto_text::{LocalTime, RenderInput, TemplateErrorKind, TextModel};

use crate::api_error::ApiError;
use crate::chat::ChatRequest;
use crate::completion::Prompt;
use crate::controls::Controls;

/// The prompt's tokens for a chat.
pub fn render_chat(text_model: &TextModel, request: &ChatRequest) -> Result<Vec<u32>, ApiError> {
    let Some(template) = text_model.template() else {
        let message = "this model has no chat template: use /v1/completions";
        return Err(ApiError::invalid("messages", message));
    };
    let input = RenderInput {
        messages: &request.messages,
        tools: None,
        add_generation_prompt: request.add_generation_prompt,
        extra: &request.template_variables,
        now: LocalTime::now(),
    };
    let text = template.render(&input).map_err(|error| match error.kind {
        TemplateErrorKind::Raised | TemplateErrorKind::Input | TemplateErrorKind::TooLong => {
            ApiError::invalid("messages", error.message).with_code("chat_template_error")
        }
        TemplateErrorKind::Invalid => ApiError::internal(error.to_string()),
    })?;
    encode(text_model, "messages", &text, request.add_special_tokens)
}

/// The tokens of each prompt.
pub fn encode_all(
    text_model: &TextModel,
    prompts: Vec<Prompt>,
    add_special_tokens: bool,
) -> Result<Vec<Vec<u32>>, ApiError> {
    let encode = |prompt| match prompt {
        Prompt::Tokens(ids) => Ok(ids),
        Prompt::Text(text) => encode(text_model, "prompt", &text, add_special_tokens),
    };
    prompts.into_iter().map(encode).collect()
}

/// Gives every prompt to the engine. If it refuses one, those before it are cancelled.
pub fn submit_all(
    engine: &Engine,
    controls: &Controls,
    param: &str,
    prompts: Vec<Vec<u32>>,
) -> Result<Vec<Generation>, ApiError> {
    let submit = |prompt| {
        let request = controls.request(prompt);
        engine.submit(request).map_err(|error| submit_error(param, error))
    };
    prompts.into_iter().map(submit).collect()
}

fn encode(
    text_model: &TextModel,
    param: &str,
    text: &str,
    add_special_tokens: bool,
) -> Result<Vec<u32>, ApiError> {
    text_model
        .encode(text, add_special_tokens)
        .map_err(|error| ApiError::invalid(param, error.to_string()))
}

fn submit_error(param: &str, error: SubmitError) -> ApiError {
    match error {
        SubmitError::Invalid { field, message } => {
            let field = if field == "prompt" { param.to_owned() } else { field.to_owned() };
            ApiError::invalid(field, message).with_code("invalid_value")
        }
        SubmitError::PromptTooLong { prompt, context } => {
            ApiError::prompt_too_long(param, prompt, context)
        }
        SubmitError::QueueFull { retry_after_seconds } => ApiError::queue_full(retry_after_seconds),
        SubmitError::Stopped => ApiError::unavailable("the server is stopping"),
    }
}
