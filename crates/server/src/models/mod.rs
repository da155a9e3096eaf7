//! The models of a server: what each is, and which of them are loaded.
//!
//! ```text
//! request -> Shelf::borrow(name) -> Loan (the model stays while it is held) -> the reply's body
//! Shelf: absent -> loading -> loaded -> leaving -> absent
//! ```

mod loan;
mod room;
mod shelf;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tyto_engine::{Engine, PooledKind};
use tyto_text::TextModel;
use tyto_text::answer::CallFormat;

use crate::controls::Limits;
use crate::grammars::GrammarShelf;
use crate::sampling::SamplingChoice;

pub(crate) use loan::{Loan, hold};
pub(crate) use shelf::{LoadFigures, Shelf, Standing};

/// A model that a server may load.
pub struct ModelSource {
    /// Its name in requests and replies.
    pub name: String,
    /// What it makes of a text; `None` for more text.
    pub kind: Option<PooledKind>,
    /// Tokens that prompt and answer may have together.
    pub context_length: usize,
    /// The memory that it takes while it is loaded.
    pub memory_bytes: u64,
    /// Loads it. Called on a thread that may block; the error is a sentence for whoever asked.
    pub load: Box<dyn Fn() -> Result<LoadedModel, String> + Send + Sync>,
}

impl fmt::Debug for ModelSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = out.debug_struct("ModelSource");
        fields.field("name", &self.name).field("memory_bytes", &self.memory_bytes);
        fields.finish_non_exhaustive()
    }
}

/// What loading a model gives.
#[derive(Debug)]
pub struct LoadedModel {
    /// Its engine, which runs.
    pub engine: Engine,
    /// Its tokenizer and chat template.
    pub text_model: Arc<TextModel>,
}

/// How many models stay loaded.
#[derive(Debug, Clone, Copy, Default)]
pub struct ModelRoom {
    /// The memory that loaded models may take together; `None` sets no limit. Those that were not
    /// used for longest leave first.
    pub bytes: Option<u64>,
    /// A model leaves when nobody used it for so long; `None` lets it stay.
    pub idle: Option<Duration>,
}

/// A model that is loaded.
pub struct Model {
    /// Its name in requests and replies.
    pub name: String,
    /// Its engine.
    pub engine: Engine,
    /// Its tokenizer and chat template.
    pub text_model: Arc<TextModel>,
    /// What requests may ask of it.
    pub limits: Limits,
    /// Compiles its grammars.
    pub grammars: Arc<GrammarShelf>,
}

impl Model {
    /// `flags` are the server's own sampling values.
    pub fn new(name: String, loaded: LoadedModel, flags: SamplingChoice) -> Self {
        let LoadedModel { engine, text_model } = loaded;
        let card = engine.card();
        let limits = Limits {
            vocab_size: card.vocab_size,
            context_length: card.context_length,
            sampling: flags.or(SamplingChoice::from(text_model.generation_defaults())),
        };
        let grammars = Arc::new(GrammarShelf::new(text_model.clone(), card.vocab_size));
        Self { name, engine, text_model, limits, grammars }
    }

    /// The form of the model's tool calls.
    pub fn call_format(&self) -> Option<&'static str> {
        self.text_model.answer_format(true).calls.map(CallFormat::name)
    }

    /// Whether the model tells its reasoning apart from its answer.
    pub fn reasons(&self) -> bool {
        let format = self.text_model.answer_format(false);
        format.reasoning.is_some() || format.calls == Some(CallFormat::Harmony)
    }
}
