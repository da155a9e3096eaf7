//! The grammar compiler of the served model, made when the first grammar comes.

use std::sync::{Arc, OnceLock};

use tyto_text::TextModel;
use tyto_text::grammar::{GrammarError, GrammarMatcher, GrammarSource, Grammars};

/// Compiles grammars for one model.
#[derive(Debug)]
pub struct GrammarShelf {
    model: Arc<TextModel>,
    vocab_size: usize,
    compiler: OnceLock<Result<Grammars, GrammarError>>,
}

impl GrammarShelf {
    /// For a model whose logits are `vocab_size` wide. Costs nothing yet.
    pub fn new(model: Arc<TextModel>, vocab_size: usize) -> Self {
        Self { model, vocab_size, compiler: OnceLock::new() }
    }

    /// Compiles one. The first call sorts the vocabulary.
    pub fn compile(&self, source: &GrammarSource) -> Result<GrammarMatcher, GrammarError> {
        let make = || Grammars::new(self.model.clone(), self.vocab_size);
        self.compiler.get_or_init(make).as_ref().map_err(Clone::clone)?.compile(source)
    }
}
