//! Opening an artifact as the options ask.

use std::path::Path;

use tyto_artifact::{Artifact, HostTarget, MemoryNeeded, Target};
use tyto_engine::iree::{DEFAULT_SNAPSHOTS, Device, LoadOptions};
use tyto_engine::{
    OpenError, OpenOptions, Opened, OpenedExecutor, PooledKind, Speculate, StepProfile, purpose,
};
use tyto_server::SamplingChoice;

use crate::args::{DeviceChoice, EngineArgs, SamplingArgs, SpeculateChoice, WeightsChoice};
use crate::error::Error;
use crate::progress::Display;
use crate::source;
use crate::units::bytes;

/// What a command needs where the options say nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Needs {
    /// Texts of full length that the cache should hold; `None` takes the artifact's own.
    pub sequences: Option<u32>,
    /// Requests that may wait.
    pub max_queued: Option<usize>,
    /// Whether to guess ahead of the model.
    pub speculate: SpeculateChoice,
    /// Remember nothing of texts that have ended.
    pub forgetful: bool,
    /// Run one token on a GPU before anybody asks.
    pub tries_one_token: bool,
    /// Refuse a model that makes something else of a text than more text.
    pub writes_text: bool,
}

/// Opens the artifact and starts its engine.
pub fn open(args: &EngineArgs, needs: Needs) -> Result<Opened, Error> {
    open_profiled(args, needs, None)
}

/// The same, with the times of kernels added up in `profile`.
pub fn open_profiled(
    args: &EngineArgs,
    needs: Needs,
    profile: Option<StepProfile>,
) -> Result<Opened, Error> {
    open_artifact(&source::artifact(&args.model, args)?, args, needs, profile)
}

/// Opens this artifact, whatever model the options name.
pub fn open_artifact(
    path: &Path,
    args: &EngineArgs,
    needs: Needs,
    profile: Option<StepProfile>,
) -> Result<Opened, Error> {
    let options = OpenOptions { profile, ..options(path, args, needs)? };
    let opened = tyto_engine::open(path, &options).map_err(failed)?;
    if let Some(why) = &opened.why {
        anstream::eprintln!("device: {why}");
    }
    Ok(opened)
}

/// Opens the model that the options name for its executor alone.
pub fn open_executor(args: &EngineArgs, needs: Needs) -> Result<OpenedExecutor, Error> {
    let path = source::artifact(&args.model, args)?;
    tyto_engine::open_executor(&path, &options(&path, args, needs)?).map_err(failed)
}

/// The artifact's outside, and its bytes where that is asked for.
fn checked(path: &Path, args: &EngineArgs) -> Result<Artifact, Error> {
    let artifact = Artifact::open(path).map_err(Error::user_from)?;
    if args.verify {
        verify(&artifact, false)?;
    }
    Ok(artifact)
}

/// Reads every byte and compares. The first damaged file is the error.
pub fn verify(artifact: &Artifact, silent: bool) -> Result<(), Error> {
    let mut display = Display::new(silent);
    let result = artifact.verify(|progress| {
        let total = bytes(progress.total_bytes);
        let detail = format!("{} of {total}", bytes(progress.done_bytes));
        display.update("verifying", &detail, progress.done_bytes, progress.total_bytes);
    });
    display.finish();
    result.map_err(Error::user_from)
}

fn options(path: &Path, args: &EngineArgs, needs: Needs) -> Result<OpenOptions, Error> {
    let artifact = checked(path, args)?;
    if let Some(draft) = args.draft.as_ref().filter(|_| args.verify) {
        checked(draft, args)?;
    }
    note_snapshots(&artifact, args);
    if needs.writes_text {
        check_writes_text(&artifact)?;
    }
    Ok(OpenOptions {
        target: args.target.clone(),
        device: args.device.into(),
        pm4: args.pm4,
        library: None,
        load: LoadOptions {
            threads: args.threads.map(|threads| threads as usize),
            blocks: blocks(args, needs, &artifact)?,
            snapshots: args.snapshots.map(|snapshots| snapshots as usize),
            maps_weights: args.weights == WeightsChoice::Mapped,
        },
        name: None,
        max_queued: needs.max_queued,
        forgetful: needs.forgetful,
        profile: None,
        draft: args.draft.clone(),
        speculate: speculate(args, needs)?,
        cache_is_exact: args.cache.is_some(),
        step_timeout: args.step_timeout,
        load_timeout: args.load_timeout,
        max_inflight: Some(u64::from(args.max_inflight_mb) << 20),
        memory_limit: args.memory_limit,
        tries_one_token: needs.tries_one_token,
        system_root: Some(args.system.system_root.clone()),
    })
}

