//! No step copies the cache: every call gives back the allocations that it was lent, and no
//! compiled step holds a copy.

use std::io::Write as _;
use std::path::Path;

use tyto_artifact::EntryKind;
use tyto_checkpoint::Checkpoint;
use tyto_compile::{Target, module_flags};
use tyto_frontend::{StepShape, TraceOptions, Traced, materialize};
use tyto_graph::{DType, InputKind, KvCode, Layout, Op, Output};
use tyto_iree_rt::{
    Argument, Buffer, Code, Compiler, ElementType, Function, MappedFile, ParameterEntry,
    Parameters, Phase, Program, Runtime, RuntimeOptions, Value,
};

const KINDS: [EntryKind; 2] = [EntryKind::Prefill, EntryKind::Decode];

/// Blocks of the pool: a number that appears nowhere in a compiled step.
const BLOCKS: usize = 29;

const BLOCK_SIZE: usize = 8;

const CONTEXT: usize = 32;

fn options(dtype: DType) -> TraceOptions {
    let layout = match dtype {
        DType::BF16 => |_, _, _| Layout::Tiled { n: 16, k: 2 },
        _ => |_, _, _| Layout::Tiled { n: 16, k: 1 },
    };
    TraceOptions {
        weight_dtype: dtype,
        kv_type: dtype.into(),
        block_size: BLOCK_SIZE,
        max_blocks: 1 << 24,
        layout,
        fuse_siblings: true,
        keep_blocks: false,
    }
}

fn shape(kind: EntryKind) -> StepShape {
    let (batch, tokens) = if kind == EntryKind::Prefill { (1, 8) } else { (2, 1) };
    StepShape { batch, tokens, context: CONTEXT, rows: batch }
}

fn checkpoint(case: &str) -> Checkpoint {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle");
    Checkpoint::open(&fixtures.join(case)).expect("a fixture opens")
}

fn trace(case: &str, kind: EntryKind, dtype: DType) -> Traced {
    let model = tyto_frontend::open(&checkpoint(case)).expect("a fixture is a model");
    model.trace("step", &shape(kind), &options(dtype)).expect("a fixture traces")
}

fn emit(traced: &Traced) -> String {
    tyto_hlo_emit::emit("m", std::slice::from_ref(&traced.graph)).expect("a fixture emits").text
}

fn compiler() -> Compiler {
    Compiler::find(None).unwrap_or_else(|error| panic!("{error}"))
}

fn stream(text: &str, kind: EntryKind) -> String {
    let flags = module_flags(Target::CpuHost, kind, 32);
    let text = compiler().lower(text.as_bytes(), &flags, Phase::Stream).expect("lowers");
    assert!(text.contains("stream.cmd.dispatch"), "not at the stream phase:\n{text}");
    text
}

