//! What streams do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tyto_rdna_emu::{AccessError, FaultKind, LaunchError};

use super::error::Error;
use super::kernel::Launch;
use super::pool::Pool;
use super::stream::{Point, Progress};
use crate::device::{Device, LaunchFault, Level};

/// What all streams share.
#[derive(Debug)]
pub struct Shared {
    pub device: Arc<Device>,
    /// The first fault's code; 0 while there is none.
    failure: AtomicI32,
}

impl Shared {
    pub fn new(device: Arc<Device>) -> Self {
        Shared { device, failure: AtomicI32::new(0) }
    }

    /// The fault that has ended the context, if there is one.
    pub fn failure(&self) -> Option<Error> {
        if self.device.is_lost() {
            return Some(Error::NoDevice);
        }
        Error::of_code(self.failure.load(Ordering::SeqCst))
    }

    /// Ends the context by a fault; the first one counts. Ends the process if that is wanted.
    fn fail(&self, error: Error) {
        if self.device.config.aborts_on_fault {
            self.device.write_report();
            std::process::abort();
        }
        let _ = self.failure.compare_exchange(0, error as i32, Ordering::SeqCst, Ordering::SeqCst);
    }
}

/// A function of the host that a stream calls.
#[derive(Debug, Clone, Copy)]
pub struct HostCall {
    pub function: extern "C" fn(*mut std::ffi::c_void),
    /// What it is given: an address of the host.
    pub data: usize,
}

/// Something that a stream does.
#[derive(Debug, Clone)]
pub enum Task {
    /// Runs a kernel.
    Launch(Arc<Launch>, Option<LaunchFault>),
    /// Copies between places that kernels may touch.
    Copy { destination: u64, source: u64, size: u64 },
    /// Writes bytes of the host.
    Write { destination: u64, bytes: Arc<Vec<u8>> },
    /// Reads bytes for the host.
    Read { source: u64, size: usize, into: Arc<OnceLock<Vec<u8>>> },
    /// Writes a pattern again and again.
    Fill { destination: u64, pattern: Vec<u8>, count: usize },
    /// Waits for another stream.
    Wait(Point),
    /// Calls the host.
    Host(HostCall),
    /// Notes the time.
    Stamp(Arc<OnceLock<Instant>>),
    /// Gives memory back to its pool.
    Free { address: u64, pool: Option<Arc<Pool>> },
}

/// Copies and fills do that many bytes at a time.
const PIECE: u64 = 1 << 20;

impl Task {
    /// Runs it. Work of an ended context is left undone, but waiting and the host's functions are not.
    pub fn run(self, shared: &Shared, progress: &Progress) {
        let outcome = catch_unwind(AssertUnwindSafe(|| match self {
            Task::Wait(point) => {
                point.wait();
                Ok(())
            }
            Task::Host(call) => {
                (call.function)(call.data as *mut std::ffi::c_void);
                Ok(())
            }
            Task::Stamp(stamp) => {
                let _ = stamp.set(Instant::now());
                Ok(())
            }
            _ if shared.failure().is_some() => Ok(()),
            task => task.work(shared, progress),
        }));
        if let Err(error) = outcome.unwrap_or(Err(Error::Unknown)) {
            shared.fail(error);
        }
    }

    fn work(self, shared: &Shared, progress: &Progress) -> Result<(), Error> {
        let device = &shared.device;
        let memory = &device.memory;
        let told = |result: Result<(), AccessError>| {
            result.map_err(|error| {
                device.log.write(Level::Errors, || format!("a copy or fill: {error}"));
                Error::IllegalAddress
            })
        };
        match self {
            Task::Launch(launch, fault) => run_launch(shared, progress, &launch, fault),
            Task::Copy { destination, source, size } => told((|| {
                for at in (0..size).step_by(PIECE as usize) {
                    let piece = memory.read_vec(source + at, PIECE.min(size - at) as usize)?;
                    memory.write(destination + at, &piece)?;
                }
                Ok(())
            })()),
            Task::Write { destination, bytes } => told(memory.write(destination, &bytes)),
            Task::Read { source, size, into } => told(memory.read_vec(source, size).map(|bytes| {
                let _ = into.set(bytes);
            })),
            Task::Fill { destination, pattern, count } => told((|| {
                let in_piece = PIECE as usize / pattern.len();
                for first in (0..count).step_by(in_piece) {
                    let piece = pattern.repeat(in_piece.min(count - first));
                    memory.write(destination + (first * pattern.len()) as u64, &piece)?;
                }
                Ok(())
            })()),
            Task::Free { address, pool } => free(device, address, pool.as_deref()),
            Task::Wait(_) | Task::Host(_) | Task::Stamp(_) => Ok(()),
        }
    }
}

fn free(device: &Device, address: u64, pool: Option<&Pool>) -> Result<(), Error> {
    let size = device.heap.find(address).map_or(0, |block| block.size);
    device.heap.free(address).map_err(|_| Error::InvalidValue)?;
    if let Some(pool) = pool {
        pool.give(size);
    }
    Ok(())
}

fn run_launch(
    shared: &Shared,
    progress: &Progress,
    launch: &Launch,
    fault: Option<LaunchFault>,
) -> Result<(), Error> {
    let told = |text: &str| {
        let name = launch.name();
        shared.device.log.write(Level::Errors, || format!("injected: `{name}` {text}"));
    };
    match fault {
        None => launch.run(&shared.device).map_err(|error| code_of(&error)),
        Some(LaunchFault::Async) => {
            told("fails as if it had touched foreign memory");
            Err(Error::IllegalAddress)
        }
        Some(LaunchFault::Hang) => {
            told("does not end");
            let limit = shared.device.config.watchdog.map(Duration::from_millis);
            if !progress.hang(limit) {
                told("is given up by the watchdog, and the device with it");
                shared.device.lose();
            }
            Err(Error::LaunchTimeOut)
        }
        // These two are met when they are submitted.
        Some(LaunchFault::Reject | LaunchFault::Lost) => Err(Error::LaunchFailure),
    }
}

/// The code of a kernel's fault.
fn code_of(error: &LaunchError) -> Error {
    match error {
        LaunchError::Fault(fault) => match fault.kind {
            FaultKind::Access(_) => Error::IllegalAddress,
            FaultKind::Endless(_) => Error::LaunchTimeOut,
            _ => Error::LaunchFailure,
        },
        _ => Error::LaunchFailure,
    }
}
