//! The tables of handles, and how work reaches streams.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::error::Error;
use super::event::Event;
use super::graph::{Executable, Graph, Node};
use super::kernel::{Function, Launch};
use super::pool::Pool;
use super::stream::{Point, Stream};
use super::table::{Handle, Table};
use super::task::{Shared, Task};
use crate::device::{self, Device, LaunchFault, Level, Loaded, lock};

/// What this face knows.
#[derive(Debug)]
pub struct Runtime {
    pub device: Arc<Device>,
    shared: Arc<Shared>,
    /// The stream that has no handle.
    null_stream: Stream,
    /// Held while tasks are put into streams, so that waits of several streams agree on an order.
    submission: Mutex<()>,
    pub streams: Table<Stream>,
    pub events: Table<Event>,
    pub modules: Table<Arc<Loaded>>,
    pub functions: Table<Function>,
    pub graphs: Table<Graph>,
    pub nodes: Table<Node>,
    pub executables: Table<Executable>,
    pub pools: Table<Pool>,
    pub default_pool: Handle,
    /// The pools that blocks were taken from.
    pooled: Mutex<BTreeMap<u64, Arc<Pool>>>,
    /// How often the device's context was retained and not yet released.
    pub retained: AtomicU64,
}

impl Runtime {
    fn new() -> Result<Self, Error> {
        let device = device::open().map_err(|error| {
            eprintln!("rdna-emu: {error}");
            Error::NotInitialized
        })?;
        let shared = Arc::new(Shared::new(Arc::clone(&device)));
        let null_stream = Stream::new(&shared, true)?;
        let pools = Table::new(8);
        let default_pool = pools.insert(Arc::new(Pool::default()));
        Ok(Runtime {
            device,
            shared,
            null_stream,
            submission: Mutex::new(()),
            streams: Table::new(1),
            events: Table::new(2),
            modules: Table::new(3),
            functions: Table::new(4),
            graphs: Table::new(5),
            nodes: Table::new(6),
            executables: Table::new(7),
            pools,
            default_pool,
            pooled: Mutex::default(),
            retained: AtomicU64::new(0),
        })
    }

    /// Fails when a fault has ended the context.
    pub fn check(&self) -> Result<(), Error> {
        self.shared.failure().map_or(Ok(()), Err)
    }

    /// Makes a stream.
    pub fn add_stream(&self, is_blocking: bool) -> Result<Handle, Error> {
        self.check()?;
        Ok(self.streams.insert(Arc::new(Stream::new(&self.shared, is_blocking)?)))
    }

    /// Puts a task into a stream; null is the null stream. Returns the place behind it.
    pub fn submit(&self, stream: Handle, task: Task) -> Result<Point, Error> {
        self.check()?;
        self.with_stream(stream, |stream| stream.push(task))
    }

    /// Does something with a stream while nobody submits, after the waits that null and blocking streams have for
    /// each other.
    pub fn with_stream<T>(
        &self,
        handle: Handle,
        act: impl FnOnce(&Stream) -> T,
    ) -> Result<T, Error> {
        let _submission = lock(&self.submission);
        if handle.is_null() {
            for other in self.streams.all().iter().filter(|other| other.is_blocking) {
                wait_behind(&self.null_stream, &other.end());
            }
            return Ok(act(&self.null_stream));
        }
        let stream = self.streams.get(handle)?;
        if stream.is_blocking {
            wait_behind(&stream, &self.null_stream.end());
        }
        Ok(act(&stream))
    }

    /// Puts a launch into a stream, unless it is to be refused.
    pub fn launch(&self, stream: Handle, launch: Arc<Launch>) -> Result<(), Error> {
        let fault = self.next_fault(&launch)?;
        self.submit(stream, Task::Launch(launch, fault)).map(|_| ())
    }

    /// What becomes of the next launch; an error when it is refused.
    pub fn next_fault(&self, launch: &Launch) -> Result<Option<LaunchFault>, Error> {
        self.check()?;
        let told = |text: &str| {
            let name = launch.name();
            self.device.log.write(Level::Errors, || format!("injected: `{name}` {text}"));
        };
        match self.device.faults.next_launch() {
            Some(LaunchFault::Reject) => {
                told("is refused");
                Err(Error::LaunchOutOfResources)
            }
            Some(LaunchFault::Lost) => {
                told("loses the device");
                self.device.lose();
                Err(Error::NoDevice)
            }
            other => Ok(other),
        }
    }

    /// Waits for a stream; for the null stream, also for all that block with it. Fails when its work did.
    pub fn synchronize(&self, stream: Handle) -> Result<(), Error> {
        self.with_stream(stream, Stream::end)?.wait();
        self.check()
    }

    /// Waits for all streams.
    pub fn synchronize_all(&self) -> Result<(), Error> {
        let mut ends = vec![self.null_stream.end()];
        ends.extend(self.streams.all().iter().map(|stream| stream.end()));
        ends.iter().for_each(Point::wait);
        self.check()
    }

    /// Ends tasks without end, so that everything else can end.
    pub fn abandon_all(&self) {
        self.null_stream.abandon();
        self.streams.all().iter().for_each(|stream| stream.abandon());
    }

    /// Remembers which pool a block was taken from.
    pub fn take_from_pool(&self, pool: &Arc<Pool>, address: u64, size: u64) {
        pool.take(size);
        lock(&self.pooled).insert(address, Arc::clone(pool));
    }

    /// The pool that a block was taken from, once: it is being freed.
    pub fn leave_pool(&self, address: u64) -> Option<Arc<Pool>> {
        lock(&self.pooled).remove(&address)
    }

    /// A pool; null is the default one.
    pub fn pool(&self, handle: Handle) -> Result<Arc<Pool>, Error> {
        self.pools.get(if handle.is_null() { self.default_pool } else { handle })
    }
}

/// Makes a stream wait, unless there is nothing to wait for.
fn wait_behind(stream: &Stream, point: &Point) {
    if !point.is_reached() {
        stream.push(Task::Wait(point.clone()));
    }
}

/// The one runtime of this process, while there is one.
static RUNTIME: Mutex<Option<Arc<Runtime>>> = Mutex::new(None);

/// The runtime; made with the first call.
pub fn open() -> Result<Arc<Runtime>, Error> {
    let mut runtime = lock(&RUNTIME);
    if let Some(runtime) = &*runtime {
        return Ok(Arc::clone(runtime));
    }
    Ok(Arc::clone(runtime.insert(Arc::new(Runtime::new()?))))
}

/// Ends the runtime and its device: all handles and all memory. The next call makes new ones.
pub fn reset() {
    let runtime = lock(&RUNTIME).take();
    if let Some(runtime) = runtime {
        runtime.abandon_all();
        let _ = runtime.synchronize_all();
        runtime.retained.store(0, Ordering::SeqCst);
        device::close();
    }
}
