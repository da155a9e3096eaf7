//! Steps of an artifact whose entry points are phase programs.
//!
//! A call runs in this thread and is over when it returns; the helpers of a team join it. All
//! keys and values are in one buffer, which calls update in place, as they do the logits. So the
//! logits of one call are read before the next begins.

use tyto_artifact::{Artifact, EntryPoint, Phases, Target};
use tyto_iree_rt::{
    Argument, Buffer, ElementType, Function, ParameterEntry, Parameters, Runtime, Value,
};
use tyto_native_team::{Profile, Team};

use super::buckets::Buckets;
use super::call::{Arguments, CacheShape, Part};
use super::load::{self, LoadOptions, beyond, failed};
use crate::executor::{Executor, ExecutorError, ExecutorLimits, StepRow};
use crate::logits::StepLogits;
use crate::profile::StepProfile;

/// The name by which programs ask for the whole weight file.
const WEIGHT_FILE: &str = "weights";

/// Arguments of an entry point: six plain ones, the team, the cache, the logits.
const ARGUMENTS: usize = 9;

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
    shape: CacheShape,
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
    tokens: Buffer,
    positions: Buffer,
    lengths: Buffer,
    slots: Buffer,
    tables: Buffer,
    sampled: Buffer,
    logits: Buffer,
}

