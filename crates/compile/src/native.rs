//! The native way: one phase program an entry point, one dispatch a step.
//!
//! Kernels skip the padding of a step themselves and read no more of the cache than there
//! is, so few entry points serve every size, and compiling is linking.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use tyto_artifact::{Choice, EntryKind, EntryPoint, KernelChoice, Phases};
use tyto_frontend::{StepShape, TraceOptions, WeightUse};
use tyto_graph::{DType, Graph, Layout};
use tyto_hlo_emit::{PhaseFunction, PhaseModule, emit_phases};
use tyto_iree_rt::Compiler;
use tyto_kernel_spec::{GpuDriver, Target, native_gpu_linear, native_linear};
use tyto_native_cpu::Variant;
use tyto_phase_program::{Program, StepSizes, Unsupported, plan};

use crate::buckets::BLOCK_SIZE;
use crate::error::NoKernel;
use crate::fingerprint::Fingerprint;
use crate::modules::{Compiled, Job, MAX_BLOCKS, Module, Source, flags_of, merge};
use crate::options::Progress;
use crate::{Error, choices, weights, workers};

/// The module of all entry points.
pub(crate) const MODULE: &str = "step";

/// The driver that runs a step in the thread that asks for it; the engine's helper threads
/// come in by themselves.
const DRIVER: &str = "local-sync";

/// Compiles every entry point of a CPU natively, or says why that cannot be.
pub(crate) fn compile(
    job: &Job<'_>,
    compiler: &Compiler,
    revision: &str,
    target: Target,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Compiled, NoKernel>, Error> {
    let planned = match plan_entries(job, job.buckets.native_sizes(), target, plan)? {
        Ok(planned) => planned,
        Err(unsupported) => return Ok(Err(unsupported)),
    };
    let variant = variant_of(target).expect("a GPU's code is compiled elsewhere");
    let flags = flags_of(target);
    let object = Object::write(variant)?;
    let text = emit(job, &planned, variant, &object.path);
    let path = module_path(target, &text, &object.path, variant, &flags, revision);
    let reused = job.previous.is_some_and(|old| old.manifest().files.contains_key(&path));
    let name = MODULE.to_owned();
    let source = Source { name, path, text, flags: flags.clone(), reused, sized: false };
    let modules = workers::compile_all(&[source], compiler, &job.options.cancel, target, progress)?;
    Ok(Ok(planned.compiled(target, DRIVER, flags, modules)))
}

/// All entry points of a target, planned.
pub(crate) struct Planned {
    pub(crate) entries: Vec<EntryPoint>,
    /// A program for each.
    pub(crate) programs: Vec<Program>,
    pub(crate) weight_bytes: u64,
    weights: Vec<WeightUse>,
    choices: Vec<KernelChoice>,
}

/// Traces and plans every batch and chunk at the whole context, or says why that cannot be.
pub(crate) fn plan_entries(
    job: &Job<'_>,
    sizes: (Vec<usize>, Vec<usize>),
    target: Target,
    plan: impl Fn(&Graph, StepSizes, &HashMap<Arc<str>, u64>) -> Result<Program, Unsupported>,
) -> Result<Result<Planned, NoKernel>, Error> {
    let entries = entries(job, sizes);
    let mut traced = Vec::new();
    let mut weights = Vec::new();
    for entry in &entries {
        let (graph, more) = trace(job, target, entry)?;
        merge(&mut weights, more);
        traced.push(graph);
    }
    let (places, weight_bytes) = weights::places(&weights);
    let planned = entries.iter().zip(&traced);
    let planned = planned.map(|(entry, graph)| plan(graph, sizes_of(entry), &places));
    Ok(match planned.collect::<Result<Vec<_>, _>>() {
        Ok(programs) => {
            let choices = choices::native(&traced[0], target);
            Ok(Planned { entries, programs, weight_bytes, weights, choices })
        }
        Err(unsupported) => Err(unsupported.into()),
    })
}

impl Planned {
    /// The most that any program needs of something.
    pub(crate) fn most(&self, of: fn(&Program) -> u64) -> u64 {
        self.programs.iter().map(of).max().unwrap_or(0)
    }

    /// What the programs need of whoever runs them.
    pub(crate) fn phases(&self) -> Phases {
        Phases {
            abi_version: tyto_phase_program::abi::VERSION,
            shared_bytes: self.most(|program| program.shared_bytes),
            private_bytes: self.most(|program| program.private_bytes),
            block_bytes: self.most(|program| program.block_bytes),
            slot_bytes: self.most(|program| program.slot_bytes),
            shared_rows: 0,
            digests: false,
        }
    }

    /// Rows of a decode call that may be tokens of one sequence: as many as each kernel takes without
    /// another order of its sums. An NVIDIA GPU's rows are not compared by our tests.
    fn shared_rows(target: Target) -> u64 {
        let compared = !matches!(target, Target::Gpu(_, GpuDriver::Cuda));
        if compared { tyto_phase_program::abi::FEW_ROWS } else { 0 }
    }

    /// The target, with the code of its modules.
    pub(crate) fn compiled(
        self,
        target: Target,
        driver: &'static str,
        flags: Vec<String>,
        modules: Vec<Module>,
    ) -> Compiled {
        Compiled {
            phases: Some(Phases { shared_rows: Self::shared_rows(target), ..self.phases() }),
            target,
            driver,
            flags,
            modules,
            entries: self.entries,
            choices: self.choices,
            weights: self.weights,
            cache_blocks: None,
            pm4_entries: Vec::new(),
        }
    }
}

/// The entry points: every batch and chunk, at the whole context.
fn entries(job: &Job<'_>, (batches, chunks): (Vec<usize>, Vec<usize>)) -> Vec<EntryPoint> {
    let context = *job.buckets.contexts().last().expect("there is a context");
    let entry = |kind, batch, tokens| {
        let name = match kind {
            EntryKind::Decode => format!("decode{batch}"),
            EntryKind::Prefill => format!("prefill{tokens}"),
        };
        let function = format!("{MODULE}.{name}");
        let rows = job.buckets.rows_of(batch, tokens);
        EntryPoint { function, kind, batch, tokens, context, rows }
    };
    let decode = batches.iter().map(|batch| entry(EntryKind::Decode, *batch, 1));
    decode.chain(chunks.iter().map(|tokens| entry(EntryKind::Prefill, 1, *tokens))).collect()
}

fn sizes_of(entry: &EntryPoint) -> StepSizes {
    StepSizes { batch: entry.batch, tokens: entry.tokens, rows: entry.rows }
}

fn trace(
    job: &Job<'_>,
    target: Target,
    entry: &EntryPoint,
) -> Result<(Graph, Vec<WeightUse>), Error> {
    let options = TraceOptions {
        weight_dtype: job.weight_dtype,
        kv_type: job.kv_type,
        block_size: BLOCK_SIZE,
        max_blocks: MAX_BLOCKS,
        layout: native_layout(target),
        fuse_siblings: true,
        keep_blocks: job.keep_blocks,
    };
    let EntryPoint { batch, tokens, context, rows, .. } = *entry;
    let shape = StepShape { batch, tokens, context, rows };
    let traced = job.model.trace(function_name(entry), &shape, &options)?;
    Ok((traced.graph, traced.weights))
}

/// The layout that the kernels read; what they do not read the planner refuses.
fn native_layout(target: Target) -> fn(usize, usize, DType) -> Layout {
    match target {
        Target::Gpu(..) => |_, columns, dtype| {
            native_gpu_linear(columns, dtype).map_or(Layout::RowMajor, |body| body.layout)
        },
        _ => |_, columns, dtype| {
            native_linear(columns, dtype).map_or(Layout::RowMajor, |body| body.layout)
        },
    }
}

/// The name inside the module.
pub(crate) fn function_name(entry: &EntryPoint) -> &str {
    entry.function.rsplit('.').next().unwrap_or(&entry.function)
}

/// Entries of a row of the tables. With recurrent layers a row ends with the sequence's slot.
pub(crate) fn table_entries(entry: &EntryPoint, program: &Program) -> usize {
    entry.context / BLOCK_SIZE + usize::from(program.slot_bytes > 0)
}

fn emit(job: &Job<'_>, planned: &Planned, variant: Variant, object: &std::path::Path) -> String {
    let functions =
        planned.entries.iter().zip(&planned.programs).map(|(entry, program)| PhaseFunction {
            name: function_name(entry),
            program: &program.bytes,
            cells: entry.batch * entry.tokens,
            batch: entry.batch,
            pages: table_entries(entry, program),
            rows: entry.rows,
            vocabulary: job.model.facts().width,
        });
    let module = PhaseModule {
        name: MODULE,
        format: format_name(),
        symbol: &variant.symbol(),
        object: &object.display().to_string(),
        weight_bytes: planned.weight_bytes,
        block_bytes: planned.most(|program| program.block_bytes),
        functions: functions.collect(),
    };
    emit_phases(&module).text
}

/// IREE's name for the executables of the compiling machine's architecture.
fn format_name() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "embedded-elf-arm_64",
        "riscv64" => "embedded-elf-riscv_64",
        _ => "embedded-elf-x86_64",
    }
}

