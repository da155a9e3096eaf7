//! What both executors do to load an artifact.

use tyto_artifact::{Artifact, Target, WeightFile};
use tyto_iree_rt::{
    Code, Driver, MappedFile, ParameterEntry, Parameters, Program, Runtime, RuntimeOptions,
};

use super::buckets::Buckets;
use crate::executor::{ExecutorError, ExecutorLimits};

/// How an artifact is loaded.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Threads that compute; `None` for one a core.
    pub threads: Option<usize>,
    /// Blocks of the cache, the null block included; `None` for the artifact's default.
    pub blocks: Option<usize>,
    /// Copies of recurrent states to have room for; `None` for [`DEFAULT_SNAPSHOTS`](super::DEFAULT_SNAPSHOTS).
    pub snapshots: Option<usize>,
    /// Whether a GPU is to read weights where their file is mapped, without a copy in memory of its
    /// own. Kernels of ours can; where the driver refuses, they are copied and a warning says so.
    pub maps_weights: bool,
}

/// The scope in which compiled code looks weights up.
pub(super) const SCOPE: &str = "model";

/// Texts that one step computes vectors of: each has calls of its own, so that any number would do.
const POOLED_ROWS: usize = 32;

/// The name by which phase programs ask for the whole weight file.
const WEIGHT_FILE: &str = "weights";

/// Opens the device that the target was compiled for.
pub(super) fn open_runtime(
    target: &Target,
    options: &LoadOptions,
) -> Result<Runtime, ExecutorError> {
    let driver = Driver::named(&target.driver).ok_or_else(|| {
        ExecutorError::fatal(format!("this build has no driver {:?}", target.driver))
    })?;
    let options = RuntimeOptions { driver, threads: options.threads, ..Default::default() };
    Runtime::new(&options).map_err(failed)
}

/// The weight file's index and its bytes, mapped.
pub(super) fn map_weights<'a>(
    artifact: &'a Artifact,
    target: &Target,
) -> Result<(&'a WeightFile, MappedFile), ExecutorError> {
    let weights = weight_file(artifact, target)?;
    let file = MappedFile::open(artifact.path().join(&weights.path)).map_err(failed)?;
    Ok((weights, file))
}

/// The weight file as phase programs want it: one parameter.
pub(super) fn whole_weights(
    artifact: &Artifact,
    target: &Target,
) -> Result<Parameters, ExecutorError> {
    let (_, file) = map_weights(artifact, target)?;
    Parameters::new(SCOPE, [whole(file)]).map_err(failed)
}

/// The same for a GPU that is to read it where it is mapped.
fn weights_in_place(artifact: &Artifact, target: &Target) -> Result<Parameters, ExecutorError> {
    let weights = weight_file(artifact, target)?;
    let path = artifact.path().join(&weights.path);
    let file = MappedFile::open_read_only(path).map_err(failed)?;
    Parameters::in_place(SCOPE, whole(file)).map_err(failed)
}

fn whole(file: MappedFile) -> ParameterEntry {
    file.will_need();
    let length = file.len() as u64;
    ParameterEntry { name: WEIGHT_FILE.to_owned(), file, offset: 0, length }
}

fn weight_file<'a>(
    artifact: &'a Artifact,
    target: &Target,
) -> Result<&'a WeightFile, ExecutorError> {
    artifact.manifest().weight_file(&target.weights).ok_or_else(|| {
        ExecutorError::fatal(format!("the manifest lists no weight file {:?}", target.weights))
    })
}

/// Loads a GPU's phase programs with their weights, copied or in place.
pub(super) fn load_gpu_program(
    artifact: &Artifact,
    target: &Target,
    runtime: &Runtime,
    options: &LoadOptions,
) -> Result<Program, ExecutorError> {
    let parameters = match options.maps_weights {
        true => weights_in_place(artifact, target)?,
        false => whole_weights(artifact, target)?,
    };
    let parameters = parameters.kept(runtime);
    let program = load_program(artifact, target, runtime, &parameters)?;
    if let Some(refusal) = parameters.refusal() {
        tracing::warn!(
            refusal,
            "weights are copied: the GPU's driver does not take them where they are mapped"
        );
    }
    Ok(program)
}

/// Loads the target's modules. Code stays mapped files.
pub(super) fn load_program(
    artifact: &Artifact,
    target: &Target,
    runtime: &Runtime,
    parameters: &Parameters,
) -> Result<Program, ExecutorError> {
    let code: Vec<Code> = (target.modules.iter())
        .map(|module| MappedFile::open(artifact.path().join(module)).map(Code::Mapped))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    Program::load(runtime, code, std::slice::from_ref(parameters)).map_err(failed)
}

/// What the target's entry points allow.
pub(super) fn limits(
    artifact: &Artifact,
    target: &Target,
    buckets: &Buckets,
    options: &LoadOptions,
) -> Result<ExecutorLimits, ExecutorError> {
    let model = &artifact.manifest().model;
    Ok(ExecutorLimits {
        vocab_size: model.vocab_size,
        context_length: model.context_length.min(buckets.max_context()),
        block_size: model.block_size,
        n_blocks: n_blocks(target, options.blocks, model.default_blocks)?,
        max_rows: if model.pooled.is_some() { POOLED_ROWS } else { buckets.max_batch() },
        max_chunk: buckets.max_chunk(),
        // Rows of every token are no guesses.
        max_drafts: if model.pooled.is_some() { 0 } else { max_drafts(target, buckets) },
        vector_width: model.pooled.as_ref().map(|pooled| pooled.width),
    })
}

/// Guesses are rows of a decode call like any other, where rows of one text may share a call and come
/// out as they do alone.
fn max_drafts(target: &Target, buckets: &Buckets) -> usize {
    let shared = target.phases.map_or(0, |phases| phases.shared_rows as usize);
    shared.min(buckets.max_batch()).saturating_sub(1)
}

/// Blocks of the cache. Code for one number of them gets that number, whatever less is asked for.
fn n_blocks(target: &Target, asked: Option<usize>, default: usize) -> Result<usize, ExecutorError> {
    let Some(compiled) = target.cache_blocks else { return Ok(asked.unwrap_or(default).max(2)) };
    match asked {
        Some(asked) if asked > compiled => Err(ExecutorError::fatal(format!(
            "the cache of target {} is compiled for {compiled} blocks, asked for are {asked}; leave \
             out --cache and --sequences, or compile the model with more --sequences",
            target.name
        ))),
        _ => Ok(compiled),
    }
}

pub(super) fn beyond(reach: usize) -> ExecutorError {
    ExecutorError::new(format!("no compiled entry point reaches {reach} positions"))
}

/// What IREE says of a failure.
pub(super) fn failed(error: tyto_iree_rt::Error) -> ExecutorError {
    match error.may_be_refusal() {
        true => ExecutorError::refused(error.to_string()),
        false => ExecutorError::new(error.to_string()),
    }
}

/// A number of bytes that the artifact gives, in memory of this machine.
pub(super) fn memory_size(bytes: u64) -> Result<usize, ExecutorError> {
    usize::try_from(bytes).map_err(|_| {
        ExecutorError::fatal(format!("{bytes} bytes are more than this machine can address"))
    })
}
