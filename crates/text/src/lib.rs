//! Text in and out of a model: the tokenizer, the chat template, decoding of a
//! token stream piece by piece, and stop strings.
//!
//! [`TextModel`] is read once from a model directory (or from an artifact's
//! `tokenizer/`) and shared. [`StreamDecoder`] and [`StopMatcher`] are small
//! state machines, one of each for every running sequence.
//!
//! What a chat template sees and how it renders follows transformers'
//! `apply_chat_template`; where templates disagree about the form of a message
//! the rules are written at [`chat`].

pub mod answer;
mod bytes;
pub mod chat;
mod decoder;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod generation;
pub mod grammar;
mod jinja;
mod model;
mod sanitize;
mod sources;
mod special;
mod stop;
mod stream;
mod template;

pub use error::Error;
pub use generation::GenerationDefaults;
pub use jinja::clock::LocalTime;
pub use model::TextModel;
pub use sanitize::{ChatEncoding, ChatError};
pub use sources::{ChatTemplateSource, TextSources};
pub use stop::{Matched, StopMatcher};
pub use stream::StreamDecoder;
pub use template::{ChatTemplate, RenderInput, TemplateError, TemplateErrorKind};
