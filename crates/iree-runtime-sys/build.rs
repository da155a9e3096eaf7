//! Builds IREE's runtime into one static archive and generates the bindings.
//!
//! Needs cmake >= 3.26 and ninja (on PATH, or in the workspace's `.venv/bin`), a C compiler,
//! libclang, and for the AMD drivers the headers of HIP and HSA; whatever is missing is named
//! together with the command that installs it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

const CMAKE_MINIMUM: (u32, u32) = (3, 26);
const EERIE_SYS: &str = "0.5.0";
const INSTALL_TOOLS: &str = "run tools/setup, or `pip install cmake ninja` and put them on PATH";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=native");
    let here = PathBuf::from(var("CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(var("OUT_DIR"));
    let iree = eerie_sys_directory(&here).join("iree");
    let tools = Tools::find(&here);
    let build = build_native(&tools, &here, &iree, &out);
    generate_bindings(&here, &iree, &build, &out);
    link(&build);
}

/// Ends the build with a message that a person can act on.
fn fail(message: &str) -> ! {
    eprintln!("error: cannot build IREE's runtime: {message}");
    exit(1)
}

/// A variable that cargo always sets for build scripts.
fn var(name: &str) -> OsString {
    env::var_os(name).unwrap_or_else(|| fail(&format!("{name} is not set; run this by cargo")))
}

fn feature(name: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
}

/// The unpacked `eerie-sys` package, which carries IREE's sources.
fn eerie_sys_directory(here: &Path) -> PathBuf {
    let metadata = |offline: &[&str]| {
        Command::new(var("CARGO"))
            .args(["metadata", "--format-version", "1", "--filter-platform"])
            .arg(var("TARGET"))
            .args(offline)
            .arg("--manifest-path")
            .arg(here.join("Cargo.toml"))
            .output()
            .unwrap_or_else(|e| fail(&format!("cargo metadata did not start: {e}")))
    };
    // Offline first: cargo has just fetched this very package. It can still fail, where other
    // members of the workspace have packages that were never fetched.
    let mut found = metadata(&["--offline"]);
    if !found.status.success() {
        found = metadata(&[]);
    }
    if !found.status.success() {
        let text = String::from_utf8_lossy(&found.stderr).into_owned();
        fail(&format!("cargo metadata failed: {text}"));
    }
    let value: serde_json::Value = serde_json::from_slice(&found.stdout)
        .unwrap_or_else(|e| fail(&format!("cargo metadata's output does not parse: {e}")));
    value["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|p| p["name"] == "eerie-sys" && p["version"] == EERIE_SYS)
        .and_then(|p| Path::new(p["manifest_path"].as_str()?).parent())
        .map(Path::to_owned)
        .unwrap_or_else(|| fail(&format!("cargo metadata does not list eerie-sys {EERIE_SYS}")))
}

/// The native build tools.
struct Tools {
    cmake: PathBuf,
    ninja: PathBuf,
}

impl Tools {
    fn find(here: &Path) -> Tools {
        let mut directories: Vec<PathBuf> =
            env::var_os("PATH").map(|p| env::split_paths(&p).collect()).unwrap_or_default();
        directories.push(here.join("../../.venv/bin"));
        let all = |name: &str| -> Vec<PathBuf> {
            directories.iter().map(|d| d.join(name)).filter(|p| p.is_file()).collect()
        };
        let mut seen = Vec::new();
        let cmake = all("cmake").into_iter().find(|path| match cmake_version(path) {
            Some(version) if version >= CMAKE_MINIMUM => true,
            version => {
                seen.push(format!("{} ({version:?})", path.display()));
                false
            }
        });
        let (major, minor) = CMAKE_MINIMUM;
        let cmake = cmake.unwrap_or_else(|| {
            let seen = if seen.is_empty() { "none".to_owned() } else { seen.join(", ") };
            fail(&format!("no cmake >= {major}.{minor} (found: {seen}); {INSTALL_TOOLS}"))
        });
        let ninja = all("ninja").into_iter().next();
        let ninja = ninja.unwrap_or_else(|| fail(&format!("no ninja; {INSTALL_TOOLS}")));
        Tools { cmake, ninja }
    }
}

fn cmake_version(path: &Path) -> Option<(u32, u32)> {
    let out = Command::new(path).arg("--version").output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    let mut numbers = text.split_whitespace().nth(2)?.split('.').map(|n| n.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Configures and builds the archive; returns CMake's build directory. Incremental: CMake and
/// ninja keep their state in it between runs of this script.
fn build_native(tools: &Tools, here: &Path, iree: &Path, out: &Path) -> PathBuf {
    let build = out.join("native");
    let on = |yes: bool| if yes { "ON" } else { "OFF" };
    let mut configure = Command::new(&tools.cmake);
    configure
        .arg("-S")
        .arg(here.join("native"))
        .arg("-B")
        .arg(&build)
        .args(["-G", "Ninja"])
        .arg(define("CMAKE_MAKE_PROGRAM", &tools.ninja))
        .arg(define("IREE_SRC", iree));
    for (name, value) in [
        ("CMAKE_BUILD_TYPE", "Release"),
        ("CMAKE_POSITION_INDEPENDENT_CODE", "ON"),
        ("IREE_BUILD_COMPILER", "OFF"),
        ("IREE_BUILD_PYTHON_BINDINGS", "OFF"),
        ("IREE_BUILD_TESTS", "OFF"),
        ("IREE_BUILD_BENCHMARKS", "OFF"),
        ("IREE_BUILD_SAMPLES", "OFF"),
        ("IREE_BUILD_BINDINGS_TFLITE", "OFF"),
        ("IREE_BUILD_BINDINGS_TFLITE_JAVA", "OFF"),
        ("IREE_ENABLE_LIBBACKTRACE", "OFF"),
        ("IREE_ENABLE_RUNTIME_TRACING", "OFF"),
        // Which warnings there are depends on the compiler and on the headers of the machine.
        ("IREE_ENABLE_WERROR_FLAG", "OFF"),
        ("IREE_RUNTIME_OPTIMIZATION_PROFILE", ""),
        ("IREE_HAL_DRIVER_DEFAULTS", "OFF"),
        ("IREE_HAL_DRIVER_NULL", "OFF"),
        ("IREE_HAL_DRIVER_METAL", "OFF"),
        ("IREE_HAL_DRIVER_LOCAL_SYNC", "ON"),
        ("IREE_HAL_DRIVER_LOCAL_TASK", "ON"),
        ("IREE_HAL_DRIVER_HIP", on(feature("HIP"))),
        ("IREE_HAL_DRIVER_AMDGPU", on(feature("AMDGPU"))),
        ("IREE_HAL_DRIVER_CUDA", on(feature("CUDA"))),
        ("IREE_HAL_DRIVER_VULKAN", on(feature("VULKAN"))),
    ] {
        configure.arg(define(name, Path::new(value)));
    }
    gpu_headers(&mut configure, here, out);
    run(&mut configure, "cmake could not configure it");
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "1".to_owned());
    run(
        Command::new(&tools.cmake).arg("--build").arg(&build).args([
            "--target",
            "tyto_iree_native",
            "-j",
            &jobs,
        ]),
        "it does not compile",
    );
    build
}

/// The GPU drivers need headers that IREE's source package does not have: those of AMD are an
/// install's, that of CUDA is ours.
fn gpu_headers(configure: &mut Command, here: &Path, out: &Path) {
    let amd = |variable, file| amd_headers(here, variable, file);
    if feature("HIP") {
        configure
            .arg(define("TYTO_HIP_HEADERS", &amd("TYTO_HIP_HEADERS", "hip/hip_runtime_api.h")));
    }
    if feature("AMDGPU") {
        configure.arg(define("TYTO_HSA_HEADERS", &amd("TYTO_HSA_HEADERS", "hsa/hsa_ext_amd.h")));
    }
    if feature("CUDA") {
        // The types that IREE's driver needs, which are ours (native/nvidia/include).
        configure.env("IREE_CUDA_DEPS_DIR", here.join("native/nvidia"));
        // Only the compiler uses libdevice, but IREE's configuration insists on a file.
        let empty = out.join("libdevice.empty.bc");
        std::fs::write(&empty, b"").unwrap_or_else(|e| fail(&format!("{empty:?}: {e}")));
        configure.arg(define("IREE_CUDA_LIBDEVICE_PATH", &empty));
    }
}

/// The directory that `variable` names, or the first of the usual ones that holds `file`: a ROCm
/// install's, and what tools/setup has fetched.
fn amd_headers(here: &Path, variable: &str, file: &str) -> PathBuf {
    println!("cargo:rerun-if-env-changed={variable}");
    let fetched = here.join("../../.rocm/usr/include");
    let named = env::var_os(variable).map(PathBuf::from);
    let places = match named {
        // A name is a decision: nothing else is taken in its place.
        Some(directory) => vec![directory],
        None => vec![PathBuf::from("/opt/rocm/include"), fetched],
    };
    let found = places.iter().find(|directory| directory.join(file).is_file());
    found.cloned().unwrap_or_else(|| {
        let places = places.iter().map(|place| place.display().to_string());
        fail(&format!(
            "the AMD drivers need the header {file}, which is not in {}; run tools/setup, or set \
             {variable} to the directory that holds it, or build without them \
             (--no-default-features --features compile)",
            places.collect::<Vec<_>>().join(" nor in ")
        ))
    })
}

fn define(name: &str, value: &Path) -> OsString {
    let mut text = OsString::from(format!("-D{name}="));
    text.push(value);
    text
}

/// Runs a command; its output is shown by cargo only if it fails.
fn run(command: &mut Command, failure: &str) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("{failure} ({status}); its output is above")),
        Err(e) => fail(&format!("{command:?} did not start: {e}")),
    }
}

