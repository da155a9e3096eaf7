//! From an artifact on disk to a running engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tyto_artifact::{Artifact, Target};
use tyto_iree_rt::Runtime;
use tyto_text::TextModel;

use crate::engine::{Engine, EngineConfig};
use crate::error::Error;
use crate::executor::{Executor, ExecutorError};
use crate::iree::{
    self, Chosen, Device, GpuOptions, GpuPhasesExecutor, IreeExecutor, LoadOptions, PhasesExecutor,
    Refusal, Wanted,
};
use crate::profile::StepProfile;

/// How an artifact is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The target to run; `None` for the best that this machine can.
    pub target: Option<String>,
    /// The device to run it on.
    pub device: Device,
    /// Of the device `amdgpu`: keep recorded steps on the device (PM4), where code and device allow
    /// it.
    pub pm4: bool,
    /// The directory of the GPU driver's library; `None` looks for it.
    pub library: Option<PathBuf>,
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
    /// Why this target and no other, where the artifact has code for GPUs and nobody chose.
    pub why: Option<String>,
}

/// Why an artifact could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is damaged, too new, or for another machine.
    #[error(transparent)]
    Artifact(#[from] tyto_artifact::Error),
    /// The GPU that was asked for does not run it.
    #[error("{path}: {reason}")]
    Device {
        /// The artifact.
        path: std::path::PathBuf,
        /// Why, with the artifact's targets or the device's kind.
        reason: String,
    },
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
    let gpu = GpuOptions { pm4: options.pm4, library: options.library.as_deref() };
    let wanted = Wanted { target: options.target.as_deref(), device: options.device, gpu };
    let chosen = iree::choose(&artifact, wanted).map_err(|refusal| match refusal {
        Refusal::Cpu(error) => OpenError::Artifact(error),
        Refusal::Gpu(reason) => OpenError::Device { path: path.to_owned(), reason },
    })?;
    let Chosen { target, runtime, why } = chosen;
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
    let (loaded, options) = (artifact.clone(), options.clone());
    let factory = move || load_executor(&loaded, &target, runtime, &options);
    let engine = Engine::start(config, Arc::clone(&text), factory)
        .map_err(|source| OpenError::Engine { path: path.to_owned(), source })?;
    Ok(Opened { engine, text, artifact, target: name, execution, driver, why })
}

/// The executor for the kind of code that the target has.
fn load_executor(
    artifact: &Artifact,
    target: &Target,
    runtime: Option<Runtime>,
    options: &OpenOptions,
) -> Result<Box<dyn Executor>, ExecutorError> {
    Ok(match (&target.phases, runtime) {
        (_, Some(runtime)) => load_on_gpu(runtime, artifact, target, options)?,
        (Some(phases), None) => {
            let executor = PhasesExecutor::load(artifact, target, phases, &options.load)?;
            match &options.profile {
                Some(profile) => Box::new(executor.profiled(profile.clone())),
                None => Box::new(executor),
            }
        }
        (None, None) => Box::new(IreeExecutor::load(artifact, target, &options.load)?),
    })
}

/// On the GPU that was opened. Its driver refuses a whole program if one recorded step cannot be
/// kept on the device after all; it is then sent packet by packet.
fn load_on_gpu(
    gpu: Runtime,
    artifact: &Artifact,
    target: &Target,
    options: &OpenOptions,
) -> Result<Box<dyn Executor>, ExecutorError> {
    let driver = gpu.driver();
    let load = |gpu| -> Result<Box<dyn Executor>, ExecutorError> {
        Ok(match &target.phases {
            Some(phases) => {
                Box::new(GpuPhasesExecutor::load_on(gpu, artifact, target, phases, &options.load)?)
            }
            None => Box::new(IreeExecutor::load_on(gpu, artifact, target, &options.load)?),
        })
    };
    let refused = match load(gpu) {
        Err(error) if options.pm4 => error,
        loaded => return loaded,
    };
    tracing::warn!(%refused, "--pm4: the GPU's driver refuses; steps are sent packet by packet");
    let plain = GpuOptions { pm4: false, library: options.library.as_deref() };
    load(iree::open_gpu(driver, plain).map_err(|e| ExecutorError::fatal(e.to_string()))?)
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
