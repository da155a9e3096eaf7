//! User queues: a ring of packets and a doorbell in memory, and a thread that runs what is written there.

use std::ffi::c_void;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tyto_rdna_emu::Region;

use super::agents::is_gpu;
use super::processor;
use super::runtime::{self, Runtime};
use super::signals;
use super::types::{AmdQueue, AmdSignal, QueueCallback, SIGNAL_DOORBELL, Status};
use super::{exports, put};
use crate::device::{Device, HeapError, HostMemory, Kind, Level, lock};

/// The most packets that a queue has room for.
pub const MOST_PACKETS: u32 = 1 << 17;
/// The bytes of a packet.
pub const PACKET: u64 = 64;
/// A slot without a packet (`HSA_PACKET_TYPE_INVALID`).
pub const INVALID: u32 = 1;

/// A queue.
#[derive(Debug)]
pub struct Queue {
    /// The device that runs it.
    pub device: Arc<Device>,
    /// Where its creator sees it: an [`AmdQueue`].
    pub address: u64,
    /// Its first packet.
    pub ring: u64,
    /// How many it has room for: a power of two.
    pub size: u32,
    doorbell: u64,
    /// The three above, so that they last as long as the queue.
    memory: [Arc<HostMemory>; 3],
    callback: QueueCallback,
    data: usize,
    is_stopped: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Queue {
    /// The queue as its creator sees it.
    pub fn shared(&self) -> &AmdQueue {
        // SAFETY: `create` wrote it there, and its memory lasts as long as `self`. What others change are atomics.
        unsafe { &*(self.address as usize as *const AmdQueue) }
    }

    /// The last packet that the doorbell was rung for.
    pub fn doorbell(&self) -> i64 {
        // SAFETY: `create` put the doorbell there, aligned, and its memory lasts as long as `self`. Its creator writes
        // it with plain stores of 8 bytes, as it would a device's register.
        unsafe { &*(self.doorbell as usize as *const AtomicI64) }.load(Ordering::Acquire)
    }

    /// The address of a packet by its number.
    pub fn slot(&self, number: u64) -> u64 {
        self.ring + PACKET * (number & u64::from(self.size - 1))
    }

    /// The words of a packet by its number. The first one says whether it is there.
    pub fn words(&self, number: u64) -> &[AtomicU32] {
        let first = 16 * (number & u64::from(self.size - 1)) as usize;
        &self.memory[1].words()[first..first + 16]
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Tells its creator of an error. The queue runs nothing more.
    pub fn fail(&self, status: Status) {
        self.device.calls.count("packets", "errors");
        let Some(callback) = self.callback else { return };
        // SAFETY: the queue's creator gave the callback and its data for this, and the queue is still there.
        unsafe {
            callback(status.0, self.address as usize as *mut AmdQueue, self.data as *mut c_void)
        }
    }

    /// Ends the thread, and waits for it unless it is the one that asks.
    pub fn end(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        signals::notify();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread.filter(|own| own.thread().id() != std::thread::current().id())
        {
            // A panic of the thread was told where it happened.
            let _ = thread.join();
        }
        for address in [self.address, self.ring, self.doorbell & !(PACKET * 2 - 1)] {
            let freed = self.device.heap.free(address);
            debug_assert!(freed.is_ok(), "{freed:?}");
        }
    }
}

/// Allocates memory for a queue that lasts as long as someone holds it.
fn allocate(device: &Device, name: &str, size: u64) -> Result<(u64, Arc<HostMemory>), HeapError> {
    let address = device.heap.allocate(name, size, Kind::Gtt)?;
    let memory = device.heap.memory(address).ok_or(HeapError::NoBlock { address })?;
    Ok((address, memory))
}

/// Makes a queue and starts its thread.
fn create(
    runtime: &Runtime,
    size: u32,
    kind: u32,
    callback: QueueCallback,
    data: usize,
) -> Result<u64, Status> {
    let device = &runtime.device;
    let ring_bytes = PACKET * u64::from(size);
    let failed = |error: HeapError| super::memory::failed("hsa_queue_create", error);
    let (address, queue_memory) =
        allocate(device, "queue", size_of::<AmdQueue>() as u64).map_err(failed)?;
    let (ring, ring_memory) = allocate(device, "packets", ring_bytes).map_err(failed)?;
    let (signal, signal_memory) = allocate(device, "doorbell", 2 * PACKET).map_err(failed)?;
    for number in 0..size as usize {
        ring_memory.words()[16 * number].store(INVALID, Ordering::Relaxed);
    }
    let doorbell = signal + PACKET;
    let new_signal = AmdSignal {
        kind: SIGNAL_DOORBELL,
        value: AtomicI64::new(doorbell as i64),
        event_mailbox: 0,
        event_id: 0,
        reserved1: 0,
        start: 0.into(),
        end: 0.into(),
        queue: address,
        reserved3: [0; 2],
    };
    let new_queue = AmdQueue {
        kind,
        features: 1,
        base: ring,
        doorbell: signal,
        size,
        reserved0: 0,
        id: runtime.handle(),
        reserved1: [0; 4],
        write_index: 0.into(),
        group_aperture: 1,
        private_aperture: 2,
        max_cu_id: device.config.compute_units - 1,
        max_wave_id: 31,
        legacy_doorbell: [0; 12],
        read_index: 0.into(),
        read_index_offset: offset_of!(AmdQueue, read_index) as u32,
        scratch: [0; 10],
        properties: 2,
        reserved3: [0; 2],
        inactive_signal: 0,
        reserved4: [0; 14],
    };
    // SAFETY: the three blocks were just made, are large enough and aligned to pages, and nobody else knows of them.
    unsafe {
        (signal as usize as *mut AmdSignal).write(new_signal);
        (doorbell as usize as *mut AtomicI64).write(AtomicI64::new(-1));
        (address as usize as *mut AmdQueue).write(new_queue);
    }
    let queue = Arc::new(Queue {
        device: Arc::clone(device),
        address,
        ring,
        size,
        doorbell,
        memory: [queue_memory, ring_memory, signal_memory],
        callback,
        data,
        is_stopped: AtomicBool::new(false),
        thread: Mutex::default(),
    });
    let own = Arc::clone(&queue);
    let builder = std::thread::Builder::new().name("rdna-emu queue".to_owned());
    let started = builder.spawn(move || processor::run(&own));
    *lock(&queue.thread) = Some(started.map_err(|_| Status::OUT_OF_RESOURCES)?);
    lock(&runtime.queues).insert(address, queue);
    Ok(address)
}

exports! {
    /// Makes a queue of the device.
    fn hsa_queue_create(
        agent: u64,
        size: u32,
        kind: u32,
        callback: QueueCallback,
        data: *mut c_void,
        _private_bytes: u32,
        _group_bytes: u32,
        queue: *mut *mut AmdQueue,
    ) {
        let runtime = runtime::current()?;
        if !is_gpu(agent)? {
            return Err(Status::INVALID_QUEUE_CREATION);
        }
        if queue.is_null() || !size.is_power_of_two() || size > MOST_PACKETS || kind > 2 {
            return Err(Status::INVALID_ARGUMENT);
        }
        let address = create(&runtime, size, kind, callback, data as usize)?;
        // SAFETY: the caller's place has room for a pointer.
        unsafe { put(queue.cast(), address) }
    }

    /// Ends a queue. What it has not run is lost.
    fn hsa_queue_destroy(queue: *mut AmdQueue) {
        let runtime = runtime::current()?;
        let queue = lock(&runtime.queues).remove(&(queue as u64)).ok_or(Status::INVALID_QUEUE)?;
        queue.end();
        Ok(())
    }

    /// Stops a queue: it runs nothing more.
    fn hsa_queue_inactivate(queue: *mut AmdQueue) {
        let runtime = runtime::current()?;
        let queues = lock(&runtime.queues);
        let queue = queues.get(&(queue as u64)).ok_or(Status::INVALID_QUEUE)?;
        queue.is_stopped.store(true, Ordering::SeqCst);
        signals::notify();
        runtime.device.log.write(Level::Calls, || "a queue is inactive".to_owned());
        Ok(())
    }

    /// Asks for times of packets: signals get them always.
    fn hsa_amd_profiling_set_profiler_enabled(queue: *mut AmdQueue, _enable: i32) {
        is_queue(queue as u64)
    }

    /// Tells an attribute of a queue: its agent, or the number of its doorbell.
    fn hsa_amd_queue_get_info(queue: *mut AmdQueue, attribute: u32, value: *mut c_void) {
        is_queue(queue as u64)?;
        // SAFETY: the caller's place has room for the attribute's type.
        unsafe {
            match attribute {
                0 => put(value, super::agents::GPU),
                1 => put(value, 0u64),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }

    /// Asks for a priority, which makes no difference.
    fn hsa_amd_queue_set_priority(queue: *mut AmdQueue, _priority: i32) {
        is_queue(queue as u64)
    }
}

fn is_queue(address: u64) -> Result<(), Status> {
    let runtime = runtime::current()?;
    if lock(&runtime.queues).contains_key(&address) { Ok(()) } else { Err(Status::INVALID_QUEUE) }
}
