//! Steps of an artifact's model over a paged cache that the compiled code updates in place.
//!
//! A step is a chain of calls, all started before the first is waited for: one for each part
//! of a prompt, one for each group of answers' tokens. The cache is one buffer a
//! layer for keys and one for values, passed to every call; no call copies it
//! (`crates/compile/tests/all/in_place.rs`).

use std::ops::Range;

use tyto_artifact::{Artifact, EntryPoint, Target};
use tyto_iree_rt::{
    Argument, Buffer, ElementType, Function, ParameterEntry, Parameters, Program, Runtime,
};

use super::buckets::Buckets;
use super::call::{Arguments, CacheShape, Part};
use super::guard::OnGpu;
use super::load::{self, LoadOptions, beyond, failed};
use crate::executor::{Executor, ExecutorError, ExecutorLimits, StepRow};
use crate::logits::StepLogits;

/// Runs a target of plain compiled code.
#[derive(Debug)]
pub struct IreeExecutor {
    limits: ExecutorLimits,
    buckets: Buckets,
    program: Program,
    entries: Vec<Loaded>,
    runtime: Runtime,
    /// Keys and values of each layer: keys.0, values.0, keys.1, …
    caches: Vec<Buffer>,
}

#[derive(Debug)]
struct Loaded {
    entry: EntryPoint,
    function: Function,
    /// Whether the entry takes `lengths`.
    takes_lengths: bool,
}

/// Logits that a started call will have written: which row of the step, which of the call's.
struct Pending {
    logits: Buffer,
    rows: Vec<(usize, usize)>,
}

/// Plain arguments of an entry that takes no `lengths`.
const PLAIN_ARGUMENTS: usize = 5;

impl IreeExecutor {
    /// Loads `target`'s code and allocates the cache. Weights stay mapped files.
    pub fn load(
        artifact: &Artifact,
        target: &Target,
        options: &LoadOptions,
    ) -> Result<Self, ExecutorError> {
        let runtime = load::open_runtime(target, options)?;
        Self::load_on(runtime, artifact, target, options)
    }

    /// The same, on a device that is open: of the kind that `target` is for.
    pub fn load_on(
        runtime: Runtime,
        artifact: &Artifact,
        target: &Target,
        options: &LoadOptions,
    ) -> Result<Self, ExecutorError> {
        let program = load_program(artifact, target, &runtime)?;
        let entries = load_entries(&program, target, 2 * artifact.manifest().model.kv.len())?;
        let buckets = Buckets::of_model(&target.entries, &artifact.manifest().model);
        let limits = load::limits(artifact, target, &buckets, options)?;
        let caches = allocate_caches(&runtime, artifact, limits.n_blocks)?;
        Ok(Self { limits, buckets, program, entries, runtime, caches })
    }

    /// Identities of the cache's allocations, for the proof that no step copies it.
    pub fn cache_allocations(&self) -> Vec<usize> {
        self.caches.iter().map(Buffer::allocation_id).collect()
    }

    /// Starts the calls that one row with several tokens needs.
    fn start_prompt(
        &self,
        row_index: usize,
        row: &StepRow<'_>,
        pending: &mut Vec<Pending>,
    ) -> Result<(), ExecutorError> {
        let mut done = 0;
        while done < row.tokens.len() {
            let (left, first) = (row.tokens.len() - done, row.first_position + done);
            let chosen = self.buckets.prefill(left, first);
            let (index, taken) = chosen.ok_or_else(|| beyond(first + left))?;
            let part = Part::of(row, done, taken);
            let wanted = row.wanted_in(done, taken);
            let logits = self.start(&self.entries[index], &[part], wanted.clone())?;
            done += taken;
            let rows = (0..wanted.len()).map(|in_call| (row_index, in_call)).collect();
            pending.push(Pending { logits, rows });
        }
        Ok(())
    }

