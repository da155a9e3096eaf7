//! The face of HSA: the symbols of `libhsa-runtime64.so.1` that IREE's driver asks for.
//!
//! A driver writes packets and doorbells into memory and calls little; what runs its packets is in `processor.rs`.
//! Every exported function goes through [`guard`]: it is counted and told, and no panic leaves it.

mod absent;
mod agents;
mod blits;
mod executables;
mod loader;
mod memory;
mod packets;
mod pm4;
mod pools;
mod processor;
mod queue_indices;
mod queues;
mod runtime;
mod signal_calls;
mod signals;
mod system;
mod types;
mod virtual_memory;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::device::Level;
use types::Status;

/// Runs the body of an exported function: counts the call, and makes a panic an error.
fn guard(name: &'static str, body: impl FnOnce() -> Result<(), Status>) -> u32 {
    let outcome = shielded(name, Err(Status::ERROR), body);
    let status = outcome.err().unwrap_or(Status::SUCCESS);
    if status != Status::SUCCESS {
        runtime::tell(Level::Calls, || format!("{name} returns {:#x}", status.0));
    }
    status.0
}

/// The same for a function that returns a value; `fallback` is returned after a panic.
fn shielded<T>(name: &'static str, fallback: T, body: impl FnOnce() -> T) -> T {
    runtime::count(name);
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        runtime::tell(Level::Errors, || format!("{name}: a fault of the emulator"));
        fallback
    })
}

/// Exports functions of HSA that return a status.
macro_rules! exports {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $body:block)*) => {$(
        $(#[$attribute])*
        ///
        /// # Safety
        /// As HSA says of this function: pointers are null or point to what it reads or writes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) -> u32 {
            $crate::hsa::guard(stringify!($name), || $body)
        }
    )*};
}
use exports;

/// Writes a value that a caller asked for.
///
/// # Safety
/// `place` is null, which is an error, or has room for the value.
unsafe fn put<T>(place: *mut c_void, value: T) -> Result<(), Status> {
    if place.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: it is not null, and the caller promises the room.
    unsafe { place.cast::<T>().write_unaligned(value) };
    Ok(())
}

/// Writes text with the zero at its end.
///
/// # Safety
/// As for [`put`].
unsafe fn put_text(place: *mut c_void, text: &str) -> Result<(), Status> {
    if place.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: it is not null, and the caller promises the room for the text and its end.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), place.cast::<u8>(), text.len());
        place.cast::<u8>().add(text.len()).write(0);
    }
    Ok(())
}

/// Reads text that a caller gave.
///
/// # Safety
/// `text` is null, which is an error, or ends with a zero.
unsafe fn text(text: *const std::ffi::c_char) -> Result<String, Status> {
    if text.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: it is not null, and the caller promises its end.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    Ok(text.to_string_lossy().into_owned())
}

/// Copies an array that a caller gave.
///
/// # Safety
/// `first` points to `count` values, or is null, which is an error unless there are none.
unsafe fn array<T: Copy>(first: *const T, count: usize) -> Result<Vec<T>, Status> {
    match (first.is_null(), count) {
        (_, 0) => Ok(Vec::new()),
        (true, _) => Err(Status::INVALID_ARGUMENT),
        // SAFETY: it is not null, and the caller promises the values.
        _ => Ok((0..count).map(|index| unsafe { first.add(index).read_unaligned() }).collect()),
    }
}

/// Calls a callback for each of some handles until it returns something else than success.
///
/// # Safety
/// The callback may be called with these handles and its caller's data.
unsafe fn visit(
    callback: types::Visit,
    data: *mut c_void,
    handles: impl IntoIterator<Item = u64>,
) -> Result<(), Status> {
    let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
    for handle in handles {
        // SAFETY: the caller promises it.
        let status = unsafe { callback(handle, data) };
        if status != Status::SUCCESS.0 {
            return Err(Status(status));
        }
    }
    Ok(())
}
