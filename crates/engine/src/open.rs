//! From an artifact on disk to a running engine.

use std::path::Path;
use std::sync::Arc;

use tyto_artifact::{Artifact, HostTarget};
use tyto_text::TextModel;

use crate::engine::{Engine, EngineConfig};
use crate::error::Error;
use crate::executor::Executor;
use crate::iree::{IreeExecutor, LoadOptions};

/// How an artifact is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The target to run; `None` for the best that this machine can.
    pub target: Option<String>,
    /// Threads and size of the cache.
    pub load: LoadOptions,
    /// The name to serve under; `None` for the artifact's.
    pub name: Option<String>,
    /// Requests that may wait; `None` for the engine's default.
    pub max_queued: Option<usize>,
}

/// A running engine and what it was made from.
#[derive(Debug)]
pub struct Opened {
    /// The engine.
    pub engine: Engine,
    /// The tokenizer and the chat template.
    pub text: Arc<TextModel>,
    /// The artifact.
    pub artifact: Artifact,
    /// The target that runs.
    pub target: String,
}

/// Why an artifact could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is damaged, too new, or for another machine.
    #[error(transparent)]
    Artifact(#[from] tyto_artifact::Error),
    /// Its tokenizer or chat template is wrong.
    #[error(transparent)]
    Text(#[from] tyto_text::Error),
    /// Its code could not be loaded, or the engine not started.
    #[error("{path}: {source}")]
    Engine {
        /// The artifact.
        path: std::path::PathBuf,
        /// Why.
        source: Error,
    },
}

/// Opens the artifact at `path` and starts an engine on it.
pub fn open(path: &Path, options: &OpenOptions) -> Result<Opened, OpenError> {
    let artifact = Artifact::open(path)?;
    let host = HostTarget::detect();
    let target = match &options.target {
        Some(name) => artifact.target(name, &host)?,
        None => artifact.select_target(&host)?,
    };
    let target = target.clone();
    let text = Arc::new(TextModel::load(&path.join("tokenizer"))?);
    text.check_vocab(artifact.manifest().model.vocab_size)?;

    let name = options.name.clone().unwrap_or_else(|| artifact.manifest().model.name.clone());
    let mut config = EngineConfig::new(name);
    if let Some(max_queued) = options.max_queued {
        config.max_queued = max_queued;
    }
    let name = target.name.clone();
    let (loaded, load) = (artifact.clone(), options.load.clone());
    let factory = move || {
        let executor = IreeExecutor::load(&loaded, &target, &load)?;
        Ok(Box::new(executor) as Box<dyn Executor>)
    };
    let engine = Engine::start(config, Arc::clone(&text), factory)
        .map_err(|source| OpenError::Engine { path: path.to_owned(), source })?;
    Ok(Opened { engine, text, artifact, target: name })
}