/// Says so where `--snapshots` has nothing to keep.
fn note_snapshots(artifact: &Artifact, args: &EngineArgs) {
    let is_recurrent = |target: &Target| target.phases.is_some_and(|phases| phases.slot_bytes > 0);
    if args.snapshots.is_some() && !artifact.manifest().targets.iter().any(is_recurrent) {
        let model = artifact.path().display();
        tracing::warn!(%model, "--snapshots has no effect: the model has no recurrent layers");
    }
}

/// A model of another kind is refused for that alone: no other option would help it.
fn check_writes_text(artifact: &Artifact) -> Result<(), Error> {
    let Some(kind) = artifact.manifest().model.pooled.as_ref().map(|pooled| pooled.kind) else {
        return Ok(());
    };
    let endpoint = match kind {
        PooledKind::Embedding => "/v1/embeddings",
        PooledKind::Rerank => "/v1/rerank",
    };
    Err(Error::user(format!(
        "{}: found a model that {}, expected one that writes text: `tyto serve` serves it, at {endpoint}",
        artifact.path().display(),
        purpose(kind)
    )))
}

/// Whose mistake it is that a model does not open.
fn failed(error: OpenError) -> Error {
    match error {
        OpenError::Artifact(_)
        | OpenError::Device { .. }
        | OpenError::Memory { .. }
        | OpenError::Text(_)
        | OpenError::Draft { .. }
        | OpenError::Phases { .. } => Error::user_from(error),
        OpenError::Engine { .. } => Error::ours(error),
    }
}

/// When to guess. Who gives a draft wants its guesses.
fn speculate(args: &EngineArgs, needs: Needs) -> Result<Speculate, Error> {
    match (args.speculate, &args.draft) {
        (Some(SpeculateChoice::Never), Some(draft)) => Err(Error::user(format!(
            "--draft {} is of no use with --speculate never; leave one of them out",
            draft.display()
        ))),
        (Some(choice), _) => Ok(choice.into()),
        (None, Some(_)) => Ok(Speculate::WherePaid),
        (None, None) => Ok(needs.speculate.into()),
    }
}

/// The memory that an open model's weights, cache and copies of states take, and its draft's.
pub fn memory(opened: &Opened) -> u64 {
    let mut targets = opened.artifact.manifest().targets.iter();
    let target = targets.find(|target| target.name == opened.target);
    let target = target.expect("the target that runs is the artifact's");
    // One block more than requests can own: block 0 is nobody's.
    let stats = opened.engine.stats();
    let memory = opened.artifact.memory_needed(target, 1 + stats.total_blocks);
    let own = in_memory(memory.with_snapshots(target, stats.total_snapshots));
    own.saturating_add(opened.draft_bytes)
}

/// What a model takes of its device, workspace apart.
fn in_memory(needed: MemoryNeeded) -> u64 {
    needed.total_bytes() - needed.workspace_bytes
}

/// What is known of an artifact that is not loaded yet.
#[derive(Debug)]
pub struct Outline {
    /// The model's name.
    pub name: String,
    /// What it makes of a text; `None` for more text.
    pub kind: Option<PooledKind>,
    /// Tokens that prompt and answer may have together.
    pub context_length: usize,
    /// The memory that it takes once it is loaded.
    pub memory_bytes: u64,
}

/// Looks at an artifact without loading it.
pub fn outline(path: &Path, args: &EngineArgs, needs: Needs) -> Result<Outline, Error> {
    let artifact = checked(path, args)?;
    let target = likely_target(args, &artifact)?;
    let model = &artifact.manifest().model;
    let blocks = blocks(args, needs, &artifact)?.or(target.cache_blocks);
    let memory = artifact.memory_needed(target, blocks.unwrap_or(model.default_blocks));
    let snapshots = args.snapshots.map_or(DEFAULT_SNAPSHOTS, |snapshots| snapshots as usize);
    Ok(Outline {
        name: model.name.clone(),
        kind: model.pooled.as_ref().map(|pooled| pooled.kind),
        context_length: model.context_length,
        memory_bytes: in_memory(memory.with_snapshots(target, snapshots)),
    })
}

