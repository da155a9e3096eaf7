//! IREE's compiler, in this process.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use eerie::compiler::{self as iree, CompilerError, MemBufferOutput, Pipeline};

use crate::{Error, find};

/// IREE's compiler library, loaded. One library can be loaded in a process; further handles
/// share it. Compilations are independent of each other and may run in several threads; each
/// uses several processors for a part of its time only.
#[derive(Debug, Clone)]
pub struct Compiler(iree::Compiler);

/// Which compiler it is; belongs into a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilerVersion {
    /// Version of its embedding interface: major, minor.
    pub api: (u16, u16),
    /// Release and source revision, as the library says it.
    pub revision: String,
}

/// The first thing compiled for a set of backends: one op, so that code is generated.
const SMALL_MODULE: &str = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.add %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}";

/// Stages of compilation at which [`Compiler::lower`] can stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// StableHLO has been converted.
    Input,
    /// Arguments and results have their final form.
    Abi,
    /// Work is cut into dispatches.
    Flow,
    /// Memory and order are explicit: copies and waits can be seen here.
    Stream,
    /// Everything is about devices.
    Hal,
    /// The host's part is bytecode operations.
    Vm,
}

impl Compiler {
    /// Finds and loads the library.
    ///
    /// A path given here, or else in `TYTO_IREE_COMPILER`, is taken as it is: the file, or its
    /// directory. Without one, these are tried: `../lib` beside the executable; `$VIRTUAL_ENV`;
    /// `.venv` in the working directory and in each directory above the executable. The error
    /// lists what was tried and the command that installs the library.
    pub fn find(explicit: Option<&Path>) -> Result<Compiler, Error> {
        let path = find::library(explicit)?;
        iree::Compiler::with_library(&path)
            .map(Compiler)
            .map_err(|e| Error::CompilerLoad { path, message: e.to_string() })
    }

    /// Where the library was found.
    pub fn library(&self) -> &Path {
        self.0.library_path()
    }

    /// Which compiler it is.
    pub fn version(&self) -> Result<CompilerVersion, Error> {
        let revision = self.0.get_revision().map_err(refused)?;
        Ok(CompilerVersion { api: self.0.api_version(), revision })
    }

    /// Compiles a module of StableHLO (MLIR text or bytecode) to code for
    /// `Program::load`. Flags are those of IREE's command line and hold for this
    /// compilation only. The error has all diagnostics.
    pub fn compile(&self, source: &[u8], flags: &[String]) -> Result<Vec<u8>, Error> {
        self.run(source, flags, None)
    }

    /// Compiles up to a phase and returns the program there as MLIR text, for inspection.
    pub fn lower(&self, source: &[u8], flags: &[String], phase: Phase) -> Result<String, Error> {
        let text = self.run(source, flags, Some(phase))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Compiles a program as [`Compiler::lower`] gave it at `phase`, with the same flags.
    pub fn compile_from(
        &self,
        phase: Phase,
        source: &[u8],
        flags: &[String],
    ) -> Result<Vec<u8>, Error> {
        let _turn = self.turn(flags);
        self.run_now(source, flags, Some(phase), None)
    }

    /// Checks that a module is valid StableHLO that IREE can take in: it is parsed with all
    /// verifiers on, and converted.
    pub fn verify(&self, source: &[u8]) -> Result<(), Error> {
        self.lower(source, &[], Phase::Input).map(|_| ())
    }

    fn run(&self, source: &[u8], flags: &[String], stop: Option<Phase>) -> Result<Vec<u8>, Error> {
        let _turn = self.turn(flags);
        self.run_now(source, flags, None, stop)
    }

    /// Permission to compile beside other compilations.
    ///
    /// The library registers what a set of target backends needs when it is first used for
    /// them, without a lock: two first compilations at once crash in it. So the first one for
    /// each set is a small module that nothing runs beside.
    fn turn(&self, flags: &[String]) -> RwLockReadGuard<'static, BTreeSet<String>> {
        static READY: RwLock<BTreeSet<String>> = RwLock::new(BTreeSet::new());
        let backends: Vec<&str> = (flags.iter().map(String::as_str))
            .filter(|flag| flag.starts_with("--iree-hal-target-"))
            .collect();
        let backends = backends.join(" ");
        if !READY.read().unwrap_or_else(PoisonError::into_inner).contains(&backends) {
            let mut ready = READY.write().unwrap_or_else(PoisonError::into_inner);
            if !ready.contains(&backends) {
                // With wrong or no backends it fails, as the caller's own compilation will:
                // that one tells.
                let _ = self.run_now(SMALL_MODULE.as_bytes(), flags, None, None);
                ready.insert(backends);
            }
        }
        READY.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_now(
        &self,
        source: &[u8],
        flags: &[String],
        start: Option<Phase>,
        stop: Option<Phase>,
    ) -> Result<Vec<u8>, Error> {
        let mut session = self.0.create_session();
        session.set_flags(flags.to_vec()).map_err(refused)?;
        let source = session.create_source_from_buf(source).map_err(refused)?;
        let mut invocation = session.create_invocation();
        invocation.parse_source(source).map_err(refused)?.set_verify_ir(true);
        if let Some(phase) = start {
            invocation.set_compile_from_phase(phase.name()).map_err(refused)?;
        }
        if let Some(phase) = stop {
            invocation.set_compile_to_phase(phase.name()).map_err(refused)?;
        }
        invocation.pipeline(Pipeline::Std).map_err(refused)?;
        let mut output = MemBufferOutput::new(&self.0).map_err(refused)?;
        match stop {
            Some(_) => invocation.output_ir(&mut output),
            None => invocation.output_vm_byte_code(&mut output),
        }
        .map_err(refused)?;
        Ok(output.map_memory().map_err(refused)?.to_vec())
    }
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Input => "input",
            Phase::Abi => "abi",
            Phase::Flow => "flow",
            Phase::Stream => "stream",
            Phase::Hal => "hal",
            Phase::Vm => "vm",
        }
    }
}

fn refused(error: CompilerError) -> Error {
    let diagnostics = match error {
        CompilerError::IREECompilerDiagnosticsError(diagnostics) => diagnostics.to_string(),
        CompilerError::IREECompilerError(error, diagnostics) => format!("{error}\n{diagnostics}"),
        other => other.to_string(),
    };
    Error::Compile { diagnostics: diagnostics.trim_end().to_owned() }
}
