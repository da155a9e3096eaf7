//! Graphs to code: traces, emits and compiles the modules of one target.

use std::sync::Arc;

use tyto_artifact::{Artifact, EntryKind, EntryPoint, KernelChoice, Phases, Target as TargetEntry};
use tyto_frontend::{LoadedModel, TraceOptions, WeightUse};
use tyto_graph::{DType, Graph, KvType, Layout};
use tyto_hlo_emit::{Form, emit_as};
use tyto_iree_rt::Compiler;
use tyto_kernel_spec::{GpuDriver, Target, linear};

use crate::buckets::{BLOCK_SIZE, Buckets, ModulePlan};
use crate::described::{described, option_name};
use crate::fingerprint::Fingerprint;
use crate::options::{CompileOptions, Kernels, Progress};
use crate::{Error, choices, native, native_gpu, workers};

/// What [`Error::Compiler`] names when the library itself is the trouble.
pub(crate) const LIBRARY: &str = "the compiler library";

/// The module of all entry points of a GPU.
pub(crate) const GPU_MODULE: &str = "step";

/// The largest pool that code is compiled for; what is allocated is the server's choice.
pub(crate) const MAX_BLOCKS: usize = 1 << 24;

/// Everything that compiling needs to know of the model.
pub(crate) struct Job<'a> {
    pub(crate) model: &'a LoadedModel,
    pub(crate) buckets: &'a Buckets,
    pub(crate) weight_dtype: DType,
    pub(crate) kv_type: KvType,
    /// Whether weights in blocks that kernels read stay as they are.
    pub(crate) keep_blocks: bool,
    /// Blocks of the cache of GPU targets, whose code is for that number only.
    pub(crate) gpu_blocks: usize,
    pub(crate) options: &'a CompileOptions,
    /// The artifact being replaced, where it may be reused.
    pub(crate) previous: Option<&'a Artifact>,
}

/// One target's code.
pub(crate) struct Compiled {
    pub(crate) target: Target,
    /// The driver that runs it.
    pub(crate) driver: &'static str,
    pub(crate) flags: Vec<String>,
    pub(crate) modules: Vec<Module>,
    pub(crate) entries: Vec<EntryPoint>,
    pub(crate) choices: Vec<KernelChoice>,
    pub(crate) weights: Vec<WeightUse>,
    /// What its phase programs need, where its steps are those.
    pub(crate) phases: Option<Phases>,
    /// Blocks of the cache, where its code is for one number only.
    pub(crate) cache_blocks: Option<usize>,
    /// Entry points whose recorded steps can stay on the GPU.
    pub(crate) pm4_entries: Vec<String>,
}

/// One module's code.
pub(crate) struct Module {
    /// Its path in the artifact, which names what it was made from.
    pub(crate) path: String,
    /// The code, or `None` where the previous artifact has it.
    pub(crate) code: Option<Vec<u8>>,
    /// Its functions whose recorded steps can stay on the GPU (crate::pm4).
    pub(crate) pm4: Vec<String>,
}

/// A module to compile.
pub(crate) struct Source {
    pub(crate) name: String,
    /// Its path in the artifact.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) flags: Vec<String>,
    /// Whether the previous artifact has its code.
    pub(crate) reused: bool,
    /// Whether its kernels' descriptors have the sizes of shared memory (crate::pm4).
    pub(crate) sized: bool,
}

/// The layout of matrices on a target.
pub(crate) fn layout_of(target: Target) -> fn(usize, usize, DType) -> Layout {
    match target {
        Target::CpuHost => |_, columns, dtype| linear(Target::CpuHost, columns, dtype).layout,
        Target::CpuX86V3 => |_, columns, dtype| linear(Target::CpuX86V3, columns, dtype).layout,
        Target::CpuX86V4 => |_, columns, dtype| linear(Target::CpuX86V4, columns, dtype).layout,
        Target::Gpu(..) => |_, _, _| Layout::RowMajor,
    }
}

