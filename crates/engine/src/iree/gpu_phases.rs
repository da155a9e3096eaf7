//! Steps of phase programs on a GPU.
//!
//! A call is one operation of the GPU's queue, which replays what was recorded when the code was
//! loaded. Calls follow one another there: all of a step are started before the first is waited
//! for. The cache and the kernels' scratch are memory of the device; what the host writes and reads
//! (the plain arguments, the logits) is memory that both reach. Each entry point has it several
//! times, and the host takes one only when the call that used it last has ended. Logits are copied from
//! there, but for rows whose digest may do: these stay until the next step, and whoever chooses a token
//! reads what it needs.

use std::collections::VecDeque;
use std::sync::Arc;

use tyto_artifact::{Artifact, EntryPoint, Phases, RowDigest, Target};
use tyto_iree_rt::{Argument, Buffer, ElementType, Function, Program, Runtime};

use super::buckets::Buckets;
use super::call::CacheShape;
use super::guard::OnGpu;
use super::load::{self, LoadOptions, failed};
use super::pieces::{self, Call, PLAIN_ARGUMENTS, PlainBuffers, Wanted};
use super::snapshots::Snapshots;
use crate::executor::{Executor, ExecutorError, ExecutorLimits, StateMove, StepRow};
use crate::logits::{HeldRows, StepLogits};

/// Arguments of an entry point: the plain ones, the scratch, the cache, the logits.
const ARGUMENTS: usize = PLAIN_ARGUMENTS + 3;

/// Results: scratch, cache and logits.
const RESULTS: usize = 3;

/// Calls of one entry point that can be under way at once.
const RING: usize = 2;

/// Runs a GPU's target of phase programs.
#[derive(Debug)]
pub struct GpuPhasesExecutor {
    limits: ExecutorLimits,
    buckets: Buckets,
    program: Program,
    entries: Vec<Loaded>,
    /// The kernels' scratch.
    shared: Buffer,
    /// Slots of recurrent layers, then keys and values: bytes, [blocks, bytes of a block].
    cache: Buffer,
    snapshots: Snapshots,
    shape: CacheShape,
    block_bytes: usize,
}

/// An entry point and its own arguments.
#[derive(Debug)]
struct Loaded {
    entry: EntryPoint,
    function: Function,
    ring: [Slot; RING],
    /// The slot that the next call takes.
    next: usize,
}

/// What one call writes and reads.
#[derive(Debug)]
struct Slot {
    plain: PlainBuffers,
    logits: Arc<LogitsMemory>,
}

/// Rows of logits, each with its digest, if the code makes such.
#[derive(Debug)]
struct LogitsMemory {
    buffer: Buffer,
    /// f32s of a row.
    width: usize,
    /// From one row to the next.
    pitch: usize,
}

/// Logits that a started call will have written.
struct Pending {
    entry: usize,
    slot: usize,
    /// What each row of logits is for.
    wanted: Vec<Wanted>,
}

impl GpuPhasesExecutor {
    /// Loads `target`'s code and weights on a device that is open and of the kind that the target
    /// is for, and allocates the cache.
    pub fn load_on(
        runtime: Runtime,
        artifact: &Artifact,
        target: &Target,
        phases: &Phases,
        options: &LoadOptions,
    ) -> Result<Self, ExecutorError> {
        let program = load::load_gpu_program(artifact, target, &runtime, options)?;
        let buckets = Buckets::of_model(&target.entries, &artifact.manifest().model);
        let limits = load::limits(artifact, target, &buckets, options)?;
        let slot_blocks = phases.slot_blocks(limits.max_rows);
        let slot_blocks = load::memory_size(slot_blocks)?;
        let shape = CacheShape { block_size: limits.block_size, slot_blocks };
        let entries = (target.entries.iter())
            .map(|entry| {
                let function = program.function(&entry.function).map_err(failed)?;
                Loaded::new(&runtime, entry, function, &limits, shape, phases.digests)
            })
            .collect::<Result<_, _>>()?;
        let block_bytes = load::memory_size(phases.block_bytes)?;
        // As the module declares it: at least a byte.
        let shared_bytes = load::memory_size(phases.shared_bytes.max(1))?;
        let bytes = |shape: &[usize]| runtime.zeros(shape, ElementType::I8).map_err(failed);
        Ok(Self {
            shared: bytes(&[shared_bytes])?,
            cache: bytes(&[slot_blocks + limits.n_blocks, block_bytes])?,
            snapshots: Snapshots::new(&runtime, phases, options)?,
            limits,
            buckets,
            program,
            entries,
            shape,
            block_bytes,
        })
    }

    /// Identity of the cache's allocation, for the proof that no step copies it.
    pub fn cache_allocation(&self) -> usize {
        self.cache.allocation_id()
    }
}

impl OnGpu for GpuPhasesExecutor {
    fn on(&self, reopened: &Runtime) -> Result<Box<dyn OnGpu>, ExecutorError> {
        let program = self.program.on(reopened).map_err(failed)?;
        let entries = self.entries.iter().map(|loaded| loaded.on(reopened, &program));
        Ok(Box::new(Self {
            limits: self.limits,
            buckets: self.buckets.clone(),
            entries: entries.collect::<Result<_, _>>()?,
            program,
            shared: self.shared.on(reopened),
            cache: self.cache.on(reopened),
            snapshots: self.snapshots.on(reopened),
            shape: self.shape,
            block_bytes: self.block_bytes,
        }))
    }
}