    /// Starts one call for rows with a single token each.
    fn start_decode(
        &self,
        group: &[(usize, &StepRow<'_>)],
        pending: &mut Vec<Pending>,
    ) -> Result<(), ExecutorError> {
        let parts: Vec<Part<'_>> = group.iter().map(|(_, row)| Part::of(row, 0, 1)).collect();
        let reach = parts.iter().map(Part::reach).max().unwrap_or(0);
        let index = self.buckets.decode(parts.len(), reach).ok_or_else(|| beyond(reach))?;
        let logits = self.start(&self.entries[index], &parts, 0..0)?;
        let wanted = group.iter().enumerate().filter(|(_, (_, row))| row.want_logits);
        let rows = wanted.map(|(in_call, (in_step, _))| (*in_step, in_call)).collect();
        pending.push(Pending { logits, rows });
        Ok(())
    }

    /// Starts one call and gives its logits, which are there when the call has ended: those of the
    /// `wanted` tokens of its one part, or, where none are, those of each part's last token.
    fn start(
        &self,
        loaded: &Loaded,
        parts: &[Part<'_>],
        wanted: Range<usize>,
    ) -> Result<Buffer, ExecutorError> {
        let entry = &loaded.entry;
        let cache = CacheShape { block_size: self.limits.block_size, slot_blocks: 0 };
        let mut arguments = Arguments::new(entry, cache, parts);
        arguments.sample_also(wanted);
        let cells = entry.batch * entry.tokens;
        let pages = entry.context / self.limits.block_size;
        let mut plain: Vec<(&[i32], Vec<usize>)> =
            vec![(&arguments.tokens, vec![cells]), (&arguments.positions, vec![cells])];
        if loaded.takes_lengths {
            plain.push((&arguments.lengths, vec![cells]));
        }
        plain.push((&arguments.slots, vec![cells, 2]));
        plain.push((&arguments.tables, vec![entry.batch, pages]));
        plain.push((&arguments.sampled, vec![entry.rows]));

        let mut passed: Vec<Argument<'_>> = Vec::with_capacity(plain.len() + self.caches.len());
        for (values, shape) in plain {
            let buffer = self.runtime.upload_slice(&shape, values).map_err(failed)?;
            passed.push(Argument::Give(buffer));
        }
        passed.extend(self.caches.iter().map(Argument::Lend));
        let (values, _) = loaded.function.start(passed).map_err(failed)?;
        let logits = values.into_iter().next().and_then(tyto_iree_rt::Value::into_buffer);
        logits.ok_or_else(|| ExecutorError::new(format!("{} returned no logits", entry.function)))
    }

    fn collect(
        &mut self,
        pending: Vec<Pending>,
        step: &mut StepLogits,
    ) -> Result<(), ExecutorError> {
        self.runtime.wait_idle().map_err(failed)?;
        let row_bytes = self.limits.row_width() * size_of::<f32>();
        for Pending { logits, rows: of_call } in pending {
            for (in_step, in_call) in of_call {
                let row = step.more_rows_mut(in_step, 1);
                let bytes = bytemuck::cast_slice_mut(row);
                logits.read_bytes(in_call * row_bytes, bytes).map_err(failed)?;
            }
        }
        Ok(())
    }
}

impl OnGpu for IreeExecutor {
    fn on(&self, reopened: &Runtime) -> Result<Box<dyn OnGpu>, ExecutorError> {
        let program = self.program.on(reopened).map_err(failed)?;
        let entries = (self.entries.iter())
            .map(|Loaded { entry, takes_lengths, .. }| {
                let function = program.function(&entry.function).map_err(failed)?;
                Ok(Loaded { entry: entry.clone(), function, takes_lengths: *takes_lengths })
            })
            .collect::<Result<_, ExecutorError>>()?;
        Ok(Box::new(Self {
            limits: self.limits,
            buckets: self.buckets.clone(),
            program,
            entries,
            runtime: reopened.clone(),
            caches: self.caches.iter().map(|cache| cache.on(reopened)).collect(),
        }))
    }
}

impl Executor for IreeExecutor {
    fn limits(&self) -> ExecutorLimits {
        self.limits
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let mut pending = Vec::new();
        let mut single: Vec<(usize, &StepRow<'_>)> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            match row.tokens {
                [_] if row.by_itself => single.push((index, row)),
                _ => self.start_prompt(index, row, &mut pending)?,
            }
        }
        for group in single.chunks(self.limits.max_rows) {
            self.start_decode(group, &mut pending)?;
        }
        self.collect(pending, logits)
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        for cache in &self.caches {
            let block_bytes = cache.byte_length() / self.limits.n_blocks;
            let zeros = vec![0u8; block_bytes];
            for block in blocks {
                cache.write_bytes(*block as usize * block_bytes, &zeros).map_err(failed)?;
            }
        }
        Ok(())
    }
}

fn load_program(
    artifact: &Artifact,
    target: &Target,
    runtime: &Runtime,
) -> Result<Program, ExecutorError> {
    let (weights, file) = load::map_weights(artifact, target)?;
    let entries = weights.tensors.iter().map(|tensor| ParameterEntry {
        name: tensor.name.clone(),
        file: file.clone(),
        offset: tensor.offset,
        length: tensor.bytes,
    });
    let parameters =
        Parameters::limited(load::SCOPE, entries, runtime.max_inflight()).map_err(failed)?;
    load::load_program(artifact, target, runtime, &parameters)
}

fn load_entries(
    program: &Program,
    target: &Target,
    caches: usize,
) -> Result<Vec<Loaded>, ExecutorError> {
    (target.entries.iter())
        .map(|entry| {
            let function = program.function(&entry.function).map_err(failed)?;
            let plain = function.info().arguments.checked_sub(caches);
            let takes_lengths = match plain {
                Some(PLAIN_ARGUMENTS) => false,
                Some(count) if count == PLAIN_ARGUMENTS + 1 => true,
                _ => return Err(arguments_differ(entry, function.info().arguments, caches)),
            };
            Ok(Loaded { entry: entry.clone(), function, takes_lengths })
        })
        .collect()
}

fn arguments_differ(entry: &EntryPoint, found: usize, caches: usize) -> ExecutorError {
    ExecutorError::fatal(format!(
        "{} takes {found} arguments, expected {PLAIN_ARGUMENTS} or one more, and {caches} caches; \
         compile the model again with this version",
        entry.function
    ))
}

fn allocate_caches(
    runtime: &Runtime,
    artifact: &Artifact,
    n_blocks: usize,
) -> Result<Vec<Buffer>, ExecutorError> {
    let model = &artifact.manifest().model;
    let element = match model.kv_dtype.as_str() {
        "f32" => ElementType::F32,
        "f16" => ElementType::F16,
        "bf16" => ElementType::Bf16,
        // As compiled code has bytes: signless.
        "q8_0" | "q4_0" | "f8e4m3" => ElementType::I8,
        other => return Err(ExecutorError::fatal(format!("no cache of element type {other:?}"))),
    };
    let (group, bytes) = model.kv_group().expect("the types above have groups");
    let mut caches = Vec::with_capacity(2 * model.kv.len());
    for layer in &model.kv {
        let width = layer.head_dim / group * (bytes / element.bits().div_ceil(8));
        for _ in ["keys", "values"] {
            let shape = [n_blocks, model.block_size, layer.heads, width];
            caches.push(runtime.zeros(&shape, element).map_err(failed)?);
        }
    }
    Ok(caches)
}
