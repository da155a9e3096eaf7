//! What can go wrong, in words that name the thing and the remedy.

use std::path::PathBuf;

/// Any failure of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// IREE refused or failed. `message` is its full text.
    #[error("{action}: {code:?}: {message}")]
    Status {
        /// What was being done, with names.
        action: String,
        /// IREE's status code.
        code: StatusCode,
        /// IREE's own text, unabridged.
        message: String,
    },

    /// The library that a GPU driver loads is nowhere, or lacks a function.
    #[error(
        "the driver {driver} needs {library} of {of}, which does not load here; install {of}, or set \
         {variable} to {place}"
    )]
    DriverLibrary {
        /// The driver.
        driver: &'static str,
        /// The library's file name.
        library: &'static str,
        /// What has the library.
        of: &'static str,
        /// The variable that says where it is.
        variable: &'static str,
        /// What the variable holds.
        place: &'static str,
    },

    /// A file could not be opened or mapped.
    #[error("{path}: cannot be mapped: {source}")]
    Map {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },

    /// A range that is not inside its file.
    #[error(
        "{path}: {name}: bytes {offset}..{offset}+{length} are outside the file of {file_length} bytes"
    )]
    OutsideFile {
        /// The file.
        path: PathBuf,
        /// The parameter, or what the range is for.
        name: String,
        /// First byte of the range.
        offset: u64,
        /// Bytes in the range.
        length: u64,
        /// Bytes in the file.
        file_length: u64,
    },

    /// A parameter that could not be used without a copy.
    #[error(
        "{path}: parameter {name}: offset {offset} is not a multiple of {alignment}; \
         write the file with aligned offsets"
    )]
    Misaligned {
        /// The file.
        path: PathBuf,
        /// The parameter.
        name: String,
        /// Its offset in the file.
        offset: u64,
        /// The alignment that zero-copy use needs.
        alignment: u64,
    },

    /// The same parameter name twice in one scope.
    #[error("parameter {scope}::{name} is given twice")]
    DuplicateParameter {
        /// The scope.
        scope: String,
        /// The name.
        name: String,
    },

    /// No such function in the program.
    #[error("the program has no function {name}; it has: {}", available.join(", "))]
    NoFunction {
        /// The name asked for.
        name: String,
        /// The functions that exist.
        available: Vec<String>,
    },

    /// A call with the wrong number of arguments.
    #[error("{function} takes {expected} arguments, found {found}")]
    ArgumentCount {
        /// The function.
        function: String,
        /// How many it takes.
        expected: usize,
        /// How many were given.
        found: usize,
    },

    /// A call with an argument of the wrong kind.
    #[error("{function}: argument {index}: expected {expected}, found {found}")]
    ArgumentKind {
        /// The function.
        function: String,
        /// Position of the argument, from 0.
        index: usize,
        /// The kind that the function takes.
        expected: &'static str,
        /// The kind that was given.
        found: &'static str,
    },

    /// `start` on a function that was compiled to block.
    #[error("{function} was not compiled for asynchronous calls; use call")]
    NotAsynchronous {
        /// The function.
        function: String,
    },

    /// Data whose size does not fit the shape.
    #[error("a {element_type} buffer of shape {shape:?} has {expected} bytes, found {found}")]
    ByteLength {
        /// The element type.
        element_type: &'static str,
        /// The shape.
        shape: Vec<usize>,
        /// Bytes of a buffer of that shape.
        expected: usize,
        /// Bytes given.
        found: usize,
    },

    /// A shape whose size in bytes is not a whole number, or does not fit in memory.
    #[error("shape {shape:?} of {element_type} has no size in bytes")]
    Shape {
        /// The element type.
        element_type: &'static str,
        /// The shape.
        shape: Vec<usize>,
    },

    /// A read or write outside a buffer.
    #[error("bytes {offset}..{offset}+{length} are outside the buffer of {buffer_length} bytes")]
    OutsideBuffer {
        /// First byte.
        offset: usize,
        /// How many.
        length: usize,
        /// Bytes in the buffer.
        buffer_length: usize,
    },

    /// A typed access with another element type.
    #[error("the buffer holds {found}, not {expected}")]
    ElementType {
        /// The type asked for.
        expected: &'static str,
        /// The type in the buffer.
        found: &'static str,
    },

    /// A program returned elements of a type that this crate has no name for.
    #[error("a program returned elements of an unknown type ({raw:#x})")]
    UnknownElementType {
        /// IREE's number for it.
        raw: u32,
    },

    /// A host access, or a call, from within the closure of a conflicting mapping.
    #[error("a buffer is mapped on the host; let the mapping's closure return first")]
    Mapped,

    /// A buffer or code that belongs to another runtime.
    #[error("argument {index} of {function} is a buffer of another runtime")]
    OtherRuntime {
        /// The function.
        function: String,
        /// Position of the argument, from 0.
        index: usize,
    },

    /// The compiler library is nowhere.
    #[error(
        "IREE's compiler library was not found. Looked for:\n{}\nInstall it with: {install}",
        tried.iter().map(|p| format!("  {}", p.display())).collect::<Vec<_>>().join("\n")
    )]
    CompilerMissing {
        /// The places looked at.
        tried: Vec<PathBuf>,
        /// The command that installs it.
        install: &'static str,
    },

    /// The compiler library is there but does not load.
    #[error("{path}: IREE's compiler library does not load: {message}")]
    CompilerLoad {
        /// The library.
        path: PathBuf,
        /// The loader's text.
        message: String,
    },

    /// The compiler refused the source.
    #[error("the compiler refused the program:\n{diagnostics}")]
    Compile {
        /// All its diagnostics.
        diagnostics: String,
    },
}

/// IREE's status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are IREE's and say all there is")]
pub enum StatusCode {
    Cancelled,
    Unknown,
    InvalidArgument,
    DeadlineExceeded,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    ResourceExhausted,
    FailedPrecondition,
    Aborted,
    OutOfRange,
    Unimplemented,
    Internal,
    Unavailable,
    DataLoss,
    Unauthenticated,
    Deferred,
    Incompatible,
    Other(u32),
}

impl Error {
    /// Whether a driver or device may have refused to begin something, in contrast to what has failed
    /// while it ran: the codes of HIP's and HSA's refusals for want of resources and of packets. A
    /// launch's bounds would be refused each time, and have the code of a device that is gone.
    pub fn may_be_refusal(&self) -> bool {
        let Error::Status { code, .. } = self else { return false };
        matches!(code, StatusCode::InvalidArgument | StatusCode::ResourceExhausted)
    }
}

impl StatusCode {
    /// The code for a number of IREE's C enumeration.
    #[cfg(feature = "runtime")]
    pub(crate) fn from_raw(code: u32) -> StatusCode {
        use StatusCode::*;
        match code {
            1 => Cancelled,
            2 => Unknown,
            3 => InvalidArgument,
            4 => DeadlineExceeded,
            5 => NotFound,
            6 => AlreadyExists,
            7 => PermissionDenied,
            8 => ResourceExhausted,
            9 => FailedPrecondition,
            10 => Aborted,
            11 => OutOfRange,
            12 => Unimplemented,
            13 => Internal,
            14 => Unavailable,
            15 => DataLoss,
            16 => Unauthenticated,
            17 => Deferred,
            18 => Incompatible,
            other => Other(other),
        }
    }
}
