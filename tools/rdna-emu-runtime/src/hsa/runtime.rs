//! What is open while HSA is initialized.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::executables::{Executable, Symbol};
use super::queues::Queue;
use super::types::Status;
use super::virtual_memory::Handle;
use crate::device::{self, Device, Level, lock};

/// Everything that calls refer to by handles.
#[derive(Debug)]
pub struct Runtime {
    /// The device.
    pub device: Arc<Device>,
    /// The queues, by the addresses of what their creators see.
    pub queues: Mutex<HashMap<u64, Arc<Queue>>>,
    /// Code objects that were given for reading.
    pub readers: Mutex<HashMap<u64, Vec<u8>>>,
    /// Executables.
    pub executables: Mutex<HashMap<u64, Executable>>,
    /// Symbols of executables.
    pub symbols: Mutex<HashMap<u64, Symbol>>,
    /// Pieces of memory for reserved addresses.
    pub handles: Mutex<HashMap<u64, Handle>>,
    next: AtomicU64,
}

impl Runtime {
    /// A new handle: a number that no other handle has.
    pub fn handle(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

/// The runtime, and how often it was initialized.
static RUNTIME: Mutex<Option<(Arc<Runtime>, u64)>> = Mutex::new(None);

/// The runtime, if it is initialized.
pub fn current() -> Result<Arc<Runtime>, Status> {
    lock(&RUNTIME).as_ref().map(|(runtime, _)| Arc::clone(runtime)).ok_or(Status::NOT_INITIALIZED)
}

/// Initializes the runtime once more.
pub fn initialize() -> Result<(), Status> {
    let mut runtime = lock(&RUNTIME);
    if let Some((_, uses)) = &mut *runtime {
        *uses += 1;
        return Ok(());
    }
    let device = device::open().map_err(|error| {
        // There is no device yet whose log could be asked.
        eprintln!("rdna-emu: {error}");
        Status::OUT_OF_RESOURCES
    })?;
    let new = Runtime {
        device,
        queues: Mutex::default(),
        readers: Mutex::default(),
        executables: Mutex::default(),
        symbols: Mutex::default(),
        handles: Mutex::default(),
        next: AtomicU64::new(1),
    };
    *runtime = Some((Arc::new(new), 1));
    Ok(())
}

/// Undoes one initialization; the last one ends all queues and the device.
pub fn shut_down() -> Result<(), Status> {
    let mut open = lock(&RUNTIME);
    let (_, uses) = open.as_mut().ok_or(Status::NOT_INITIALIZED)?;
    *uses -= 1;
    if *uses > 0 {
        return Ok(());
    }
    let last = open.take();
    drop(open);
    if let Some((runtime, _)) = last {
        let queues: Vec<_> = lock(&runtime.queues).drain().map(|(_, queue)| queue).collect();
        queues.iter().for_each(|queue| queue.end());
    }
    device::close();
    Ok(())
}

/// Counts a call.
pub fn count(name: &'static str) {
    if let Ok(runtime) = current() {
        runtime.device.calls.count("hsa", name);
        runtime.device.log.write(Level::Calls, || name.to_owned());
    }
}

/// Tells a message, if there is a device to tell it.
pub fn tell(level: Level, message: impl FnOnce() -> String) {
    match current() {
        Ok(runtime) => runtime.device.log.write(level, message),
        Err(_) if level == Level::Errors => eprintln!("rdna-emu: {}", message()),
        Err(_) => {}
    }
}
