//! From an artifact on disk to a running engine.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tyto_artifact::{Artifact, Target};
use tyto_gpu_probe::{Probe, Severity};
use tyto_iree_rt::Runtime;
use tyto_text::TextModel;

use crate::budget::{self, DeviceMemory};
use crate::draft::Draft;
use crate::engine::{Engine, EngineConfig, Executors, Speculate};
use crate::error::Error;
use crate::executor::{Executor, ExecutorError};
use crate::iree::{
    self, Chosen, DEFAULT_SNAPSHOTS, Device, GpuOptions, GpuPhasesExecutor, Guarded, IreeExecutor,
    LoadOptions, OnGpu, PhasesExecutor, Refusal, Wanted,
};
use crate::profile::StepProfile;
use crate::shared::note_lost_device;
use crate::watchdog;

/// How long a step of a GPU may take.
const STEP_TIMEOUT: Duration = Duration::from_secs(60);

/// Bytes of weights that are loaded in a second, on the slowest disk that is waited for.
const LOAD_BYTES_A_SECOND: u64 = 64 << 20;

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
    /// Remember nothing of texts that have ended: each is computed whole, in as few blocks as it needs.
    pub forgetful: bool,
    /// Where the times of kernels are added up; `None` takes no times. Plain compiled code has none.
    pub profile: Option<StepProfile>,
    /// The artifact of a model that guesses, with the same tokenizer; `None` guesses what the text
    /// repeats.
    pub draft: Option<PathBuf>,
    /// When to guess ahead of the model.
    pub speculate: Speculate,
    /// A target whose cache is compiled for another number of blocks than `load` asks for is refused.
    pub cache_is_exact: bool,
    /// How long a step may take before the device is taken for hung; zero waits for ever. `None` is
    /// a minute on a GPU, and for ever on the processor.
    pub step_timeout: Option<Duration>,
    /// How long loading may take; zero waits for ever. `None` is a minute and a second for every
    /// 64 MiB of weights on a GPU, and for ever on the processor.
    pub load_timeout: Option<Duration>,
    /// Bytes of weights that may be on their way to a GPU at a time.
    pub max_inflight: Option<u64>,
    /// Bytes of a GPU's memory that the model may take at most; `None` leaves it to the GPU.
    pub memory_limit: Option<u64>,
    /// On a GPU: run one token, and look at its logits, before the engine is there.
    pub tries_one_token: bool,
    /// Where the kernel's files about GPUs are; `None` for `/`.
    pub system_root: Option<PathBuf>,
}

impl OpenOptions {
    fn gpu(&self, pm4: bool) -> GpuOptions<'_> {
        GpuOptions { pm4, library: self.library.as_deref(), max_inflight: self.max_inflight }
    }

    /// What the kernel says of this machine's GPUs.
    fn probe(&self) -> Probe {
        Probe::of_this_machine(self.system_root.as_deref().unwrap_or(Path::new("/")))
    }

    /// Limits on loading and on a step.
    fn timeouts(&self, is_gpu: bool, weights_bytes: u64) -> (Option<Duration>, Option<Duration>) {
        let loading = STEP_TIMEOUT + Duration::from_secs(weights_bytes / LOAD_BYTES_A_SECOND);
        let of = |given: Option<Duration>, usual| {
            given.or(is_gpu.then_some(usual)).filter(|limit| !limit.is_zero())
        };
        (of(self.load_timeout, loading), of(self.step_timeout, STEP_TIMEOUT))
    }
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
    /// Bytes of weights and cache of the model that guesses, if there is one.
    pub draft_bytes: u64,
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
    /// It needs more memory than the GPU has, or a cache of another size than it was compiled for.
    #[error("{path}: {reason}")]
    Memory {
        /// The artifact.
        path: std::path::PathBuf,
        /// The sums, and what would fit.
        reason: String,
    },
    /// Its tokenizer or chat template is wrong.
    #[error(transparent)]
    Text(#[from] tyto_text::Error),
    /// It cannot guess for the model.
    #[error("{path} cannot guess for {model}: {reason}")]
    Draft {
        /// The draft's artifact.
        path: std::path::PathBuf,
        /// The model's.
        model: std::path::PathBuf,
        /// Why, with what was found and expected.
        reason: String,
    },
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
    let Prepared { artifact, target, runtime, why, text } = prepare(path, options)?;
    let open_draft = |draft| Draft::open(draft, &artifact, &target, &text, &options.load);
    let draft = options.draft.as_deref().map(open_draft).transpose()?;
    let draft_bytes = draft.as_ref().map_or(0, Draft::bytes);
    let name = options.name.clone().unwrap_or_else(|| artifact.manifest().model.name.clone());
    let mut config = EngineConfig::new(name);
    if let Some(max_queued) = options.max_queued {
        config.max_queued = max_queued;
    }
    config.speculate = options.speculate;
    config.prefix_cache = !options.forgetful;
    config.pooled.clone_from(&artifact.manifest().model.pooled);
    let weights = artifact.memory_needed(&target, 0).weights_bytes;
    let is_gpu = target.is_gpu();
    (config.load_timeout, config.step_timeout) = options.timeouts(is_gpu, weights);
    let execution = execution(&target);
    let (name, driver) = (target.name.clone(), target.driver.clone());
    let (loaded, options) = (artifact.clone(), options.clone());
    let factory = move || {
        let model = load_executor(&loaded, &target, runtime, &options)?;
        Ok(Executors { model, draft: draft.map(Draft::load).transpose()? })
    };
    let engine = Engine::start_all(config, Arc::clone(&text), factory).map_err(|source| {
        if is_gpu {
            note_lost_device(&source.to_string());
        }
        OpenError::Engine { path: path.to_owned(), source }
    })?;
    Ok(Opened { engine, text, artifact, target: name, execution, draft_bytes, driver, why })
}

