//! Code loaded onto a device.

use std::ptr::null_mut;
use std::sync::Arc;

use memmap2::MmapMut;
use tyto_iree_runtime_sys as sys;

use crate::call::Function;
use crate::handle::{Context, Module};
use crate::runtime::RuntimeInner;
use crate::status::{check, host_allocator, text};
use crate::{Error, FunctionInfo, MappedFile, Parameters, Runtime};

/// Compiled code, in memory or in a mapped file.
#[derive(Debug)]
pub enum Code {
    /// Bytes in memory.
    Owned(Vec<u8>),
    /// A whole mapped file, used where it is.
    Mapped(MappedFile),
}

impl From<Vec<u8>> for Code {
    fn from(bytes: Vec<u8>) -> Code {
        Code::Owned(bytes)
    }
}

impl From<MappedFile> for Code {
    fn from(file: MappedFile) -> Code {
        Code::Mapped(file)
    }
}

/// One or more modules of code in one context, with their parameters loaded. Modules can call
/// each other's functions by their full names. Clones share it.
#[derive(Debug, Clone)]
pub struct Program(Arc<ProgramInner>);

/// Fields drop from top to bottom: the context before the code that it points into.
#[derive(Debug)]
pub(crate) struct ProgramInner {
    pub(crate) context: Context,
    functions: Vec<FunctionInfo>,
    modules: Vec<Module>,
    /// Before the device, in whose memory they may be kept.
    parameters: Vec<Parameters>,
    pub(crate) runtime: Arc<RuntimeInner>,
    code: Arc<[AlignedCode]>,
}

// SAFETY: the function records point into modules that this owns and never change; contexts are
// used under the runtime's lock only (access.rs).
unsafe impl Send for ProgramInner {}
// SAFETY: as above.
unsafe impl Sync for ProgramInner {}

impl Program {
    /// Loads code. Later modules may import from earlier ones. Every parameter that the code
    /// declares must be in one of the scopes; the error names one that is not. Runs the
    /// modules' initializers, which is where parameters are packed if they were compiled so.
    pub fn load(
        runtime: &Runtime,
        code: impl IntoIterator<Item = Code>,
        parameters: &[Parameters],
    ) -> Result<Program, Error> {
        let code = code.into_iter().map(AlignedCode::new).collect::<Result<_, _>>()?;
        Self::load_code(runtime, code, parameters)
    }

    /// The same program on the same GPU [opened anew](Runtime::reopened). [Kept
    /// parameters](Parameters::kept) stay where they are; others are loaded again.
    pub fn on(&self, reopened: &Runtime) -> Result<Program, Error> {
        self.0.runtime.keep_for_ever();
        Self::load_code(reopened, self.0.code.clone(), &self.0.parameters)
    }

    fn load_code(
        runtime: &Runtime,
        code: Arc<[AlignedCode]>,
        parameters: &[Parameters],
    ) -> Result<Program, Error> {
        let mut modules = vec![hal_module(runtime)?, parameters_module(runtime, parameters)?];
        let first = modules.len();
        for code in &*code {
            modules.push(bytecode_module(runtime, code)?);
        }
        // One call at a time on a runtime; initializers are calls.
        let mut state = runtime.0.access.begin_call()?;
        let context = context(runtime, &modules);
        if context.is_err() {
            runtime.0.access.abandon(&mut state)?;
        }
        drop(state);
        let context = context?;
        let mut functions = Vec::new();
        for module in &modules[first..] {
            functions.extend(exports(module)?);
        }
        let (runtime, parameters) = (runtime.0.clone(), parameters.to_vec());
        let inner = ProgramInner { context, functions, modules, parameters, runtime, code };
        Ok(Program(Arc::new(inner)))
    }

    /// All functions that can be called.
    pub fn functions(&self) -> &[FunctionInfo] {
        &self.0.functions
    }

    /// Names of the loaded modules, in order of loading.
    pub fn modules(&self) -> Vec<String> {
        // SAFETY: the modules are live.
        let name = |m: &Module| unsafe { text(sys::iree_vm_module_name(m.raw())) };
        self.0.modules.iter().skip(2).map(name).collect()
    }

    /// The function with the full name `module.function`.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        match self.0.functions.iter().find(|f| f.name == name) {
            Some(info) => Ok(Function::new(self.0.clone(), info.clone())),
            None => {
                let available = self.0.functions.iter().map(|f| f.name.clone()).collect();
                Err(Error::NoFunction { name: name.to_owned(), available })
            }
        }
    }
}

/// Code at an address that IREE accepts for constants used in place.
#[derive(Debug)]
enum AlignedCode {
    Owned(Vec<u8>),
    Copied(MmapMut),
    Mapped(MappedFile),
}

