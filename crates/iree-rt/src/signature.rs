//! What a function takes and returns.

use tyto_iree_runtime_sys as sys;

use crate::Error;
use crate::status::{text, view};

/// A function's name and signature.
#[derive(Debug, Clone)]
pub struct FunctionInfo {
    /// Full name, `module.function`.
    pub name: String,
    /// Number of arguments, without the fences of asynchronous functions.
    pub arguments: usize,
    /// Number of results.
    pub results: usize,
    /// Whether [`Function::start`] returns before the work is done.
    pub asynchronous: bool,
    /// The signature in the source's types, where the compiler has kept it.
    pub declaration: Option<String>,
    pub(crate) argument_kinds: Box<[Kind]>,
    pub(crate) result_kinds: Box<[Kind]>,
    pub(crate) raw: sys::iree_vm_function_t,
}

// SAFETY: the raw record is a plain pointer to a module and an index in it; it is only used
// through a `Function`, which owns the module's program.
unsafe impl Send for FunctionInfo {}
// SAFETY: as above.
unsafe impl Sync for FunctionInfo {}

/// What the calling convention says about one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Buffer,
    I32,
    I64,
    F32,
    F64,
}

impl FunctionInfo {
    /// Reads the signature of a function of the module with that name.
    pub(crate) fn new(module: &str, raw: sys::iree_vm_function_t) -> Result<FunctionInfo, Error> {
        // SAFETY: the function's module is live; texts are copied.
        let (name, convention, model, declaration) = unsafe {
            (
                format!("{module}.{}", text(sys::iree_vm_function_name(&raw))),
                text(sys::iree_vm_function_signature(&raw).calling_convention),
                text(sys::iree_vm_function_lookup_attr_by_name(&raw, view("iree.abi.model"))),
                text(sys::iree_vm_function_lookup_attr_by_name(&raw, view("iree.abi.declaration"))),
            )
        };
        // "0" version, arguments, "_", results.
        let (arguments, results) = convention
            .strip_prefix('0')
            .unwrap_or("")
            .split_once('_')
            .unwrap_or((convention.strip_prefix('0').unwrap_or(""), ""));
        let mut argument_kinds = Kind::read(arguments);
        let result_kinds = Kind::read(results);
        let asynchronous = model == "coarse-fences" && argument_kinds.len() >= 2;
        if asynchronous {
            argument_kinds.truncate(argument_kinds.len() - 2);
        }
        Ok(FunctionInfo {
            name,
            arguments: argument_kinds.len(),
            results: result_kinds.len(),
            asynchronous,
            declaration: (!declaration.is_empty()).then_some(declaration),
            argument_kinds: argument_kinds.into(),
            result_kinds: result_kinds.into(),
            raw,
        })
    }
}

impl Kind {
    fn read(fragment: &str) -> Vec<Kind> {
        let kind = |c| match c {
            'r' => Some(Kind::Buffer),
            'i' => Some(Kind::I32),
            'I' => Some(Kind::I64),
            'f' => Some(Kind::F32),
            'F' => Some(Kind::F64),
            _ => None, // 'v': nothing
        };
        fragment.chars().filter_map(kind).collect()
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Buffer => "a buffer",
            Kind::I32 => "an i32",
            Kind::I64 => "an i64",
            Kind::F32 => "an f32",
            Kind::F64 => "an f64",
        }
    }
}
