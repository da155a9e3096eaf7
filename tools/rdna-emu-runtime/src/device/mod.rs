//! The device that both faces show: its configuration, memory and code, and what happened on it.

mod budget;
mod code;
mod config;
mod faults;
mod heap;
mod host;
mod log;
pub mod report;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tyto_rdna_emu::{Counters, Counts, Dispatch, LaunchError, Memory, Report, dispatch};

pub use budget::Budget;
pub use code::{CodeRegistry, LoadError, Loaded};
pub use config::{Blits, Config, ConfigError};
pub use faults::{FaultPlan, LaunchFault};
pub use heap::{Block, Heap, HeapError, Kind};
pub use host::HostMemory;
pub use log::{Level, Log};
pub use report::Calls;

/// An emulated device.
#[derive(Debug)]
pub struct Device {
    /// How it was configured.
    pub config: Config,
    /// What kernels may touch.
    pub memory: Arc<Memory>,
    /// The host's memory that was handed out or locked.
    pub heap: Heap,
    /// The code objects.
    pub codes: CodeRegistry,
    /// What kernels did.
    pub counters: Counters,
    /// The faults to inject.
    pub faults: FaultPlan,
    /// How often the host called what, and what queues did.
    pub calls: Calls,
    /// What is told to the person.
    pub log: Log,
    is_lost: AtomicBool,
}

impl Device {
    /// A device by its configuration.
    pub fn new(config: Config) -> Self {
        let memory = Arc::new(Memory::new());
        let budget = Budget::new(config.vram_bytes.saturating_add(config.gtt_bytes));
        Device {
            heap: Heap::new(Arc::clone(&memory), Arc::new(budget)),
            codes: CodeRegistry::default(),
            counters: Counters::default(),
            faults: FaultPlan::new(&config.faults),
            calls: Calls::default(),
            log: Log::new(config.log),
            is_lost: AtomicBool::new(false),
            memory,
            config,
        }
    }

    /// Allocates memory of the device or of the host, as [`Heap::allocate`] does, unless a fault is to be injected.
    pub fn allocate(&self, name: &str, size: u64, kind: Kind) -> Result<u64, HeapError> {
        if self.is_lost() {
            return Err(HeapError::Lost);
        }
        // By this number a fault is asked for.
        self.calls.count("memory", "allocations");
        let bytes = if kind == Kind::Gtt { "host_bytes" } else { "device_bytes" };
        self.calls.add("memory", bytes, size);
        if self.faults.next_allocation_fails() {
            self.log
                .write(Level::Errors, || format!("injected: no memory for `{name}`, {size} bytes"));
            return Err(HeapError::Injected);
        }
        self.heap.allocate(name, size, kind)
    }

    /// Lets kernels touch bytes of the caller, as [`Heap::lock`] does, unless a fault is to be injected.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn lock(&self, name: &str, address: u64, size: u64) -> Result<(), HeapError> {
        if self.faults.next_lock_fails() {
            self.log
                .write(Level::Errors, || format!("injected: `{name}`, {size} bytes, is refused"));
            return Err(HeapError::Injected);
        }
        // SAFETY: the caller promises it.
        unsafe { self.heap.lock(name, address, size) }
    }

    /// Loads a code object into memory of the device.
    pub fn load(&self, file: &[u8]) -> Result<Arc<Loaded>, LoadError> {
        self.codes.load(file, self)
    }

    /// Runs a launch with the configured options, and counts it. A fault is told and returned.
    pub fn run(&self, code: &Loaded, launch: &Dispatch<'_>) -> Result<Report, LaunchError> {
        if !self.config.kernels.has(&launch.kernel.metadata.name) {
            let counts = Counts { launches: 1, ..Counts::default() };
            self.counters.add(&launch.kernel.metadata.name, counts);
            return Ok(Report { workgroups: 0, instructions: 0, counts });
        }
        let result =
            dispatch(&self.memory, &code.code, launch, &self.config.options, &self.counters);
        match &result {
            Ok(report) => self.log.write(Level::Packets, || {
                let name = &launch.kernel.metadata.name;
                format!("ran `{name}` {:?}: {} instructions", launch.grid, report.instructions)
            }),
            Err(error) => self.log.write(Level::Errors, || error.to_string()),
        }
        result
    }

    /// From now on every launch and allocation fails.
    pub fn lose(&self) {
        self.is_lost.store(true, Ordering::SeqCst);
        self.log.write(Level::Errors, || "the device is lost".to_owned());
    }

    /// Whether the device was lost.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::SeqCst)
    }

    /// Writes the report where the configuration says so. The file is there as a whole or not at all.
    pub fn write_report(&self) {
        let Some(path) = &self.config.report else { return };
        if let Err(error) = report::write(self, Path::new(path)) {
            self.log.write(Level::Errors, || format!("cannot write {}: {error}", path.display()));
        }
    }
}

/// The device of this process, while a face has it open.
static DEVICE: Mutex<Option<Arc<Device>>> = Mutex::new(None);

/// What a lock guards stays right when a holder panics: each change is one assignment.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The device of this process; made from the environment when there is none.
pub fn open() -> Result<Arc<Device>, ConfigError> {
    let mut device = lock(&DEVICE);
    if let Some(device) = &*device {
        return Ok(Arc::clone(device));
    }
    let config = Config::from_environment()?;
    Ok(Arc::clone(device.insert(Arc::new(Device::new(config)))))
}

/// Writes the device's report and lets go of it: the next one to open gets a new device. Its memory ends with its last
/// user.
pub fn close() {
    if let Some(device) = lock(&DEVICE).take() {
        device.write_report();
    }
}

/// At the process' end or when the library is unloaded: who opened the device may not have closed it.
extern "C" fn at_exit() {
    // Nobody is left to be told of a panic.
    let _ = std::panic::catch_unwind(close);
}

#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".fini_array"))]
static AT_EXIT: extern "C" fn() = at_exit;
