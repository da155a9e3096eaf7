//! From an artifact on disk to a running engine.

use std::path::Path;
use std::sync::Arc;

use tyto_artifact::{Artifact, HostTarget, Target};
use tyto_text::TextModel;

use crate::engine::{Engine, EngineConfig};
use crate::error::Error;
use crate::executor::{Executor, ExecutorError};
use crate::iree::{IreeExecutor, LoadOptions, PhasesExecutor};
use crate::profile::StepProfile;

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
    /// Where the times of kernels are added up; `None` takes no times. Plain compiled code has none.
    pub profile: Option<StepProfile>,
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
    /// How it runs: `phases` for phase programs, `compiled` for plain compiled code.
    pub execution: &'static str,
    /// The driver that runs it, as artifacts name it.
    pub driver: String,
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
    /// Its phase programs are of another version.
    #[error(
        "{path}: target {target:?} has phase programs of version {found}; this tyto runs version \
         {expected}. Compile the model again with this one"
    )]
    Phases {
        /// The artifact.
        path: std::path::PathBuf,
        /// The target's name.
        target: String,
        /// The version of its programs.
        found: u32,
        /// The version that this build runs.
        expected: u32,
    },
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
    check_phases(path, &target)?;
    let text = Arc::new(TextModel::load(&path.join("tokenizer"))?);
    text.check_vocab(artifact.manifest().model.vocab_size)?;

    let name = options.name.clone().unwrap_or_else(|| artifact.manifest().model.name.clone());
    let mut config = EngineConfig::new(name);
    if let Some(max_queued) = options.max_queued {
        config.max_queued = max_queued;
    }
    let execution = if target.phases.is_some() { "phases" } else { "compiled" };
    let (name, driver) = (target.name.clone(), target.driver.clone());
    let (loaded, load) = (artifact.clone(), options.load.clone());
    let profile = options.profile.clone();
    let factory = move || load_executor(&loaded, &target, &load, profile);
    let engine = Engine::start(config, Arc::clone(&text), factory)
        .map_err(|source| OpenError::Engine { path: path.to_owned(), source })?;
    Ok(Opened { engine, text, artifact, target: name, execution, driver })
}

/// The executor for the kind of code that the target has.
fn load_executor(
    artifact: &Artifact,
    target: &Target,
    options: &LoadOptions,
    profile: Option<StepProfile>,
) -> Result<Box<dyn Executor>, ExecutorError> {
    Ok(match &target.phases {
        Some(phases) => {
            let executor = PhasesExecutor::load(artifact, target, phases, options)?;
            match profile {
                Some(profile) => Box::new(executor.profiled(profile)),
                None => Box::new(executor),
            }
        }
        None => Box::new(IreeExecutor::load(artifact, target, options)?),
    })
}

/// Programs and helpers share structures: those of another version would be misread.
fn check_phases(path: &Path, target: &Target) -> Result<(), OpenError> {
    let expected = tyto_native_team::ABI_VERSION;
    match target.phases.map(|phases| phases.abi_version) {
        Some(found) if found != expected => {
            let (path, target) = (path.to_owned(), target.name.clone());
            Err(OpenError::Phases { path, target, found, expected })
        }
        _ => Ok(()),
    }
}
