//! Memory in the order of streams, and its pools.

use std::sync::Arc;

use super::devices::check_device;
use crate::device::Kind;
use crate::hip::error::Error;
use crate::hip::pointer::{In, Out};
use crate::hip::pool::{Attribute, Pool};
use crate::hip::runtime::Runtime;
use crate::hip::table::Handle;
use crate::hip::task::Task;

/// Takes memory from a pool. It is there at once; its address means nothing to work before it in the stream.
fn take(runtime: &Runtime, address: Out<u64>, size: usize, pool: Handle) -> Result<(), Error> {
    address.check()?;
    let pool = runtime.pool(pool)?;
    let place = runtime.allocate("hipMallocAsync", size, Kind::Vram)?;
    if place != 0 {
        runtime.take_from_pool(&pool, place, size as u64);
    }
    address.set(place)
}

exports! {
    /// Memory of the default pool.
    fn hipMallocAsync(runtime, address: Out<u64>, size: usize, stream: Handle) {
        take(runtime, address, size, Handle::NULL)
    }

    /// Memory of a pool.
    fn hipMallocFromPoolAsync(runtime, address: Out<u64>, size: usize, pool: Handle, stream: Handle) {
        take(runtime, address, size, pool)
    }

    /// Frees memory behind the stream's work.
    fn hipFreeAsync(runtime, address: u64, stream: Handle) {
        if address == 0 {
            return Err(Error::InvalidValue);
        }
        if runtime.device.heap.find(address).is_none_or(|block| block.address != address) {
            return Err(Error::InvalidValue);
        }
        let pool = runtime.leave_pool(address);
        runtime.submit(stream, Task::Free { address, pool }).map(|_| ())
    }

    /// A pool of the device's memory.
    fn hipMemPoolCreate(runtime, pool: Out<Handle>, properties: In<u64>) {
        pool.check()?;
        if properties.is_null() {
            return Err(Error::InvalidValue);
        }
        pool.set(runtime.pools.insert(Arc::new(Pool::default())))
    }

    /// Ends a pool; memory that was taken from it stays until it is freed.
    fn hipMemPoolDestroy(runtime, pool: Handle) {
        if pool == runtime.default_pool {
            return Err(Error::InvalidValue);
        }
        runtime.pools.remove(pool).map(|_| ())
    }

    /// The default pool.
    fn hipDeviceGetDefaultMemPool(runtime, pool: Out<Handle>, device: i32) {
        check_device(device)?;
        pool.set(runtime.default_pool)
    }

    /// The pool that `hipMallocAsync` uses: the default one.
    fn hipDeviceGetMemPool(runtime, pool: Out<Handle>, device: i32) {
        check_device(device)?;
        pool.set(runtime.default_pool)
    }

    /// An attribute, of 4 or 8 bytes.
    fn hipMemPoolGetAttribute(runtime, pool: Handle, attribute: u32, value: Out<u8>) {
        value.check()?;
        match runtime.pools.get(pool)?.attribute(attribute)? {
            Attribute::Narrow(number) => value.cast().set(number),
            Attribute::Wide(number) => value.cast().set(number),
        }
    }

    /// Sets an attribute.
    fn hipMemPoolSetAttribute(runtime, pool: Handle, attribute: u32, value: In<u8>) {
        let (narrow, wide) = (|| value.cast().get(), || value.cast().get());
        runtime.pools.get(pool)?.set_attribute(attribute, narrow, wide)
    }

    /// Gives memory back that is held in reserve: there is none.
    fn hipMemPoolTrimTo(runtime, pool: Handle, keep: usize) {
        runtime.pools.get(pool).map(|_| ())
    }
}
