//! Steps of an artifact whose entry points are phase programs.
//!
//! A call runs in this thread and is over when it returns; the helpers of a team join it. All
//! keys and values are in one buffer, which calls update in place, as they do the logits. So the
//! logits of one call are read before the next begins.

use std::ops::Range;

use tyto_artifact::{Artifact, EntryPoint, Phases, Target};
use tyto_iree_rt::{Argument, Buffer, ElementType, Function, Runtime};
use tyto_native_team::{Profile, Team};

use super::ahead::Ahead;
use super::buckets::Buckets;
use super::call::{Arguments, CacheShape};
use super::load::{self, LoadOptions, failed};
use super::pieces::{self, Call, PLAIN_ARGUMENTS, PlainBuffers, Wanted};
use super::snapshots::Snapshots;
use crate::executor::{Executor, ExecutorError, ExecutorLimits, StateMove, StepRow};
use crate::logits::StepLogits;
use crate::profile::StepProfile;

/// Arguments of an entry point: the plain ones, the team, the cache, the logits.
const ARGUMENTS: usize = PLAIN_ARGUMENTS + 3;

/// Results: the cache and the logits.
const RESULTS: usize = 2;

/// Phases of a call that a profile has room for: models of hundreds of layers have fewer.
const PROFILE_PHASES: u32 = 1 << 14;

/// Runs a target of phase programs.
#[derive(Debug)]
pub struct PhasesExecutor {
    runner: Runner,
    /// The target's name.
    target: String,
    /// Last, so that it outlives whatever could run with it.
    team: Team,
}

/// All but the helpers.
#[derive(Debug)]
struct Runner {
    limits: ExecutorLimits,
    buckets: Buckets,
    entries: Vec<Loaded>,
    /// The team's address, as an argument.
    team: Buffer,
    /// Slots of recurrent layers, then keys and values: bytes, [blocks, bytes of a block].
    cache: Buffer,
    snapshots: Snapshots,
    shape: CacheShape,
    ahead: Ahead,
    /// Bytes of a block, all zero.
    zeros: Vec<u8>,
    /// What the last call took, and where that is added up.
    profile: Option<(Profile, StepProfile)>,
}

/// An entry point and its own arguments, which every call of it writes anew.
#[derive(Debug)]
struct Loaded {
    entry: EntryPoint,
    function: Function,
    plain: PlainBuffers,
    logits: Buffer,
}

impl PhasesExecutor {
    /// Loads `target`'s code, starts the helpers and allocates the cache, which takes memory
    /// as it is used. Weights stay a mapped file.
    pub fn load(
        artifact: &Artifact,
        target: &Target,
        phases: &Phases,
        options: &LoadOptions,
    ) -> Result<Self, ExecutorError> {
        let runtime = load::open_runtime(target, options)?;
        let parameters = load::whole_weights(artifact, target)?;
        let program = load::load_program(artifact, target, &runtime, &parameters)?;

        let threads = options.threads.unwrap_or_else(tyto_iree_rt::usable_cores).max(1);
        let team = Team::new(threads, phases.shared_bytes, phases.private_bytes)
            .map_err(|error| ExecutorError::new(error.to_string()))?;
        let buckets = Buckets::of_model(&target.entries, &artifact.manifest().model);
        let limits = load::limits(artifact, target, &buckets, options)?;
        let slot_blocks = phases.slot_blocks(limits.max_rows);
        let slot_blocks = load::memory_size(slot_blocks)?;
        let shape = CacheShape { block_size: limits.block_size, slot_blocks };
        let entries = (target.entries.iter())
            .map(|entry| {
                let function = program.function(&entry.function).map_err(failed)?;
                Loaded::new(&runtime, entry, function, &limits, shape)
            })
            .collect::<Result<_, _>>()?;
        let block_bytes = load::memory_size(phases.block_bytes)?;
        let blocks = slot_blocks + limits.n_blocks;
        let cache = runtime.zeros(&[blocks, block_bytes], ElementType::I8);
        let runner = Runner {
            limits,
            buckets,
            entries,
            team: runtime.upload_slice(&[1], &[team.address()]).map_err(failed)?,
            cache: cache.map_err(failed)?,
            snapshots: Snapshots::new(&runtime, phases, options)?,
            shape,
            ahead: Ahead::new(limits.n_blocks, block_bytes),
            zeros: vec![0; block_bytes],
            profile: None,
        };
        Ok(Self { runner, target: target.name.clone(), team })
    }

