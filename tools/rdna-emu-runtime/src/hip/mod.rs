//! The face of HIP: what IREE's `hip` driver and our own runtime call, from `libamdhip64.so`.
//!
//! Handles are numbers in tables, never addresses: one that is stale or of another kind is an error. Each stream has a
//! thread that runs its work in the order of submission; work of several streams runs at once, held together only by
//! events, as on a device. Calls that return before their work is done do so here too, so that a host which does not
//! wait reads what it should not.
//!
//! A kernel that is at fault makes every later call fail, as a device does whose context has ended.

mod abi;
mod api;
mod error;
mod event;
mod graph;
mod image;
mod kernel;
mod memory;
mod occupancy;
mod pointer;
mod pool;
mod properties;
mod runtime;
mod stream;
mod table;
mod task;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use error::Error;
use runtime::Runtime;

use crate::device::Level;

thread_local! {
    /// What `hipGetLastError` returns.
    static LAST_ERROR: Cell<i32> = const { Cell::new(0) };
}

/// A call of the host: counts and tells it, and turns what it returns into HIP's code. A panic is an unknown error.
fn call(name: &'static str, body: impl FnOnce(&Runtime) -> Result<(), Error>) -> i32 {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let runtime = runtime::open()?;
        runtime.device.calls.count("hip", name);
        let result = body(&runtime);
        let level = match result {
            Ok(()) | Err(Error::NotReady) => Level::Calls,
            Err(_) => Level::Errors,
        };
        runtime.device.log.write(level, || match result {
            Ok(()) => name.to_owned(),
            Err(error) => format!("{name}: {}", error.name().to_string_lossy()),
        });
        result
    }));
    let code = match outcome.unwrap_or(Err(Error::Unknown)) {
        Ok(()) => return 0,
        Err(error) => error as i32,
    };
    if code != Error::NotReady as i32 {
        LAST_ERROR.set(code);
    }
    code
}