/// An executor without an engine, for measurements that plan their own steps. It runs in the
/// thread that opened it.
#[expect(missing_debug_implementations, reason = "an executor says nothing of itself")]
pub struct OpenedExecutor {
    /// The executor.
    pub executor: Box<dyn Executor>,
    /// The tokenizer.
    pub text: Arc<TextModel>,
    /// The artifact.
    pub artifact: Artifact,
    /// The target that runs.
    pub target: String,
    /// As [`Opened::execution`].
    pub execution: &'static str,
}

/// Opens the artifact at `path` for its executor alone: nothing watches how long a step takes.
pub fn open_executor(path: &Path, options: &OpenOptions) -> Result<OpenedExecutor, OpenError> {
    let Prepared { artifact, target, runtime, text, .. } = prepare(path, options)?;
    let failed = |error: ExecutorError| OpenError::Engine {
        path: path.to_owned(),
        source: Error::from(error),
    };
    let executor = load_executor(&artifact, &target, runtime, options).map_err(failed)?;
    let execution = execution(&target);
    Ok(OpenedExecutor { executor, text, artifact, target: target.name, execution })
}

/// What is known and open before the code is loaded.
struct Prepared {
    artifact: Artifact,
    target: Target,
    runtime: Option<Runtime>,
    why: Option<String>,
    text: Arc<TextModel>,
}

fn prepare(path: &Path, options: &OpenOptions) -> Result<Prepared, OpenError> {
    let artifact = Artifact::open(path)?;
    let Chosen { target, runtime, why } = choose(&artifact, options)?;
    check_phases(path, &target)?;
    check_memory(&artifact, &target, runtime.as_ref(), options)?;
    let text = Arc::new(TextModel::load(&path.join("tokenizer"))?);
    text.check_vocab(artifact.manifest().model.vocab_size)?;
    Ok(Prepared { artifact, target, runtime, why, text })
}

fn execution(target: &Target) -> &'static str {
    if target.phases.is_some() { "phases" } else { "compiled" }
}

/// Chooses a target and opens its GPU. A driver may hang while it looks for GPUs, so a thread of
/// its own does it where the artifact has code for one.
fn choose(artifact: &Artifact, options: &OpenOptions) -> Result<Chosen, OpenError> {
    let path = || artifact.path().to_owned();
    let refuse = |refusal| match refusal {
        Refusal::Cpu(error) => OpenError::Artifact(error),
        Refusal::Gpu(reason) => OpenError::Device { path: path(), reason },
    };
    let failed = |source| OpenError::Engine { path: path(), source };
    let (artifact, options) = (artifact.clone(), options.clone());
    let (limit, _) = options.timeouts(true, 0);
    let has_gpu = artifact.manifest().targets.iter().any(Target::is_gpu);
    let choose = move || {
        let gpu = options.gpu(options.pm4);
        let target = options.target.as_deref();
        iree::choose(&artifact, Wanted { target, device: options.device, gpu })
    };
    if !has_gpu {
        return choose().map_err(refuse);
    }
    let (sender, chosen) = std::sync::mpsc::channel();
    std::thread::Builder::new()
        .name("tyto-open".to_owned())
        .spawn(move || drop(sender.send(choose())))
        .map_err(|source| failed(Error::Thread { source }))?;
    watchdog::wait_for_load(&chosen, limit).map_err(failed)?.map_err(refuse)
}

