//! Why an engine does not start.

use crate::executor::ExecutorError;

/// Why [`Engine::start`](crate::Engine::start) failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The executor could not be built.
    #[error("the model cannot be started: {0}")]
    Executor(#[from] ExecutorError),
    /// The executor names a size no step can be made with.
    #[error("executor limit `{field}` is {found}; expected {expected}")]
    Limit {
        /// The limit's name.
        field: &'static str,
        /// Its value.
        found: usize,
        /// What it must be.
        expected: &'static str,
    },
    /// A value of the configuration is out of range.
    #[error("engine setting `{field}` is {found}; expected {expected}")]
    Config {
        /// The setting's name.
        field: &'static str,
        /// Its value.
        found: usize,
        /// What it must be.
        expected: &'static str,
    },
    /// The system gave no thread.
    #[error("the engine's thread cannot be started: {source}")]
    Thread {
        /// The system's answer.
        source: std::io::Error,
    },
    /// Building the executor does not end.
    #[error(
        "loading the model has taken more than {seconds} s (--load-timeout) and does not end: the \
         device or its driver hangs"
    )]
    LoadHangs {
        /// The limit.
        seconds: f64,
    },
    /// Building the executor panicked.
    #[error("the engine's thread ended while it built the executor: see the log for the panic")]
    Died,
}
