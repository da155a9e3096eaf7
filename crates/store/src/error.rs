//! What can go wrong between a hub and a folder.

use std::io;
use std::path::PathBuf;

/// A model that cannot be had, or a store that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text that names no model of a hub.
    #[error(
        "`{found}` names no model of a hub: expected OWNER/NAME, then @REVISION and :FILE if you \
         like, as in Qwen/Qwen3-0.6B@main or owner/name-GGUF:Q4_K_M"
    )]
    Name {
        /// The text.
        found: String,
    },
    /// The hub does not know the model, or not to everyone.
    #[error("{name}: the hub at {endpoint} says {status}: {advice}")]
    Refused {
        /// The model.
        name: String,
        /// The hub.
        endpoint: String,
        /// The HTTP status.
        status: u16,
        /// What to do.
        advice: &'static str,
    },
    /// The hub cannot be reached, or breaks off.
    #[error("{name}: {what}: {message}")]
    Network {
        /// The model.
        name: String,
        /// What was asked for.
        what: String,
        /// What happened.
        message: String,
    },
    /// The hub's answer is none.
    #[error("{name}: the hub's answer cannot be used: {message}")]
    Answer {
        /// The model.
        name: String,
        /// What was expected.
        message: String,
    },
    /// The model's files are none that Tyto reads, or the name leaves open which are meant.
    #[error("{name}: {message}")]
    Files {
        /// The model.
        name: String,
        /// What is there, and what to say instead.
        message: String,
    },
    /// A file that is not what the hub says it is.
    #[error("{name}: {file}: found {found}, expected {expected}; it was removed, pull again")]
    Damaged {
        /// The model.
        name: String,
        /// The file.
        file: String,
        /// Its size or hash.
        found: String,
        /// What the hub says.
        expected: String,
    },
    /// The model is not in the store, and may not be asked for.
    #[error("{name} is not in the store, and the hub may not be asked (offline)")]
    Offline {
        /// The model.
        name: String,
    },
    /// The model is not in the store.
    #[error("{name} is not in the store: `tyto list` shows what is")]
    Absent {
        /// The model.
        name: String,
    },
    /// There is no place for the store.
    #[error("no folder for models: set TYTO_HOME, or HOME")]
    NoHome,
    /// A file of the store.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