fn variant_of(target: Target) -> Option<Variant> {
    match target {
        Target::CpuHost => Some(Variant::of_host()),
        Target::CpuX86V3 => Some(Variant::V3),
        Target::CpuX86V4 => Some(Variant::V4),
        Target::Gpu(..) => None,
    }
}

/// The kernels' object as a file, which IREE's linker reads; gone when dropped.
struct Object {
    path: PathBuf,
    _directory: tempfile::TempDir,
}

impl Object {
    fn write(variant: Variant) -> Result<Self, Error> {
        let bytes = variant.object().ok_or(Error::NoKernels { variant: variant.name() })?;
        let failed = |path: PathBuf| move |source| Error::Write { path, source };
        let directory = tempfile::Builder::new().prefix("tyto-kernels-").tempdir();
        let directory = directory.map_err(failed(std::env::temp_dir()))?;
        let path = directory.path().join(format!("{}.o", variant.symbol()));
        std::fs::write(&path, bytes).map_err(failed(path.clone()))?;
        Ok(Self { path, _directory: directory })
    }
}

/// Names the code by all that it is made from; the object's path is not part of that.
fn module_path(
    target: Target,
    text: &str,
    object: &std::path::Path,
    variant: Variant,
    flags: &[String],
    revision: &str,
) -> String {
    let mut print = Fingerprint::default();
    print.add("module", text.replace(&object.display().to_string(), "kernels.o").as_bytes());
    print.add("kernels", variant.object().unwrap_or_default());
    print.add("compiler", revision.as_bytes());
    for flag in flags {
        print.add("flag", flag.as_bytes());
    }
    let directory = target.name().replace(':', "-");
    format!("code/{directory}/{MODULE}-{}.vmfb", print.name())
}

/// The reason of a fallback on every line of the report.
pub(crate) fn with_reason(choices: &mut [KernelChoice], unsupported: &NoKernel) {
    for choice in choices.iter_mut().filter(|choice| choice.body == Choice::Decomposed) {
        choice.reason = format!("{}; {unsupported}", choice.reason);
    }
}