/// A row of a step with what one call takes of it.
struct Piece<'a> {
    /// Which row of the step.
    row: usize,
    part: Part<'a>,
    /// How many positions, the part's last ones, the logits are wanted of.
    wanted: usize,
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
        let (_, file) = load::map_weights(artifact, target)?;
        file.will_need();
        let length = file.len() as u64;
        let whole = ParameterEntry { name: WEIGHT_FILE.to_owned(), file, offset: 0, length };
        let parameters = Parameters::new(load::SCOPE, [whole]).map_err(failed)?;
        let program = load::load_program(artifact, target, &runtime, parameters)?;

        let threads = options.threads.unwrap_or_else(tyto_iree_rt::usable_cores).max(1);
        let team = Team::new(threads, phases.shared_bytes, phases.private_bytes).map_err(failed)?;
        let buckets = Buckets::new(&target.entries);
        let limits = load::limits(artifact, target, &buckets, options)?;
        let slot_blocks = phases.slot_blocks(limits.max_rows);
        let slot_blocks = usize::try_from(slot_blocks).map_err(failed)?;
        let shape = CacheShape { block_size: limits.block_size, slot_blocks };
        let entries = (target.entries.iter())
            .map(|entry| {
                let function = program.function(&entry.function).map_err(failed)?;
                Loaded::new(&runtime, entry, function, &limits, shape)
            })
            .collect::<Result<_, _>>()?;
        let block_bytes = usize::try_from(phases.block_bytes).map_err(failed)?;
        let blocks = slot_blocks + limits.n_blocks;
        let cache = runtime.zeros(&[blocks, block_bytes], ElementType::I8);
        let runner = Runner {
            limits,
            buckets,
            entries,
            team: runtime.upload_slice(&[1], &[team.address()]).map_err(failed)?,
            cache: cache.map_err(failed)?,
            shape,
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
        self.team.step(|| self.runner.step(rows, logits))?;
        if self.team.had_no_room() {
            return Err(no_room(&self.target));
        }
        Ok(())
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        self.runner.clean(blocks)
    }

    fn is_recurrent(&self) -> bool {
        self.runner.shape.slot_blocks > 0
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
        let mut single = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            match row.tokens {
                [_] if row.by_itself => {
                    let part = Part::of(row, 0, 1);
                    single.push(Piece { row: index, part, wanted: row.wanted() });
                }
                _ => self.prompt(index, row, logits)?,
            }
        }
        single.chunks(self.limits.max_rows).try_for_each(|group| {
            let reach = group.iter().map(|piece| piece.part.reach()).max().unwrap_or(0);
            let chosen = self.buckets.decode(group.len(), reach);
            self.call(chosen.ok_or_else(|| beyond(reach))?, group, logits)
        })
    }

    /// The calls that one row with several tokens needs.
    fn prompt(
        &self,
        index: usize,
        row: &StepRow<'_>,
        logits: &mut StepLogits,
    ) -> Result<(), ExecutorError> {
        let mut done = 0;
        while done < row.tokens.len() {
            let (left, first) = (row.tokens.len() - done, row.first_position + done);
            let chosen = self.buckets.prefill(left, first);
            let (entry, taken) = chosen.ok_or_else(|| beyond(first + left))?;
            let part = Part::of(row, done, taken);
            done += taken;
            // Guesses are in one call: there are fewer of them than any call takes.
            let wanted = if done == row.tokens.len() { row.wanted() } else { 0 };
            self.call(entry, &[Piece { row: index, part, wanted }], logits)?;
        }
        Ok(())
    }

    /// One call, and the logits that are wanted of it.
    fn call(
        &self,
        entry: usize,
        pieces: &[Piece<'_>],
        logits: &mut StepLogits,
    ) -> Result<(), ExecutorError> {
        let loaded = &self.entries[entry];
        let parts: Vec<Part<'_>> = pieces.iter().map(|piece| piece.part).collect();
        let cells: Vec<usize> = (pieces.iter().enumerate())
            .flat_map(|(row, Piece { part, wanted, .. })| {
                let end = row * loaded.entry.tokens + part.tokens.len();
                end - wanted..end
            })
            .collect();
        let mut arguments = Arguments::new(&loaded.entry, self.shape, &parts);
        arguments.sample_only(&cells);
        loaded.run(&arguments, &self.team, &self.cache)?;
        if let Some((last, sums)) = &self.profile {
            sums.add(loaded.entry.kind, &last.last());
        }

        let mut offset = 0;
        for piece in pieces.iter().filter(|piece| piece.wanted > 0) {
            let rows = logits.rows_mut(piece.row, piece.wanted);
            let bytes = bytemuck::cast_slice_mut::<f32, u8>(rows);
            loaded.logits.read_bytes(offset, bytes).map_err(failed)?;
            offset += bytes.len();
        }
        Ok(())
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
        let info = function.info();
        if (info.arguments, info.results) != (ARGUMENTS, RESULTS) {
            return Err(ExecutorError::fatal(format!(
                "{} takes {} arguments and returns {}, expected {ARGUMENTS} and {RESULTS}; compile \
                 the model again with this version",
                entry.function, info.arguments, info.results
            )));
        }
        let cells = entry.batch * entry.tokens;
        let integers = |shape: &[usize]| runtime.zeros(shape, ElementType::I32).map_err(failed);
        Ok(Self {
            tokens: integers(&[cells])?,
            positions: integers(&[cells])?,
            lengths: integers(&[cells])?,
            slots: integers(&[cells, 2])?,
            tables: integers(&[entry.batch, shape.table_entries(entry)])?,
            sampled: integers(&[entry.rows])?,
            logits: (runtime.zeros(&[entry.rows, limits.vocab_size], ElementType::F32))
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
        let plain: [(&Buffer, &[i32]); 6] = [
            (&self.tokens, &arguments.tokens),
            (&self.positions, &arguments.positions),
            (&self.lengths, &arguments.lengths),
            (&self.slots, &arguments.slots),
            (&self.tables, &arguments.tables),
            (&self.sampled, &arguments.sampled),
        ];
        let mut passed = Vec::with_capacity(ARGUMENTS);
        for (buffer, values) in plain {
            buffer.write(0, values).map_err(failed)?;
            passed.push(Argument::Lend(buffer));
        }
        passed.extend([team, cache, &self.logits].map(Argument::Lend));
        let results = self.function.call(passed).map_err(failed)?;
        self.check_in_place(results, cache)
    }

    /// A program that returned copies would have left the cache as it was.
    fn check_in_place(&self, results: Vec<Value>, cache: &Buffer) -> Result<(), ExecutorError> {
        let mut results = results.into_iter().filter_map(Value::into_buffer);
        let same = [cache, &self.logits].iter().all(|buffer| {
            results.next().is_some_and(|result| result.allocation_id() == buffer.allocation_id())
        });
        if same {
            return Ok(());
        }
        let function = &self.entry.function;
        Err(ExecutorError::fatal(format!(
            "{function} did not update its arguments in place; compile the model again"
        )))
    }
}
