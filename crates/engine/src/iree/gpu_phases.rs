//! Steps of phase programs on a GPU.
//!
//! A call is one operation of the GPU's queue, which replays what was recorded when the code was
//! loaded. Calls follow one another there: all of a step are started before the first is waited
//! for. The cache and the kernels' scratch are memory of the device; what the host writes and reads
//! (the plain arguments, the logits) is memory that both reach. Each entry point has it several
//! times, and the host takes one only when the call that used it last has ended.

use std::collections::VecDeque;

use tyto_artifact::{Artifact, EntryPoint, Phases, Target};
use tyto_iree_rt::{Argument, Buffer, ElementType, Function, Runtime};

use super::buckets::Buckets;
use super::call::CacheShape;
use super::load::{self, LoadOptions, failed};
use super::pieces::{self, Call, PLAIN_ARGUMENTS, PlainBuffers};
use super::snapshots::Snapshots;
use crate::executor::{Executor, ExecutorError, ExecutorLimits, StateMove, StepRow};
use crate::logits::StepLogits;

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
    logits: Buffer,
}

/// Logits that a started call will have written.
struct Pending {
    entry: usize,
    slot: usize,
    /// Rows of the step, and how many rows of logits are for each.
    wanted: Vec<(usize, usize)>,
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
        let parameters = load::whole_weights(artifact, target)?;
        let program = load::load_program(artifact, target, &runtime, parameters)?;
        let buckets = Buckets::of_model(&target.entries, &artifact.manifest().model);
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
        // As the module declares it: at least a byte.
        let shared_bytes = usize::try_from(phases.shared_bytes.max(1)).map_err(failed)?;
        let bytes = |shape: &[usize]| runtime.zeros(shape, ElementType::I8).map_err(failed);
        Ok(Self {
            shared: bytes(&[shared_bytes])?,
            cache: bytes(&[slot_blocks + limits.n_blocks, block_bytes])?,
            snapshots: Snapshots::new(&runtime, phases, options)?,
            limits,
            buckets,
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

impl Executor for GpuPhasesExecutor {
    fn limits(&self) -> ExecutorLimits {
        self.limits
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let calls = pieces::calls(rows, &self.buckets, &self.limits)?;
        let mut pending: VecDeque<Pending> = VecDeque::new();
        for call in &calls {
            let (entry, slot) = (call.entry, self.entries[call.entry].take());
            // The slot's logits of an earlier call go before they are overwritten, and so do those
            // of the calls before that one.
            let used = pending.iter().rposition(|old| (old.entry, old.slot) == (entry, slot));
            for old in pending.drain(..used.map_or(0, |last| last + 1)) {
                self.entries[old.entry].collect(&old, logits)?;
            }
            self.entries[entry].start(call, slot, self.shape, &self.shared, &self.cache)?;
            pending.push_back(Pending { entry, slot, wanted: call.wanted().collect() });
        }
        pending.iter().try_for_each(|last| self.entries[last.entry].collect(last, logits))
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
    ) -> Result<Self, ExecutorError> {
        pieces::check_signature(function.info(), ARGUMENTS, RESULTS)?;
        let slot = || {
            let zeros = |shape: &[usize]| runtime.shared_zeros(shape, ElementType::I32);
            let logits = [entry.rows, limits.row_width()];
            Ok::<_, ExecutorError>(Slot {
                plain: PlainBuffers::new(entry, shape, zeros)?,
                logits: runtime.shared_zeros(&logits, ElementType::F32).map_err(failed)?,
            })
        };
        Ok(Self { entry: entry.clone(), function, ring: [slot()?, slot()?], next: 0 })
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
        plain.write(&call.arguments(&self.entry, shape))?;
        let mut passed = Vec::with_capacity(ARGUMENTS);
        passed.extend(plain.lend());
        passed.extend([shared, cache, logits].map(Argument::Lend));
        let (results, _) = self.function.start(passed).map_err(failed)?;
        pieces::check_in_place(&self.entry.function, results, &[shared, cache, logits])
    }

    /// Waits for a call, also where nothing is wanted of it: its failure is this step's.
    fn collect(&self, pending: &Pending, logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let from = &self.ring[pending.slot].logits;
        from.read_bytes(0, &mut []).map_err(failed)?;
        let mut offset = 0;
        for (row, wanted) in &pending.wanted {
            let bytes = bytemuck::cast_slice_mut::<f32, u8>(logits.more_rows_mut(*row, *wanted));
            from.read_bytes(offset, bytes).map_err(failed)?;
            offset += bytes.len();
        }
        Ok(())
    }
}
