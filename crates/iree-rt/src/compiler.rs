//! IREE's compiler, in this process.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use eerie::compiler::{self as iree, CompilerError, MemBufferOutput, Pipeline};

use crate::{Error, find};

/// IREE's compiler library, loaded. One library can be loaded in a process; further handles
/// share it. Compilations are independent of each other; those of several threads take turns,
/// and each uses all processors by itself.
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

    /// Checks that a module is valid StableHLO that IREE can take in: it is parsed with all
    /// verifiers on, and converted.
    pub fn verify(&self, source: &[u8]) -> Result<(), Error> {
        self.lower(source, &[], Phase::Input).map(|_| ())
    }

    fn run(&self, source: &[u8], flags: &[String], stop: Option<Phase>) -> Result<Vec<u8>, Error> {
        // The library registers LLVM's targets when first used, without a lock: two first
        // compilations at once crash in it.
        static COMPILING: Mutex<()> = Mutex::new(());
        let _turn = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut session = self.0.create_session();
        session.set_flags(flags.to_vec()).map_err(refused)?;
        let source = session.create_source_from_buf(source).map_err(refused)?;
        let mut invocation = session.create_invocation();
        invocation.parse_source(source).map_err(refused)?.set_verify_ir(true);
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