impl From<DeviceChoice> for Device {
    fn from(choice: DeviceChoice) -> Self {
        match choice {
            DeviceChoice::Auto => Self::Auto,
            DeviceChoice::Cpu => Self::Cpu,
            DeviceChoice::Amdgpu => Self::Amdgpu,
            DeviceChoice::Hip => Self::Hip,
            DeviceChoice::Cuda => Self::Cuda,
        }
    }
}

impl From<SpeculateChoice> for Speculate {
    fn from(choice: SpeculateChoice) -> Self {
        match choice {
            SpeculateChoice::Never => Self::Never,
            SpeculateChoice::Paid => Self::WherePaid,
            SpeculateChoice::Always => Self::Always,
        }
    }
}

/// Blocks of the cache; block 0 belongs to nobody.
fn blocks(args: &EngineArgs, needs: Needs, artifact: &Artifact) -> Result<Option<usize>, Error> {
    let model = &artifact.manifest().model;
    let of_one_text = model.context_length.div_ceil(model.block_size);
    if let Some(size) = args.cache {
        return blocks_of_size(size, args, artifact).map(Some);
    }
    let sequences = args.sequences.or(needs.sequences);
    Ok(sequences.map(|sequences| 1 + sequences as usize * of_one_text))
}

fn blocks_of_size(size: u64, args: &EngineArgs, artifact: &Artifact) -> Result<usize, Error> {
    let target = likely_target(args, artifact)?;
    let draft = args.draft.as_deref().map(draft_block_bytes).transpose()?.unwrap_or(0);
    let block = block_bytes(artifact, target) + draft;
    if block == 0 {
        let reason = "the model keeps nothing of its texts, so it has no cache";
        return Err(Error::user(format!("--cache is {}, but {reason}", bytes(size))));
    }
    let blocks = usize::try_from(size / block).unwrap_or(usize::MAX);
    if blocks < 2 {
        let found = bytes(size);
        let expected = bytes(2 * block);
        return Err(Error::user(format!("--cache is {found}; expected at least {expected}")));
    }
    Ok(blocks)
}

/// The target that the options lead to, as far as that is known without looking for devices.
fn likely_target<'a>(args: &EngineArgs, artifact: &'a Artifact) -> Result<&'a Target, Error> {
    let targets = &artifact.manifest().targets;
    let asked = |target: &&Target| match (&args.target, args.device) {
        (Some(name), _) => target.name == *name || target.arch == *name,
        (None, DeviceChoice::Amdgpu) => target.driver == "amdgpu",
        (None, DeviceChoice::Hip) => target.driver == "hip",
        (None, DeviceChoice::Cuda) => target.driver == "cuda",
        (None, DeviceChoice::Auto | DeviceChoice::Cpu) => false,
    };
    match targets.iter().find(asked) {
        Some(target) => Ok(target),
        None => artifact.select_target(&HostTarget::detect()).map_err(Error::user_from),
    }
}

/// What a draft's cache takes beside each block of the model's.
fn draft_block_bytes(path: &Path) -> Result<u64, Error> {
    let draft = Artifact::open(path).map_err(Error::user_from)?;
    let target = draft.select_target(&HostTarget::detect()).map_err(Error::user_from)?;
    Ok(block_bytes(&draft, target))
}

/// Bytes of one block of the cache; a GPU's cache has the number of blocks that it was compiled for.
fn block_bytes(artifact: &Artifact, target: &Target) -> u64 {
    let cache = |blocks| artifact.memory_needed(target, blocks).kv_bytes;
    match target.cache_blocks {
        Some(blocks) => cache(blocks) / blocks.max(1) as u64,
        None => cache(2) - cache(1),
    }
}

impl From<&SamplingArgs> for SamplingChoice {
    fn from(args: &SamplingArgs) -> Self {
        Self {
            temperature: args.temperature,
            top_k: args.top_k,
            top_p: args.top_p,
            min_p: args.min_p,
            repetition_penalty: args.repetition_penalty,
            presence_penalty: None,
            frequency_penalty: None,
        }
    }
}