impl Executor for GpuPhasesExecutor {
    fn limits(&self) -> ExecutorLimits {
        self.limits
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        pieces::check_states(rows, self.shape)?;
        let calls = pieces::calls(rows, &self.buckets, &self.limits)?;
        let mut pending: VecDeque<Pending> = VecDeque::new();
        for call in &calls {
            let (entry, slot) = (call.entry, self.entries[call.entry].take());
            // The slot's logits of an earlier call go before they are overwritten, and so do those
            // of the calls before that one.
            let used = pending.iter().rposition(|old| (old.entry, old.slot) == (entry, slot));
            for old in pending.drain(..used.map_or(0, |last| last + 1)) {
                self.entries[old.entry].collect(&old, false, logits)?;
            }
            self.entries[entry].start(call, slot, self.shape, &self.shared, &self.cache)?;
            pending.push_back(Pending { entry, slot, wanted: call.wanted().collect() });
        }
        pending.iter().try_for_each(|last| self.entries[last.entry].collect(last, true, logits))
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        blocks.iter().try_for_each(|block| {
            let offset = (*block as usize + self.shape.slot_blocks) * self.block_bytes;
            self.cache.fill_zero_bytes(offset, self.block_bytes).map_err(failed)
        })
    }

    fn is_recurrent(&self) -> bool {
        self.shape.slot_blocks > 0
    }

    fn snapshots(&self) -> usize {
        self.snapshots.places()
    }

    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        self.snapshots.move_states(moves, &self.cache)
    }
}

impl Loaded {
    fn new(
        runtime: &Runtime,
        entry: &EntryPoint,
        function: Function,
        limits: &ExecutorLimits,
        shape: CacheShape,
        digests: bool,
    ) -> Result<Self, ExecutorError> {
        pieces::check_signature(function.info(), ARGUMENTS, RESULTS)?;
        let slot = || {
            let zeros = |shape: &[usize]| runtime.shared_zeros(shape, ElementType::I32);
            let width = limits.row_width();
            let pitch = if digests { RowDigest::of(width).pitch } else { width };
            let buffer = runtime.shared_zeros(&[entry.rows, pitch], ElementType::F32);
            let buffer = buffer.map_err(failed)?;
            Ok::<_, ExecutorError>(Slot {
                plain: PlainBuffers::new(entry, shape, digests, zeros)?,
                logits: Arc::new(LogitsMemory { buffer, width, pitch }),
            })
        };
        Ok(Self { entry: entry.clone(), function, ring: [slot()?, slot()?], next: 0 })
    }

    /// The same entry point of the program on the GPU opened anew, with arguments in the same memory.
    fn on(&self, reopened: &Runtime, program: &Program) -> Result<Self, ExecutorError> {
        let function = program.function(&self.entry.function).map_err(failed)?;
        let ring = self.ring.each_ref().map(|slot| slot.on(reopened));
        Ok(Self { entry: self.entry.clone(), function, ring, next: 0 })
    }

    /// The slot of the next call.
    fn take(&mut self) -> usize {
        let slot = self.next;
        self.next = (slot + 1) % RING;
        slot
    }

    /// Writes the arguments, once the call that used them last has ended, and starts the call.
    fn start(
        &self,
        call: &Call<'_>,
        slot: usize,
        shape: CacheShape,
        shared: &Buffer,
        cache: &Buffer,
    ) -> Result<(), ExecutorError> {
        let Slot { plain, logits } = &self.ring[slot];
        let logits = &logits.buffer;
        plain.write(&call.arguments(&self.entry, shape))?;
        if self.ring[slot].logits.has_digests() {
            plain.write_temperatures(self.entry.rows, call.temperatures())?;
        }
        let mut passed = Vec::with_capacity(ARGUMENTS);
        passed.extend(plain.lend());
        passed.extend([shared, cache, logits].map(Argument::Lend));
        let (results, _) = self.function.start(passed).map_err(failed)?;
        pieces::check_in_place(&self.entry.function, results, &[shared, cache, logits])
    }

    /// Waits for a call, also where nothing is wanted of it: its failure is this step's. `stays`: no other
    /// call of the step writes where this one has.
    fn collect(
        &self,
        pending: &Pending,
        stays: bool,
        logits: &mut StepLogits,
    ) -> Result<(), ExecutorError> {
        let from = &self.ring[pending.slot].logits;
        from.buffer.read_bytes(0, &mut []).map_err(failed)?;
        let mut first = 0;
        for Wanted { row, count, digest } in &pending.wanted {
            match digest.filter(|_| stays && from.has_digests()) {
                Some(temperature) => logits.hold(*row, from.clone(), first, *count, temperature),
                None => from.copy(first, logits.more_rows_mut(*row, *count))?,
            }
            first += count;
        }
        Ok(())
    }
}

impl Slot {
    fn on(&self, reopened: &Runtime) -> Self {
        let LogitsMemory { buffer, width, pitch } = &*self.logits;
        let logits = LogitsMemory { buffer: buffer.on(reopened), width: *width, pitch: *pitch };
        Self { plain: self.plain.on(reopened), logits: Arc::new(logits) }
    }
}

impl LogitsMemory {
    fn has_digests(&self) -> bool {
        self.pitch > self.width
    }

    /// Copies whole rows from row `first` on, without their digests.
    fn copy(&self, first: usize, target: &mut [f32]) -> Result<(), ExecutorError> {
        for (index, row) in target.chunks_exact_mut(self.width).enumerate() {
            let offset = (first + index) * self.pitch * size_of::<f32>();
            self.buffer.read_bytes(offset, bytemuck::cast_slice_mut(row)).map_err(failed)?;
        }
        Ok(())
    }
}

impl HeldRows for LogitsMemory {
    fn lend(
        &self,
        first: usize,
        count: usize,
        look: &mut dyn FnMut(&[f32]),
    ) -> Result<(), ExecutorError> {
        let rows = first * self.pitch..(first + count) * self.pitch;
        self.buffer.map(|bytes| look(&bytemuck::cast_slice(bytes)[rows])).map_err(failed)
    }
}
