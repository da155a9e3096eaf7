//! Models traced from checkpoints, run by the interpreter.
//! One program: several would each link what all need.

#[path = "../../../checkpoint/tests/all/common/gguf.rs"]
#[allow(dead_code, reason = "the writer of checkpoint's tests; a part is used here")]
mod gguf;

mod blocks;
mod catalog;
mod common;
mod config;
mod dense;
mod embeddings;
mod experts;
mod inside;
mod mlx;
mod oracle;
mod published;
mod quantize;
mod rope;
mod weights;
