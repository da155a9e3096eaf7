//! Compiles each file of `kernels-hip/` with clang, once for each kind of GPU that has objects, and
//! with the feature `cuda` to PTX, which is kept compressed.
//!
//! A file takes seconds for each kind, so what has not changed since the last build is kept: an
//! object stands beside a key made of all that it came from, which are the files that it includes.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The kinds that objects are made for, and what clang needs for each beside its name. Objects for a
/// family of chips have the sixth form of code objects.
const ARCHS: [(&str, &[&str]); 3] = [
    ("gfx1151", &[]),
    ("gfx11-generic", &["-mcode-object-version=6"]),
    ("gfx12-generic", &["-mcode-object-version=6"]),
];

/// The least of NVIDIA GPUs: PTX for it is compiled by the driver of any newer one.
const NVIDIA: &str = "sm_80";

/// Freestanding: no library of the device, no header of HIP.
const AMD_FLAGS: &[&str] =
    &["-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", "-nogpulib", "-nogpuinc"];

/// The same for CUDA. What of the sources is said to AMD's compiler alone is passed over.
const NVIDIA_FLAGS: &[&str] = &[
    "-x",
    "cuda",
    "--cuda-device-only",
    "--cuda-feature=+ptx80",
    "-nocudainc",
    "-nocudalib",
    "-Wno-unknown-attributes",
    "-Wno-unknown-cuda-version",
    "-S",
];

const FLAGS: &[&str] = &[
    "-O3",
    "-std=c++17",
    "-ffreestanding",
    // What rounds and what is fused is written in the kernels: a row has the same bits in each of them.
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    "-Werror",
];

/// The line in a file's header that restricts its kinds, as beginnings of their names.
const RESTRICTION: &str = "// archs:";

/// One object to make.
struct Job {
    /// The source file's name without its ending.
    file: String,
    source: PathBuf,
    arch: &'static str,
    options: &'static [&'static str],
    object: PathBuf,
}

fn main() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels-hip");
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels-cpu/program.h");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for watched in [&sources, &shared] {
        println!("cargo:rerun-if-changed={}", watched.display());
    }
    println!("cargo:rerun-if-env-changed=TYTO_HIP_CLANG");
    println!("cargo:rerun-if-env-changed=TYTO_CLANG");
    let jobs = jobs(&sources, &out);
    let clangs = Clangs::find();
    let workers = std::env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let queue = Mutex::new(jobs.iter());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = { queue.lock().expect("no worker has panicked").next() } {
                    clangs.of(job).compile(job);
                }
            });
        }
    });
    let (ptx, objects): (Vec<&Job>, Vec<&Job>) = jobs.iter().partition(|job| job.is_nvidia());
    let write = |name, text| std::fs::write(out.join(name), text).expect("OUT_DIR is writable");
    write("objects.rs", table(&objects));
    write("ptx.rs", ptx_table(&ptx));
}

/// Every file for every kind that it does not exclude, by file, then kind.
fn jobs(sources: &Path, out: &Path) -> Vec<Job> {
    let entries = std::fs::read_dir(sources).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "hip"));
    files.sort();
    let mut jobs = Vec::new();
    for source in files {
        let file = source.file_stem().expect("it has an ending").to_string_lossy().into_owned();
        let text = read(&source);
        let text = String::from_utf8_lossy(&text);
        let restriction = text.lines().find_map(|line| line.strip_prefix(RESTRICTION));
        let nvidia = std::env::var_os("CARGO_FEATURE_CUDA").map(|_| (NVIDIA, &[][..]));
        for (arch, options) in ARCHS.into_iter().chain(nvidia) {
            let fits = |words: &str| words.split_whitespace().any(|begin| arch.starts_with(begin));
            if restriction.is_none_or(fits) {
                let ending = if arch == NVIDIA { "ptx" } else { "hsaco" };
                let object = out.join(format!("{file}.{arch}.{ending}"));
                let (file, source) = (file.clone(), source.clone());
                jobs.push(Job { file, source, arch, options, object });
            }
        }
    }
    jobs
}

/// The bytes of a file and of all that it includes, each once. Includes are relative to their file.
fn with_includes(file: &Path) -> Vec<u8> {
    let (mut seen, mut left, mut bytes) = (BTreeSet::new(), vec![file.to_owned()], Vec::new());
    while let Some(path) = left.pop() {
        let path = path.canonicalize().unwrap_or(path);
        if !seen.insert(path.clone()) {
            continue;
        }
        let text = read(&path);
        for line in String::from_utf8_lossy(&text).lines() {
            let name = line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"'));
            left.extend(name.map(|name| path.with_file_name(name)));
        }
        bytes.extend(text);
    }
    bytes
}