impl AlignedCode {
    const ALIGNMENT: usize = 64;

    fn new(code: Code) -> Result<AlignedCode, Error> {
        match code {
            Code::Mapped(file) => Ok(AlignedCode::Mapped(file)),
            Code::Owned(bytes) if (bytes.as_ptr() as usize).is_multiple_of(Self::ALIGNMENT) => {
                Ok(AlignedCode::Owned(bytes))
            }
            Code::Owned(bytes) => {
                let failed = |source| Error::Map { path: "memory".into(), source };
                let mut pages = MmapMut::map_anon(bytes.len().max(1)).map_err(failed)?;
                pages[..bytes.len()].copy_from_slice(&bytes);
                Ok(AlignedCode::Copied(pages))
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            AlignedCode::Owned(bytes) => bytes,
            AlignedCode::Copied(pages) => pages,
            AlignedCode::Mapped(file) => file,
        }
    }
}

fn hal_module(runtime: &Runtime) -> Result<Module, Error> {
    let mut raw = null_mut();
    // SAFETY: instance and group are live; the module retains them.
    let status = unsafe {
        sys::iree_hal_module_create(
            runtime.0.instance.raw(),
            sys::iree_hal_module_device_policy_default(),
            runtime.0.group.raw(),
            sys::iree_hal_module_flag_bits_t_IREE_HAL_MODULE_FLAG_NONE
                as sys::iree_hal_module_flags_t,
            sys::iree_hal_module_debug_sink_null(),
            host_allocator(),
            &mut raw,
        )
    };
    check(status, || "creating the device module".to_owned())?;
    Ok(Module::from_raw(raw))
}

fn parameters_module(runtime: &Runtime, parameters: &[Parameters]) -> Result<Module, Error> {
    let providers: Vec<_> = parameters.iter().map(|p| p.provider.raw()).collect();
    let mut raw = null_mut();
    // SAFETY: the providers are live; the module retains them.
    let status = unsafe {
        sys::iree_io_parameters_module_create(
            runtime.0.instance.raw(),
            providers.len(),
            providers.as_ptr(),
            host_allocator(),
            &mut raw,
        )
    };
    check(status, || "creating the parameters module".to_owned())?;
    Ok(Module::from_raw(raw))
}

fn bytecode_module(runtime: &Runtime, code: &AlignedCode) -> Result<Module, Error> {
    let bytes = code.bytes();
    let span = sys::iree_const_byte_span_t { data: bytes.as_ptr(), data_length: bytes.len() };
    let mut raw = null_mut();
    // SAFETY: the bytes outlive the module: the program owns both and drops the code last, and
    // buffers that may lie in it hold the program.
    let status = unsafe {
        sys::iree_vm_bytecode_module_create(
            runtime.0.instance.raw(),
            0,
            span,
            sys::iree_allocator_null(),
            host_allocator(),
            &mut raw,
        )
    };
    check(status, || format!("reading {} bytes of compiled code", bytes.len()))?;
    Ok(Module::from_raw(raw))
}

fn context(runtime: &Runtime, modules: &[Module]) -> Result<Context, Error> {
    let mut modules: Vec<_> = modules.iter().map(Module::raw).collect();
    let mut raw = null_mut();
    // SAFETY: all handles are live; the context retains the modules.
    let status = unsafe {
        sys::iree_vm_context_create_with_modules(
            runtime.0.instance.raw(),
            0,
            modules.len(),
            modules.as_mut_ptr(),
            host_allocator(),
            &mut raw,
        )
    };
    check(status, || "loading a program".to_owned())?;
    Ok(Context::from_raw(raw))
}

/// The functions that a module exports, except those that IREE makes for itself.
fn exports(module: &Module) -> Result<Vec<FunctionInfo>, Error> {
    // SAFETY: the module is live.
    let (module_name, count) = unsafe {
        let signature = sys::iree_vm_module_signature(module.raw());
        (text(sys::iree_vm_module_name(module.raw())), signature.export_function_count)
    };
    let mut functions = Vec::new();
    for ordinal in 0..count {
        let mut raw = sys::iree_vm_function_t::default();
        let export = sys::iree_vm_function_linkage_e_IREE_VM_FUNCTION_LINKAGE_EXPORT;
        // SAFETY: the module is live and the ordinal in range.
        let status = unsafe {
            sys::iree_vm_module_lookup_function_by_ordinal(module.raw(), export, ordinal, &mut raw)
        };
        check(status, || format!("listing function {ordinal} of {module_name}"))?;
        let info = FunctionInfo::new(&module_name, raw)?;
        if !info.name.contains(".__") {
            functions.push(info);
        }
    }
    Ok(functions)
}
