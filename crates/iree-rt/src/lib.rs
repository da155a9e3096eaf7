//! Safe IREE: the compiler, and the runtime's devices, buffers, programs and parameters.
//!
//! Two halves, each behind a cargo feature and usable without the other:
//!
//! * `compiler`: [`Compiler`] turns StableHLO into code bytes, through IREE's compiler
//!   library, which is loaded at run time.
//! * `runtime` (on by default): [`Runtime`] owns a device; [`Program`] is code loaded onto it
//!   with its [`Parameters`]; [`Function`] runs over [`Buffer`]s.
//!
//! **Boundary:** no IREE name, pointer or status leaves this crate.
//!
//! **Order and safety:** everything started on one [`Runtime`] runs in the order in which it
//! was started. Host access to a buffer waits for all of it, and excludes what would alias; so
//! no caller can read what a device is still writing.

mod error;
mod exit;

#[cfg(feature = "compiler")]
mod compiler;
#[cfg(feature = "compiler")]
mod find;

#[cfg(feature = "runtime")]
mod access;
#[cfg(feature = "runtime")]
mod buffer;
#[cfg(feature = "runtime")]
mod call;
#[cfg(feature = "runtime")]
mod devices;
#[cfg(feature = "runtime")]
mod element;
#[cfg(feature = "runtime")]
mod gpu;
#[cfg(feature = "runtime")]
mod handle;
#[cfg(feature = "runtime")]
mod in_place;
#[cfg(feature = "runtime")]
mod kept;
#[cfg(feature = "runtime")]
mod mapped;
#[cfg(feature = "runtime")]
mod memory;
#[cfg(feature = "runtime")]
mod parameters;
#[cfg(feature = "runtime")]
mod program;
#[cfg(feature = "runtime")]
mod provider;
#[cfg(feature = "runtime")]
mod runtime;
#[cfg(feature = "runtime")]
mod signature;
#[cfg(feature = "runtime")]
mod status;

#[cfg(feature = "compiler")]
pub use compiler::{Compiler, CompilerVersion, Phase};
pub use error::{Error, StatusCode};
pub use exit::exit_without_destructors;

#[cfg(feature = "runtime")]
pub use {
    buffer::Buffer,
    call::{Argument, Fence, Function, Value},
    devices::usable_cores,
    element::{Element, ElementType},
    gpu::device_names,
    mapped::MappedFile,
    parameters::{PARAMETER_ALIGNMENT, ParameterEntry, Parameters},
    program::{Code, Program},
    runtime::{Driver, Runtime, RuntimeOptions, Statistics},
    signature::FunctionInfo,
};
