//! Entry points that must survive any bytes: shared by the fuzz targets and an ordinary test.

use serde_json::Value;

use crate::api_error::ApiError;
use crate::chat::ChatRequest;
use crate::completion::CompletionRequest;
use crate::controls::Limits;
use crate::sampling::SamplingChoice;
use crate::{messages, responses, strict_json};

/// Reads a body as each of the APIs that take one does, before anything is done for it: completions,
/// chats, Anthropic's messages and responses. Gives what each says of it.
pub fn body(bytes: &[u8]) -> [Result<(), ApiError>; 4] {
    let limits =
        Limits { vocab_size: 257, context_length: 4096, sampling: SamplingChoice::default() };
    let object = || match strict_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(ApiError::bad_body("the body must be a JSON object")),
    };
    let chat = |object| ChatRequest::parse(object, &limits).map(drop);
    [
        object().and_then(|object| CompletionRequest::parse(object, &limits)).map(drop),
        object().and_then(chat),
        object().and_then(|object| messages::request::to_chat(object, true, 4096)).and_then(chat),
        object().and_then(responses::request::to_chat).and_then(|(object, _)| chat(object)),
    ]
}
