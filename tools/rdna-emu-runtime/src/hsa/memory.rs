//! Allocating, locking and copying memory, and what is known of a pointer.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use super::agents::{GPU, HOST, is_gpu};
use super::pools::Pool;
use super::types::{PointerInfo, Status};
use super::{array, exports, put, runtime, signals};
use crate::device::{HeapError, Kind, Level};

impl From<HeapError> for Status {
    fn from(error: HeapError) -> Self {
        match error {
            HeapError::OutOfMemory { .. } | HeapError::HostRefuses { .. } => {
                Status::OUT_OF_RESOURCES
            }
            HeapError::Injected => Status::OUT_OF_RESOURCES,
            HeapError::Lost => Status::FATAL,
            HeapError::NoBlock { .. } | HeapError::Unmappable(_) => Status::INVALID_ALLOCATION,
        }
    }
}

/// The status of a failure, which is told.
pub fn failed(name: &str, error: HeapError) -> Status {
    runtime::tell(Level::Errors, || format!("{name}: {error}"));
    error.into()
}

/// What is known of an address.
fn pointer_info(device: &crate::device::Device, address: u64) -> PointerInfo {
    let unknown = PointerInfo {
        size: size_of::<PointerInfo>() as u32,
        kind: 0,
        agent_base: 0,
        host_base: 0,
        bytes: 0,
        user_data: 0,
        owner: 0,
        global_flags: 0,
        registered: 0,
    };
    let Some(block) = device.heap.find(address) else { return unknown };
    let pool = Pool::of_name(&block.name);
    PointerInfo {
        kind: if block.kind == Kind::Locked { 2 } else { 1 },
        agent_base: block.address,
        host_base: block.address,
        bytes: block.size,
        owner: if matches!(block.kind, Kind::Vram | Kind::Code) { GPU } else { HOST },
        global_flags: pool.map_or(2, |pool| pool.flags),
        ..unknown
    }
}

