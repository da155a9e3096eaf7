//! Copies and fills.

use crate::hip::error::Error;
use crate::hip::memory::{Direction, Fill};
use crate::hip::runtime::Runtime;
use crate::hip::table::Handle;

fn fill(
    runtime: &Runtime,
    stream: Handle,
    destination: u64,
    value: u32,
    width: usize,
    count: usize,
) -> Result<(), Error> {
    runtime.fill(stream, Fill { destination, value, width, count })
}

/// # Safety
/// As for [`Runtime::copy`].
unsafe fn copy_and_wait(
    runtime: &Runtime,
    destination: u64,
    source: u64,
    size: usize,
    kind: Direction,
) -> Result<(), Error> {
    // SAFETY: the caller promises it.
    unsafe { runtime.copy(Handle::NULL, destination, source, size, kind)? };
    runtime.synchronize(Handle::NULL)
}

exports! {
    /// Copies, and waits for it.
    fn hipMemcpy(runtime, destination: u64, source: u64, size: usize, kind: u32) {
        // SAFETY: what is not the device's is the caller's.
        unsafe { copy_and_wait(runtime, destination, source, size, Direction(kind)) }
    }

    /// Copies in a stream's order.
    fn hipMemcpyAsync(runtime, destination: u64, source: u64, size: usize, kind: u32, stream: Handle) {
        // SAFETY: what is not the device's is the caller's.
        unsafe { runtime.copy(stream, destination, source, size, Direction(kind)) }
    }

    /// Copies from the host.
    fn hipMemcpyHtoD(runtime, destination: u64, source: u64, size: usize) {
        // SAFETY: what is not the device's is the caller's.
        unsafe { copy_and_wait(runtime, destination, source, size, Direction::TO_DEVICE) }
    }

    /// Copies to the host.
    fn hipMemcpyDtoH(runtime, destination: u64, source: u64, size: usize) {
        // SAFETY: what is not the device's is the caller's.
        unsafe { copy_and_wait(runtime, destination, source, size, Direction::TO_HOST) }
    }

    /// Copies from the host in a stream's order.
    fn hipMemcpyHtoDAsync(runtime, destination: u64, source: u64, size: usize, stream: Handle) {
        // SAFETY: what is not the device's is the caller's.
        unsafe { runtime.copy(stream, destination, source, size, Direction::TO_DEVICE) }
    }

    /// Copies to the host in a stream's order.
    fn hipMemcpyDtoHAsync(runtime, destination: u64, source: u64, size: usize, stream: Handle) {
        // SAFETY: what is not the device's is the caller's.
        unsafe { runtime.copy(stream, destination, source, size, Direction::TO_HOST) }
    }

    /// Copies within the device in a stream's order.
    fn hipMemcpyDtoDAsync(runtime, destination: u64, source: u64, size: usize, stream: Handle) {
        // SAFETY: both are to be the device's, or it is an error.
        unsafe { runtime.copy(stream, destination, source, size, Direction::WITHIN) }
    }

    /// Fills bytes, and waits for it.
    fn hipMemset(runtime, destination: u64, value: i32, size: usize) {
        fill(runtime, Handle::NULL, destination, value as u32, 1, size)?;
        runtime.synchronize(Handle::NULL)
    }

    /// Fills bytes in a stream's order.
    fn hipMemsetAsync(runtime, destination: u64, value: i32, size: usize, stream: Handle) {
        fill(runtime, stream, destination, value as u32, 1, size)
    }

    /// The same.
    fn hipMemsetD8Async(runtime, destination: u64, value: u8, count: usize, stream: Handle) {
        fill(runtime, stream, destination, value.into(), 1, count)
    }

    /// Fills elements of 2 bytes.
    fn hipMemsetD16Async(runtime, destination: u64, value: u16, count: usize, stream: Handle) {
        fill(runtime, stream, destination, value.into(), 2, count)
    }

    /// Fills elements of 4 bytes.
    fn hipMemsetD32Async(runtime, destination: u64, value: i32, count: usize, stream: Handle) {
        fill(runtime, stream, destination, value as u32, 4, count)
    }

    /// Moves managed memory nearer: it is where it is.
    fn hipMemPrefetchAsync(runtime, address: u64, size: usize, device: i32, stream: Handle) {
        runtime.device.heap.find(address).map(|_| ()).ok_or(Error::InvalidValue)
    }
}