/// The executor for the kind of code that the target has.
fn load_executor(
    artifact: &Artifact,
    target: &Target,
    runtime: Option<Runtime>,
    options: &OpenOptions,
) -> Result<Box<dyn Executor>, ExecutorError> {
    // All tokenizers are read, each of which took twice its size meanwhile; the weights come now.
    tyto_native_team::give_back_free_memory();
    let Some(gpu) = runtime else { return load_on_cpu(artifact, target, options) };
    // Its driver may wait for ever for what has failed, or free memory twice: it and what is on it
    // are only taken down where nothing has.
    let keep = ManuallyDrop::new(gpu.clone());
    let load = || {
        let (loaded, gpu) = load_on_gpu(gpu.clone(), artifact, target, options)?;
        let mut guarded = ManuallyDrop::new(Guarded::new(loaded, &gpu)?);
        if options.tries_one_token {
            guarded.try_one_token()?;
        }
        Ok(ManuallyDrop::into_inner(guarded))
    };
    let guarded = load()?;
    drop(ManuallyDrop::into_inner(keep));
    Ok(Box::new(guarded))
}

pub(crate) fn load_on_cpu(
    artifact: &Artifact,
    target: &Target,
    options: &OpenOptions,
) -> Result<Box<dyn Executor>, ExecutorError> {
    Ok(match &target.phases {
        Some(phases) => {
            let executor = PhasesExecutor::load(artifact, target, phases, &options.load)?;
            match &options.profile {
                Some(profile) => Box::new(executor.profiled(profile.clone())),
                None => Box::new(executor),
            }
        }
        None => Box::new(IreeExecutor::load(artifact, target, &options.load)?),
    })
}

/// On the GPU that was opened. Its driver refuses a whole program if one recorded step cannot be
/// kept on the device after all; it is then sent packet by packet. Gives what it runs on.
fn load_on_gpu(
    gpu: Runtime,
    artifact: &Artifact,
    target: &Target,
    options: &OpenOptions,
) -> Result<(Box<dyn OnGpu>, Runtime), ExecutorError> {
    let driver = gpu.driver();
    let load = |gpu: Runtime| -> Result<(Box<dyn OnGpu>, Runtime), ExecutorError> {
        let on = gpu.clone();
        let loaded: Box<dyn OnGpu> = match &target.phases {
            Some(phases) => {
                Box::new(GpuPhasesExecutor::load_on(gpu, artifact, target, phases, &options.load)?)
            }
            None => {
                if options.load.maps_weights {
                    tracing::warn!(
                        target = target.name,
                        "weights are copied: only kernels of ours take them as they are"
                    );
                }
                Box::new(IreeExecutor::load_on(gpu, artifact, target, &options.load)?)
            }
        };
        Ok((loaded, on))
    };
    let refused = match load(gpu) {
        Err(error) if options.pm4 => error,
        loaded => return loaded,
    };
    tracing::warn!(%refused, "--pm4: the GPU's driver refuses; steps are sent packet by packet");
    load(
        iree::open_gpu(driver, options.gpu(false))
            .map_err(|e| ExecutorError::fatal(e.to_string()))?,
    )
}

/// Programs and helpers share structures: those of another version would be misread.
pub(crate) fn check_phases(path: &Path, target: &Target) -> Result<(), OpenError> {
    let expected = tyto_native_team::ABI_VERSION;
    match target.phases.map(|phases| phases.abi_version) {
        Some(found) if found != expected => {
            let (path, target) = (path.to_owned(), target.name.clone());
            Err(OpenError::Phases { path, target, found, expected })
        }
        _ => Ok(()),
    }
}

/// A GPU's memory holds the model, and its cache has the size that was asked for.
fn check_memory(
    artifact: &Artifact,
    target: &Target,
    runtime: Option<&Runtime>,
    options: &OpenOptions,
) -> Result<(), OpenError> {
    let refuse = |reason| OpenError::Memory { path: artifact.path().to_owned(), reason };
    let blocks = (target.cache_blocks, options.load.blocks);
    if let (Some(compiled), Some(asked)) = blocks
        && (asked > compiled || (options.cache_is_exact && asked != compiled))
    {
        return Err(refuse(format!(
            "the cache of target {} is compiled for {compiled} blocks, asked for are {asked}: leave \
             out --cache and --sequences, or compile the model with other --sequences or --ctx",
            target.name
        )));
    }
    let Some(runtime) = runtime else { return Ok(()) };
    let driver = runtime.gpu_memory().unwrap_or_else(|error| {
        tracing::warn!(%error, "the driver does not say how much memory it has");
        None
    });
    let probe = options.probe();
    for finding in probe.findings().iter().filter(|one| one.severity >= Severity::Warning) {
        tracing::warn!(finding = finding.id, source = finding.source, "{}", finding.text);
    }
    let known = DeviceMemory::of(&probe, &target.arch, driver);
    let memory = DeviceMemory { limit: options.memory_limit, ..known };
    let snapshots = options.load.snapshots.unwrap_or(DEFAULT_SNAPSHOTS);
    budget::check(artifact, target, &memory, snapshots).map_err(refuse)
}