/// IREE's options for a target.
pub(crate) fn flags_of(target: Target) -> Vec<String> {
    let processor = target.processor();
    let mut flags = match target {
        Target::Gpu(arch, driver) => {
            let backend = if driver == GpuDriver::Cuda { "cuda" } else { "rocm" };
            vec![
                format!("--iree-hal-target-device={}", driver.name()),
                format!("--iree-{backend}-target={}", option_name(arch)),
            ]
        }
        _ => vec![
            "--iree-hal-target-backends=llvm-cpu".to_owned(),
            format!("--iree-llvmcpu-target-cpu={processor}"),
            "--iree-llvmcpu-debug-symbols=false".to_owned(),
        ],
    };
    // A call returns at once and signals a fence: waiting in the call costs a scheduler tick on
    // machines where the workers own every core, and a GPU's queue would run empty.
    flags.push("--iree-execution-model=async-external".to_owned());
    flags.push("--iree-vm-bytecode-module-strip-source-map=true".to_owned());
    flags
}

/// IREE's options for one module of a target: the target's, and those that suit the shapes
/// of its kind. What is compiled otherwise is not what is served.
pub fn module_flags(target: Target, kind: EntryKind, tokens: usize) -> Vec<String> {
    let mut flags = flags_of(target);
    if !target.is_gpu() && kind == EntryKind::Prefill && tokens.is_multiple_of(TILE_ROWS) {
        // Attention's products are packed on the fly (weights are in tiles already). Not for
        // decoding nor for odd chunks: IREE 3.13 computes some products wrongly whose rows do
        // not fill its tiles (docs/decisions/data-tiling.md).
        flags.push("--iree-opt-data-tiling".to_owned());
    }
    flags
}

/// Rows of the largest tile that IREE packs the left operand of a product into.
const TILE_ROWS: usize = 16;

/// Compiles every module of `target`, or finds it in the previous artifact.
pub(crate) fn compile(
    job: &Job<'_>,
    compiler: &Compiler,
    revision: &str,
    target: Target,
    progress: &mut dyn FnMut(Progress),
) -> Result<Compiled, Error> {
    if job.options.kernels == Kernels::Never {
        return compile_decomposed(job, compiler, revision, target, progress);
    }
    let native = match target {
        Target::Gpu(arch, driver) => {
            native_gpu::compile(job, compiler, revision, arch, driver, progress)?
        }
        _ => native::compile(job, compiler, revision, target, progress)?,
    };
    let unsupported = match native {
        Ok(compiled) => return Ok(compiled),
        Err(unsupported) => unsupported,
    };
    if let Some(format) = job.options.quantize {
        let (format, target) = (format.name(), target.to_string());
        return Err(Error::NotQuantized { format, target, unsupported: Box::new(unsupported) });
    }
    if job.options.kernels == Kernels::Require {
        let (target, unsupported) = (target.to_string(), Box::new(unsupported));
        return Err(Error::NotNative { target, unsupported });
    }
    progress(Progress::Warning(format!("{target} is compiled without our kernels: {unsupported}")));
    let mut compiled = compile_decomposed(job, compiler, revision, target, progress)?;
    native::with_reason(&mut compiled.choices, &unsupported);
    Ok(compiled)
}

