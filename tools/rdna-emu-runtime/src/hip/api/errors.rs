//! Errors: their texts, and the last one of each thread.

use std::ffi::c_char;

use crate::hip::LAST_ERROR;
use crate::hip::error;

/// A code's name. Never null.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "HIP has chosen")]
pub extern "C" fn hipGetErrorName(code: i32) -> *const c_char {
    error::name_of(code).as_ptr()
}

/// A code's text. Never null.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "HIP has chosen")]
pub extern "C" fn hipGetErrorString(code: i32) -> *const c_char {
    error::text_of(code).as_ptr()
}

/// The last error of this thread, which is forgotten with it.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "HIP has chosen")]
pub extern "C" fn hipGetLastError() -> i32 {
    LAST_ERROR.replace(0)
}

/// The same; it is kept.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "HIP has chosen")]
pub extern "C" fn hipPeekAtLastError() -> i32 {
    LAST_ERROR.get()
}
