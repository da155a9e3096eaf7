//! The shapes that a model is compiled for.
//!
//! Compiled code has fixed shapes, so a step is served by the smallest bucket that holds it.
//! Batches double; contexts quadruple, since attention reads the whole context of its bucket
//! and code grows with their number.

use tyto_artifact::{EntryKind, EntryPoint};
use tyto_frontend::StepShape;

use crate::Error;

/// Positions compiled for where nobody says otherwise: enough for a long chat, and short
/// enough that compiling stays well under a minute and a half.
pub const DEFAULT_CONTEXT: usize = 2048;

/// Positions in a block of the cache.
pub(crate) const BLOCK_SIZE: usize = 16;

/// Sequences that one decode call takes.
const DECODE_BATCHES: [usize; 4] = [1, 2, 4, 8];

/// Tokens that one prefill call takes.
const PREFILL_TOKENS: [usize; 3] = [32, 128, 512];

/// Sequences of a native decode call: few, where every worker prepares all rows for itself, and
/// many, where rows are divided among workers.
const NATIVE_BATCHES: [usize; 2] = [8, 32];

/// Tokens of a native prefill call.
const NATIVE_TOKENS: usize = 512;

/// Sequences of a native decode call of a GPU: one, whose products read each weight once for one
/// row; as many as such a product takes rows at once; and many.
const GPU_BATCHES: [usize; 3] = [1, 8, 32];

/// Tokens of a native prefill call of a GPU, whose launches are as large as the call.
const GPU_TOKENS: [usize; 4] = [16, 64, 256, 512];

/// The smallest context bucket.
const FIRST_CONTEXT: usize = 256;

/// How one context bucket follows the other.
const CONTEXT_GROWTH: usize = 4;

/// All buckets of a model: every batch and every chunk is compiled for every context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// Positions covered, ascending multiples of the block size.
    contexts: Vec<usize>,
    /// Sequences of a decode call, ascending.
    batches: Vec<usize>,
    /// Tokens of a prefill call, ascending.
    chunks: Vec<usize>,
    /// Whether batches and chunks were asked for.
    chosen: bool,
    /// Whether texts are continued, a token of several at a time.
    answers: bool,
    /// Whether a prefill call gives a row of each token, and not of one.
    all_rows: bool,
}

/// The functions of one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModulePlan {
    pub(crate) name: String,
    pub(crate) functions: Vec<FunctionPlan>,
}

/// One function of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionPlan {
    /// Its name in the module.
    pub(crate) name: String,
    pub(crate) kind: EntryKind,
    pub(crate) shape: StepShape,
}

impl Buckets {
    /// Buckets for sequences of up to `context` positions.
    pub fn new(context: usize) -> Self {
        let last = context.next_multiple_of(BLOCK_SIZE);
        let mut contexts = Vec::new();
        let mut next = FIRST_CONTEXT;
        // One just below the last would cost code and save next to nothing.
        while 4 * next < 3 * last {
            contexts.push(next);
            next *= CONTEXT_GROWTH;
        }
        contexts.push(last);
        // A chunk longer than every context would never be full.
        let longest = last.max(PREFILL_TOKENS[0]);
        let chunks = PREFILL_TOKENS.iter().copied().filter(|tokens| *tokens <= longest);
        Self {
            contexts,
            batches: DECODE_BATCHES.to_vec(),
            chunks: chunks.collect(),
            chosen: false,
            answers: true,
            all_rows: false,
        }
    }

    /// For a model that continues no text: prefill calls alone, which give a row of every token or
    /// of one.
    pub fn without_answers(self, all_rows: bool) -> Self {
        Self { answers: false, all_rows, ..self }
    }

    /// These batches and chunks instead of the usual ones, for machines and tests that need
    /// fewer or others. Both lists are sorted; neither may be empty nor hold a zero.
    pub fn with_sizes(mut self, batches: &[usize], chunks: &[usize]) -> Result<Self, Error> {
        self.batches = sizes("--batches", batches)?;
        self.chunks = sizes("--chunks", chunks)?;
        self.chosen = true;
        Ok(self)
    }

    /// The context buckets, ascending.
    pub fn contexts(&self) -> &[usize] {
        &self.contexts
    }

    /// Batches and chunks of native entry points. Kernels skip padding, so few sizes do, unless
    /// others were asked for.
    pub(crate) fn native_sizes(&self) -> (Vec<usize>, Vec<usize>) {
        let longest = self.contexts.last().copied().unwrap_or(BLOCK_SIZE);
        self.sizes_or((NATIVE_BATCHES.to_vec(), vec![NATIVE_TOKENS.min(longest)]))
    }

    /// The same of a GPU, whose launches are recorded at their full size.
    pub(crate) fn native_gpu_sizes(&self) -> (Vec<usize>, Vec<usize>) {
        let longest = self.contexts.last().copied().unwrap_or(BLOCK_SIZE);
        let chunks = GPU_TOKENS.into_iter().filter(|tokens| *tokens <= longest);
        self.sizes_or((GPU_BATCHES.to_vec(), chunks.collect()))
    }

    /// The batches and chunks that were asked for, or these; no batches where nothing is continued.
    fn sizes_or(&self, usual: (Vec<usize>, Vec<usize>)) -> (Vec<usize>, Vec<usize>) {
        let (batches, chunks) =
            if self.chosen { (self.batches.clone(), self.chunks.clone()) } else { usual };
        (if self.answers { batches } else { Vec::new() }, chunks)
    }

    /// For texts that are computed in one call, which reads nothing of a cache: one context.
    pub(crate) fn of_whole_texts(mut self) -> Self {
        self.contexts.drain(..self.contexts.len() - 1);
        self
    }