/// Every op by its decomposition.
fn compile_decomposed(
    job: &Job<'_>,
    compiler: &Compiler,
    revision: &str,
    target: Target,
    progress: &mut dyn FnMut(Progress),
) -> Result<Compiled, Error> {
    let mut compiled = Compiled {
        target,
        driver: target.driver(),
        flags: flags_of(target),
        modules: Vec::new(),
        entries: Vec::new(),
        choices: Vec::new(),
        weights: Vec::new(),
        phases: None,
        cache_blocks: target.is_gpu().then_some(job.gpu_blocks),
        pm4_entries: Vec::new(),
    };
    let (form, plans) = match compiled.cache_blocks {
        Some(blocks) => (Form::Gpu { blocks }, vec![job.buckets.one_module(GPU_MODULE)]),
        None => (Form::Cpu, job.buckets.modules()),
    };
    let mut sources = Vec::new();
    for plan in plans {
        let (graphs, weights) = trace(job, target, &plan)?;
        if compiled.choices.is_empty() {
            compiled.choices = choices::decomposed(&graphs[0], target);
        }
        merge(&mut compiled.weights, weights);
        let emitted = emit_as(form, &plan.name, &graphs)
            .map_err(|source| Error::Emit { module: plan.name.clone(), source })?;
        let first = &plan.functions[0];
        let flags = module_flags(target, first.kind, first.shape.tokens);
        let text = described(target, emitted.text);
        let path = module_path(target, &plan, &text, &flags, revision);
        let reused = job.previous.is_some_and(|old| old.manifest().files.contains_key(&path));
        compiled.entries.extend(plan.entries());
        sources.push(Source { name: plan.name, path, text, flags, reused, sized: false });
    }
    compiled.modules =
        workers::compile_all(&sources, compiler, &job.options.cancel, target, progress)?;
    compiled.pm4_entries = pm4_entries(job, &compiled);
    Ok(compiled)
}

/// The entry points whose recorded steps can stay on the GPU: found out now, or by whoever compiled
/// the code that is taken over.
pub(crate) fn pm4_entries(job: &Job<'_>, compiled: &Compiled) -> Vec<String> {
    let of = |module: &Module| match (&module.code, job.previous) {
        (None, Some(old)) => {
            let had = |target: &&TargetEntry| target.modules.contains(&module.path);
            let target = old.manifest().targets.iter().find(had);
            target.map(|target| target.pm4_entries.clone()).unwrap_or_default()
        }
        _ => module.pm4.iter().map(|name| format!("{GPU_MODULE}.{name}")).collect(),
    };
    compiled.modules.iter().flat_map(of).collect()
}

fn trace(
    job: &Job<'_>,
    target: Target,
    plan: &ModulePlan,
) -> Result<(Vec<Graph>, Vec<WeightUse>), Error> {
    let options = TraceOptions {
        weight_dtype: job.weight_dtype,
        kv_type: job.kv_type,
        block_size: BLOCK_SIZE,
        max_blocks: MAX_BLOCKS,
        layout: layout_of(target),
        fuse_siblings: true,
        keep_blocks: false,
    };
    let mut graphs = Vec::new();
    let mut weights = Vec::new();
    for function in &plan.functions {
        let traced = job.model.trace(&function.name, &function.shape, &options)?;
        merge(&mut weights, traced.weights);
        graphs.push(traced.graph);
    }
    Ok((graphs, weights))
}

/// Adds the weights that are not there yet; equal names are equal weights.
pub(crate) fn merge(all: &mut Vec<WeightUse>, more: Vec<WeightUse>) {
    let known: std::collections::HashSet<Arc<str>> =
        all.iter().map(|weight| weight.name.clone()).collect();
    all.extend(more.into_iter().filter(|weight| !known.contains(&weight.name)));
}

fn module_path(
    target: Target,
    plan: &ModulePlan,
    text: &str,
    flags: &[String],
    revision: &str,
) -> String {
    let mut print = Fingerprint::default();
    print.add("module", text.as_bytes());
    print.add("compiler", revision.as_bytes());
    for flag in flags {
        print.add("flag", flag.as_bytes());
    }
    if target == Target::CpuHost {
        // "host" in the flags means another machine elsewhere.
        let features = tyto_artifact::HostTarget::detect().features;
        print.add("host", features.into_iter().collect::<Vec<_>>().join(",").as_bytes());
    }
    let directory = target.name().replace(':', "-");
    format!("code/{directory}/{}-{}.vmfb", plan.name, print.name())
}

pub(crate) fn compiler_error(module: &str, source: tyto_iree_rt::Error) -> Error {
    Error::Compiler { module: module.to_owned(), source }
}
