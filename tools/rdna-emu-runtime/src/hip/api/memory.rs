//! Allocating, freeing and registering memory.

use crate::device::Kind;
use crate::hip::abi::PointerAttributes;
use crate::hip::error::Error;
use crate::hip::memory::heap_error;
use crate::hip::pointer::Out;

/// The flag of memory that the host writes past its caches, and reads slowly.
const WRITE_COMBINED: u32 = 4;

exports! {
    /// Memory of the device, which the host may touch too, as on an APU.
    fn hipMalloc(runtime, address: Out<u64>, size: usize) {
        address.check()?;
        address.set(runtime.allocate("hipMalloc", size, Kind::Vram)?)
    }

    /// The same.
    fn hipMallocManaged(runtime, address: Out<u64>, size: usize, flags: u32) {
        address.check()?;
        if !matches!(flags, 1 | 2) {
            return Err(Error::InvalidValue);
        }
        address.set(runtime.allocate("hipMallocManaged", size, Kind::Vram)?)
    }

    /// Memory of the host that the device reaches at the same address.
    fn hipHostMalloc(runtime, address: Out<u64>, size: usize, flags: u32) {
        address.check()?;
        if flags & WRITE_COMBINED != 0 {
            runtime.device.calls.add("memory", "write_combined_bytes", size as u64);
        }
        address.set(runtime.allocate("hipHostMalloc", size, Kind::Gtt)?)
    }

    /// Frees memory of the device, after all work.
    fn hipFree(runtime, address: u64) {
        runtime.free(address)
    }

    /// Frees memory of the host, after all work.
    fn hipHostFree(runtime, address: u64) {
        runtime.free(address)
    }

    /// Lets the device reach memory of the caller's, which stays there until it is unregistered.
    fn hipHostRegister(runtime, address: u64, size: usize, flags: u32) {
        runtime.check()?;
        if address == 0 || size == 0 || address.checked_add(size as u64).is_none() {
            return Err(Error::InvalidValue);
        }
        // SAFETY: the caller promises that the bytes are there until they are unregistered, which waits for all work.
        let locked = unsafe { runtime.device.lock("hipHostRegister", address, size as u64) };
        locked.map_err(|error| heap_error(&error))
    }

    /// Undoes it, after all work.
    fn hipHostUnregister(runtime, address: u64) {
        let _ = runtime.synchronize_all();
        runtime.device.heap.unlock(address).map_err(|_| Error::HostMemoryNotRegistered)
    }

    /// The device's address of such memory: the same.
    fn hipHostGetDevicePointer(runtime, device_address: Out<u64>, address: u64, flags: u32) {
        device_address.check()?;
        if runtime.device.heap.find(address).is_none() {
            return Err(Error::InvalidValue);
        }
        device_address.set(address)
    }

    /// Free and all memory, in bytes.
    fn hipMemGetInfo(runtime, free: Out<usize>, total: Out<usize>) {
        runtime.check()?;
        free.check()?;
        let budget = runtime.device.heap.budget();
        free.set((budget.total() - budget.used()) as usize)?;
        total.set(budget.total() as usize)
    }

    /// The block that holds an address, and its size.
    fn hipMemGetAddressRange(runtime, base: Out<u64>, size: Out<usize>, address: u64) {
        let block = runtime.device.heap.find(address).ok_or(Error::NotFound)?;
        if !base.is_null() {
            base.set(block.address)?;
        }
        if size.is_null() { Ok(()) } else { size.set(block.size as usize) }
    }

    /// What an address is.
    fn hipPointerGetAttributes(runtime, attributes: Out<PointerAttributes>, address: u64) {
        attributes.check()?;
        let block = runtime.device.heap.find(address).ok_or(Error::InvalidValue)?;
        let is_host = matches!(block.kind, Kind::Gtt | Kind::Locked);
        attributes.set(PointerAttributes {
            memory_type: if is_host { 1 } else { 2 },
            device: 0,
            device_pointer: address,
            host_pointer: if is_host { address } else { 0 },
            is_managed: 0,
            flags: 0,
        })
    }
}
