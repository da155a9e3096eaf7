//! The server over real HTTP, with a model whose answers are known in advance.

mod api;
mod chat;
mod completions;
mod damage;
mod embeddings;
mod faults;
mod lifecycle;
mod limits;
mod logprobs;
mod messages;
mod models;
mod page;
mod refusals;
mod rerank;
mod responses;
mod sampling;
mod several;
mod structured;
mod support;
mod thinking;
mod tls;
mod tokens;
mod tools;
mod traces;