exports! {
    /// Allocates from a pool.
    fn hsa_amd_memory_pool_allocate(pool: u64, size: usize, _flags: u32, place: *mut *mut c_void) {
        let runtime = runtime::current()?;
        let pool = Pool::get(pool).ok_or(Status(40))?;
        if size == 0 || place.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let address = runtime
            .device
            .allocate(pool.name(), size as u64, pool.kind())
            .map_err(|error| failed("hsa_amd_memory_pool_allocate", error))?;
        // SAFETY: the caller's place has room for a pointer.
        unsafe { put(place.cast(), address) }
    }

    /// Frees what a pool gave.
    fn hsa_amd_memory_pool_free(pointer: *mut c_void) {
        let runtime = runtime::current()?;
        if pointer.is_null() {
            return Ok(());
        }
        let freed = runtime.device.heap.free(pointer as u64);
        freed.map_err(|error| failed("hsa_amd_memory_pool_free", error))
    }

    /// Lets agents reach a block: they do already.
    fn hsa_amd_agents_allow_access(count: u32, agents: *const u64, _flags: *const u32, pointer: *const c_void) {
        let runtime = runtime::current()?;
        // SAFETY: the caller's array has that many agents.
        for agent in unsafe { array(agents, count as usize)? } {
            is_gpu(agent)?;
        }
        match runtime.device.heap.find(pointer as u64) {
            Some(_) => Ok(()),
            None => Err(Status::INVALID_ALLOCATION),
        }
    }

    /// Lets agents reach memory of the host, at its own addresses.
    fn hsa_amd_memory_lock(host: *mut c_void, size: usize, agents: *const u64, count: i32, place: *mut *mut c_void) {
        // SAFETY: as of this function.
        unsafe { lock(host, size, agents, count, place) }
    }

    /// The same for memory of a pool's kind, which makes no difference.
    fn hsa_amd_memory_lock_to_pool(
        host: *mut c_void,
        size: usize,
        agents: *const u64,
        count: i32,
        pool: u64,
        _flags: u32,
        place: *mut *mut c_void,
    ) {
        Pool::get(pool).ok_or(Status(40))?;
        // SAFETY: as of this function.
        unsafe { lock(host, size, agents, count, place) }
    }

    /// Undoes a lock.
    fn hsa_amd_memory_unlock(host: *mut c_void) {
        let runtime = runtime::current()?;
        let unlocked = runtime.device.heap.unlock(host as u64);
        unlocked.map_err(|error| failed("hsa_amd_memory_unlock", error))
    }

    /// Copies bytes at once.
    fn hsa_memory_copy(target: *mut c_void, source: *const c_void, size: usize) {
        runtime::current()?;
        // SAFETY: the caller promises that both have that many bytes.
        unsafe { copy(target, source, size) }
    }

    /// Copies bytes when all signals are 0, and then decrements a signal.
    fn hsa_amd_memory_async_copy(
        target: *mut c_void,
        target_agent: u64,
        source: *const c_void,
        source_agent: u64,
        size: usize,
        count: u32,
        dependencies: *const u64,
        completion: u64,
    ) {
        runtime::current()?;
        is_gpu(target_agent)?;
        is_gpu(source_agent)?;
        // SAFETY: the caller's array has that many signals, which live until the copy has ended.
        let dependencies = unsafe { array(dependencies, count as usize)? }
            .into_iter()
            .filter(|handle| *handle != 0)
            // SAFETY: as above.
            .map(|handle| unsafe { signals::get(handle) })
            .collect::<Result<Vec<_>, _>>()?;
        // SAFETY: the signal lives until the copy has ended.
        let completion = (completion != 0).then(|| unsafe { signals::get(completion) }).transpose()?;
        if target.is_null() || source.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let (target, source) = (target as usize, source as usize);
        let run = move || {
            let met = || dependencies.iter().all(|signal| signal.value.load(Ordering::SeqCst) == 0);
            signals::wait(u64::MAX, || met().then_some(()));
            // SAFETY: the caller promises that both have that many bytes until the copy has ended. Neither is null.
            let _ = unsafe { copy(target as *mut c_void, source as *const c_void, size) };
            if let Some(signal) = completion {
                signals::change(signal, |value| value - 1);
            }
        };
        if count == 0 {
            run();
            return Ok(());
        }
        // What it waits for may be what its caller does next.
        let started = std::thread::Builder::new().name("rdna-emu copy".to_owned()).spawn(run);
        started.map(|_| ()).map_err(|_| Status::OUT_OF_RESOURCES)
    }

    /// Tells what is known of a pointer.
    fn hsa_amd_pointer_info(
        pointer: *const c_void,
        info: *mut c_void,
        allocate: Option<unsafe extern "C" fn(usize) -> *mut c_void>,
        count: *mut u32,
        accessible: *mut *mut u64,
    ) {
        let runtime = runtime::current()?;
        if pointer.is_null() || info.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let found = pointer_info(&runtime.device, pointer as u64);
        // SAFETY: the caller's structure begins with its size, as of which it is filled.
        unsafe {
            let room = info.cast::<u32>().read_unaligned().min(found.size) as usize;
            let bytes = (&raw const found).cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes, info.cast::<u8>(), room);
            if room >= 4 {
                put(info, room as u32)?;
            }
        }
        let agents = if found.kind == 0 { &[][..] } else { &[HOST, GPU] };
        if !count.is_null() {
            // SAFETY: it is not null, and has room for a count.
            unsafe { put(count.cast(), agents.len() as u32)? };
        }
        if let (Some(allocate), false) = (allocate, accessible.is_null()) {
            // SAFETY: the caller gave its allocator for this, and the place for the result.
            unsafe {
                let list = allocate(size_of_val(agents)).cast::<u64>();
                if list.is_null() && !agents.is_empty() {
                    return Err(Status::OUT_OF_RESOURCES);
                }
                for (index, agent) in agents.iter().enumerate() {
                    list.add(index).write_unaligned(*agent);
                }
                put(accessible.cast(), list)?;
            }
        }
        Ok(())
    }
}

/// Locks memory of the host.
///
/// # Safety
/// The memory stays there until it is unlocked; the array has that many agents; `place` is null or has room.
unsafe fn lock(
    host: *mut c_void,
    size: usize,
    agents: *const u64,
    count: i32,
    place: *mut *mut c_void,
) -> Result<(), Status> {
    let runtime = runtime::current()?;
    if host.is_null() || size == 0 || place.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    let count = if agents.is_null() { 0 } else { count.max(0) as usize };
    // SAFETY: the caller promises it.
    for agent in unsafe { array(agents, count)? } {
        is_gpu(agent)?;
    }
    // SAFETY: the caller promises it.
    let locked = unsafe { runtime.device.lock("locked host memory", host as u64, size as u64) };
    locked.map_err(|error| failed("hsa_amd_memory_lock", error))?;
    // SAFETY: the caller's place has room for a pointer.
    unsafe { put(place.cast(), host) }
}

/// Copies bytes that may overlap.
///
/// # Safety
/// Both are null, which is an error, or have that many bytes.
unsafe fn copy(target: *mut c_void, source: *const c_void, size: usize) -> Result<(), Status> {
    if target.is_null() || source.is_null() {
        return Err(Status::INVALID_ARGUMENT);
    }
    // SAFETY: neither is null, and the caller promises the bytes.
    unsafe { std::ptr::copy(source.cast::<u8>(), target.cast::<u8>(), size) };
    Ok(())
}
