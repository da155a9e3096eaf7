//! The server over real HTTP, with a model whose answers are known in advance.

mod api;
mod chat;
mod completions;
mod lifecycle;
mod limits;
mod logprobs;
mod refusals;
mod sampling;
mod support;
