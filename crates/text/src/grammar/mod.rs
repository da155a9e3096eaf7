//! Grammars that an answer must follow: JSON Schema, regular expressions, Lark, GBNF.
//!
//! ```text
//! GrammarSource -> Grammars::compile (bounded work, any thread) -> GrammarMatcher (one a text)
//! GrammarMatcher: mask -> the engine chooses a token of it -> accept -> mask …
//! ```
//!
//! llguidance does the parsing, over the bytes that the tokens of a model really stand for; nothing
//! outside of this folder knows of it. Control tokens match no text, so a grammar of text never
//! lets one through.

mod gbnf;
mod matcher;
mod multiples;
mod source;
mod vocabulary;

use std::sync::Arc;

use llguidance::api::{ParserLimits, TopLevelGrammar};
use llguidance::toktrie::TokEnv;
use llguidance::{Matcher, ParserFactory};

use crate::model::TextModel;

pub use matcher::{GrammarFault, GrammarMatcher, TokenMask};
pub use source::GrammarSource;
pub(crate) use source::{quoted, schema, schema_as_dumped};

/// The longest source of a grammar, in bytes of its JSON or its text.
pub const LONGEST_SOURCE: usize = 256 << 10;
/// The deepest nesting of a JSON schema, and of brackets in the other languages.
const DEEPEST: usize = 64;
/// The stack of a compilation, in bytes; what is not used costs nothing.
const STACK: usize = 256 << 20;

/// Compiles grammars for one model. `Send + Sync`: made once, shared.
pub struct Grammars {
    factory: ParserFactory,
}

/// Why a grammar cannot be used: a sentence for the person who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GrammarError {
    message: String,
}

impl GrammarError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl Grammars {
    /// Sorts the vocabulary of `model`, which takes a moment for a large one. Masks have
    /// `vocab_size` bits, the width of the model's logits.
    pub fn new(model: Arc<TextModel>, vocab_size: usize) -> Result<Self, GrammarError> {
        let env: TokEnv = Arc::new(vocabulary::Vocabulary::new(model, vocab_size));
        let mut factory = ParserFactory::new_simple(&env)
            .map_err(|error| GrammarError::new(format!("the vocabulary: {error}")))?;
        factory.quiet();
        *factory.limits_mut() = limits();
        Ok(Self { factory })
    }

    /// Compiles a grammar. The work is bounded, and still too long for a thread that serves.
    pub fn compile(&self, source: &GrammarSource) -> Result<GrammarMatcher, GrammarError> {
        check_size(source)?;
        multiples::check(source)?;
        let grammar: TopLevelGrammar = source.grammar()?;
        // Compiling goes down as far as the grammar's rules and references are nested, so it has a
        // stack for the longest source. A panic in there is the grammar's fault.
        let compiled = std::thread::scope(|scope| {
            let compile = || self.first_mask(grammar);
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, compile);
            thread.map(std::thread::ScopedJoinHandle::join)
        });
        match compiled {
            Ok(Ok(matcher)) => matcher,
            Ok(Err(_)) => Err(GrammarError::new("the grammar's compiler fails on it")),
            Err(error) => Err(GrammarError::new(format!("no thread to compile it: {error}"))),
        }
    }

    fn first_mask(&self, grammar: TopLevelGrammar) -> Result<GrammarMatcher, GrammarError> {
        let mut matcher = Matcher::new(self.factory.create_parser(grammar));
        // The first mask is where a grammar that nothing can follow shows.
        let first = matcher.compute_mask_or_eos().map_err(|error| first_line(&error))?;
        if first.is_zero() {
            return Err(GrammarError::new(NO_TEXT));
        }
        Ok(GrammarMatcher::new(matcher))
    }
}

impl std::fmt::Debug for Grammars {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Grammars")
    }
}

/// What one grammar, and one of its steps, may cost. Compiling stays under a second.
fn limits() -> ParserLimits {
    ParserLimits {
        max_grammar_size: 200_000,
        initial_lexer_fuel: 1_000_000,
        max_lexer_states: 50_000,
        // Its dump of the parser's state is for llguidance's own authors.
        verbose_errors: false,
        ..ParserLimits::default()
    }
}

const NO_TEXT: &str =
    "no text follows this grammar: a rule of it has no end, or allows no character";

/// Only the message: what follows is a state dump or a backtrace.
fn first_line(error: &dyn std::fmt::Display) -> GrammarError {
    let text = error.to_string();
    // The compiler's word for a grammar whose rules come to no text.
    if text.contains("NoExtensionBias") {
        return GrammarError::new(NO_TEXT);
    }
    let end = text.find("\n<").unwrap_or(text.len());
    GrammarError::new(text[..end].trim())
}

fn check_size(source: &GrammarSource) -> Result<(), GrammarError> {
    let (size, depth) = source.size();
    if size > LONGEST_SOURCE {
        return Err(GrammarError::new(format!(
            "the grammar has {size} bytes; the limit is {LONGEST_SOURCE}"
        )));
    }
    if depth > DEEPEST {
        return Err(GrammarError::new(format!(
            "the grammar is nested {depth} deep; the limit is {DEEPEST}"
        )));
    }
    Ok(())
}
