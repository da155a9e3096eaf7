//! What is compiled, run: against transformers, against the interpreter, against itself.
//! One program: several would each link what all need.

#[path = "../gpu/mod.rs"]
mod gpu;

mod common;
mod compiler;
mod cuda;
mod drafts;
mod entry_points;
mod in_place;
mod kv;
mod oracle;
mod oracle_classic;
mod oracle_dense;
mod oracle_mixture;
mod oracle_recurrent;
mod quantize;
mod recurrent;
mod reports;
mod scratch;
mod smollm2;
