//! What checks share: the artifact, the device, and this binary run again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::args::VerifyArgs;
use crate::error::Error;

/// How long one run of the binary may take: compiling, or an emulator's answers.
const LIMIT: Duration = Duration::from_secs(600);

/// Between two looks at a run.
const INTERVAL: Duration = Duration::from_millis(20);

/// The state of a verification. Its directory is removed when it is dropped.
pub(crate) struct Work {
    /// `amdgpu` or `hip`.
    pub(crate) device: &'static str,
    /// The artifact that runs; `None` until it is compiled.
    pub(crate) artifact: Option<PathBuf>,
    /// Whether faults may be tried on a real GPU.
    pub(crate) drill: bool,
    /// What `doctor` says.
    pub(crate) machine: Value,
    /// Whether the artifact is the user's.
    pub(crate) is_given: bool,
    root: PathBuf,
    directory: PathBuf,
    runs: usize,
}

/// A run of the binary that has ended.
pub(crate) struct Ran {
    /// Its exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Its standard output.
    pub(crate) output: String,
    /// Its standard error.
    pub(crate) errors: String,
}

impl Work {
    /// In a new directory of its own.
    pub(crate) fn begin(device: &'static str, args: &VerifyArgs) -> Result<Self, Error> {
        let name = format!("tyto-verify-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir(&directory)
            .map_err(|error| Error::user(format!("{}: {error}", directory.display())))?;
        Ok(Self {
            device,
            artifact: args.model.clone(),
            is_given: args.model.is_some(),
            drill: args.drill,
            machine: Value::Null,
            root: args.system.system_root.clone(),
            directory,
            runs: 0,
        })
    }

    /// A directory for files of checks.
    #[cfg(feature = "compile")]
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Runs the binary with these arguments and variables to its end. The error says that it could
    /// not be started, or did not end.
    pub(crate) fn tyto(
        &mut self,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Ran, String> {
        self.runs += 1;
        let file = |kind: &str| self.directory.join(format!("{}.{kind}", self.runs));
        let (out, err) = (file("out"), file("err"));
        let failed =
            |error: std::io::Error| format!("running tyto {}: {error}", arguments.join(" "));
        let mut child = Command::new(std::env::current_exe().map_err(failed)?)
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(failed)?)
            .stderr(File::create(&err).map_err(failed)?)
            .spawn()
            .map_err(failed)?;
        let end = Instant::now() + LIMIT;
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None if Instant::now() < end => std::thread::sleep(INTERVAL),
                None => {
                    // It may end by itself just now.
                    let _ = child.kill().and_then(|()| child.wait());
                    let seconds = LIMIT.as_secs();
                    let command = arguments.join(" ");
                    return Err(format!("tyto {command} did not end within {seconds} s"));
                }
            }
        };
        let read = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let (output, errors) = (read(out).map_err(failed)?, read(err).map_err(failed)?);
        Ok(Ran { code: status.code(), output, errors })
    }

    /// The answer of the artifact to a fixed prompt on a device.
    pub(crate) fn answer(
        &mut self,
        device: &str,
        tokens: &str,
        variables: &[(&str, &str)],
    ) -> Result<Ran, String> {
        let artifact = self.artifact.clone().ok_or("there is no artifact to run")?;
        self.answer_of(&artifact, device, tokens, variables)
    }

    /// The same of another artifact.
    pub(crate) fn answer_of(
        &mut self,
        artifact: &Path,
        device: &str,
        tokens: &str,
        variables: &[(&str, &str)],
    ) -> Result<Ran, String> {
        let (artifact, root) = (artifact.display().to_string(), self.root.display().to_string());
        let mut arguments = vec!["run", &artifact, "--prompt", "hello there", "-n", tokens];
        arguments.extend(["--temperature", "0", "--quiet", "--device", device]);
        arguments.extend(["--load-timeout", "60", "--system-root", &root]);
        self.tyto(&arguments, variables)
    }

    /// `doctor`'s report, kept for the report of this command.
    pub(crate) fn doctor(&mut self) -> Result<(), String> {
        let root = self.root.display().to_string();
        let ran = self.tyto(&["doctor", "--json", "--system-root", &root], &[])?;
        self.machine = serde_json::from_str(&ran.output).map_err(|error| {
            format!("tyto doctor --json gives no JSON: {error}: {}", ran.errors)
        })?;
        Ok(())
    }

    /// Whether the driver's library is an emulator: it shows a GPU that the kernel does not have.
    pub(crate) fn is_emulated(&self) -> bool {
        let gpus = self.machine.pointer("/amd/gpus").and_then(Value::as_array);
        gpus.is_some_and(Vec::is_empty)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.directory) {
            tracing::debug!(%error, "the directory of the verification stays");
        }
    }
}

impl Ran {
    /// The output of a run that succeeded; the error has its message.
    pub(crate) fn ok(self) -> Result<String, String> {
        match self.code {
            Some(0) => Ok(self.output),
            code => Err(format!("{}: {}", ended(code), self.errors.trim())),
        }
    }
}

/// A code in words.
pub(crate) fn ended(code: Option<i32>) -> String {
    code.map_or_else(|| "a signal ended it".to_owned(), |code| format!("exit code {code}"))
}
