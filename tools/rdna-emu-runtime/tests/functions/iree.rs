//! IREE's compiler and its runner of functions, as `tools/setup` installs them.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use super::{Family, Function};

/// What functions are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// gfx1151, for IREE's hip driver.
    Gpu,
    /// The reference: any x86-64 machine.
    Cpu,
}

impl Target {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Target::Gpu => &["--iree-hal-target-device=hip", "--iree-rocm-target=gfx1151"],
            // IREE's own linker misses a function that rounds to bf16, which the system's has.
            Target::Cpu => &[
                "--iree-hal-target-device=local",
                "--iree-hal-local-target-device-backends=llvm-cpu",
                "--iree-llvmcpu-target-cpu=generic",
                "--iree-llvmcpu-link-embedded=false",
            ],
        }
    }
}

/// The programs.
#[derive(Debug)]
pub struct Iree {
    compiler: PathBuf,
    runner: PathBuf,
}

/// The installed programs. Panics, and says what to do, where they are missing: these tests are never skipped.
pub fn iree() -> &'static Iree {
    static FOUND: OnceLock<Iree> = OnceLock::new();
    FOUND.get_or_init(|| Iree {
        compiler: program("compiler/_mlir_libs/iree-compile"),
        runner: program("_runtime_libs/iree-run-module"),
    })
}

/// A program inside of IREE's Python packages: the scripts in .venv/bin would start Python for each run.
fn program(name: &str) -> PathBuf {
    let libraries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/lib");
    let pythons = fs::read_dir(&libraries).into_iter().flatten().flatten();
    let mut paths = pythons.map(|python| python.path().join("site-packages/iree").join(name));
    paths.find(|path| path.is_file()).unwrap_or_else(|| {
        panic!("no {name} in {}: run tools/setup, which installs IREE", libraries.display())
    })
}

/// A compiled family.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The module that the runner takes.
    pub module: PathBuf,
    /// The code object, where it is for the GPU.
    pub code_object: Option<PathBuf>,
}

impl Iree {
    /// Compiles a family, once for each text, target and compiler: the results are kept beside the build.
    pub fn compile(&self, family: &Family, target: Target) -> Compiled {
        let text = family.text();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.key(&text, target));
        let code_object = |folder: &Path| (target == Target::Gpu).then(|| only_code_object(folder));
        if !folder.join("module.vmfb").is_file() {
            let unfinished = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"));
            let unfinished =
                unfinished.expect("the build's temporary folder can be written").keep();
            self.compile_into(&unfinished, &text, family.name, target);
            // Another test may have been quicker; its results are the same.
            if fs::rename(&unfinished, &folder).is_err() {
                let _ = fs::remove_dir_all(&unfinished);
            }
        }
        Compiled { module: folder.join("module.vmfb"), code_object: code_object(&folder) }
    }

    fn key(&self, text: &str, target: Target) -> String {
        let compiler = fs::metadata(&self.compiler).expect("the compiler was found");
        let mut hasher = DefaultHasher::new();
        (text, target, compiler.len()).hash(&mut hasher);
        target.arguments().hash(&mut hasher);
        format!("functions-{:016x}", hasher.finish())
    }

    fn compile_into(&self, folder: &Path, text: &str, name: &str, target: Target) {
        let source = folder.join(format!("{name}.mlir"));
        fs::write(&source, text).expect("the build's temporary folder can be written");
        let output = Command::new(&self.compiler)
            .arg(&source)
            .arg("-o")
            .arg(folder.join("module.vmfb"))
            .arg(format!("--iree-hal-dump-executable-binaries-to={}", folder.display()))
            .args(["--iree-input-type=stablehlo", "--iree-opt-const-eval=false"])
            .args(target.arguments())
            .output()
            .expect("iree-compile runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        // After the errors comes the whole program, in which nobody finds them.
        let errors: Vec<&str> = errors.lines().filter(|line| line.contains("error:")).collect();
        assert!(output.status.success(), "iree-compile {}: {errors:#?}", source.display());
    }

    /// Runs a function on a device with those environment variables. Returns the outputs' bytes and what was printed,
    /// or what went wrong.
    pub fn run(
        &self,
        module: &Path,
        function: &Function,
        device: &str,
        environment: &[(&str, &str)],
        options: &[&str],
    ) -> Result<Vec<Vec<u8>>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let output_path = |index: usize| folder.path().join(format!("output{index}.bin"));
        // A run that waits for ever must not keep the tests.
        let mut command = Command::new("timeout");
        command.arg("300").arg(&self.runner);
        command.arg(format!("--module={}", module.display()));
        command.args([&format!("--device={device}"), &format!("--function={}", function.name)]);
        for (index, tensor) in function.inputs.iter().enumerate() {
            let path = folder.path().join(format!("input{index}.bin"));
            fs::write(&path, function.input(index)).expect("the temporary folder can be written");
            command.arg(format!("--input={}=@{}", tensor.text(), path.display()));
        }
        for index in 0..function.outputs.len() {
            command.arg(format!("--output=@{}", output_path(index).display()));
        }
        let output = command.args(options).envs(environment.iter().copied()).output();
        let output = output.expect("iree-run-module runs");
        if !output.status.success() {
            return Err(failure(&output));
        }
        let read = |index| fs::read(output_path(index)).map_err(|error| error.to_string());
        (0..function.outputs.len()).map(read).collect()
    }
}

/// A failed run's messages.
fn failure(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    format!("{}: {}", output.status, errors.trim())
}

fn only_code_object(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder).expect("the compiler's folder can be read").flatten();
    let mut objects = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hsaco"));
    let object = objects.next().expect("iree-compile writes the code object");
    assert!(objects.next().is_none(), "a family has one code object");
    object
}
