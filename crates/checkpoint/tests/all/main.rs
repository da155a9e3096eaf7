//! Model files: what is read, what is refused, and how.
//! One program: several would each link what all need.

mod blocks;
mod codes;
mod common;
mod directory;
mod gguf_container;
mod gguf_model;
mod gguf_tokenizer;
mod mlx;
mod properties;
mod published;
mod real_model;
mod safetensors;
