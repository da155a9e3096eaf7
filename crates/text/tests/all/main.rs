//! Tokenizers, templates, grammars and answers, as a user of the crate sees them.
//! One program: several would each link what all need.

mod answers;
mod call_grammars;
mod common;
mod damage;
mod families;
mod grammars;
mod loading;
mod templates;
mod tokens;