    /// Tokens of the longest prefill call.
    pub(crate) fn longest_chunk(&self) -> usize {
        self.chunks.last().copied().unwrap_or(1)
    }

    /// Rows that a call of this kind gives.
    pub(crate) fn rows_of(&self, batch: usize, tokens: usize) -> usize {
        if self.all_rows { batch * tokens } else { batch }
    }

    /// The modules to compile: one for each batch and chunk size, with a function for every context,
    /// so that several can be compiled at once.
    pub(crate) fn modules(&self) -> Vec<ModulePlan> {
        let module = |(kind, batch, tokens)| {
            let functions = self.contexts.iter().map(|context| {
                let rows = self.rows_of(batch, tokens);
                let shape = StepShape { batch, tokens, context: *context, rows };
                FunctionPlan { name: format!("context{context}"), kind, shape }
            });
            ModulePlan { name: size_name(kind, batch, tokens), functions: functions.collect() }
        };
        self.sizes().map(module).collect()
    }

    /// The same functions in one module, for devices with memory of their own: each module would
    /// have its own copy of the weights there.
    pub(crate) fn one_module(&self, name: &str) -> ModulePlan {
        let modules = self.modules().into_iter();
        let functions = modules.flat_map(|ModulePlan { name, functions }| {
            let whole = move |function: FunctionPlan| FunctionPlan {
                name: format!("{name}_{}", function.name),
                ..function
            };
            functions.into_iter().map(whole)
        });
        ModulePlan { name: name.to_owned(), functions: functions.collect() }
    }

    /// Kind, batch and tokens of every size.
    fn sizes(&self) -> impl Iterator<Item = (EntryKind, usize, usize)> + '_ {
        let batches = if self.answers { &self.batches[..] } else { &[] };
        let decode = batches.iter().map(|batch| (EntryKind::Decode, *batch, 1));
        decode.chain(self.chunks.iter().map(|tokens| (EntryKind::Prefill, 1, *tokens)))
    }
}

fn size_name(kind: EntryKind, batch: usize, tokens: usize) -> String {
    match kind {
        EntryKind::Decode => format!("decode{batch}"),
        EntryKind::Prefill => format!("prefill{tokens}"),
    }
}

fn sizes(option: &'static str, values: &[usize]) -> Result<Vec<usize>, Error> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.first().is_none_or(|smallest| *smallest == 0) {
        let expected = "at least one size, none of them 0".to_owned();
        return Err(Error::Option { option, found: format!("{values:?}"), expected });
    }
    Ok(sorted)
}

impl ModulePlan {
    /// The manifest's entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = EntryPoint> + '_ {
        self.functions.iter().map(|FunctionPlan { name, kind, shape }| EntryPoint {
            function: format!("{}.{name}", self.name),
            kind: *kind,
            batch: shape.batch,
            tokens: shape.tokens,
            context: shape.context,
            rows: shape.rows,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_quadruple_up_to_the_one_asked_for() {
        let check = |context, expected: &[usize]| {
            assert_eq!(Buckets::new(context).contexts(), expected, "{context}");
        };
        check(1, &[16]);
        check(100, &[112]);
        check(512, &[256, 512]);
        check(2048, &[256, 1024, 2048]);
        check(2049, &[256, 1024, 2064]);
        check(8192, &[256, 1024, 4096, 8192]);
    }

    #[test]
    fn a_gpus_chunks_are_no_longer_than_the_context() {
        let sizes = |context| Buckets::new(context).native_gpu_sizes();
        assert_eq!(sizes(2048), (vec![1, 8, 32], vec![16, 64, 256, 512]));
        assert_eq!(sizes(100).1, [16, 64]);
        assert_eq!(sizes(1).1, [16]);
        let chosen = Buckets::new(64).with_sizes(&[2], &[8]).expect("sizes");
        assert_eq!(chosen.native_gpu_sizes(), (vec![2], vec![8]));
    }

    #[test]
    fn every_module_has_every_context_and_its_own_names() {
        let modules = Buckets::new(2048).modules();
        let names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
        let expected =
            ["decode1", "decode2", "decode4", "decode8", "prefill32", "prefill128", "prefill512"];
        assert_eq!(names, expected);
        let entries: Vec<EntryPoint> = modules.iter().flat_map(ModulePlan::entries).collect();
        assert_eq!(entries.len(), 21);
        assert_eq!(entries[1].function, "decode1.context1024");
    }

    #[test]
    fn one_module_has_all_functions_under_names_that_differ() {
        let buckets = Buckets::new(2048);
        let one = buckets.one_module("step");
        let entries: Vec<EntryPoint> = one.entries().collect();
        assert_eq!(entries[1].function, "step.decode1_context1024");
        let apart: Vec<EntryPoint> =
            buckets.modules().iter().flat_map(ModulePlan::entries).collect();
        let facts = |entry: &EntryPoint| (entry.kind, entry.batch, entry.tokens, entry.context);
        assert!(entries.iter().map(facts).eq(apart.iter().map(facts)));
        let names: std::collections::HashSet<&str> =
            entries.iter().map(|entry| entry.function.as_str()).collect();
        assert_eq!(names.len(), entries.len());
    }

    #[test]
    fn a_short_context_has_no_chunk_longer_than_itself_but_the_smallest() {
        let names = |context| -> Vec<String> {
            Buckets::new(context).modules().into_iter().map(|module| module.name).collect()
        };
        assert!(!names(100).contains(&"prefill128".to_owned()));
        assert!(names(16).contains(&"prefill32".to_owned()));
    }
}
