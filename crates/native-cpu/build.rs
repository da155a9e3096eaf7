//! Compiles `kernels-cpu/program.c` with clang, once for each variant.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Name and clang options of every variant that this machine's architecture has.
fn variants(arch: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    match arch {
        "x86_64" => vec![
            ("portable", vec!["-march=x86-64"]),
            ("v3", vec!["-march=x86-64-v3"]),
            ("v4", vec!["-march=x86-64-v4"]),
            ("v4v", vec!["-march=x86-64-v4", "-mavx512vnni", "-mavx512vbmi"]),
            ("v4x", vec!["-march=x86-64-v4", "-mavx512vnni", "-mavx512bf16", "-mavx512vbmi"]),
        ],
        _ => vec![("portable", vec![])],
    }
}

/// No library, no unwinding, no stack guard: the object runs inside IREE's executables.
const FLAGS: &[&str] = &[
    "-std=gnu2x",
    "-O3",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-math-errno",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=on",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-c",
];

fn main() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels-cpu");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets the architecture");
    let clang = clang();
    println!("cargo:rerun-if-changed={}", sources.display());
    println!("cargo:rerun-if-env-changed=TYTO_CLANG");
    let mut table = String::from("&[\n");
    let mut archive = cc::Build::new();
    let variants = variants(&arch);
    let object_of = |name: &str| out.join(format!("{name}.o"));
    // As many at once as cargo has jobs: a variant is a minute of work on a slow machine.
    let jobs = std::env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    for some in variants.chunks(jobs) {
        std::thread::scope(|scope| {
            for (name, options) in some {
                let (clang, source, object) = (&clang, sources.join("program.c"), object_of(name));
                scope.spawn(move || compile(clang, &source, &object, name, options));
            }
        });
    }
    for (name, _) in variants {
        let object = object_of(name);
        table.push_str(&format!(
            "(\"{name}\", include_bytes!({:?})),\n",
            object.display().to_string()
        ));
        archive.object(object);
    }
    table.push(']');
    std::fs::write(out.join("objects.rs"), table).expect("OUT_DIR is writable");
    if std::env::var_os("CARGO_FEATURE_LINKED").is_some() {
        archive.compile("tyto_kernels_cpu");
    }
}

/// `TYTO_CLANG`, or the clang that tools/setup installs.
fn clang() -> PathBuf {
    let named = std::env::var_os("TYTO_CLANG").map(PathBuf::from);
    let candidates = named.into_iter().chain(["clang-22", "clang"].map(PathBuf::from));
    for candidate in candidates {
        if Command::new(&candidate)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
        {
            return candidate;
        }
    }
    panic!("no clang found to compile kernels-cpu: run ./tools/setup, or name one with TYTO_CLANG");
}

fn compile(clang: &Path, source: &Path, object: &Path, name: &str, options: &[&str]) {
    let mut command = Command::new(clang);
    command.args(FLAGS).args(options).arg(format!("-DTY_VARIANT={name}"));
    command.arg(source).arg("-o").arg(object);
    run(command);
    stands_alone(clang, object);
}

/// Links the object with nothing else: compilers call memset and memcpy of themselves where code
/// invites them, and IREE, which has neither, would say so only when a model is compiled.
fn stands_alone(clang: &Path, object: &Path) {
    let mut command = Command::new(clang);
    command.args(["-shared", "-nostdlib", "-Wl,-z,defs"]).arg(object);
    command.arg("-o").arg(object.with_extension("so"));
    run(command);
}

fn run(mut command: Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{text}");
}