    /// From now on every call adds what its phases took to `profile`.
    pub fn profiled(mut self, profile: StepProfile) -> Self {
        self.runner.profile = Some((self.team.profile(PROFILE_PHASES), profile));
        self
    }

    /// Identity of the cache's allocation, for the proof that no step copies it.
    pub fn cache_allocation(&self) -> usize {
        self.runner.cache.allocation_id()
    }
}

impl Executor for PhasesExecutor {
    fn limits(&self) -> ExecutorLimits {
        self.runner.limits
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        pieces::check_states(rows, self.runner.shape)?;
        self.runner.ahead.note(rows);
        self.team.step(|| self.runner.step(rows, logits))?;
        if self.team.had_no_room() {
            return Err(no_room(&self.target));
        }
        Ok(())
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        self.runner.clean(blocks)
    }

    fn prepare(&mut self) -> bool {
        self.runner.ahead.next().is_some_and(|blocks| self.runner.touch(blocks).is_ok())
    }

    fn is_recurrent(&self) -> bool {
        self.runner.shape.slot_blocks > 0
    }

    fn snapshots(&self) -> usize {
        self.runner.snapshots.places()
    }

    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        self.runner.snapshots.move_states(moves, &self.runner.cache)
    }
}

/// A program's header asks for more scratch than the team has, which has what the manifest says.
fn no_room(target: &str) -> ExecutorError {
    ExecutorError::fatal(format!(
        "manifest.json: targets[{target}].phases.shared_bytes or private_bytes is less than the \
         compiled code needs; compile the model again"
    ))
}

impl Runner {
    fn step(&self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let calls = pieces::calls(rows, &self.buckets, &self.limits)?;
        calls.iter().try_for_each(|call| self.call(call, logits))
    }

    /// One call, and the logits that are wanted of it.
    fn call(&self, call: &Call<'_>, logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let loaded = &self.entries[call.entry];
        let arguments = call.arguments(&loaded.entry, self.shape);
        loaded.run(&arguments, &self.team, &self.cache)?;
        if let Some((last, sums)) = &self.profile {
            sums.add(loaded.entry.kind, &last.last());
        }

        let mut offset = 0;
        for Wanted { row, count, .. } in call.wanted() {
            let bytes = bytemuck::cast_slice_mut::<f32, u8>(logits.more_rows_mut(row, count));
            loaded.logits.read_bytes(offset, bytes).map_err(failed)?;
            offset += bytes.len();
        }
        Ok(())
    }

    /// Has the system make the pages of blocks that hold nothing.
    fn touch(&self, blocks: Range<usize>) -> Result<(), tyto_iree_rt::Error> {
        let block_bytes = self.zeros.len();
        let offset = (blocks.start + self.shape.slot_blocks) * block_bytes;
        self.cache.fill_zero_bytes(offset, blocks.len() * block_bytes)
    }

    fn clean(&self, blocks: &[u32]) -> Result<(), ExecutorError> {
        blocks.iter().try_for_each(|block| {
            let offset = (*block as usize + self.shape.slot_blocks) * self.zeros.len();
            self.cache.write_bytes(offset, &self.zeros).map_err(failed)
        })
    }
}

impl Loaded {
    fn new(
        runtime: &Runtime,
        entry: &EntryPoint,
        function: Function,
        limits: &ExecutorLimits,
        shape: CacheShape,
    ) -> Result<Self, ExecutorError> {
        pieces::check_signature(function.info(), ARGUMENTS, RESULTS)?;
        let zeros = |shape: &[usize]| runtime.zeros(shape, ElementType::I32);
        Ok(Self {
            plain: PlainBuffers::new(entry, shape, false, zeros)?,
            logits: (runtime.zeros(&[entry.rows, limits.row_width()], ElementType::F32))
                .map_err(failed)?,
            entry: entry.clone(),
            function,
        })
    }

    /// Writes the arguments and calls the program; the logits are there when it returns.
    fn run(
        &self,
        arguments: &Arguments,
        team: &Buffer,
        cache: &Buffer,
    ) -> Result<(), ExecutorError> {
        self.plain.write(arguments)?;
        let mut passed = Vec::with_capacity(ARGUMENTS);
        passed.extend(self.plain.lend());
        passed.extend([team, cache, &self.logits].map(Argument::Lend));
        let results = self.function.call(passed).map_err(failed)?;
        pieces::check_in_place(&self.entry.function, results, &[cache, &self.logits])
    }
}