/// Copies whose length is not a constant. That of a cache follows from `blocks`, which is known
/// when serving only; activations have constant sizes.
fn cache_copies(stream: &str) -> Vec<&str> {
    let length = |line: &str| {
        let (operands, _) = line.split_once(" : ")?;
        operands.rsplit(' ').next().map(str::to_owned)
    };
    let constant = |length: &str| {
        length.strip_prefix("%c").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let copies = stream.lines().filter(|line| line.contains("stream.cmd.copy"));
    copies.filter(|line| !length(line).is_some_and(|length| constant(&length))).collect()
}

#[test]
fn compiled_steps_copy_no_cache_and_read_nothing_back() {
    for case in ["llama", "gemma3_text", "phi3"] {
        for (kind, dtype) in KINDS.into_iter().zip([DType::BF16, DType::F32]) {
            let text = stream(&emit(&trace(case, kind, dtype)), kind);
            assert_eq!(cache_copies(&text), [""; 0], "{case}, {kind:?}");
            let read_back = text.lines().find(|line| line.contains("stream.resource.load"));
            assert_eq!(read_back, None, "{case}, {kind:?}");
        }
    }
}

/// Nor do those over bytes, which are made and read by more ops.
#[test]
fn compiled_steps_copy_no_quantized_cache() {
    for code in [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3] {
        for kind in KINDS {
            let model = tyto_frontend::open(&checkpoint("llama_mlx_8bit")).expect("a model");
            let options = TraceOptions { kv_type: code.into(), ..options(DType::F32) };
            let traced = model.trace("step", &shape(kind), &options).expect("a fixture traces");
            let text = stream(&emit(&traced), kind);
            assert_eq!(cache_copies(&text), [""; 0], "{code}, {kind:?}");
            let read_back = text.lines().find(|line| line.contains("stream.resource.load"));
            assert_eq!(read_back, None, "{code}, {kind:?}");
        }
    }
}

/// A step that returns rows of the cache as it was before its own update needs a copy.
#[test]
fn the_check_for_copies_sees_one() {
    for kind in KINDS {
        let mut traced = trace("llama", kind, DType::F32);
        let graph = &mut traced.graph;
        let cache = graph.inputs.iter().find(|input| input.kind == InputKind::State);
        let cache = cache.expect("a cache").value;
        let tables = graph.inputs.iter().find(|input| &*input.name == "tables");
        let tables = tables.expect("block tables").value;
        let old = graph.add(Op::Take, &[cache, tables]).expect("well-formed");
        graph.add_output("old", old);
        let text = stream(&emit(&traced), kind);
        assert!(!cache_copies(&text).is_empty(), "no copy where one is needed:\n{text}");
    }
}

/// A loaded step with its caches.
struct Step {
    runtime: Runtime,
    function: Function,
    caches: Vec<Buffer>,
    /// Which results are caches.
    updated: Vec<usize>,
    kind: EntryKind,
    _weights: tempfile::NamedTempFile,
}

impl Step {
    fn load(kind: EntryKind, dtype: DType) -> Self {
        let traced = trace("llama", kind, dtype);
        let (file, entries) = weights(&traced);
        let parameters = Parameters::new("model", entries).expect("a scope");
        let flags = module_flags(Target::CpuHost, kind, 32);
        let code = compiler().compile(emit(&traced).as_bytes(), &flags).expect("compiles");
        let options = RuntimeOptions { threads: Some(2), ..Default::default() };
        let runtime = Runtime::new(&options).expect("the CPU is always there");
        let program = Program::load(&runtime, [Code::from(code)], &[parameters]).expect("loads");
        let function = program.function("m.step").expect("the step");
        let element = if dtype == DType::BF16 { ElementType::Bf16 } else { ElementType::F32 };
        let states = traced.graph.inputs.iter().filter(|input| input.kind == InputKind::State);
        let zeros = states.map(|input| {
            let mut sizes: Vec<usize> = input.ty.shape.dims().iter().map(|d| d.bound()).collect();
            sizes[0] = BLOCKS;
            runtime.zeros(&sizes, element).expect("allocates")
        });
        let caches = zeros.collect();
        let outputs = traced.graph.outputs.iter().enumerate();
        let updated = outputs.filter(|(_, output)| matches!(output, Output::Updated { .. }));
        let updated = updated.map(|(index, _)| index).collect();
        Self { runtime, function, caches, updated, kind, _weights: file }
    }

    /// One call at `position`; the caches that it returns.
    fn run(&self, position: usize) -> Vec<Buffer> {
        let StepShape { batch, tokens, .. } = shape(self.kind);
        let pages = CONTEXT / BLOCK_SIZE;
        let cells = 0..batch * tokens;
        let at = |cell: usize| (position + cell % tokens) % CONTEXT;
        let block = |row: usize, page: usize| (1 + row * pages + (page * 3 + 1) % pages) as i32;
        let upload = |shape: &[usize], values: Vec<i32>| {
            Argument::Give(self.runtime.upload_slice(shape, &values).expect("uploads"))
        };
        let slot = |cell: usize| {
            [block(cell / tokens, at(cell) / BLOCK_SIZE), (at(cell) % BLOCK_SIZE) as i32]
        };
        let table = (0..batch).flat_map(|row| (0..pages).map(move |page| block(row, page)));
        let mut arguments = vec![
            upload(&[cells.len()], cells.clone().map(|cell| (cell * 7 % 100) as i32).collect()),
            upload(&[cells.len()], cells.clone().map(|cell| at(cell) as i32).collect()),
            upload(&[cells.len(), 2], cells.clone().flat_map(slot).collect()),
            upload(&[batch, pages], table.collect()),
            upload(&[batch], (0..batch).map(|row| (row * tokens) as i32).collect()),
        ];
        arguments.extend(self.caches.iter().map(Argument::Lend));
        let results = self.function.call(arguments).expect("a step runs");
        let buffers: Vec<Buffer> = results.into_iter().filter_map(Value::into_buffer).collect();
        self.updated.iter().map(|index| buffers[*index].clone()).collect()
    }
}

/// The weights of a step in one file, each where a parameter may be.
fn weights(traced: &Traced) -> (tempfile::NamedTempFile, Vec<ParameterEntry>) {
    let checkpoint = checkpoint("llama");
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    let mut places = Vec::new();
    let mut offset = 0;
    for weight in &traced.weights {
        let mut bytes = materialize(&checkpoint, weight).expect("a weight");
        places.push((weight.name.to_string(), offset, bytes.len() as u64));
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        file.write_all(&bytes).expect("room");
        offset += bytes.len() as u64;
    }
    file.flush().expect("room");
    let mapped = MappedFile::open(file.path()).expect("maps");
    let entry =
        |(name, offset, length)| ParameterEntry { name, file: mapped.clone(), offset, length };
    let entries = places.into_iter().map(entry).collect();
    (file, entries)
}

fn identities(buffers: &[Buffer]) -> Vec<usize> {
    buffers.iter().map(Buffer::allocation_id).collect()
}

fn contents(buffers: &[Buffer]) -> Vec<Vec<u8>> {
    buffers.iter().map(|buffer| buffer.map(<[u8]>::to_vec).expect("reads")).collect()
}

/// The lent caches live on, so a copy could not have the address of one of them by chance.
#[test]
fn every_step_gives_back_the_allocations_that_it_was_lent() {
    for kind in KINDS {
        for dtype in [DType::BF16, DType::F32] {
            let step = Step::load(kind, dtype);
            let (lent, mut before) = (identities(&step.caches), contents(&step.caches));
            for position in 0..40 {
                let returned = step.run(position);
                assert_eq!(identities(&returned), lent, "{kind:?} {dtype}, step {position}");
                let after = contents(&step.caches);
                // The lent caches themselves have the step's rows, in its blocks only.
                for (before, after) in before.iter().zip(&after) {
                    assert_eq!(before.len(), after.len(), "a cache keeps its size");
                    let block = before.len() / BLOCKS;
                    let last = (1 + shape(kind).batch * CONTEXT / BLOCK_SIZE) * block;
                    assert!(before[last..] == after[last..], "{kind:?}: a block of nobody changed");
                    assert!(position >= 32 || before != after, "{kind:?}: nothing was written");
                }
                before = after;
            }
        }
    }
}