fn generate_bindings(here: &Path, iree: &Path, build: &Path, out: &Path) {
    println!("cargo:rerun-if-env-changed=LIBCLANG_PATH");
    if std::panic::catch_unwind(bindgen::clang_version).is_err() {
        fail(
            "libclang was not found; run tools/setup, or install clang-22 and set LIBCLANG_PATH \
             to the directory that holds libclang*.so",
        );
    }
    let includes = [
        iree.join("runtime/src"),
        build.join("iree/runtime/src"),
        iree.join("third_party/flatcc/include"),
        here.to_owned(),
    ];
    let allocator = "IREE_ALLOCATOR_SYSTEM_CTL";
    let allocator_value = "iree_allocator_libc_ctl";
    bindgen::Builder::default()
        .header(here.join("native/api.h").display().to_string())
        .clang_args(includes.iter().map(|i| format!("-I{}", i.display())))
        .clang_arg(format!("-D{allocator}={allocator_value}"))
        .clang_args((feature("AMDGPU") || feature("HIP")).then_some("-DTYTO_AMD"))
        .allowlist_type("iree_.*")
        .allowlist_function("(iree|tyto)_.*")
        .allowlist_var("(iree_|IREE_).*")
        // Much of the API is inline functions; wrappers make them callable.
        .wrap_static_fns(true)
        .wrap_static_fns_path(out.join("inline_wrappers"))
        .derive_default(true)
        .size_t_is_usize(true)
        .layout_tests(false)
        .generate_comments(false)
        .generate()
        .unwrap_or_else(|e| fail(&format!("bindgen failed: {e}")))
        .write_to_file(out.join("bindings.rs"))
        .unwrap_or_else(|e| fail(&format!("bindings.rs cannot be written: {e}")));
    cc::Build::new()
        .file(out.join("inline_wrappers.c"))
        .includes(&includes)
        .define(allocator, allocator_value)
        .warnings(false)
        .compile("tyto_iree_inline");
}

fn link(build: &Path) {
    let flatcc = build.join("iree/build_tools/third_party/flatcc");
    println!("cargo:rustc-link-search=native={}", build.display());
    println!("cargo:rustc-link-search=native={}", flatcc.display());
    println!("cargo:rustc-link-lib=static=tyto_iree_native");
    println!("cargo:rustc-link-lib=static=flatcc_parsing");
    for library in ["m", "dl", "pthread"] {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
}