/// `[(file, [(kind, object)])]` as Rust.
fn table(jobs: &[&Job]) -> String {
    let mut table = String::from("&[\n");
    for of_file in jobs.chunk_by(|a, b| a.file == b.file) {
        table.push_str(&format!("({:?}, &[\n", of_file[0].file));
        for job in of_file {
            let object = job.object.display().to_string();
            table.push_str(&format!("    ({:?}, include_bytes!({object:?})),\n", job.arch));
        }
        table.push_str("]),\n");
    }
    table.push(']');
    table
}

/// `[(file, its kernels, compressed PTX)]` as Rust.
fn ptx_table(jobs: &[&Job]) -> String {
    let mut table = String::from("&[\n");
    for job in jobs {
        let text = String::from_utf8(read(&job.object)).expect("PTX is ASCII");
        let text = without_comments(&text);
        let entry = |line: &str| {
            let name = line.strip_prefix(".visible .entry ")?;
            Some(name.trim_end_matches('(').to_owned())
        };
        let kernels: Vec<String> = text.lines().filter_map(entry).collect();
        let packed = job.object.with_extension("ptx.z");
        let bytes = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9);
        std::fs::write(&packed, bytes).expect("OUT_DIR is writable");
        let packed = packed.display().to_string();
        table.push_str(&format!("({:?}, &{kernels:?}, include_bytes!({packed:?})),\n", job.file));
    }
    table.push(']');
    table
}

/// The lines of PTX with what the driver reads of them.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.is_empty() {
            kept.push_str(&words.join(" "));
            kept.push('\n');
        }
    }
    kept
}

impl Job {
    fn is_nvidia(&self) -> bool {
        self.arch == NVIDIA
    }
}

/// The compilers: one that may be ROCm's, which knows no PTX, and one that is not.
struct Clangs {
    amd: Clang,
    nvidia: Option<Clang>,
}

impl Clangs {
    fn find() -> Self {
        let nvidia = std::env::var_os("CARGO_FEATURE_CUDA").map(|_| Clang::find(&["TYTO_CLANG"]));
        Self { amd: Clang::find(&["TYTO_HIP_CLANG", "TYTO_CLANG"]), nvidia }
    }

    fn of(&self, job: &Job) -> &Clang {
        match &self.nvidia {
            Some(clang) if job.is_nvidia() => clang,
            _ => &self.amd,
        }
    }
}

/// The compiler, and the words that tell it from others.
struct Clang {
    path: PathBuf,
    version: Vec<u8>,
}

impl Clang {
    /// The one that a variable names (`TYTO_HIP_CLANG`: a ROCm install's clang or hipcc), or the
    /// clang that tools/setup installs.
    fn find(variables: &[&str]) -> Self {
        let named = variables.iter().filter_map(std::env::var_os);
        for path in named.map(PathBuf::from).chain(["clang-22", "clang"].map(PathBuf::from)) {
            if let Ok(output) = Command::new(&path).arg("--version").output()
                && output.status.success()
            {
                return Self { path, version: output.stdout };
            }
        }
        panic!(
            "no clang found to compile kernels-hip: run ./tools/setup, or name one with \
             TYTO_HIP_CLANG (a ROCm install's clang or hipcc) and, unless the feature cuda is off, \
             TYTO_CLANG"
        );
    }

    /// Makes the object, unless it is there and came from the same.
    fn compile(&self, job: &Job) {
        let mut command = Command::new(&self.path);
        command.args(if job.is_nvidia() { NVIDIA_FLAGS } else { AMD_FLAGS }).args(FLAGS);
        command.arg(format!("--offload-arch={}", job.arch)).args(job.options);
        command.arg(&job.source).arg("-o").arg(&job.object);
        let mut hasher = DefaultHasher::new();
        (&self.version, with_includes(&job.source), format!("{command:?}")).hash(&mut hasher);
        let (key, key_file) = (hasher.finish().to_string(), job.object.with_extension("key"));
        let kept = std::fs::read_to_string(&key_file).is_ok_and(|old| old == key);
        if kept && job.object.exists() {
            return;
        }
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?} failed:\n{text}");
        std::fs::write(key_file, key).expect("OUT_DIR is writable");
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
