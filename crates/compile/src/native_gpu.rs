//! The native way on a GPU: one phase program an entry point, one launch a phase.
//!
//! The kernels are code objects, or PTX, of `tyto_native_rocm`; the module has those that its programs
//! launch. Launches are recorded at the full size of their entry point when the code is loaded.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tyto_artifact::{EntryKind, RowDigest};
use tyto_frontend::Purpose;
use tyto_hlo_emit::{
    GpuForm, GpuLaunch, GpuPhaseFunction, GpuPhaseModule, KernelFile, emit_gpu_phases,
};
use tyto_iree_rt::Compiler;
use tyto_kernel_spec::{GpuArch, GpuDriver, Target};
use tyto_native_rocm::ptx;
use tyto_phase_program::{GpuOptions, Program, plan_for_gpu};

use crate::described::described;
use crate::error::NoKernel;
use crate::fingerprint::Fingerprint;
use crate::modules::{Compiled, Job, Source, flags_of, pm4_entries};
use crate::native::{self, MODULE, Planned, function_name, table_entries};
use crate::options::Progress;
use crate::{Error, workers};

/// Compiles every entry point of a GPU natively, or says why that cannot be.
pub(crate) fn compile(
    job: &Job<'_>,
    compiler: &Compiler,
    revision: &str,
    chip: GpuArch,
    driver: GpuDriver,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Compiled, NoKernel>, Error> {
    let target = Target::Gpu(chip, driver);
    let Some(kernels) = Kernels::of(chip, driver) else {
        return Ok(Err(NoKernel::Chip { chip: chip.name() }));
    };
    let sizes = job.buckets.native_gpu_sizes();
    let digest = digest_of(job, kernels);
    let options = GpuOptions {
        matrices: matches!(kernels, Kernels::Objects { .. }),
        digest_pitch: digest.map(|digest| digest.pitch),
    };
    let planned = native::plan_entries(job, sizes, target, |graph, sizes, places| {
        plan_for_gpu(graph, sizes, places, options)
    });
    let planned = match planned? {
        Ok(planned) => planned,
        Err(unsupported) => return Ok(Err(unsupported)),
    };
    let files = match files(&planned.programs, kernels) {
        Ok(files) => files,
        Err(kernel) => return Ok(Err(NoKernel::Kernel { kernel, chip: chip.name() })),
    };
    let objects = Objects::write(&files, kernels)?;
    let text = emit(job, &planned, &files, digest, (chip, driver), &objects);
    let flags = flags_of(target);
    let path = module_path(target, &text, &objects, &flags, revision);
    let reused = job.previous.is_some_and(|old| old.manifest().files.contains_key(&path));
    let (name, flags_of_module) = (MODULE.to_owned(), flags.clone());
    let source = Source { name, path, text, flags: flags_of_module, reused, sized: true };
    let modules = workers::compile_all(&[source], compiler, &job.options.cancel, target, progress)?;
    let mut compiled = planned.compiled(target, target.driver(), flags, modules);
    if let Some(phases) = &mut compiled.phases {
        phases.digests = digest.is_some();
    }
    compiled.cache_blocks = Some(job.gpu_blocks);
    compiled.pm4_entries = pm4_entries(job, &compiled);
    Ok(Ok(compiled))
}

/// Where kernels of ours for a GPU come from.
#[derive(Clone, Copy, Debug)]
enum Kernels {
    /// Code objects for a kind, with or without sizes for steps that stay on the device.
    Objects { arch: &'static str, sized: bool },
    /// PTX, for every NVIDIA GPU from the least on.
    Ptx,
}

impl Kernels {
    /// `None` for chips without kernels.
    fn of(chip: GpuArch, driver: GpuDriver) -> Option<Self> {
        match driver {
            GpuDriver::Cuda => ptx::files().next().map(|_| Self::Ptx),
            GpuDriver::Amdgpu | GpuDriver::Hip => {
                let sized = driver == GpuDriver::Amdgpu;
                let arch = tyto_native_rocm::arch_of(chip.name())?;
                Some(Self::Objects { arch, sized })
            }
        }
    }

    /// The file that has a kernel, and the most threads of its workgroups.
    fn find(self, kernel: &str) -> Option<(&'static str, u32)> {
        match self {
            Self::Objects { arch, .. } => {
                let found = tyto_native_rocm::kernel(arch, kernel)?;
                Some((tyto_native_rocm::file_of(kernel)?, found.most_threads))
            }
            Self::Ptx => Some((ptx::file_of(kernel)?, ptx::MOST_THREADS)),
        }
    }

    /// A file's code: of PTX these kernels alone, which the driver has to compile.
    fn code(self, file: &str, kernels: &[&str]) -> Vec<u8> {
        match self {
            Self::Objects { arch, sized } => {
                let object = tyto_native_rocm::object(arch, file).expect("its kernels are known");
                let with_sizes = || tyto_native_rocm::with_shared_sizes(object);
                match sized {
                    true => with_sizes().expect("clang writes well-formed code objects"),
                    false => object.to_vec(),
                }
            }
            Self::Ptx => ptx::text(file, kernels).expect("its kernels are known").into_bytes(),
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Objects { .. } => "hsaco",
            Self::Ptx => "ptx",
        }
    }
}

/// Where rows of logits have their digests. Of vectors nobody chooses a token, and on NVIDIA GPUs no test compares them.
fn digest_of(job: &Job<'_>, kernels: Kernels) -> Option<RowDigest> {
    let facts = job.model.facts();
    let chosen =
        matches!(facts.purpose, Purpose::Text) && matches!(kernels, Kernels::Objects { .. });
    chosen.then(|| RowDigest::of(facts.width))
}

/// The files whose kernels programs launch, with these kernels and the threads of their
/// workgroups.
type Files = BTreeMap<&'static str, BTreeMap<String, u32>>;

/// The files that programs need, or the name of a kernel that no file has.
fn files(programs: &[Program], kernels: Kernels) -> Result<Files, String> {
    let mut files = Files::new();
    for launch in programs.iter().flat_map(|program| &program.launches) {
        let found = kernels.find(&launch.kernel);
        let (file, most) = found.ok_or_else(|| launch.kernel.clone())?;
        assert!(launch.threads <= most, "{launch:?} is more than the {most} that the kernel takes");
        let of_file = files.entry(file).or_default();
        let threads = *of_file.entry(launch.kernel.clone()).or_insert(launch.threads);
        assert_eq!(threads, launch.threads, "a kernel's workgroups have one size: {launch:?}");
    }
    Ok(files)
}

fn emit(
    job: &Job<'_>,
    planned: &Planned,
    files: &Files,
    digest: Option<RowDigest>,
    (chip, driver): (GpuArch, GpuDriver),
    objects: &Objects,
) -> String {
    let functions = planned.entries.iter().zip(&planned.programs).map(|(entry, program)| {
        let launches = program.launches.iter().map(|launch| GpuLaunch {
            kernel: &launch.kernel,
            grid: launch.grid,
            phase: launch.phase,
        });
        GpuPhaseFunction {
            name: function_name(entry),
            program: &program.bytes,
            launches: launches.collect(),
            cells: entry.batch * entry.tokens,
            batch: entry.batch,
            pages: table_entries(entry, program),
            rows: entry.rows,
            vocabulary: digest.map_or(job.model.facts().width, |digest| digest.pitch),
            temperatures: digest.is_some(),
        }
    });
    let decode = planned.entries.iter().filter(|entry| entry.kind == EntryKind::Decode);
    let sequences = decode.map(|entry| entry.batch).max().unwrap_or(0);
    let slot_blocks = planned.phases().slot_blocks(sequences) as usize;
    let paths: Vec<String> = files.keys().map(|file| objects.path(file)).collect();
    let files = files.iter().zip(&paths).map(|((name, kernels), path)| KernelFile {
        name,
        path,
        kernels: kernels.iter().map(|(kernel, threads)| (kernel.as_str(), *threads)).collect(),
    });
    let module = GpuPhaseModule {
        name: MODULE,
        form: match driver {
            GpuDriver::Amdgpu => GpuForm::Amdgpu(chip.name()),
            GpuDriver::Hip => GpuForm::Hip,
            GpuDriver::Cuda => GpuForm::Cuda,
        },
        files: files.collect(),
        weight_bytes: planned.weight_bytes,
        // An empty tensor is no argument.
        shared_bytes: planned.most(|program| program.shared_bytes).max(1),
        blocks: slot_blocks + job.gpu_blocks,
        block_bytes: planned.most(|program| program.block_bytes),
        functions: functions.collect(),
    };
    described(Target::Gpu(chip, driver), emit_gpu_phases(&module).text)
}

/// Code as files, which IREE's compiler reads; gone when dropped.
struct Objects {
    directory: tempfile::TempDir,
    ending: &'static str,
    /// By file.
    bytes: BTreeMap<&'static str, Vec<u8>>,
}

impl Objects {
    fn write(files: &Files, kernels: Kernels) -> Result<Self, Error> {
        let failed = |path: PathBuf| move |source| Error::Write { path, source };
        let directory = tempfile::Builder::new().prefix("tyto-kernels-").tempdir();
        let directory = directory.map_err(failed(std::env::temp_dir()))?;
        let mut objects = Self { directory, ending: kernels.ending(), bytes: BTreeMap::new() };
        for (file, of_file) in files {
            let names: Vec<&str> = of_file.keys().map(String::as_str).collect();
            let bytes = kernels.code(file, &names);
            let path = PathBuf::from(objects.path(file));
            std::fs::write(&path, &bytes).map_err(failed(path.clone()))?;
            objects.bytes.insert(file, bytes);
        }
        Ok(objects)
    }

    fn path(&self, file: &str) -> String {
        self.directory.path().join(format!("{file}.{}", self.ending)).display().to_string()
    }
}

/// Names the code by all that it is made from; the objects' paths are not part of that.
fn module_path(
    target: Target,
    text: &str,
    objects: &Objects,
    flags: &[String],
    revision: &str,
) -> String {
    let mut print = Fingerprint::default();
    let directory = objects.directory.path().display().to_string();
    print.add("module", text.replace(&directory, "").as_bytes());
    for (file, bytes) in &objects.bytes {
        print.add(file, bytes);
    }
    print.add("compiler", revision.as_bytes());
    for flag in flags {
        print.add("flag", flag.as_bytes());
    }
    let directory = target.name().replace(':', "-");
    format!("code/{directory}/{MODULE}-{}.vmfb", print.name())
}
